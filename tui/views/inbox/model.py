"""What the Inbox asks the core, in a lane: what waits, and one candidate with all beside it.

What is shown next has been read before it is asked for, so that a verdict never waits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from textual.cache import LRUCache

from ....core.answers import Row
from ....core.errors import ManagerError
from ....core.judgements import RefusedCapture
from ...matches import filter_of
from ...widgets.memory_rows import MemoryList
from ...widgets.pages import PAGE
from ...widgets.word_diff import compare
from .account import MOST_COMPARED, Judged, Rival

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ...app import MemoryApp

MOST_REFUSED = 200
KEPT = 16  # candidates kept for coming back to them


class Candidates:
    """What waits, what is known of it, and what is being decided."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self.deciding: set[int] = set()  # candidates whose verdict is being written
        self.captures: dict[int, RefusedCapture] = {}  # those that fit the filter
        self.snoozed, self.reader = 0, ""
        self._known: LRUCache[int, Judged] = LRUCache(KEPT)
        self._reading = 0  # a change makes what is being read old
        self._back: set[str] = set()  # memories that may come back into the list
        self._is_undone = False  # they come back because the person took something back
        self.came_back: tuple[int, ...] = ()  # what an undo brought back with the last reading
        self._going: str | None = None  # the memory that is being gone to

    def known(self, num: int | None) -> Judged | None:
        """A candidate with all there is, once it has been read."""
        return None if num is None else self._known.get(num)

    def go_to(self, ref: str | None) -> None:
        """Whatever makes the list be read before one is at this memory, it goes there."""
        self._going = ref or self._going

    def expect(self, ids: Iterable[str], *, is_undone: bool) -> None:
        """These may come back into the list: the cursor goes to them."""
        self._back, self._is_undone = set(ids), is_undone

    def forget(self, ids: Iterable[str] | None) -> None:
        """Read anew, when it is needed, what shows one of these memories; None: everything."""
        self._reading += 1
        changed = set(ids) if ids is not None else None
        for num in list(self._known.keys()):
            judged = self._known.get(num)
            if changed is None or (judged is not None and judged.shows & changed):
                self._known.discard(num)

    async def listed(self, waiting: MemoryList, text: str) -> Listed:
        """What waits and fits `text`, without what is being decided. Raises ManagerError."""
        here, back, ref = waiting.current_key, tuple(self._back), self._going
        listed = await self._app.pages.run(lambda core: read_list(core, here, back, ref, text))
        # what was taken back may be in the list already: an earlier look can see it first
        shown = set() if ref is not None or self._is_undone else set(waiting.keys)
        came = [num for num in listed.goes_to if num in listed.keys and num not in shown]
        self.came_back = tuple(came) if self._is_undone else ()
        self._going = None
        if not self.deciding:
            self._back.clear()
            self._is_undone = False
        self.snoozed, self.reader = listed.snoozed, listed.reader
        return replace(
            listed,
            keys=self.undecided(listed.keys),
            # where the cursor is now: it may have gone on since this was asked
            here=came[0] if came else waiting.current_key,
            is_missing=ref is not None and not came,
        )

    def undecided(self, nums: Iterable[int]) -> array[int]:
        """Those of them about which no verdict is being written."""
        return array("q", (num for num in nums if num not in self.deciding))

    async def judged(self, num: int) -> Judged | None:
        """A candidate with all there is; None when that changed meanwhile, and is read anew.

        Raises ManagerError when it waits no longer.
        """
        judged, reading = self._known.get(num), self._reading
        if judged is None:
            judged = await self._app.pages.run(lambda core: read_judged(core, num))
            if reading != self._reading:
                return None
            self._known[num] = judged
        return judged

    async def read_ahead(self, nums: Sequence[int]) -> None:
        """Read what is shown next before it is asked for."""
        for num in nums:
            reading = self._reading
            if self._known.get(num) is None:
                judged = await self._app.search.run(partial(read_ahead, num=num))
                if judged is not None and reading == self._reading:
                    self._known[num] = judged

    async def refused(self, text: str) -> int:
        """Read what the gates refused; those that fit `text` are kept. How many there are."""
        captures = await self._app.pages.run(lambda core: core.refused_captures(MOST_REFUSED))
        fits = filter_of(text)
        self.captures = {one.number: one for one in captures if fits(f"{one.content} {one.reason}")}
        return len(captures)


@dataclass(frozen=True, slots=True)
class Listed:
    """What waits, with the rows that are seen first."""

    keys: array[int]  # as far as they fit the filter
    rows: dict[int, Row]
    snoozed: int  # put off until later
    project: str = ""  # its name, and the number of refused captures: only while nothing waits
    refused: int = 0
    goes_to: tuple[int, ...] = ()  # candidates that the cursor should go to
    here: int | None = None  # the candidate that the cursor is on
    is_missing: bool = False  # what was asked for waits no longer
    total: int = 0  # what waits, whether it fits the filter or not
    reader: str = ""  # how the model that reads sessions stands today; "" when none does


def read_list(
    core: MemoryCoordinator, here: int | None, back: Sequence[str], ref: str | None, text: str
) -> Listed:
    """What waits and fits `text`, with its first page and that of row `here`. Runs in a lane."""
    keys = core.waiting()
    total, snoozed = len(keys), len(core.waiting(snoozed=True)) - len(keys)
    if text.strip():
        fitting = set(core.fitting(text))
        keys = array("q", (num for num in keys if num in fitting))
    goes_to = tuple(num for name in ((ref,) if ref else back) for num in _num_of(core, name))
    rows = core.rows(keys[: PAGE + 1])
    for num in (here, *goes_to):
        if num is not None and num in keys and (index := keys.index(num)) >= PAGE:
            first = index - index % PAGE
            rows += core.rows(keys[first : first + PAGE])
    known = {row.num: row for row in rows}
    return Listed(
        keys,
        known,
        snoozed,
        project="" if keys else core.project.name,
        refused=0 if keys else len(core.refused_captures(MOST_REFUSED)),
        goes_to=goes_to,
        total=total,
        reader=core.extractor.state().in_short,
    )


def _num_of(core: MemoryCoordinator, ref: str) -> tuple[int, ...]:
    try:
        return (core.resolve(ref).num,)
    except ManagerError:
        return ()


def read_judged(core: MemoryCoordinator, num: int) -> Judged:
    """A candidate with its differences from what is known, and its rivals. Runs in a lane.

    Raises ManagerError when it waits no longer.
    """
    [row] = core.rows([num])
    candidate = core.candidate(row.id)
    near, rivals = candidate.neighbour, []
    for ref in candidate.conflicts:
        conflict = core.conflict(ref)
        other = conflict.second if conflict.first.id == candidate.memory.id else conflict.first
        rivals.append(Rival(other.title, conflict.reason))
    words = (
        compare(near.content[:MOST_COMPARED], candidate.memory.content[:MOST_COMPARED])
        if near is not None
        else None
    )
    same_from = core.policy.capture.similarity
    says_the_same = near is not None and near.similarity >= same_from
    session = candidate.memory.origin.session
    name = core.services.sessions.names([session]).get(session or "", "")
    return Judged(candidate, words, tuple(rivals), says_the_same, name)


def read_ahead(core: MemoryCoordinator, num: int) -> Judged | None:
    """The same before it is asked for; None when it waits no longer."""
    try:
        return read_judged(core, num)
    except ManagerError:
        return None
