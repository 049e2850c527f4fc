"""Hot, warm or cold, and what is due to a memory: by its importance and how long it lay (003-08,
003-12).

Pure. `quiet_days` are the days since a memory was learned or last used. What is `held` (pinned, the
person's, a task that waits for its day) is never cold, and nothing is due to it.
"""

from __future__ import annotations

ACTIONS = ("keep", "summarise", "archive")
"""What can be due to a memory (003-12)."""

HOT_DAYS, WARM_DAYS = 7, 30
"""From so many quiet days on a memory is warm, and cold (003-08)."""

FULL, DETAILED, BRIEF = 0.8, 0.6, 0.4
"""Importance, 0-1, from which on it is kept in full, in detail for 30 days, and for 7 (003-12)."""


def tier_of(importance: float, quiet_days: float, *, is_held: bool = False) -> str:
    """One of `values.TIERS`.

    Hot for its first 7 quiet days when it is worth its details, warm until the 30th. Cold from
    then on, unless its importance keeps it in full.
    """
    if quiet_days < HOT_DAYS:
        return "hot" if importance >= BRIEF or is_held else "warm"
    if quiet_days < WARM_DAYS or importance >= FULL or is_held:
        return "warm"
    return "cold"


def detailed_days(importance: float) -> float:
    """Quiet days for which a memory of this importance keeps its details; infinite for the best."""
    if importance >= FULL:
        return float("inf")
    if importance >= DETAILED:
        return WARM_DAYS
    return HOT_DAYS if importance >= BRIEF else 0


def action_due(importance: float, quiet_days: float, *, is_held: bool = False) -> str:
    """One of `ACTIONS`: what 003-12 asks for a memory of this importance after so many days.

    0.8-1.0 keep; 0.6-0.8 summarise after 30 days; 0.4-0.6 after 7; below 0.4 at once, and archive
    after 30.
    """
    if is_held or quiet_days < detailed_days(importance):
        return "keep"
    return "archive" if importance < BRIEF and quiet_days >= WARM_DAYS else "summarise"
