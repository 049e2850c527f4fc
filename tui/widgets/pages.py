"""What a list holds: keys, pages of rows fetched by key, marks, and which line shows what."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from textual.cache import LRUCache

PAGE = 128  # rows fetched at once
PAGES_KEPT = 16


class Listed(Protocol):
    """What a row must offer to be listed."""

    @property
    def num(self) -> int: ...
    @property
    def revision(self) -> int: ...


RowT = TypeVar("RowT", bound=Listed)


def keys_of(rows: Iterable[Listed]) -> array[int]:
    """The keys of rows that are all at hand."""
    return array("q", [row.num for row in rows])


Groups = Sequence[tuple[int, str]]
"""The row at which each group begins, and its heading."""


def under(
    parts: Iterable[tuple[str, Iterable[RowT]]],
) -> tuple[array[int], Sequence[RowT], Groups]:
    """Keys, rows and groups of rows that are all at hand, each part under its heading."""
    rows, groups = list[RowT](), list[tuple[int, str]]()
    for heading, part in parts:
        groups.append((len(rows), heading))
        rows += part
    return keys_of(rows), rows, groups


class Pages(Generic[RowT]):
    """8 bytes for every row, and a few pages of rows."""

    def __init__(self) -> None:
        self.keys: array[int] = array("q")
        self.generation = 0  # grows with every other list of keys
        self._pages: LRUCache[int, Sequence[RowT]] = LRUCache(PAGES_KEPT)
        self._pending: set[int] = set()

    def show(self, keys: array[int], first_page: Sequence[RowT]) -> None:
        """Begin with `keys`, of which the first page is loaded already."""
        self.keys = keys
        self.generation += 1
        self._pages.clear()
        self._pending.clear()
        if first_page:
            self._pages[0] = first_page

    def arrived(self, generation: int, page: int, rows: Sequence[RowT]) -> bool:
        """Take a page, unless it answers an older list; whether other rows stand there now."""
        if generation != self.generation:
            return False
        before = self._pages.get(page)
        self._pending.discard(page)
        self._pages.discard(page)  # the cache keeps the old value of a key it has
        self._pages[page] = rows
        return before is None or tuple(before) != tuple(rows)

    def has(self, index: int) -> bool:
        """Whether the page of row `index` is here."""
        return index // PAGE in self._pages

    def row_of(self, key: int | None) -> int | None:
        """The row that shows `key`, or None."""
        try:
            return None if key is None else self.keys.index(key)
        except ValueError:
            return None

    def row(self, index: int) -> RowT | None:
        """Row `index`, or None while its page is not here."""
        page = self._pages.get(index // PAGE)
        return page[index % PAGE] if page is not None and index % PAGE < len(page) else None

    def wants(self, page: int) -> bool:
        """Whether `page` must be asked for now; it then counts as asked for."""
        if page in self._pending or not 0 <= page * PAGE < len(self.keys):
            return False
        self._pending.add(page)
        return True

    def keep_only(self, pages: Iterable[int]) -> None:
        """Forget the other pages, and that any was asked for."""
        for page in set(self._pages.keys()).difference(pages):
            self._pages.discard(page)
        self._pending.clear()


class Marks:
    """Marked keys, so that marks survive sorting, filtering and refresh; and the open range.

    `tell` is called after every change.
    """

    def __init__(self, tell: Callable[[], object]) -> None:
        self.keys: set[int] = set()  # shown or not
        self._tell = tell
        self._anchor: int | None = None  # the row where the range began
        self._outside: set[int] = set()  # what was marked before it

    def set(self, keys: Iterable[int], *, on: bool = True) -> None:
        """Mark or unmark keys."""
        (self.keys.update if on else self.keys.difference_update)(keys)
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

    def toggle_range(self, row: int, visible: array[int]) -> None:
        """Begin a range at `row`, or end the one that is open."""
        if not self.end_range() and visible:
            self._anchor, self._outside = row, set(self.keys)
            self.extend_range(row, visible)

    def end_range(self) -> bool:
        """The range stays as it is; whether there was one."""
        was_open, self._anchor = self._anchor is not None, None
        if was_open:
            self._tell()
        return was_open

    def extend_range(self, row: int, visible: array[int]) -> None:
        """A range that is open goes from where it began to `row`."""
        if self._anchor is not None:
            low, high = sorted((self._anchor, row))
            self.keys = self._outside.union(visible[low : high + 1])
            self._tell()


HEADING = -1
"""The part of a row that is the heading above it; 0 and up are the row's own lines."""


class RowLines:
    """From rows to lines and back: rows of one height, and a heading above each group.

    What it holds grows by 8 bytes a group, by nothing a row.
    """

    def __init__(self) -> None:
        self.height = 1  # lines of every row
        self.starts: array[int] = array("q")  # the rows that have a heading above them

    def group(self, starts: Iterable[int] = ()) -> None:
        """Put a heading above each of these rows, in rising order."""
        self.starts = array("q", starts)

    def top(self, row: int) -> int:
        """The first own line of a row."""
        return row * self.height + bisect_right(self.starts, row)

    def group_of(self, row: int) -> int:
        """Which group a row belongs to; -1 where there are none."""
        return bisect_right(self.starts, row) - 1

    def has_heading(self, row: int) -> bool:
        """Return True if there is a heading right above the row."""
        group = self.group_of(row)
        return group >= 0 and self.starts[group] == row

    def at(self, line: int) -> tuple[int, int]:
        """The row that a line belongs to, and which part of it the line is."""
        groups = range(len(self.starts))
        group = (
            bisect_right(groups, line, key=lambda item: self.starts[item] * self.height + item) - 1
        )
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
