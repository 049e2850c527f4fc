"""Outcomes of calls about sessions, and the state of the extractor. Imports little."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...db import sessions
from ...db.errors import BadInput
from ..answers import of_row
from ..config.settings import AGENT_ENGINES, EnginePolicy, ExtractorPolicy
from ..values import DAY_MS
from .preferences import EVERYWHERE, Preferences

if TYPE_CHECKING:
    from ..context import Context

COUNTED = ("kept", "known", "merged", "replaced", "disputed")

FAILURES = ("timeout", "failed", "invalid")  # statuses of a call without a usable answer

_STATUS = {
    "timeout": "no answer in time",
    "failed": "failed",
    "invalid": "answered nonsense",
    "over_budget": "the day's budget is spent",
    "nothing": "nothing to read",
}


@dataclass(frozen=True, slots=True)
class Extracted:
    session: str
    engine: str
    status: str  # ok, timeout, failed, invalid, over_budget, nothing (there was nothing to read)
    reason: str = ""
    tokens: int = 0
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    kept: int = 0  # new memories
    memories: tuple[str, ...] = ()  # their ids, those that were known included
    known: int = 0  # proposals that were known already, and reinforced
    merged: int = 0  # the score's candidates of the same place that went into them
    replaced: int = 0  # candidates that were replaced or withdrawn
    disputed: int = 0  # memories of the user that it would replace: conflicts to decide
    dropped: Mapping[str, int] = field(default_factory=dict)  # counts by reason


@dataclass(frozen=True, slots=True)
class ExtractorState:
    engine: str  # "" when it is off
    is_answered: bool  # the user has chosen, or declined
    calls: int  # today
    max_calls: int
    tokens: int  # today
    max_tokens: int
    cost_usd: float  # today
    max_cost_usd: float
    waiting: int  # sessions that wait for it
    last: Extracted | None
    problem: str = ""  # why the engine cannot be asked

    @property
    def is_on(self) -> bool:
        return bool(self.engine)

    def __str__(self) -> str:
        if not self.is_on:
            return "off"
        text = (
            f"{self.engine}: {self.calls:,} of {self.max_calls:,} calls,"
            f" {self.tokens:,} of {self.max_tokens:,} tokens today"
        )
        if self.cost_usd:
            text += f", ${self.cost_usd:.2f}"
        waiting = [f"{self.waiting:,} waiting"] if self.waiting else []
        return ", ".join((text, *waiting))


def describe_call(call: Extracted) -> str:
    """Return the outcome in a line: `3 kept, 1 known, 2 dropped (quote 1, number 1)`."""
    if call.status != "ok":
        return f"{_STATUS.get(call.status, call.status)}: {call.reason}".rstrip(": ")
    counts = ((call.known, "known"), (call.merged, "merged"), (call.replaced, "replaced"),
              (call.disputed, "in conflict"))  # fmt: skip
    parts = [f"{call.kept} kept", *(f"{number} {word}" for number, word in counts if number)]
    if call.dropped:
        reasons = ", ".join(f"{reason} {number}" for reason, number in call.dropped.items())
        parts.append(f"{sum(call.dropped.values())} dropped ({reasons})")
    return ", ".join(parts)


OFF = "off"  # stored value of an extractor that the user declined or switched off

SETTING = f"extractor|{EVERYWHERE}"


def day_of(now: int) -> int:
    """Return the beginning of a time's day, in milliseconds since 1970. Budgets are per day."""
    return now // DAY_MS * DAY_MS


def engine_of(context: Context, preferences: Preferences) -> str:
    """Return the name of the engine; "" if the extractor is off."""
    chosen = preferences.everywhere("extractor")
    if chosen is None:
        return context.policy.extractor.engine
    return "" if chosen == OFF else str(chosen)


def settings_of(context: Context, name: str) -> EnginePolicy:
    """Return the settings of an engine. Raises BadInput for an unknown one."""
    engines = context.policy.review.engines
    if name in engines:
        return engines[name]
    if name in AGENT_ENGINES:
        return EnginePolicy(kind=name)
    names = ", ".join(f"`{engine}`" for engine in engines_of(context))
    raise BadInput(f"No engine is called {name[:40]!r}.", hint=f"There are {names}.")


def engines_of(context: Context) -> tuple[str, ...]:
    """Return the engines of the settings, then the agents."""
    return tuple(dict.fromkeys((*context.policy.review.engines, *AGENT_ENGINES)))


def state_of(context: Context, preferences: Preferences) -> ExtractorState:
    """Return the choice, the budget, the last call, and problems of the settings."""
    engine, problem, most = "", "", ExtractorPolicy()
    try:
        most, engine = context.policy.extractor, engine_of(context, preferences)
        if engine:
            settings_of(context, engine)
    except BadInput as error:
        problem = f"{error} {error.hint}".strip()
    database = context.database
    usd, calls, tokens = sessions.spent(database, day_of(context.now_ms()))
    last = sessions.last_call(database)
    return ExtractorState(
        engine=engine,
        is_answered=preferences.everywhere("extractor") is not None or bool(most.engine),
        calls=calls,
        max_calls=most.max_calls_per_day,
        tokens=tokens,
        max_tokens=most.max_tokens_per_day,
        cost_usd=usd,
        max_cost_usd=most.max_cost_usd_per_day,
        waiting=sessions.count_due(database),
        last=of_row(Extracted, last) if last else None,
        problem=problem,
    )
