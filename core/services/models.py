"""Have a model of the user's read each session once, and judge pairs of conflicts.

Off until the user chooses an engine. Proposals are checked against the turns
(`core.sessions.extraction`), then pass the checks of every capture. A failed call loses nothing,
since the fitted score has captured the session already. Open conflicts share the same daily budget.
An answer can only close a pair that is no conflict; it merges and retires nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ...db import memories, reviews, sessions
from ...db.connection import mapped_errors
from ...db.images import Image
from ..answers import Capture, StoreResult
from ..config.policy import AGENT_ENGINES, EnginePolicy, ExtractorPolicy
from ..errors import BadInput, ConsentNeeded, ManagerError, Refused
from ..ingest.drafts import MOST_LOOKED_AT, name_of, path_of
from ..ingest.promotion import SIGNALS
from ..judgements import ASIDE, OPINION_WORDS
from ..models import extractor, pairs
from ..models.client import Answer, Budget, Model, listed_in, model_of
from ..models.extractor import Request
from ..models.pairs import Asking, Noted, Opinion, PairsRequest, checked, shown_text
from ..redaction.redact import redact
from ..sessions.condensed import condensed
from ..sessions.extraction import MOST_A_SESSION, REASONS, Dropped, Quote, Verified, check
from ..values import DAY_MS, Origin
from .extractor_state import (
    COUNTED,
    OFF,
    SETTING,
    Extracted,
    ExtractorState,
    PairsJudged,
    day_of,
    engine_of,
    state_of,
)

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from ..sessions.turns import Session, Turn
    from ..values import Memory
    from .curation import Curation
    from .ingest import Captures
    from .preferences import Preferences
    from .review import Review
    from .sessions import Sessions
    from .writer import Writer

T = TypeVar("T")

PAIRS_WAIT_MS = 24 * 3600 * 1000
"""How long a pair waits for others to fill a call."""

MOST_KNOWN = 40
"""Existing memories that a model receives."""

MOST_TRIES = 2
"""Calls about one part of a session if the first fails."""

RETRY_MS = 3600 * 1000
"""Minimum time before the second try."""

WAITS_MS = 7 * 24 * 3600 * 1000
"""How long a session waits for a day with budget."""

_NOTED = 12  # dropped proposals of a session that are kept to be looked at
_KNOWN_SHOWN = 240  # characters of a known memory
_ASKED_ABOUT = 60  # turns whose neighbours are looked up
_NEAREST = 5  # known memories of each


@dataclass(frozen=True, slots=True)
class Extractor:
    """Reads sessions with a model, for one project."""

    _context: Context
    _preferences: Preferences
    _sessions: Sessions
    _review: Review
    _writer: Writer
    _curation: Curation
    _captures: Captures

    # --- which model, if any

    @property
    @mapped_errors()
    def engine(self) -> str:
        """Return the name of the engine; "" if the extractor is off."""
        return engine_of(self._context, self._preferences)

    def engines(self) -> tuple[str, ...]:
        """Return the engines of the settings, then the agents."""
        own = self._context.policy.review.engines
        return (*own, *(name for name in AGENT_ENGINES if name not in own))

    @mapped_errors()
    def choose(self, engine: str | None) -> None:
        """Have sessions read by an engine from now on; None switches that off.

        Raises BadInput for an unknown engine.
        """
        if engine is not None:
            self._settings_of(engine)
        self._context.choose("config", f"extractor: {engine or OFF}", SETTING, engine or OFF)

    @mapped_errors()
    def state(self) -> ExtractorState:
        """Return the choice, the budget and the last call."""
        engine, problem, limits = "", "", ExtractorPolicy()
        try:
            limits, engine = self._context.policy.extractor, self.engine
            if engine:
                self._settings_of(engine)
        except BadInput as error:
            problem = f"{error} {error.hint}".strip()
        return state_of(
            self._context,
            self._preferences,
            limits=limits,
            engine=engine,
            problem=problem,
            pairs_waiting=self.pairs_waiting() if engine and not problem else 0,
        )

    def _settings_of(self, name: str) -> EnginePolicy:
        engines = self._context.policy.review.engines
        if name in engines:
            return engines[name]
        if name in AGENT_ENGINES:
            return EnginePolicy(kind=name)
        names = ", ".join(f"`{engine}`" for engine in self.engines())
        raise BadInput(f"No engine is called {name[:40]!r}.", hint=f"There are {names}.")

    def model(self, engine: str = "", *, session: str = "") -> BudgetedModel:
        """Return the model for this project, or for one session of it.

        Raises BadInput for an unknown engine. Raises Refused without an engine, if auto-memory is
        off, or if the session is incognito. An incognito session is no longer due then.
        """
        name = engine or self.engine
        if not name:
            raise Refused(
                "No model is asked: the extractor is off.",
                hint="`memdeck extract --use claude`, or another of yours, has it read sessions.",
            )
        request = model_of(self._settings_of(name))
        if session and not self._sessions.is_recorded(session):
            self._set(session, due_at=None)
            raise Refused("This session is not taken down.", hint="`memdeck sessions` says more.")
        if not self._preferences.auto_memory:
            raise Refused(
                "Nothing is taken down in this project.", hint="`memdeck memory auto on`."
            )
        return BudgetedModel(self._context, request)

    # --- which sessions

    @mapped_errors()
    def pairs_waiting(self) -> int:
        """Return the number of pairs, of every project, that may be sent to a model."""
        if not self._context.policy.extractor.pairs_per_call:
            return 0
        unasked_by_project = reviews.unasked_by_project(
            self._context.database, self._context.now_ms()
        )
        return sum(count for _, count, _ in unasked_by_project)

    @mapped_errors()
    def note_session(self, session: str, host: str, cwd: str, transcript: str) -> None:
        """Note where a session's transcript is."""
        sessions.note_session(
            self._context.database, name_of(session), host, path_of(cwd), path_of(transcript)
        )

    def pass_over(self, session: str, line: int) -> None:
        """Never read the lines of a session up to this one."""
        if line > self._row(session).get("hidden", line):
            self._set(session, hidden=line)

    def passed_over(self, session: str) -> int:
        """Return the last line of a session that was incognito; 0 if none was."""
        return int(self._row(session).get("hidden", 0))

    @mapped_errors()
    def make_due(self, session: str) -> None:
        """Have a session read, unless the extractor is off or the session is incognito."""
        if not self.engine or not self._sessions.is_recorded(session):
            return
        if self._row(session).get("due_at", 0) is None:
            self._set(session, due_at=self._context.now_ms(), not_before=0, tries=0)

    def fail(self, session: str, *, for_good: bool = False) -> None:
        """Count a failed try. After the second, or `for_good`, there is no other."""
        tries = self._row(session).get("tries", 0) + 1
        self._set(session, tries=tries, not_before=self.retry_at())
        if for_good or tries >= MOST_TRIES:
            self._set(session, due_at=None)

    @mapped_errors()
    def due(self, limit: int = 20) -> list[Image]:
        """Return the sessions to read now, of every project: session, host, cwd, transcript."""
        return sessions.due(self._context.database, self._context.now_ms(), limit)

    @mapped_errors()
    def place_of(self, session: str) -> tuple[str, str]:
        """Return (host, transcript) of a session. Raises Refused if unknown."""
        if row := self._row(session):
            return str(row["host"]), str(row["transcript"])
        transcript_of = memories.transcript_of(self._context.database, name_of(session))
        if transcript_of is None:
            raise Refused(
                "It is not known where the words of this session stand.",
                hint="Sessions that hooks told of since memdeck was updated can be read.",
            )
        return transcript_of

    @mapped_errors()
    def _row(self, session: str) -> Image:
        """Return the state of a session; empty without one."""
        return sessions.of_session(self._context.database, name_of(session)) or {}

    @mapped_errors()
    def _set(self, session: str, **values: int | None) -> None:
        sessions.set_state(self._context.database, name_of(session), **values)

    # --- one session

    @mapped_errors()
    def request(self, session: str, turns: Iterable[Turn], *, whole: bool = False) -> Request:
        """Return the request for a model: the part that no model has read, or all of it if `whole`.

        Incognito lines are in neither.
        """
        row = self._row(session)
        hidden, settled = row.get("hidden", 0), row.get("line", 0)
        choice = self._context.redaction_choice()
        message = condensed(
            turns,
            lambda text: redact(text, choice=choice).value,
            since_line=hidden if whole else max(hidden, settled),
        )
        return Request(tuple(self._known(message, name_of(session))), message)

    def _known(self, message: Sequence[Any], session: str) -> Iterable[tuple[str, str]]:
        """Yield id and text of the live memories nearest to what was said, without its own
        candidates."""
        spoken = [item.text for item in message if item.who in ("person", "agent")]
        ids: dict[str, None] = {}
        for text in spoken[-_ASKED_ABOUT:]:
            near = [
                neighbour.id
                for neighbour in self._review.sharing_words(text)
                if not neighbour.is_private
                and (neighbour.session != session or neighbour.status != "candidate")
            ]
            ids.update(dict.fromkeys(near[:_NEAREST]))
        for name in list(ids)[:MOST_KNOWN]:
            memory = self._context.resolve(name)
            yield memory.short_id, redact(memory.content).value[:_KNOWN_SHOWN]

    @mapped_errors()
    def read(
        self, position: Session, turns: Iterable[Turn], *, by_hand: bool = False, engine: str = ""
    ) -> Extracted:
        """Have a model read one session, and store what holds. Nothing is written meanwhile.

        A due session is settled, tried again later or waits for tomorrow. A call `by_hand` leaves
        that as it is. Raises BadInput for an unknown engine, Refused for an incognito session.
        """
        session = name_of(position.session)
        model = self.model(engine, session=session)
        request = self.request(session, turns, whole=by_hand)
        if not any(item.who == "person" for item in request.said):
            self._set(session, due_at=None)
            return Extracted(session, model.name, "nothing", "Nobody says anything in it.")
        if why := model.why_not(request.tokens):
            if not by_hand:
                now = self._context.now_ms()
                is_old = now - (self._row(session).get("due_at") or 0) > WAITS_MS
                later = {"due_at": None} if is_old else {"not_before": day_of(now) + DAY_MS}
                self._set(session, **later)
            return Extracted(session, model.name, "over_budget", why)
        if by_hand:
            self.ask_person(f"Some {request.tokens:,} tokens of this session go to {model.name}.")
        else:
            self.fail(session)  # until it did not: who is killed on the way has tried as well
        answer = model.ask(request.text, extractor.SCHEMA, lambda text: listed_in(text, "memories"))
        if answer.content is None:
            cost = (answer.tokens, answer.cost_usd, answer.latency_ms)
            done = Extracted(session, model.name, answer.status, answer.reason, *cost)
        else:
            row = self._row(session)
            room = max(0, MOST_A_SESSION - row.get("kept", 0))
            done = self._keep(position, request, answer, model.name, room)
            last = max(item.turn.line for item in request.said)
            self._set(
                session,
                due_at=None,
                tries=0,
                line=max(last, row.get("line", 0)),
                kept=row.get("kept", 0) + done.kept,
            )
        self._note(done, session=session, **{name: getattr(done, name) for name in COUNTED})
        return done

    def ask_person(self, question: str) -> None:
        """Raise ConsentNeeded or Refused unless the user agrees to what is sent."""
        agree = self._context.consent.callback
        if agree is None:
            raise ConsentNeeded(question)
        if not agree(question):
            raise Refused("Nothing was sent.", hint="--print-request tells what would be.")

    def retry_at(self) -> int:
        """Return the time of the next try after a failure, in milliseconds since 1970."""
        return self._context.now_ms() + RETRY_MS

    def note_pairs(self, done: PairsJudged) -> None:
        """Record a call about pairs, which counts towards the day's budget."""
        counts = {**dict.fromkeys(COUNTED, 0), "kept": sum(done.answers.values())}
        self._note(done, session="", pairs=done.pairs, **counts)

    @mapped_errors()
    def _note(self, done: Extracted | PairsJudged, **more: object) -> None:
        call = {
            "at": self._context.now_ms(),
            "engine": done.engine,
            "status": done.status,
            "reason": done.reason,
            "tokens": done.tokens,
            "cost_usd": done.cost_usd,
            "latency_ms": done.latency_ms,
            "dropped": dict(done.dropped),
            **more,
        }
        sessions.note_call(self._context.database, call)

    # --- what holds of an answer

    def _keep(
        self,
        session: Session,
        request: Request,
        answer: Answer[Mapping[str, Any]],
        called: str,
        room: int,
    ) -> Extracted:
        """Check an answer, and store what holds: at most `room` new memories."""
        assert answer.content is not None
        checked = check(
            answer.content,
            request.said,
            session,
            known=[name for name, _ in request.known],
            exists=_looks_in(session.root),
            room=room,
        )
        memories: list[str] = []
        count = merged = replaced = disputed = 0
        reasons = [item.reason for item in checked.dropped]
        for item in checked.dropped[:_NOTED]:
            self._note_dropped(item, session)
        for proposal in checked.verified:
            result = self._offered(proposal.capture)
            if result.memory_id is None:
                reasons.append("repeated" if result.outcome == "repeated" else result.outcome)
                continue
            memories.append(result.memory_id)
            count += result.stored
            merged += self._merge_candidates(proposal, result.memory_id, session)
            if proposal.replaces:
                was_own = self._replace(proposal.replaces, result.memory_id)
                replaced += was_own is True
                disputed += was_own is False
        for name in checked.retract:
            is_gone = self._retract(name)
            replaced += is_gone
            reasons += [] if is_gone else ["not its own to take back"]
        return Extracted(
            session=session.session,
            engine=called,
            status="ok",
            tokens=answer.tokens,
            cost_usd=answer.cost_usd,
            latency_ms=answer.latency_ms,
            kept=count,
            memories=tuple(memories),
            known=len(memories) - count,
            merged=merged,
            replaced=replaced,
            disputed=disputed,
            dropped=dict(Counter(reasons).most_common()),
        )

    def _offered(self, capture: Capture) -> StoreResult:
        try:
            return self._captures.offer([capture])[0]
        except ManagerError as error:  # a field that no memory can have: one proposal less
            return StoreResult(False, None, 0.0, str(error), "refused")

    def _merge_candidates(self, proposal: Verified, memory: str, session: Session) -> int:
        """Merge the candidates that the score captured at the same lines; return how many."""
        candidates_at = memories.candidates_at(*self._context.here, session.session, proposal.lines)
        same = [
            row["id"]
            for row in candidates_at
            if row["id"] != memory
            and not str(row["ref"] or "").rpartition(":")[2].startswith("m")
            and any(_overlap(row["content"], quote) for quote in proposal.quotes)
        ]
        if not same:
            return 0
        with self._context.change(
            "merge", "the extractor read the same place", actor="rule"
        ) as change:
            image = change.get("memory", memory)
            if image is None or image["retired_at"] is not None:
                return 0
            self._curation.merge_in(change, memory, same, {})
            found_for = [change.get("memory_candidacy", item) for item in same]
            own = change.get("memory_candidacy", memory)
            if own and any(item and "user-intent" in item["signals"] for item in found_for):
                # the quoted words are the person's, and were an instruction: they stay one
                signals = {**own["signals"], "user-intent": SIGNALS["user-intent"]}
                points = float(sum(signals.values()))
                change.put("memory_candidacy", {**own, "signals": signals, "points": points})
        return len(same)

    def _replace(self, ref: str, memory: str) -> bool | None:
        """Return True if an agent's candidate was replaced, False for a conflict instead."""
        try:
            old = self._context.resolve(ref)
        except ManagerError:
            return None
        if old.id == memory or not old.is_live:
            return None
        is_own = self._is_own(old.id)
        reason = "a model that read the session says that it is replaced"
        with self._context.change(
            "supersede" if is_own else "conflict", reason, actor="rule"
        ) as change:
            image = change.get("memory", old.id)
            if image is None or image["retired_at"] is not None:
                return None
            if is_own:
                self._writer.take_out(change, old.id, "superseded", memory)
            elif reviews.conflict_between(change.database, old.id, memory) is None:
                self._writer.put_conflict(change, old.id, memory, "superseded", reason)
        return is_own

    def _retract(self, ref: str) -> bool:
        """Return True if an agent's candidate was rejected."""
        try:
            old = self._context.resolve(ref)
        except ManagerError:
            return False
        if not old.is_live or not self._is_own(old.id):
            return False
        with self._context.change(
            "reject", "a later session shows otherwise", actor="rule"
        ) as change:
            return self._writer.take_out(change, old.id, "rejected")

    def _is_own(self, memory: str) -> bool:
        """Return True for an agent's unconfirmed candidate of this project."""
        row = self._context.resolve(memory)
        candidacy: Mapping[str, Any] = reviews.candidacy(self._context.database, memory) or {}
        return (
            row.status == "candidate"
            and row.project == self._context.project_id
            and row.origin.agent is not None
            and "user-intent" not in candidacy.get("signals", {})
        )

    def _note_dropped(self, dropped: Dropped, session: Session) -> None:
        """List a dropped proposal among the filtered captures."""
        text = redact(dropped.text[:MOST_LOOKED_AT]).value
        if text:
            origin = Origin(session=name_of(session.session), agent=session.agent)
            capture = Capture(text, rule="model", origin=origin)
            self._writer.note(capture, text, "refused", f"extractor: {REASONS[dropped.reason]}")


