"""What the Deck asks the core, in a lane: one memory in full, why it is a hit, and the news."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from ....core.answers import StoreResult
from ....core.context import left_behind
from ....core.errors import ManagerError
from ....core.places import FilePlace, file_places
from ....core.query.language import Query
from ....core.services.bulk import special
from ....core.values import Hit, Memory
from ...markdown import prepare
from ...widgets.account import LAST_INJECTIONS, LONGEST_BODY, Shown, Why

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator

MOST_EXPLAINED = 60  # hits that are ranked with all signals


def read(core: MemoryCoordinator, num: int, *, with_history: bool) -> Shown | None:
    """One memory with its links, where it was told, and its history if wanted. Runs in a lane."""
    memory = core.memory(num)
    if memory is None:
        return None
    history = core.history(memory.id) if with_history else None
    prepare(memory.content[:LONGEST_BODY])
    told = core.injections(memory.id, LAST_INJECTIONS + 1)
    return Shown(
        memory,
        core.links(memory.id),
        history,
        here=core.project.id,
        worth=core.worth(memory.id) if memory.is_live else None,
        injections=told,
        named=words_for(core, memory),
    )


def words_for(core: MemoryCoordinator, memory: Memory) -> dict[str, str]:
    """By id, what is said instead of it: sessions and another project by their names, memories
    by their titles."""
    sources = memory.details.get("source_sessions") or ()
    names = core.services.chronicle.names([memory.origin.session, *map(str, sources)])
    if memory.project not in ("", core.project.id):
        names |= {one.id: one.name for one in core.projects() if one.id == memory.project}
    return names | {one: core.show(one).title for one, _, _ in memory.both_hold}


def explain(core: MemoryCoordinator, asked: Query, num: int) -> Why:
    """The parts of a hit's score, and the hit behind it. Runs in a lane."""
    if not (asked.words or asked.phrases):
        return Why(None, is_ranked=False)
    hits: Sequence[Hit] = core.search(asked, limit=MOST_EXPLAINED)
    for place, hit in enumerate(hits):
        if hit.memory.num == num:
            after = hits[place + 1] if place + 1 < len(hits) else None
            return Why(hit, place + 1, after, account=core.account(asked, hit))
    return Why(None)


def place_of(core: MemoryCoordinator, ref: str) -> tuple[int, bool]:
    """The row number of a memory, and whether it is live. Raises NotFound, Ambiguous."""
    memory = core.show(ref)
    return memory.num, memory.is_live


def special_among(core: MemoryCoordinator, nums: Sequence[int]) -> str:
    """What deserves a second look among these rows."""
    return special(core.services.bulk.targets(nums))


def nums_of(core: MemoryCoordinator, ids: Sequence[str]) -> set[int]:
    """The row numbers of those of these memories that are there. Runs in a lane."""
    found = set[int]()
    for memory in ids:
        try:
            found.add(core.resolve(memory).num)
        except ManagerError:
            continue
    return found


def news_of(core: MemoryCoordinator, asked: Query, shown: array[int]) -> int:
    """How many of the result are newer than all that is shown. Runs in a lane."""
    return core.services.search.newer(asked, max(shown, default=0))


def left_behind_near(core: MemoryCoordinator) -> int:
    """How many memories may be of this project, whose folder was renamed or has another remote."""
    here = core.project
    place = os.path.dirname(here.root)
    return sum(
        one.memories
        for one, _ in left_behind(core.context)
        if one.name == here.name or os.path.dirname(one.root) == place
    )


def remember(core: MemoryCoordinator, fields: dict[str, Any]) -> StoreResult:
    """Keep a new memory; runs in the write lane."""
    given = dict(fields)
    text = cast(str, given.pop("content"))
    return core.remember(text, **given)


def memories_of(core: MemoryCoordinator, nums: list[int]) -> list[Memory]:
    return [memory for num in nums if (memory := core.memory(num)) is not None]


def places_named(core: MemoryCoordinator, num: int) -> list[FilePlace]:
    """The files that a memory names; none when it is gone. Runs in a lane: looks at the disk."""
    memory = core.memory(num)
    return [] if memory is None else file_places(core, memory)
