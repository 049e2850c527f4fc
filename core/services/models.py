"""A model of the user's reads each session once, and is asked about pairs in Conflicts.

Off until the user chooses an engine. What it proposes is checked against the turns
(`core.sessions.extraction`), then passes the checks that every capture passes. A failed call
loses nothing: what the fitted score kept of the session is there already. Open conflicts are
sent out of the same day's budget: an answer resolves what it calls no conflict. It merges nothing
and retires nothing.
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
from ..models.calls import COUNTED, Extracted, ExtractorState, PairsJudged
from ..models.client import Answer, Budget, Model, listed_in, model_of
from ..models.extractor import Request
from ..models.pairs import Asking, Noted, Opinion, PairsRequest, checked, shown_text
from ..redaction.redact import redact
from ..sessions.condensed import condensed
from ..sessions.extraction import MOST_A_SESSION, REASONS, Dropped, Quote, Verified, check
from ..values import DAY_MS, Origin
from .extractor_state import OFF, SETTING, day_of, engine_of, state_of

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
"""Known memories that a model is shown."""

MOST_TRIES = 2
"""Calls about one stretch of a session, where the first fails."""

RETRY_MS = 3600 * 1000
"""How long after a failure the second try waits, at least."""

WAITS_MS = 7 * 24 * 3600 * 1000
"""How long a session waits for a day with budget left."""

_NOTED = 12  # dropped proposals of a session that are kept to be looked at
_KNOWN_SHOWN = 240  # characters of a known memory
_ASKED_ABOUT = 60  # turns whose neighbours are looked up
_NEAREST = 5  # known memories of each


@dataclass(frozen=True, slots=True)
class Extractor:
    """Reads sessions by a model, for one project."""

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
        """The name of the engine that is asked; "" when the extractor is off."""
        return engine_of(self._context, self._preferences)

    def engines(self) -> tuple[str, ...]:
        """What can be chosen: engines of the settings, then the agents."""
        own = self._context.policy.review.engines
        return (*own, *(name for name in AGENT_ENGINES if name not in own))

    @mapped_errors()
    def choose(self, engine: str | None) -> None:
        """Have sessions read by an engine from now on; None switches that off, or declines it.

        Raises BadInput for a name that is no engine.
        """
        if engine is not None:
            self._settings_of(engine)
        self._context.choose("config", f"extractor: {engine or OFF}", SETTING, engine or OFF)

    @mapped_errors()
    def state(self) -> ExtractorState:
        """Choice, budget and the last call."""
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
        """The model that is asked about this project, or about one session of it.

        Raises BadInput for an engine that there is not, Refused where none is chosen, auto-memory
        is off or the session is off the record, which is due no longer then.
        """
        name = engine or self.engine
        if not name:
            raise Refused(
                "No model is asked: the extractor is off.",
                hint="`memdeck extract --use claude`, or another of yours, has it read sessions.",
            )
        asked = model_of(self._settings_of(name))
        if session and not self._sessions.is_recorded(session):
            self._set(session, due_at=None)
            raise Refused("This session is not taken down.", hint="`memdeck sessions` says more.")
        if not self._preferences.auto_memory:
            raise Refused(
                "Nothing is taken down in this project.", hint="`memdeck memory auto on`."
            )
        return BudgetedModel(self._context, asked)

    # --- which sessions

    @mapped_errors()
    def pairs_waiting(self) -> int:
        """How many pairs, of every project, may still be put to a model."""
        if not self._context.policy.extractor.pairs_per_call:
            return 0
        unasked_by_project = reviews.unasked_by_project(
            self._context.database, self._context.now_ms()
        )
        return sum(count for _, count, _ in unasked_by_project)

    @mapped_errors()
    def note_session(self, session: str, host: str, cwd: str, transcript: str) -> None:
        """Note where a session's words stand."""
        sessions.note_session(
            self._context.database, name_of(session), host, path_of(cwd), path_of(transcript)
        )

    def pass_over(self, session: str, line: int) -> None:
        """What stands in a session up to this line shall be read no more, by no model either."""
        if line > self._row(session).get("hidden", line):
            self._set(session, hidden=line)

    def passed_over(self, session: str) -> int:
        """The line up to which a session was off the record at some time; 0 when it never was."""
        return int(self._row(session).get("hidden", 0))

    @mapped_errors()
    def make_due(self, session: str) -> None:
        """Have a session read, unless the extractor is off or the session is off the record."""
        if not self.engine or not self._sessions.is_recorded(session):
            return
        if self._row(session).get("due_at", 0) is None:
            self._set(session, due_at=self._context.now_ms(), not_before=0, tries=0)

    def fail(self, session: str, *, for_good: bool = False) -> None:
        """Count a try that came to nothing; after the second, or `for_good`, there is no other."""
        tries = self._row(session).get("tries", 0) + 1
        self._set(session, tries=tries, not_before=self.retry_at())
        if for_good or tries >= MOST_TRIES:
            self._set(session, due_at=None)

    @mapped_errors()
    def due(self, limit: int = 20) -> list[Image]:
        """Sessions that are to be read now: session, host, cwd, transcript. Of every project."""
        return sessions.due(self._context.database, self._context.now_ms(), limit)

    @mapped_errors()
    def place_of(self, session: str) -> tuple[str, str]:
        """(host, transcript) of a session by its id. Raises Refused where nobody knows."""
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
        """What is noted of a session; empty where nothing is."""
        return sessions.of_session(self._context.database, name_of(session)) or {}

    @mapped_errors()
    def _set(self, session: str, **values: int | None) -> None:
        sessions.set_state(self._context.database, name_of(session), **values)

    # --- one session

    @mapped_errors()
    def request(self, session: str, turns: Iterable[Turn], *, whole: bool = False) -> Request:
        """What a model would be sent: what no model has read yet, or all of it if `whole`.

        Lines that were off the record are in neither.
        """
        row = self._row(session)
        hidden, settled = row.get("hidden", 0), row.get("line", 0)
        choice = self._context.redaction_choice()
        said = condensed(
            turns,
            lambda text: redact(text, choice=choice).value,
            since_line=hidden if whole else max(hidden, settled),
        )
        return Request(tuple(self._known(said, name_of(session))), said)

    def _known(self, said: Sequence[Any], session: str) -> Iterable[tuple[str, str]]:
        """Id and text of the live memories nearest to what was said; none that waits from here."""
        spoken = [item.text for item in said if item.who in ("person", "agent")]
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
        self, place: Session, turns: Iterable[Turn], *, by_hand: bool = False, engine: str = ""
    ) -> Extracted:
        """Have one session read, and keep what holds. Nothing is written while the model thinks.

        What is due is settled, tried again later or waits for tomorrow; a call `by_hand` leaves
        that as it is. Raises BadInput for an engine that there is not, Refused for a session that
        is off the record.
        """
        session = name_of(place.session)
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
            done = self._keep(place, request, answer, model.name, room)
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
        """Raise ConsentNeeded or Refused unless a person agrees to what is sent."""
        agree = self._context.consent.callback
        if agree is None:
            raise ConsentNeeded(question)
        if not agree(question):
            raise Refused("Nothing was sent.", hint="--print-request tells what would be.")

    def retry_at(self) -> int:
        """When what fails now may be tried again, milliseconds since 1970."""
        return self._context.now_ms() + RETRY_MS

    def note_pairs(self, done: PairsJudged) -> None:
        """Record a call about pairs: it counts towards the day's budget."""
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
        """Check an answer, and keep what holds of it: at most `room` new memories."""
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
        """Take in what the score had found at the same place; how many."""
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
        """Whether a candidate of the agent's was replaced; False: a conflict is to be decided."""
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
        """Whether a candidate of the agent's was taken back."""
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
        """Whether it is an agent's unconfirmed candidate of this project, which nobody vouches
        for."""
        row = self._context.resolve(memory)
        candidacy: Mapping[str, Any] = reviews.candidacy(self._context.database, memory) or {}
        return (
            row.status == "candidate"
            and row.project == self._context.project_id
            and row.origin.agent is not None
            and "user-intent" not in candidacy.get("signals", {})
        )

    def _note_dropped(self, dropped: Dropped, session: Session) -> None:
        """Keep a proposal that failed among the refused ones, where a person can look at it."""
        text = redact(dropped.text[:MOST_LOOKED_AT]).value
        if text:
            origin = Origin(session=name_of(session.session), agent=session.agent)
            capture = Capture(text, rule="model", origin=origin)
            self._writer.note(capture, text, "refused", f"extractor: {REASONS[dropped.reason]}")


