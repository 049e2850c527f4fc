"""Have a model that the user chose read each session once."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...db import memories, reviews, sessions
from ...db.connection import mapped_errors
from ...db.errors import ManagerError, Refused
from ...db.images import Image
from ..answers import Capture, StoreResult
from ..ingest.drafts import MOST_LOOKED_AT, name_of, path_of
from ..ingest.promotion import SECOND_HAND, SIGNALS
from ..models.client import Answer, Budget, Model, listed_in, model_of
from ..models.extractor import (
    MOST_A_SESSION,
    REASONS,
    SCHEMA,
    NumberedTurn,
    Quote,
    Request,
    Verified,
    check,
    condensed,
)
from ..redaction.redact import redact
from ..sessions.utterances import Sources
from ..values import DAY_MS, VERIFIED, Origin
from .extractor_state import COUNTED, Extracted, day_of

if TYPE_CHECKING:
    from ..context import Context
    from ..sessions.turns import Session, Turn
    from ..values import Memory
    from .curation import Curation
    from .ingest import Captures
    from .preferences import Preferences
    from .search import Search
    from .writer import Writer

MAX_MEMORIES = 40  # existing memories that a model receives
MAX_TRIES = 2  # calls about one part of a session if the first fails
RETRY_MS = 3600 * 1000  # minimum time before the second try
LIMIT_S = 180.0  # longest time that one session may take
WHY_PROPOSED = "a model read the session"
WAITS_MS = 7 * 24 * 3600 * 1000  # how long a session waits for a day with budget


class Extractor:
    """Reads sessions with a model, for one project."""

    _context: Context
    _preferences: Preferences
    _search: Search
    _writer: Writer
    _curation: Curation
    _captures: Captures

    def _model(self, engine: str, session: str) -> Model:
        """Return the model for a session. Raises BadInput; Refused if it is not recorded."""
        name = engine or self._preferences.engine
        if not name:
            hint = "`memdeck extract --use claude`, or another of yours, has it read sessions."
            raise Refused("No model is asked: the extractor is off.", hint=hint)
        model = model_of(self._preferences.engine_settings(name))
        if not self._preferences.is_recorded(session):
            self._set(session, due_at=None)
            raise Refused("This session is not recorded.", hint="`memdeck sessions` says more.")
        if not self._preferences.auto_memory:
            raise Refused("Nothing is recorded in this project.", hint="`memdeck memory auto on`.")
        return model

    def _budget_refusal(self, model: Model, needed: int) -> str:
        """Return why today's budget forbids a call of so many tokens; "" if it does not."""
        limits = self._context.policy.extractor
        now = self._context.now_ms()
        usd, calls, tokens = sessions.spent(self._context.database, day_of(now))
        budget = Budget(
            usd, calls, max_usd=limits.max_cost_usd_per_day, max_calls=limits.max_calls_per_day
        )
        why = budget.refusal(model.expected_usd)
        if not why and tokens + needed > limits.max_tokens_per_day:
            why = (
                f"{tokens:,} of {limits.max_tokens_per_day:,} tokens were spent today, and this"
                f" call is taken to need {needed:,}."
            )
        return why

    @mapped_errors()
    def _note(self, done: Extracted, **more: object) -> None:
        """Record a call, which counts towards the day's budget."""
        names = ("engine", "status", "reason", "tokens", "cost_usd", "latency_ms")
        call = {name: getattr(done, name) for name in names}
        call |= {"at": self._context.now_ms(), "dropped": dict(done.dropped), **more}
        sessions.note_call(self._context.database, call)

    # --- sessions that are due

    @mapped_errors()
    def note_session(self, session: str, host: str, cwd: str, transcript: str) -> None:
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
        if not self._preferences.engine or not self._preferences.is_recorded(session):
            return
        if self._row(session).get("due_at", 0) is None:
            self._set(session, due_at=self._context.now_ms(), not_before=0, tries=0)

    def fail(self, session: str, *, for_good: bool = False) -> None:
        """Count a failed try. After the second, or `for_good`, there is no other."""
        tries = self._row(session).get("tries", 0) + 1
        self._set(session, tries=tries, not_before=self._context.now_ms() + RETRY_MS)
        if for_good or tries >= MAX_TRIES:
            self._set(session, due_at=None)

    @mapped_errors()
    def due(self, limit: int = 20) -> list[Image]:
        """Return the sessions to read now, of every project: session, host, cwd, transcript."""
        return sessions.due(self._context.database, self._context.now_ms(), limit)

    @mapped_errors()
    def transcript_of(self, session: str) -> tuple[str, str]:
        """Return (host, transcript) of a session. Raises Refused if unknown."""
        if row := self._row(session):
            return str(row["host"]), str(row["transcript"])
        transcript = memories.transcript_of(self._context.database, name_of(session))
        if transcript is None:
            hint = "Only sessions that hooks reported since the update can be read."
            raise Refused("It is not known where the words of this session stand.", hint=hint)
        return transcript

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
        """Return the request for a model: the unread part, or all if `whole`."""
        row = self._row(session)
        hidden, settled = row.get("hidden", 0), row.get("line", 0)
        choice = self._context.redaction_choice()
        numbered = condensed(
            turns,
            lambda text: redact(text, choice=choice).value,
            since_line=hidden if whole else max(hidden, settled),
        )
        return Request(tuple(self._nearest(numbered, name_of(session))), numbered)

    def _nearest(self, turns: Sequence[NumberedTurn], session: str) -> Iterator[tuple[str, str]]:
        """Yield id and text of the live memories nearest to the last turns, without the session's
        own candidates."""
        spoken = [turn.text for turn in turns if turn.who in ("person", "agent")]
        ids: dict[str, None] = {}
        for text in spoken[-60:]:
            near = [
                neighbour.id
                for neighbour in self._search.sharing_words(text)
                if not neighbour.is_private
                and (neighbour.session != session or neighbour.status != "candidate")
            ]
            ids.update(dict.fromkeys(near[:5]))
        for name in list(ids)[:MAX_MEMORIES]:
            memory = self._context.resolve(name)
            yield memory.short_id, redact(memory.content).value[:240]

    @mapped_errors()
    def read(
        self, session: Session, turns: Iterable[Turn], *, by_hand: bool = False, engine: str = ""
    ) -> Extracted:
        """Have a model read one session, and store valid proposals; `by_hand` leaves due ones.

        Raises BadInput for an unknown engine, Refused for a session that is not recorded.
        """
        name, turns = name_of(session.session), list(turns)
        model = self._model(engine, name)
        request = self.request(name, turns, whole=by_hand)
        if not any(turn.who == "person" for turn in request.turns):
            self._set(name, due_at=None)
            return Extracted(name, model.name, "nothing", "It has no words of a user or an agent.")
        if why := self._budget_refusal(model, request.tokens):
            if not by_hand:
                now = self._context.now_ms()
                is_old = now - (self._row(name).get("due_at") or 0) > WAITS_MS
                later = {"due_at": None} if is_old else {"not_before": day_of(now) + DAY_MS}
                self._set(name, **later)
            return Extracted(name, model.name, "over_budget", why)
        if by_hand:
            size = f"Some {request.tokens:,} tokens of this session"
            self._context.consent.agree(f"{size} go to {model.name}.")
        else:
            self.fail(name)  # until it did not: a process that is killed meanwhile has tried too
        answer = model.ask(request.text, SCHEMA, LIMIT_S, lambda text: listed_in(text, "memories"))
        if answer.content is None:
            cost = (answer.tokens, answer.cost_usd, answer.latency_ms)
            done = Extracted(name, model.name, answer.status, answer.reason, *cost)
        else:
            row = self._row(name)
            room = max(0, MOST_A_SESSION - row.get("kept", 0))
            done = self._store(session, request, answer, turns, model.name, room)
            last = max(turn.source.line for turn in request.turns)
            read = {"line": max(last, row.get("line", 0)), "kept": row.get("kept", 0) + done.kept}
            self._set(name, due_at=None, tries=0, **read)
        self._note(done, session=name, **{field: getattr(done, field) for field in COUNTED})
        return done

    def _store(
        self,
        session: Session,
        request: Request,
        answer: Answer[Mapping[str, Any]],
        turns: Sequence[Turn],
        engine: str,
        room: int,
    ) -> Extracted:
        """Check an answer, and store valid proposals: at most `room` new memories."""
        exists = _exists_below(session.root)
        checked = check(answer.content or {}, request, session, exists=exists, room=room)
        stored: list[str] = []
        count = merged = replaced = disputed = 0
        reasons = [item.reason for item in checked.dropped]
        origin = Origin(session=name_of(session.session), agent=session.agent)
        for item in checked.dropped:  # listed among the filtered captures
            if text := redact(item.text[:MOST_LOOKED_AT]).value:
                capture = Capture(text, rule="model", origin=origin)
                why = f"extractor: {REASONS[item.reason]}"
                self._writer.note(capture, text, "refused", why)
        for proposal in checked.verified:
            capture = proposal.capture
            agents = [item.turn.source.line for item in proposal.quotes if item.turn.who == "agent"]
            evidence = "person"
            if agents:  # what counts is who said it before the agent did
                before = [turn for turn in turns if turn.line < agents[0]]
                evidence = Sources(before).evidence(capture.content)
            if evidence not in VERIFIED:
                capture = replace(capture, tags=(*capture.tags, SECOND_HAND))
            try:
                result = self._captures.offer([capture])[0]
            except ManagerError as error:  # a field that no memory can have: one proposal less
                result = StoreResult(False, None, 0.0, str(error), "refused")
            if result.memory_id is None:
                reasons.append(result.outcome)
                continue
            stored.append(result.memory_id)
            count += result.stored
            self._note_record(result.memory_id, origin, evidence)
            merged += self._merge_candidates(proposal, result.memory_id, session)
            if proposal.replaces:
                was_own = self._replace(proposal.replaces, result.memory_id)
                replaced += was_own is True
                disputed += was_own is False
        self._retire_sentences(request, origin.session or "")
        for name in checked.retract:
            is_retracted = self._retract(name)
            replaced += is_retracted
            reasons += [] if is_retracted else ["not its own to take back"]
        return Extracted(
            session=session.session,
            engine=engine,
            status="ok",
            tokens=answer.tokens,
            cost_usd=answer.cost_usd,
            latency_ms=answer.latency_ms,
            kept=count,
            memories=tuple(stored),
            known=len(stored) - count,
            merged=merged,
            replaced=replaced,
            disputed=disputed,
            dropped=dict(Counter(reasons).most_common()),
        )

    def _note_record(self, memory: str, origin: Origin, evidence: str) -> None:
        """Note a proposal as a record of the session, so that starts inject it like one."""
        now = self._context.now_ms()
        row: Image = {
            "id": f"model-{self._context.new_id()}",
            "session": origin.session,
        }
        row |= {"memory": memory, "at": now, "checked_at": now, "evidence": evidence}
        with self._context.change("learn", WHY_PROPOSED, actor="rule") as change:
            image = change.get("memory", memory)
            is_its = image and (image["status"], image["session"]) == ("candidate", origin.session)
            if is_its and not reviews.of_memory(change.database, memory):
                change.put("recording", {**row, "why": WHY_PROPOSED, "is_new": 1})

    def _retire_sentences(self, request: Request, session: str) -> None:
        """Retire the sentences of the agent that the score kept of what the model has read."""
        lines = [turn.source.line for turn in request.turns if turn.who == "agent"]
        rows = memories.candidates_at(*self._context.here, session, lines)
        if rows := [row for row in rows if row["is_agents_sentence"]]:
            with self._context.change("supersede", WHY_PROPOSED, actor="rule") as change:
                for row in rows:
                    self._writer.take_out(change, row["id"], "superseded")

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
            candidacies = [change.get("memory_candidacy", item) for item in same]
            own = change.get("memory_candidacy", memory)
            is_users = all(quote.turn.who == "person" for quote in proposal.quotes)
            intended = any(item and "user-intent" in item["signals"] for item in candidacies)
            if own and is_users and intended:
                # the quoted words are the user's alone, and were an instruction: they stay one
                signals = {**own["signals"], "user-intent": SIGNALS["user-intent"]}
                points = float(sum(signals.values()))
                change.put("memory_candidacy", {**own, "signals": signals, "points": points})
        return len(same)

    def _live(self, ref: str) -> Memory | None:
        """Return the live memory that a model names; None without one."""
        try:
            memory = self._context.resolve(ref)
        except ManagerError:
            return None
        return memory if memory.is_live else None

    def _replace(self, ref: str, memory: str) -> bool | None:
        """Return True if an agent's candidate was replaced, False for a conflict instead."""
        old = self._live(ref)
        if old is None or old.id == memory:
            return None
        is_own = self._is_own(old)
        action = "supersede" if is_own else "conflict"
        reason = "a model that read the session says that it is replaced"
        with self._context.change(action, reason, actor="rule") as change:
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
        old = self._live(ref)
        if old is None or not self._is_own(old):
            return False
        reason = "a later session shows otherwise"
        with self._context.change("reject", reason, actor="rule") as change:
            return self._writer.take_out(change, old.id, "rejected")

    def _is_own(self, memory: Memory) -> bool:
        """Return True for an agent's unconfirmed candidate of this project."""
        candidacy: Mapping[str, Any] = reviews.candidacy(self._context.database, memory.id) or {}
        return (
            memory.status == "candidate"
            and memory.project == self._context.project_id
            and memory.origin.agent is not None
            and "user-intent" not in candidacy.get("signals", {})
        )


def _exists_below(root: str | None) -> Callable[[str], bool] | None:
    """Return a test whether a path is below `root`; None without a folder."""
    if root is None or not os.path.isdir(root):
        return None

    def exists(path: str) -> bool:
        parts = path.replace("\\", "/").split("/")
        is_below = not os.path.isabs(path) and ".." not in parts
        return is_below and os.path.exists(os.path.join(root, path))

    return exists


def _overlap(content: str, quote: Quote) -> bool:
    """Return True if a candidate was made of the words that a proposal quotes."""
    item, other = ("".join(filter(str.isalnum, text.lower())) for text in (content, quote.words))
    return min(len(item), len(other)) >= 12 and (item in other or other in item)
