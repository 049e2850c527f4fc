"""Acts on many memories, written part by part: together one act, and one undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from ...db import memories
from ...db.errors import ManagerError
from ...db.images import headline_of
from ...db.memories import Row
from ..context import of_row

if TYPE_CHECKING:
    from ...db.store import Progress
    from ..context import Context

T = TypeVar("T")
PART = 500  # memories that one transaction changes; an act on more than that says how far it is


Applies = Callable[[Row], bool]
Write = Callable[[list[str]], object]  # writes to the memories with these ids


@dataclass(frozen=True, slots=True)
class Effect:
    """The preview of an act on many: the memories that it changes, and the number of others."""

    targets: tuple[Row, ...]
    left_alone: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    targets: tuple[Row, ...] = ()  # those it was done to, as they were before
    left: int = 0  # that were not reached
    error: ManagerError | None = None  # that ended it early


def special(targets: Sequence[Row]) -> str:
    """Return special states of memories: `2 pinned, 1 in a conflict`; "" for none."""
    counts = (
        (sum(target.status == "pinned" for target in targets), "pinned"),
        (sum(target.in_conflict for target in targets), "in a conflict"),
        (sum(not target.is_live for target in targets), "retired"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)


class Bulk:
    """Acts on many, by the numbers of memories."""

    _context: Context

    def targets(self, nums: Sequence[int]) -> list[Row]:
        """These memories in the order given; without those that vanished."""
        database, here = self._context.here
        matches = {
            row["num"]: of_row(
                Row, row, title="", project="" if row["project"] == here else row["project"]
            )
            for part in parts_of(nums)
            for row in memories.targets(database, part)
        }
        return [matches[num] for num in nums if num in matches]

    def preview(self, nums: Sequence[int], applies: Applies) -> Effect:
        """Return the effect of an act on these memories. Those of other projects stay unchanged."""
        targets = self._fitting(nums, applies)
        return Effect(targets, len(nums) - len(targets))

    def _fitting(self, nums: Sequence[int], applies: Applies) -> tuple[Row, ...]:
        return tuple(row for row in self.targets(nums) if not row.project and applies(row))

    def carry_out(
        self, nums: Sequence[int], applies: Applies, write: Write, progress: Progress
    ) -> Written:
        """Write to those of these memories to which the act applies, global ones first.

        More than `PART` are several transactions, between which `progress` returns False to
        stop. Raises ManagerError when nothing was written.
        """
        if len(nums) <= PART:
            return self._titled(self._write_part(nums, applies, write))
        done: list[Row] = []
        seen, failure = 0, None
        database = self._context.database
        everywhere = {
            num for part in parts_of(nums) for num in memories.global_nums(database, part)
        }
        with self._context.as_one_act(is_read_back=False):
            for part in parts_of(sorted(nums, key=lambda num: num not in everywhere)):
                try:
                    more = self._write_part(part, applies, write)
                except ManagerError as error:
                    if not done:
                        raise
                    failure = error
                    break
                done += more.targets
                seen += len(part)
                if progress(seen, len(nums)) is False:
                    break
        return self._titled(Written(tuple(done), len(nums) - seen, failure))

    def _write_part(self, nums: Sequence[int], applies: Applies, write: Write) -> Written:
        # read in their turn: the act may be minutes under way, and others write meanwhile
        chosen = self._fitting(nums, applies)
        if not chosen:
            return Written()
        write([target.id for target in chosen])
        return Written(chosen)

    def _titled(self, written: Written) -> Written:
        """Return the same; of an act on one memory with its title."""
        if len(written.targets) != 1:
            return written
        [item] = written.targets
        images = self._context.reader().images([item.num])
        return replace(
            written, targets=tuple(item._replace(title=headline_of(image)) for image in images)
        )


def parts_of(many: Sequence[T]) -> Iterator[Sequence[T]]:
    return (many[start : start + PART] for start in range(0, len(many), PART))
