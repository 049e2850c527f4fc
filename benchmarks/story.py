"""The time of a story: hooks and drain in this process work at a clock that is set by hand."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any, Self

from memdeck.agents import drain
from memdeck.core.compat import MemoryCoordinator
from memdeck.core.hosts import GUARD
from memdeck.db.home import Home


class Clock:
    """A clock that is set by hand and goes on by a millisecond with every look."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def nanoseconds(self) -> int:
        """The same, as `time.time_ns` gives it."""
        return int(self().timestamp() * 1000) * 1_000_000


class Chance:
    """Bytes that look like chance and are the same in every build."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.sha256(f"{self._seed}/{self._count}".encode()).digest()[:size]


@contextlib.contextmanager
def the_time_of(home: Home, clock: Clock, chance: Chance) -> Iterator[None]:
    """Inside, hooks and drain work on `home`, at the clock's time, with the given chance."""

    class Seeded(MemoryCoordinator):
        @classmethod
        def open(cls, *args: Any, **more: Any) -> Self:
            return super().open(*args, **{**more, "entropy": chance})

    with (
        _environment({"MEMDECK_HOME": home.path, GUARD: "0"}),
        _replaced(time, "time_ns", clock.nanoseconds),
        _replaced(os, "urandom", chance),
        _replaced(drain, "MemoryCoordinator", Seeded),
    ):
        yield


@contextlib.contextmanager
def _replaced(owner: ModuleType, name: str, stand_in: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, stand_in)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextlib.contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
