"""What the Deck was at a time, asked in a lane of its own; and one step on, or back."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ....core.answers import Entry, Row
from ....core.errors import ManagerError
from ....core.text.moments import moment
from ....core.values import Memory
from ...widgets.account import Shown

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator


@dataclass(frozen=True, slots=True)
class Glance:
    """The Deck after an entry: what a query finds in it."""

    at: datetime  # of which it is the Deck
    entry: int  # 0 before the first
    act: Entry | None  # the entry itself, where the trail still tells it
    nums: array[int]
    first_page: Sequence[Row]
    touched: int | None  # the row of the first memory that the entry touched, if it is listed
    total: int


class Then:
    """Holds the store as it was. Its acts belong to one lane; `when` is a moment or an entry."""

    def __init__(self, when: datetime | int) -> None:
        self._when = when
        self._past: MemoryCoordinator | None = None
        self.share = 0.0  # of the journal since then that was read; asked from another thread

    def look(self, core: MemoryCoordinator, query: str) -> Glance:
        """The Deck where one stands. The first look takes the time of a copy."""
        past = self._opened(core)
        entry = past.last_seq()
        found = past.find(query)
        act = next((one for one in core.audit(before=entry + 1, limit=1) if one.seq == entry), None)
        return Glance(
            past.now(), entry, act, found.nums, found.first_page, _touched(past, act), found.total
        )

    def step(self, core: MemoryCoordinator, step: int, query: str) -> Glance | None:
        """The Deck one entry on (1) or back (-1); None where there is no further one."""
        past = self._opened(core)
        there = core.services.past.beside(past.last_seq(), step)
        if there is None:
            return None
        core.services.past.travel(past.context, there)
        return self.look(core, query)

    def rows(self, core: MemoryCoordinator, nums: Sequence[int]) -> list[Row]:
        """A page of rows, as they were."""
        return self._opened(core).rows(nums)

    def read(self, core: MemoryCoordinator, num: int) -> tuple[Shown | None, str]:
        """One memory as it was, and what became of it since, in words."""
        past = self._opened(core)
        memory = past.memory(num)
        if memory is None:
            return None, ""
        try:
            now = core.resolve(memory.id)
        except ManagerError:
            return _shown(core, past, memory), "It is gone today."
        if now.retired_as is not None and memory.is_live:
            became = f"Retired since: {now.retired_as}."
        elif not memory.is_live and now.is_live:
            became = "Restored since."
        elif (now.content, now.title) != (memory.content, memory.title):
            became = "It reads otherwise today."
        else:
            became = "It stands today as it did then."
        return _shown(core, past, memory), became

    def close(self, _core: MemoryCoordinator) -> None:
        """Give the copy back."""
        if self._past is not None:
            self._past.close()
            self._past = None

    def _opened(self, core: MemoryCoordinator) -> MemoryCoordinator:
        if self._past is None:
            self._past = core.as_of(self._when, self._progress)
        return self._past

    def _progress(self, done: int, total: int | None) -> None:
        self.share = done / total if total else 0.0


def _shown(core: MemoryCoordinator, past: MemoryCoordinator, memory: Memory) -> Shown:
    """The memory as it was, its sessions by the names they have today."""
    sources = memory.details.get("source_sessions") or ()
    names = core.services.chronicle.names([memory.origin.session, *map(str, sources)])
    names |= {one: past.show(one).title for one, _, _ in memory.both_hold}
    names |= {one.id: one.name for one in core.projects() if one.id == memory.project}
    return Shown(memory, past.links(memory.id), here=past.project.id, named=names, is_then=True)


def _touched(past: MemoryCoordinator, act: Entry | None) -> int | None:
    for memory in act.memories[:1] if act is not None else ():
        try:
            return past.resolve(memory).num
        except ManagerError:
            continue
    return None


def when_of(text: str, now: datetime) -> datetime | int:
    """The time that a person writes: as `moment` reads it, or `#42`, an entry.

    Raises ValueError.
    """
    text = text.strip()
    if text.startswith("#") and text[1:].isdecimal():
        return int(text[1:])
    return moment(text, now=now)
