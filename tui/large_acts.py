"""Acts on many: written part by part, so that one sees how far they are and can stop them.

Each part is a transaction of its own; together they are one act, and one undo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.answers import Row
from ..core.errors import ManagerError

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

PART = 250
"""Memories that one transaction changes; an act on more than that says how far it is."""


class Progress:
    """How far an act is: the lane's thread says it, the screen reads it."""

    def __init__(self, total: int = 0) -> None:
        self.done, self.total = 0, total
        self.is_stopped = False

    def __call__(self, done: int, total: int | None) -> bool:
        """Say how much is done, and of how much; whether to go on."""
        self.done, self.total = done, self.total if total is None else total
        return not self.is_stopped

    @property
    def is_large(self) -> bool:
        """Whether it is worth being shown."""
        return self.total > PART


@dataclass(frozen=True, slots=True)
class Written:
    """What came of an act on many."""

    rows: tuple[Row, ...] = ()  # those it was done to
    ids: tuple[str, ...] = ()  # theirs, and of whatever else was written
    left: int = 0  # rows that were not looked at any more
    error: ManagerError | None = None  # what ended it before its time

    @property
    def stopped(self) -> str:
        """That it did not get to its end, to begin a notice with; "" when it did."""
        return f"Stopped with {self.left:,} left. " if self.left else ""


def parts_of(nums: Sequence[int]) -> Iterator[Sequence[int]]:
    """So many at a time."""
    return (nums[start : start + PART] for start in range(0, len(nums), PART))


def write_in_parts(
    core: MemoryCoordinator,
    nums: Sequence[int],
    applies: Callable[[Row], bool],
    write: Callable[[MemoryCoordinator, list[str]], Sequence[str]],
    progress: Progress,
) -> Written:
    """Write to those of these rows to which it `applies`; `write` answers the ids it touched.

    Runs in the write lane. What was written before an error or before it was stopped stays.
    What needs a person's yes comes first, so that it is asked before anything is written. Raises
    ManagerError when nothing was written.
    """
    if len(nums) <= PART:
        return _write_part(core, nums, applies, write)
    told = {row.num for part in parts_of(nums) for row in core.rows(part) if row.scope == "global"}
    nums = sorted(nums, key=lambda num: num not in told)
    rows: list[Row] = []
    ids: list[str] = []
    seen, failure = 0, None
    with core.as_one_act():
        for part in parts_of(nums):
            try:
                more = _write_part(core, part, applies, write)
            except ManagerError as error:
                if not ids:
                    raise
                failure = error
                break
            rows += more.rows
            ids += more.ids
            seen += len(part)
            if not progress(seen, len(nums)):
                break
    return Written(tuple(rows), tuple(dict.fromkeys(ids)), len(nums) - seen, failure)


def _write_part(
    core: MemoryCoordinator,
    nums: Sequence[int],
    applies: Callable[[Row], bool],
    write: Callable[[MemoryCoordinator, list[str]], Sequence[str]],
) -> Written:
    rows = tuple(row for row in core.rows(nums) if applies(row))
    if not rows:
        return Written()
    ids = [row.id for row in rows]
    return Written(rows, tuple(dict.fromkeys([*ids, *write(core, ids)])))
