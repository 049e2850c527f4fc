"""A model that the person has reads each session once.

Off until a person chooses an engine. What the model proposes is checked against the turns
(`capture.extraction`), then passes the gates that every capture passes. A model that fails costs
nothing but its call: what the fitted score found of the session is there already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...db import conflicts, extractions, memories
from ...db.connection import mapped_errors
from ...db.rows import StoredExtraction
from ..config.policy import AGENT_ENGINES, EnginePolicy, ExtractorPolicy
from ..errors import BadInput, ConsentNeeded, Refused
from ..extractions import COUNTED, Extracted, ExtractorState, PairsJudged
from ..ingest.extract.condensed import condensed
from ..ingest.extract.extraction import MOST_A_SESSION
from ..redaction.redact import redact
from ..review.cost import Price, Spent, refusal
from ..review.engines import engine_of
from ..review.extractor import SCHEMA, Asked, Request, answer_in, ask
from ..values import DAY_MS
from .extractor_state import OFF, SETTING, day_of, state_of
from .extractor_state import engine_of as engine_of_project
from .sessions import name_of, path_of

if TYPE_CHECKING:
    from ..context import Context
    from ..ingest.extract.turns import Session, Turn
    from ..review.engines import Engine
    from .preferences import Preferences
    from .proposals import Proposals
    from .review import Review
    from .sessions import Sessions

MOST_KNOWN = 40
"""Known memories that a model is shown."""

MOST_TRIES = 2
"""Calls about one stretch of a session, where the first fails."""

RETRY_MS = 3600 * 1000
"""How long after a failure the second try waits, at least."""

WAITS_MS = 7 * 24 * 3600 * 1000
"""How long a session waits for a day with budget left."""

ANSWER_MOST_TOKENS = 8_000
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
    _proposals: Proposals

    # --- which model, if any

    @property
    @mapped_errors()
    def engine(self) -> str:
        """The name of the engine that is asked; "" when the extractor is off."""
        return engine_of_project(self._context, self._preferences)

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
        known = ", ".join(f"`{one}`" for one in self.engines())
        raise BadInput(f"No engine is called {name[:40]!r}.", hint=f"There are {known}.")

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
        asked = engine_of(self._settings_of(name), most_tokens=ANSWER_MOST_TOKENS)
        if session and not self._sessions.is_taken_down(session):
            self._set(session, due_at=None)
            raise Refused("This session is not taken down.", hint="`memdeck sessions` says more.")
        if not self._preferences.auto_memory:
            raise Refused(
                "Nothing is taken down in this project.", hint="`memdeck memory auto on`."
            )
        return BudgetedModel(self._context, *asked)

    # --- which sessions

    @mapped_errors()
    def pairs_waiting(self) -> int:
        """How many pairs, of every project, may still be put to a model."""
        if not self._context.policy.extractor.pairs_per_call:
            return 0
        found = conflicts.unasked_by_project(self._context.database, self._context.now_ms())
        return sum(count for _, count, _ in found)

    @mapped_errors()
    def note_session(self, session: str, host: str, cwd: str, transcript: str) -> None:
        """Note where a session's words stand."""
        place = path_of(transcript)
        extractions.note_session(
            self._context.database, name_of(session), host, path_of(cwd), place
        )

    def pass_over(self, session: str, line: int) -> None:
        """What stands in a session up to this line shall be read no more, by no model either."""
        if self._row(session) is not None and line > self.passed_over(session):
            self._set(session, hidden=line)

    def passed_over(self, session: str) -> int:
        """The line up to which a session was off the record at some time; 0 when it never was."""
        row = self._row(session)
        return row["hidden"] if row is not None else 0

    @mapped_errors()
    def make_due(self, session: str) -> None:
        """Have a session read, unless the extractor is off or the session is off the record."""
        if not self.engine or not self._sessions.is_taken_down(session):
            return
        row = self._row(session)
        if row is not None and row["due_at"] is None:
            self._set(session, due_at=self._context.now_ms(), not_before=0, tries=0)

    def fail(self, session: str, *, for_good: bool = False) -> None:
        """Count a try that came to nothing; after the second, or `for_good`, there is no other."""
        row: Mapping[str, Any] = self._row(session) or {}
        tries = row.get("tries", 0) + 1
        self._set(session, tries=tries, not_before=self.retry_at())
        if for_good or tries >= MOST_TRIES:
            self._set(session, due_at=None)

    @mapped_errors()
    def due(self, limit: int = 20) -> list[StoredExtraction]:
        """Sessions that are to be read now: session, host, cwd, transcript. Of every project."""
        return extractions.due(self._context.database, self._context.now_ms(), limit)

    @mapped_errors()
    def place_of(self, session: str) -> tuple[str, str]:
        """(host, transcript) of a session by its id. Raises Refused where nobody knows."""
        row = self._row(session)
        if row is not None:
            return str(row["host"]), str(row["transcript"])
        known = memories.transcript_of(self._context.database, name_of(session))
        if known is None:
            raise Refused(
                "It is not known where the words of this session stand.",
                hint="Sessions that hooks told of since memdeck was updated can be read.",
            )
        return known

    @mapped_errors()
    def places(self, limit: int) -> list[StoredExtraction]:
        """Where the newest sessions stand: session, host, cwd, transcript. Of every project."""
        return extractions.places(self._context.database, limit)

    @mapped_errors()
    def _row(self, session: str) -> StoredExtraction | None:
        return extractions.of_session(self._context.database, name_of(session))

    @mapped_errors()
    def _set(self, session: str, **values: int | None) -> None:
        extractions.set_state(self._context.database, name_of(session), **values)

    # --- one session

    @mapped_errors()
    def request(self, session: str, turns: Iterable[Turn], *, whole: bool = False) -> Request:
        """What a model would be sent: what no model has read yet, or all of it if `whole`.

        Lines that were off the record are in neither.
        """
        row: Mapping[str, Any] = self._row(session) or {}
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
        spoken = [one.text for one in said if one.who in ("person", "agent")][-_ASKED_ABOUT:]
        ids: dict[str, None] = {}
        for text in spoken:
            near = [
                one
                for one in self._review.sharing_words(text)
                if not one.is_private and not (one.session == session and one.status == "candidate")
            ]
            ids.update(dict.fromkeys(one.id for one in near[:_NEAREST]))
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
        if not any(one.who == "person" for one in request.said):
            self._set(session, due_at=None)
            return Extracted(session, model.name, "nothing", "Nobody says anything in it.")
        if why := model.why_not(request.tokens):
            if not by_hand:
                self._wait_for_tomorrow(session)
            return Extracted(session, model.name, "over_budget", why)
        if by_hand:
            self.ask_person(f"Some {request.tokens:,} tokens of this session go to {model.name}.")
        else:
            self.fail(session)  # until it did not: who is killed on the way has tried as well
        asked = model.ask(request.text)
        if asked.answer is None:
            done = Extracted(
                session, model.name, asked.status, asked.reason, asked.tokens, asked.cost_usd,
                asked.latency_ms,
            )  # fmt: skip
        else:
            row: Mapping[str, Any] = self._row(session) or {}
            room = max(0, MOST_A_SESSION - row.get("kept", 0))
            done = self._proposals.keep(place, request, asked, model.name, room)
            last = max(one.turn.line for one in request.said)
            self._set(
                session,
                due_at=None,
                tries=0,
                line=max(last, row.get("line", 0)),
                kept=row.get("kept", 0) + done.kept,
            )
        self._note_call(done)
        return done

    def ask_person(self, question: str) -> None:
        """Raise ConsentNeeded or Refused unless a person agrees to what is sent."""
        agree = self._context.consent.callback
        if agree is None:
            raise ConsentNeeded(question)
        if not agree(question):
            raise Refused("Nothing was sent.", hint="--print-request tells what would be.")

    def _wait_for_tomorrow(self, session: str) -> None:
        row: Mapping[str, Any] = self._row(session) or {}
        is_old = self._context.now_ms() - (row.get("due_at") or 0) > WAITS_MS
        if is_old:
            self._set(session, due_at=None)
        else:
            self._set(session, not_before=day_of(self._context.now_ms()) + DAY_MS)

    def retry_at(self) -> int:
        """When what fails now may be tried again, milliseconds since 1970."""
        return self._context.now_ms() + RETRY_MS

    def _note_call(self, done: Extracted) -> None:
        self._note(done, session=name_of(done.session), **{n: getattr(done, n) for n in COUNTED})

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
        extractions.note_call(self._context.database, call)


