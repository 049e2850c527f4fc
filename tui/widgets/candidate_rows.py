"""The short list of what waits: one line each, the most valuable first."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from ...core.answers import Row
from ...core.judgements import RefusedCapture
from ...core.values import ms_of
from ..glyphs import Glyphs
from .memory_columns import age_in
from .memory_rows import Cells, Lead, MemoryList, RowForm
from .pages import PAGE

TROUBLE = 2  # cells of the one glyph (⏳ is wide)
COLUMNS = (("category", 13, 68), ("agent", 9, 83), ("age", 4, 40))
"""Name, cells, and the width of the list from which a column is shown; from left to right."""


ABOUT = """\
## Waiting
What waits for a verdict, the most valuable first: by importance and points together. `v` and
`A` mark: a verdict then counts for all that is marked.
"""


def _lead(row: Row, glyphs: Glyphs, now: datetime) -> Lead:
    trouble, meaning = glyphs.trouble(row, now)
    return ((trouble, meaning, TROUBLE),)


def _cells(row: Row, width: int, now: datetime) -> Cells:
    return [
        (_cell(row, name, now), cells, name == "age")
        for name, cells, least in COLUMNS
        if width >= least
    ]


def _cell(row: Row, column: str, now: datetime) -> str:
    if row.is_gone:
        return ""
    if column == "age":
        return age_in(row, now)
    return row.agent or "you" if column == "agent" else row.category


FORM = RowForm(_lead, _cells)


def candidate_list(glyphs: Glyphs, *, id: str) -> MemoryList:
    """A list of what waits for a verdict, or was refused."""
    return MemoryList(glyphs, id=id, form=FORM, about=ABOUT)


def take_out(waiting: MemoryList, nums: Iterable[int]) -> None:
    """Leave these rows out; the row that follows comes under the cursor."""
    out = set(nums)
    known = {row.num: row for row in _rows_here(waiting) if row is not None}
    keys = array("q", (num for num in waiting.keys if num not in out))
    show_pages(waiting, keys, known)
    waiting.marks.set(out, on=False)  # last: whoever hears of it counts what is left


def _rows_here(waiting: MemoryList) -> Iterator[Row | None]:
    """The rows of the pages that are here."""
    for first in range(0, len(waiting.keys), PAGE):
        if waiting.pages.has(first):
            yield from map(waiting.pages.row, range(first, first + PAGE))


def show_pages(
    waiting: MemoryList, keys: array[int], known: dict[int, Row], keep: int | None = None
) -> None:
    """Show `keys` with the rows that are known already, so that none has to be waited for."""
    waiting.show(keys, _page(keys, 0, known), keep)
    for page in range(1, len(keys) // PAGE + 1):
        rows = _page(keys, page, known)
        if rows:
            waiting.page_arrived(waiting.pages.generation, page, rows)


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
        created_ms=ms_of(capture.at),
        tags=(),
        files=(),
        agent="",
        session=capture.session,
        retired_as=None,
        expires_ms=None,
        in_conflict=False,
        revision=0,
    )
