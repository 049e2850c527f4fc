"""Outcomes of calls about sessions, and the state of the extractor. Imports little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..values import DAY_MS

COUNTED = ("kept", "known", "merged", "replaced", "disputed")

COST = "A session takes about 10,600 tokens. With a subscription it costs nothing more."

FAILURES = ("timeout", "failed", "invalid")  # statuses of a call without a usable answer

_STATUS = {
    "timeout": "no answer in time",
    "failed": "failed",
    "invalid": "answered nonsense",
    "over_budget": "the day's budget is spent",
    "nothing": "nothing to read",
}


class Extracted(NamedTuple):
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
    dropped: Mapping[str, int] = {}  # counts by reason


class ExtractorState(NamedTuple):
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
            text += f", counted as ${self.cost_usd:.2f}"
        return f"{text}, {self.waiting:,} waiting" if self.waiting else text


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


def day_of(now: int) -> int:
    """Return the beginning of a time's day, in milliseconds since 1970. Budgets are per day."""
    return now // DAY_MS * DAY_MS