@dataclass(frozen=True, slots=True)
class BudgetedModel:
    """One engine, its price, and what the day still has for it."""

    context: Context
    name: str  # as records call it
    engine: Engine
    price: Price

    @property
    def tokens_left(self) -> int:
        """How many tokens the budget of today still has."""
        _, tokens = self._spent()
        return max(0, self.context.policy.extractor.max_tokens_per_day - tokens)

    def why_not(self, needed: int) -> str:
        """Why the budget of today does not allow a call of so many tokens; "" when it does."""
        limits = self.context.policy.extractor
        spent, tokens = self._spent()
        why = refusal(
            spent,
            self.price,
            max_usd=limits.max_cost_usd_per_day,
            max_calls=limits.max_calls_per_day,
        )
        if not why and tokens + needed > limits.max_tokens_per_day:
            why = (
                f"{tokens:,} of {limits.max_tokens_per_day:,} tokens were spent today, and this"
                f" call is taken to need {needed:,}."
            )
        return why

    def ask(
        self,
        text: str,
        *,
        schema: Mapping[str, object] = SCHEMA,
        parse: Callable[[str], Mapping[str, Any]] = answer_in,
    ) -> Asked:
        """Its answer to a request's text within the time that the settings allow. Never raises."""
        timeout_s = self.context.policy.extractor.timeout_s
        return ask(self.engine, self.price, text, timeout_s, schema, parse)

    @mapped_errors()
    def _spent(self) -> tuple[Spent, int]:
        """(dollars and calls, tokens) of today."""
        usd, calls, tokens = extractions.spent(self.context.database, day_of(self.context.now_ms()))
        return Spent(usd, calls), tokens