@dataclass(frozen=True, slots=True)
class BudgetedModel:
    """A model with the rest of the day's budget."""

    context: Context
    model: Model

    @property
    def name(self) -> str:
        """Return the name in records."""
        return self.model.name

    @property
    def tokens_left(self) -> int:
        """Return the tokens that are left today."""
        return max(0, self.context.policy.extractor.max_tokens_per_day - self._spent()[2])

    def why_not(self, needed: int) -> str:
        """Return why today's budget forbids a call of so many tokens; "" if it does not."""
        limits = self.context.policy.extractor
        usd, calls, tokens = self._spent()
        budget = Budget(
            usd, calls, max_usd=limits.max_cost_usd_per_day, max_calls=limits.max_calls_per_day
        )
        why = budget.refusal(self.model.expected_usd)
        if not why and tokens + needed > limits.max_tokens_per_day:
            why = (
                f"{tokens:,} of {limits.max_tokens_per_day:,} tokens were spent today, and this"
                f" call is taken to need {needed:,}."
            )
        return why

    def ask(self, text: str, schema: Mapping[str, object], parse: Callable[[str], T]) -> Answer[T]:
        """Return its answer within the configured time. Never raises."""
        return self.model.ask(text, schema, self.context.policy.extractor.timeout_s, parse)

    @mapped_errors()
    def _spent(self) -> tuple[float, int, int]:
        """Return (dollars, calls, tokens) of today."""
        return sessions.spent(self.context.database, day_of(self.context.now_ms()))