@dataclass(frozen=True, slots=True)
class BudgetedModel:
    """A model, and what the day still has for it."""

    context: Context
    model: Model

    @property
    def name(self) -> str:
        """The name that records have."""
        return self.model.name

    @property
    def tokens_left(self) -> int:
        """How many tokens the budget of today still has."""
        return max(0, self.context.policy.extractor.max_tokens_per_day - self._spent()[2])

    def why_not(self, needed: int) -> str:
        """Return why the budget of today does not allow a call of so many tokens; "" if it does."""
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
        """Return its answer within the time that the settings allow. Never raises."""
        return self.model.ask(text, schema, self.context.policy.extractor.timeout_s, parse)

    @mapped_errors()
    def _spent(self) -> tuple[float, int, int]:
        """(dollars, calls, tokens) of today."""
        return sessions.spent(self.context.database, day_of(self.context.now_ms()))


def _looks_in(root: str | None) -> Any:
    """Whether a path is below `root`; None where there is no folder to look in."""
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
    """Whether a candidate was made of the words that a proposal quotes."""
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
        """Ids of the projects whose pairs are to be put to a model now, of every project."""
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
        """How many pairs, of every project, may still be put to a model."""
        return self._extractor.pairs_waiting()

    @mapped_errors()
    def request(self) -> PairsRequest:
        """What a model would be sent of this project now; maybe no pair."""
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
        """Put one call's pairs to the model, and take what holds of its answer.

        Nothing is written while it thinks. A pair that was answered, however, is never put to a
        model again; a call that fails as a whole is made once more after an hour. Raises BadInput
        for an engine that there is not, Refused where auto-memory is off.
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
        """Whether an answer was written to its conflict: not when that changed meanwhile."""
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
        """Whether the pair still waits, and its texts are those that the model was shown."""
        sides = [change.get("memory", row[name]) for name in ("entry_a", "entry_b")]
        return (
            row["resolved_at"] is None
            and not row.get("opinion")
            and all(side is not None and side["retired_at"] is None for side in sides)
            and {side["fingerprint"] for side in sides if side} == {*asking.fingerprints}
        )
