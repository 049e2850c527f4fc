"""Is recall quick enough? A rolling window of its times, and what to do when it is not.

Pure, standard library only: the hook asks it before it looks for anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...frozen import NamedTuple

WINDOW = 100
"""Recalls that are looked at, the last ones."""

LEAST_SAMPLES = 5
"""With fewer nothing is decided."""

HEALTHY_MS = 200
"""A 95th percentile under this is healthy."""

SLOW_MS = 300
"""A 95th percentile over this is too slow: recall looks at less."""


class Health(NamedTuple):
    """How quick the last recalls were, and whether recall looks at less for it."""

    state: str  # unknown (too few samples), healthy, fair (between the two), slow
    p95_ms: float | None  # None without samples
    samples: int  # 0 to WINDOW
    is_degraded: bool  # top_k and scan are reduced


def judge(latencies: Sequence[float], was_degraded: bool = False) -> Health:
    """The health of the last `WINDOW` of `latencies` (milliseconds, oldest first).

    Over 300 ms recall degrades, under 200 ms it recovers; at either number, between them, and
    with fewer than five samples it stays as it was.
    """
    window = latencies[-WINDOW:]
    p95 = percentile_95(window)
    if p95 is None or len(window) < LEAST_SAMPLES:
        return Health("unknown", p95, len(window), was_degraded)
    if p95 < HEALTHY_MS:
        return Health("healthy", p95, len(window), False)
    if p95 > SLOW_MS:
        return Health("slow", p95, len(window), True)
    return Health("fair", p95, len(window), was_degraded)


def percentile_95(values: Sequence[float]) -> float | None:
    """The smallest of `values` that at least 95 % of them do not exceed; None of none."""
    if not values:
        return None
    rank = -(-len(values) * 95 // 100)  # rounded up: of 100 the 95th, of five the fifth
    return sorted(values)[rank - 1]


def describe(health: Health) -> str:
    """The health in a line, for people."""
    if health.p95_ms is None:
        return "not measured yet"
    said = f"95 % within {health.p95_ms:.0f} ms, of the last {health.samples}"
    if health.is_degraded:
        return f"{said}; slow: looks at less until {HEALTHY_MS} ms"
    return f"{said}; {health.state}" if health.state != "unknown" else f"{said}; too few to judge"
