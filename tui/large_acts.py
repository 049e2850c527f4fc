"""How far an act on many is: the lane that writes says it, the screen reads it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from ..core.services.bulk import PART

FIRST_WORDS = 1.0  # seconds before one can say how long the rest takes


class Progress:
    """How far an act is: the lane's thread says it, the screen reads it."""

    def __init__(self, total: int = 0, now: Callable[[], float] = time.monotonic) -> None:
        self.done, self.total = 0, total
        self.is_stopped = False
        self._now, self._began = now, now()

    def __call__(self, done: int, total: int | None) -> bool:
        """Say how much is done, and of how much; whether to go on."""
        self.done, self.total = done, self.total if total is None else total
        return not self.is_stopped

    @property
    def is_large(self) -> bool:
        """Whether it is worth being shown."""
        return self.total > PART

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace so far; None while that is not known."""
        spent = self._now() - self._began
        if not 0 < self.done < self.total or spent < FIRST_WORDS:
            return None
        return spent * (self.total - self.done) / self.done


def time_left(seconds: float) -> str:
    """A time to wait, rounded up: `3 s`, `2 min`; seconds at least one."""
    whole = max(math.ceil(seconds), 1)
    return f"{whole} s" if whole < 90 else f"{math.ceil(whole / 60)} min"
