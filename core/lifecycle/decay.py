"""What use and time leave of a memory's importance (002-31).

Computed anew from importance, clock and use, never from its own last value, so that it is the
same however often it is asked for. Standard library alone.
"""

from __future__ import annotations

WEEKLY = 0.95
"""What a week without an access leaves."""

STEP_DAYS = 7
"""Days of a week without an access."""

ON_TRIAL = 0.9
"""What being a candidate leaves."""

UNUSED, EACH_USE = 0.5, 0.05
"""What is left of what was never used, and what each use adds, up to the whole."""


def decayed(importance: float, *, days_since_access: float, uses: int, is_candidate: bool) -> float:
    """importance x 0.95^(days / 7) x (0.9 for a candidate) x min(1, 0.5 + 0.05 x uses); 0-1.

    `importance` is 0-1. A clock that was turned back counts as no day, fewer than no uses as none.
    """
    fading: float = WEEKLY ** (max(0.0, days_since_access) / STEP_DAYS)
    trial = ON_TRIAL if is_candidate else 1.0
    use = min(1.0, UNUSED + EACH_USE * max(0, uses))
    return min(1.0, max(0.0, importance)) * fading * trial * use
