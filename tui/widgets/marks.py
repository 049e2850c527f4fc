"""Which rows are marked: a set of keys, so that marks survive sorting, filtering and refresh."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable


class Marks:
    """Marked keys, and the range that is being drawn, if any. `tell` hears of every change."""

    def __init__(self, tell: Callable[[], object]) -> None:
        self.keys: set[int] = set()  # shown or not
        self._tell = tell
        self._anchor: int | None = None  # the row where the range began
        self._outside: set[int] = set()  # what was marked before it

    def set(self, keys: Iterable[int], *, on: bool = True) -> None:
        """Mark or unmark keys."""
        (self.keys.update if on else self.keys.difference_update)(keys)
        self._tell()

    def invert(self, shown: Iterable[int]) -> None:
        """Mark what is not marked among `shown`, and the other way round."""
        self.keys = self.keys.symmetric_difference(shown)
        self._tell()

    def clear(self) -> None:
        """Unmark everything, shown or not."""
        self.keys, self._anchor = set(), None
        self._tell()

    def toggle(self, key: int) -> bool:
        """Mark the key, or unmark it; in a range, end the range. Whether it was about the key."""
        if self.end_range():
            return False
        self.set([key], on=key not in self.keys)
        return True

    @property
    def in_range(self) -> bool:
        """Whether moving extends a range."""
        return self._anchor is not None

    def toggle_range(self, row: int, shown: array[int]) -> None:
        """Begin a range at `row`, or end the one that is open."""
        if not self.end_range() and shown:
            self._anchor, self._outside = row, set(self.keys)
            self.extend_range(row, shown)

    def end_range(self) -> bool:
        """The range stays as it is; whether there was one."""
        was_open, self._anchor = self._anchor is not None, None
        if was_open:
            self._tell()
        return was_open

    def extend_range(self, row: int, shown: array[int]) -> None:
        """A range that is open goes from where it began to `row`."""
        if self._anchor is not None:
            low, high = sorted((self._anchor, row))
            self.keys = self._outside.union(shown[low : high + 1])
            self._tell()
