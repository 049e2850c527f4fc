"""What the Inbox asks the core, in a lane: what waits, and one candidate with all beside it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.answers import Row
from ...core.errors import ManagerError
from ..widgets.candidate_account import Judged, Rival
from ..widgets.candidate_judgement import MOST_COMPARED
from ..widgets.pages import PAGE
from ..widgets.word_diff import compare

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

MOST_REFUSED = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """What waits, with the rows that are seen first."""

    keys: array[int]  # as far as they fit the filter
    rows: dict[int, Row]
    snoozed: int  # put off until later
    project: str = ""  # its name, and the number of refused captures: only while nothing waits
    refused: int = 0
    goes_to: tuple[int, ...] = ()  # candidates that the cursor should go to
    total: int = 0  # what waits, whether it fits the filter or not
    lessons: tuple[str, str] = ("", "")  # what verdicts taught of agents' sentences, a person's
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
    reader, lessons = core.extractor.state().in_short, core.lessons()
    if keys:
        return Listed(
            keys, known, snoozed, goes_to=goes_to, total=total, lessons=lessons, reader=reader
        )
    refused = len(core.refused_captures(MOST_REFUSED))
    return Listed(
        keys,
        known,
        snoozed,
        core.project.name,
        refused,
        total=total,
        lessons=lessons,
        reader=reader,
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
    return Judged(candidate, words, tuple(rivals), says_the_same)


def read_ahead(core: MemoryCoordinator, num: int) -> Judged | None:
    """The same before it is asked for; None when it waits no longer."""
    try:
        return read_judged(core, num)
    except ManagerError:
        return None
