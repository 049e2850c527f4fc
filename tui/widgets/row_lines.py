"""Which line of a list shows what: rows of one height, and a heading above each group."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable

HEADING = -1
"""The part of a row that is the heading above it; 0 and up are the row's own lines."""


class RowLines:
    """From rows to lines and back; what it holds grows by 8 bytes a group, by nothing a row."""

    def __init__(self) -> None:
        self.height = 1  # lines of every row
        self.starts: array[int] = array("q")  # the rows that have a heading above them

    def group(self, starts: Iterable[int] = ()) -> None:
        """A heading stands above each of these rows, which grow."""
        self.starts = array("q", starts)

    def top(self, row: int) -> int:
        """The first own line of a row."""
        return row * self.height + bisect_right(self.starts, row)

    def group_of(self, row: int) -> int:
        """Which group a row belongs to; -1 where there are none."""
        return bisect_right(self.starts, row) - 1

    def has_heading(self, row: int) -> bool:
        """Whether a heading stands right above the row."""
        group = self.group_of(row)
        return group >= 0 and self.starts[group] == row

    def at(self, line: int) -> tuple[int, int]:
        """The row that a line belongs to, and which part of it the line is."""
        groups = range(len(self.starts))
        group = bisect_right(groups, line, key=lambda one: self.starts[one] * self.height + one) - 1
        if group < 0:
            return divmod(line, self.height)
        first = self.starts[group]
        below = line - first * self.height - group - 1
        if below < 0:
            return first, HEADING
        return first + below // self.height, below % self.height

    def within(self, top: int, height: int, count: int) -> tuple[int, int]:
        """The first and the last of `count` rows that stand whole in `height` lines from `top`."""
        row, part = self.at(max(top, 0))
        first = row if part <= 0 else row + 1
        last, part = self.at(max(top + height - 1, 0))
        if part < self.height - 1:
            last -= 1
        last = min(last, count - 1)
        return min(first, count - 1), max(last, min(first, count - 1))
