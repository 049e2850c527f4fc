"""Which rows are marked: a set of keys, so that marks survive sorting, filtering and refresh."""

from __future__ import annotations

from array import array
from collections.abc import Iterable


class Marks:
    """Marked keys, and the range that is being drawn, if any."""

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self._anchor: int | None = None  # the row where the range began
        self._outside: set[int] = set()  # what was marked before it

    def set(self, keys: Iterable[int], *, on: bool = True) -> None:
        """Mark or unmark keys."""
        (self.keys.update if on else self.keys.difference_update)(keys)

    def invert(self, shown: Iterable[int]) -> None:
        """Mark what is not marked among `shown`, and the other way round."""
        self.keys = self.keys.symmetric_difference(shown)

    def clear(self) -> None:
        """Unmark everything, shown or not."""
        self.keys, self._anchor = set(), None

    @property
    def in_range(self) -> bool:
        """Whether moving extends a range."""
        return self._anchor is not None

    def begin_range(self, row: int) -> None:
        """A range begins at `row`."""
        self._anchor, self._outside = row, set(self.keys)

    def end_range(self) -> bool:
        """The range stays as it is; whether there was one."""
        was_open, self._anchor = self._anchor is not None, None
        return was_open

    def extend_range(self, row: int, shown: array[int]) -> bool:
        """The range goes from where it began to `row`; whether there is one."""
        if self._anchor is None:
            return False
        low, high = sorted((self._anchor, row))
        self.keys = self._outside.union(shown[low : high + 1])
        return True
