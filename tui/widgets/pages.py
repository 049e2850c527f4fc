"""The keys of a list and the pages of rows one looked at, 128 rows each, fetched by key."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
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


class Pages(Generic[RowT]):
    """8 bytes for every row, and a few pages of rows."""

    def __init__(self) -> None:
        self.keys: array[int] = array("q")
        self.generation = 0  # grows with every other list of keys
        self._pages: LRUCache[int, Sequence[RowT]] = LRUCache(PAGES_KEPT)
        self._pending: set[int] = set()

    def show(self, keys: array[int], first_page: Sequence[RowT]) -> None:
        """Begin anew with `keys`, of which the first page is here already."""
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