def _looks_in(root: str | None) -> Any:
    """Return a test whether a path is below `root`; None without a folder."""
    if root is None or not os.path.isdir(root):
        return None

    def exists(path: str) -> bool:
        parts = path.replace("\\", "/").split("/")
        return (
            not os.path.isabs(path)
            and ".." not in parts
            and os.path.exists(os.path.join(root, path))
        )

    return exists


def _overlap(content: str, quote: Quote) -> bool:
    """Return True if a candidate was made of the words that a proposal quotes."""
    item, other = (_letters(each) for each in (content, quote.words))
    few = min(len(item), len(other))
    return few >= 12 and (item in other or other in item)


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


# --- pairs


@dataclass(frozen=True, slots=True)
class Opinions:
    """Asks a model about pairs, for one project."""

    _context: Context
    _review: Review
    _extractor: Extractor

    @mapped_errors()
    def due(self) -> list[str]:
        """Return the ids of the projects whose pairs are due."""
        most = self._context.policy.extractor.pairs_per_call
        if not most or not self._extractor.engine:
            return []
        now = self._context.now_ms()
        unasked_by_project = reviews.unasked_by_project(self._context.database, now)
        return [
            name
            for name, count, since in unasked_by_project
            if count >= most or now - since >= PAIRS_WAIT_MS
        ]

    def waiting(self) -> int:
        """Return the number of pairs, of every project, that may be sent to a model."""
        return self._extractor.pairs_waiting()

    @mapped_errors()
    def request(self) -> PairsRequest:
        """Return the request for a model about this project's pairs; maybe empty."""
        most = self._context.policy.extractor.pairs_per_call
        rows = reviews.unasked(*self._context.here, self._context.now_ms(), most)
        return PairsRequest(tuple(self._asking(row) for row in rows))

    def _asking(self, row: Image) -> Asking:
        sides = [self._context.resolve(row[name]) for name in ("entry_a", "entry_b")]
        older, newer = sorted(sides, key=lambda item: (item.created_at, item.num))
        return Asking(
            row["id"],
            (row["one"], row["other"]),
            self._noted(older),
            self._noted(newer),
        )

    def _noted(self, memory: Memory) -> Noted:
        said_so = (self._review.candidacy(memory.id) or {}).get("signals", {})
        is_persons = memory.origin.agent is None or "user-intent" in said_so
        return Noted(
            shown_text(redact(memory.content, choice=self._context.redaction_choice()).value),
            memory.created_at.date().isoformat(),
            "person" if is_persons else "agent",
        )

    @mapped_errors()
    def judge(self, *, by_hand: bool = False, engine: str = "") -> PairsJudged:
        """Send one call's pairs to the model, and store the answers that hold.

        Nothing is written meanwhile. An answered pair is never sent again. A failed call is tried
        once more after an hour. Raises BadInput for an unknown engine, Refused if auto-memory is
        off.
        """
        extractor = self._extractor
        model = extractor.model(engine)
        whole = self.request()
        if not whole.pairs:
            return PairsJudged(model.name, "nothing", "No pair waits for a model.")
        request = whole.within(model.tokens_left)
        if why := model.why_not(request.tokens if request.pairs else whole.tokens):
            return PairsJudged(model.name, "over_budget", why)
        if by_hand:
            words = f"{len(request.pairs)} pairs of memories, some {request.tokens:,} tokens"
            extractor.ask_person(f"{words}, go to {model.name}.")
        keys = [pair.fingerprints for pair in request.pairs]
        reviews.note_tries(self._context.database, keys, extractor.retry_at())
        answer = model.ask(request.text, pairs.SCHEMA, lambda text: listed_in(text, "answers"))
        cost = (answer.tokens, answer.cost_usd, answer.latency_ms)
        if answer.content is None:
            done = PairsJudged(model.name, answer.status, answer.reason, len(keys), *cost)
        else:
            reviews.note_answered(self._context.database, keys)
            opinions, refused = checked(answer.content, len(keys))
            taken = [
                opinion
                for number, opinion in sorted(opinions.items())
                if self._take(request.pairs[number - 1], opinion, model.name)
            ]
            refused += ["decided meanwhile"] * (len(opinions) - len(taken))
            done = PairsJudged(
                model.name,
                "ok",
                "",
                len(keys),
                *cost,
                answers=dict(Counter(pair.answer for pair in taken)),
                dropped=dict(Counter(refused).most_common()),
            )
        extractor.note_pairs(done)
        return done

    def _take(self, asking: Asking, opinion: Opinion, called: str) -> bool:
        """Return True if an answer was stored: not if the conflict changed meanwhile."""
        word = opinion.word
        is_aside = word in ASIDE
        act, reason = "resolve" if is_aside else "conflict", f"a model ({called}) says: "
        reason += OPINION_WORDS[word]
        with self._context.change(act, reason, actor="rule") as change:
            row = change.get("conflict", asking.conflict)
            if row is None or not self._is_as_asked(change, row, asking):
                return False
            details = {"opinion": word, "opinion_by": called, "opinion_why": opinion.why or None}
            after = {**row, **{name: value for name, value in details.items() if value}}
            if is_aside:
                after |= {"resolved_at": self._context.now_ms(), "verdict": "not_a_conflict"}
            change.put("conflict", after)
        return True

    def _is_as_asked(self, change: Change, row: Image, asking: Asking) -> bool:
        """Return True if the pair is still open, with the texts that the model received."""
        sides = [change.get("memory", row[name]) for name in ("entry_a", "entry_b")]
        return (
            row["resolved_at"] is None
            and not row.get("opinion")
            and all(side is not None and side["retired_at"] is None for side in sides)
            and {side["fingerprint"] for side in sides if side} == {*asking.fingerprints}
        )
