"""What came of having a session read by a model, and how that stands today: values and words."""

from __future__ import annotations

from collections.abc import Mapping

from ..db.rows import StoredExtractionCall
from ..frozen import dataclass, field


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came of reading one session."""

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
    replaced: int = 0  # candidates that were replaced or taken back
    disputed: int = 0  # memories of a person's that it would replace: conflicts to decide
    dropped: Mapping[str, int] = field(default_factory=dict)  # counts by reason


@dataclass(frozen=True, slots=True)
class PairsJudged:
    """What came of putting pairs of Conflicts to a model."""

    engine: str
    status: str  # ok, timeout, failed, invalid, over_budget, nothing (no pair waits)
    reason: str = ""
    pairs: int = 0  # that were sent
    tokens: int = 0
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    answers: Mapping[str, int] = field(default_factory=dict)  # that were taken, by what they say
    dropped: Mapping[str, int] = field(default_factory=dict)  # counts by reason


@dataclass(frozen=True, slots=True)
class ExtractorState:
    """How the extractor stands today."""

    engine: str  # "" when it is off
    is_answered: bool  # a person has chosen, or declined
    calls: int  # today
    max_calls: int
    tokens: int  # today
    max_tokens: int
    cost_usd: float  # today
    max_cost_usd: float
    waiting: int  # sessions that wait for it
    last: Extracted | None
    problem: str = ""  # why the engine cannot be asked
    pairs_waiting: int = 0  # pairs of Conflicts that wait for it
    last_pairs: PairsJudged | None = None  # `answers` counts all as "taken"

    @property
    def is_on(self) -> bool:
        """Whether sessions are read."""
        return bool(self.engine)

    @property
    def in_short(self) -> str:
        """`model 3/20 today`; "" when it is off."""
        return f"model {self.calls:,}/{self.max_calls:,} today" if self.is_on else ""

    def __str__(self) -> str:
        if not self.is_on:
            return "off"
        told = (
            f"{self.engine}: {self.calls:,} of {self.max_calls:,} calls,"
            f" {self.tokens:,} of {self.max_tokens:,} tokens today"
        )
        if self.cost_usd:
            told += f", ${self.cost_usd:.2f}"
        waiting = [f"{self.waiting:,} waiting"] if self.waiting else []
        waiting += [f"{self.pairs_waiting:,} pairs waiting"] if self.pairs_waiting else []
        return ", ".join((told, *waiting))


def told(last: Extracted) -> str:
    """What came of a session, in a line: `3 kept, 1 known, 2 dropped (quote 1, number 1)`."""
    if last.status != "ok":
        return f"{_STATUS.get(last.status, last.status)}: {last.reason}".rstrip(": ")
    parts = [f"{last.kept} kept"]
    for number, word in (
        (last.known, "known"),
        (last.merged, "merged"),
        (last.replaced, "replaced"),
        (last.disputed, "in conflict"),
    ):
        parts += [f"{number} {word}"] if number else []
    return ", ".join((*parts, *_dropped(last.dropped)))


def told_pairs(last: PairsJudged) -> str:
    """What came of a call about pairs, in a line: `5 pairs: 2 both, 2 dropped (twice 2)`."""
    pairs = f"{last.pairs} pairs" if last.pairs != 1 else "1 pair"
    if last.status != "ok":
        said = _STATUS.get(last.status, last.status)
        return f"{pairs}: {said}: {last.reason}".rstrip(": ") if last.pairs else last.reason
    parts = [f"{number} {answer}" for answer, number in last.answers.items()]
    return f"{pairs}: {', '.join((*parts, *_dropped(last.dropped))) or 'no answer'}"


def _dropped(dropped: Mapping[str, int]) -> list[str]:
    reasons = ", ".join(f"{reason} {number}" for reason, number in dropped.items())
    return [f"{sum(dropped.values())} dropped ({reasons})"] if dropped else []


COUNTED = ("kept", "known", "merged", "replaced", "disputed")
FAILURES = ("timeout", "failed", "invalid")
"""What a call that was made and came to nothing says of itself."""

_STATUS = {
    "timeout": "no answer in time",
    "failed": "failed",
    "invalid": "answered nonsense",
    "over_budget": "the day's budget is spent",
    "nothing": "nothing to read",
}


def called(row: StoredExtractionCall) -> Extracted:
    return Extracted(
        session=row["session"],
        engine=row["engine"],
        status=row["status"],
        reason=row["reason"],
        tokens=row["tokens"],
        cost_usd=row["cost_usd"],
        latency_ms=row["latency_ms"],
        kept=row["kept"],
        known=row["known"],
        merged=row["merged"],
        replaced=row["replaced"],
        disputed=row["disputed"],
        dropped=row["dropped"],
    )


def pairs_called(row: StoredExtractionCall) -> PairsJudged:
    return PairsJudged(
        engine=row["engine"],
        status=row["status"],
        reason=row["reason"],
        pairs=row["pairs"] or 0,
        tokens=row["tokens"],
        cost_usd=row["cost_usd"],
        latency_ms=row["latency_ms"],
        answers={"taken": row["kept"]} if row["kept"] else {},
        dropped=row["dropped"],
    )
