"""The short list of what waits: one line each, the most valuable first."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.strip import Strip

from ...core.answers import Row
from ...core.judgements import RefusedCapture
from ..text import age, fit
from .memory_rows import MemoryList
from .pages import PAGE
from .virtual_list import Look

LEAD = 4  # cells before the title: cursor bar, mark, and trouble (⏳ is wide)
COLUMNS = (("category", 13, 60), ("agent", 9, 84), ("age", 4, 34))
"""Name, cells, and the width of the list from which a column is shown; from left to right."""
GAP = 2


class CandidateList(MemoryList):
    """What waits for a verdict."""

    BINDINGS: ClassVar[list[BindingType]] = []
    HELP = """\
## Waiting
What waits for a verdict, the most valuable first: by importance and points together. `v` and
`A` mark: a verdict then counts for all that is marked.
"""

    def draw_row(self, row: Row, look: Look) -> Strip:
        ground = look.ground
        columns = [column for column in COLUMNS if look.width >= column[2]]
        width = max(look.width - LEAD - sum(cells + GAP for _, cells, _ in columns) - 1, 1)
        segments = [*self._lead(row, look, ground), *self._title(row, width, ground)]
        muted = self._ink(look, ground, "muted")
        for name, cells, _ in columns:
            text = fit(self._cell(row, name), cells, right=name == "age")
            segments.append(Segment(" " * GAP + text, muted))
        return Strip(segments).adjust_cell_length(look.width, self.paint_style(*ground)).simplify()

    def _lead(self, row: Row, look: Look, ground: tuple[str, ...]) -> list[Segment]:
        trouble, meaning = self.glyphs.trouble(row, self.now)
        parts = (
            (self.glyphs.bar if look.is_cursor else " ", "bar", 1),
            (self.glyphs.mark if look.is_marked else " ", "mark", 1),
            (trouble, meaning, LEAD - 2),
        )
        return [Segment(fit(text, cells), self._ink(look, ground, name))
                for text, name, cells in parts]  # fmt: skip

    def _cell(self, row: Row, column: str) -> str:
        if row.is_gone:
            return ""
        if column == "age":
            return age(row.created_ms, int(self.now.timestamp() * 1000)).strip()
        return row.agent or "you" if column == "agent" else row.category

    def take_out(self, nums: Iterable[int]) -> None:
        """Leave these rows out; the row that follows comes under the cursor."""
        out = set(nums)
        known = {row.num: row for row in self._rows_here() if row is not None}
        keys = array("q", (num for num in self.keys if num not in out))
        self.marks.set(out, on=False)
        self.show_pages(keys, known)
        self._marks_changed()

    def _rows_here(self) -> Iterator[Row | None]:
        """The rows of the pages that are here."""
        for first in range(0, len(self.keys), PAGE):
            if self.pages.has(first):
                yield from map(self.pages.row, range(first, first + PAGE))

    def show_pages(self, keys: array[int], known: dict[int, Row], keep: int | None = None) -> None:
        """Show `keys` with the rows that are known already, so that none has to be waited for."""
        self.show(keys, _page(keys, 0, known), keep)
        for page in range(1, len(keys) // PAGE + 1):
            rows = _page(keys, page, known)
            if rows:
                self.page_arrived(self.pages.generation, page, rows)


def _page(keys: Sequence[int], page: int, known: dict[int, Row]) -> list[Row]:
    """The rows of a page; none unless all of them are known."""
    nums = keys[page * PAGE : (page + 1) * PAGE]
    rows = [known[num] for num in nums if num in known]
    return rows if len(rows) == len(nums) else []


def row_of(capture: RefusedCapture) -> Row:
    """A refused capture as a row of the list."""
    gate, _, _ = capture.reason.partition(":")
    return Row(
        num=capture.number,
        id=str(capture.number),
        title=capture.content[:400].strip() or "nothing of its text was kept",
        type="",
        category=gate,
        scope="",
        status="refused",
        importance=capture.importance,
        created_ms=int(capture.at.timestamp() * 1000),
        tags=(),
        files=(),
        agent="",
        session=capture.session,
        retired_as=None,
        expires_ms=None,
        in_conflict=False,
        revision=0,
    )
