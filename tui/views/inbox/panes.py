"""What waits, one a line, the most valuable first; and the panes beside it for one of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from ....core.answers import Row
from ....core.judgements import RefusedCapture
from ....core.values import ms_of
from ...glyphs import Glyphs
from ...text import plain
from ...widgets.account import Account, written
from ...widgets.memory_columns import age_in
from ...widgets.memory_rows import Cells, Lead, MemoryList, RowForm
from ...widgets.pages import PAGE
from ...widgets.text_pane import CandidatePane
from .account import (
    Judged,
    all_in_one,
    came_from,
    in_short,
    judgement,
    nearest,
    refused,
    says,
    votes,
)

if TYPE_CHECKING:
    from ...app import MemoryApp


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
    waiting.show(keys, _page(keys, 0, known), keep=keep)
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


PANES = (
    ("a", "inbox-list-pane"),
    ("b", "inbox-candidate"),
    ("c", "inbox-near"),
    ("d", "inbox-judgement"),
)
"""The letter of each pane in jump mode, and its id; they never change place."""


class Panes:
    """What stands beside the list, for one row at a time."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.main = CandidatePane("Candidate", id="inbox-candidate")
        self.near = CandidatePane("Known, most like it", id="inbox-near")
        self.why = CandidatePane("Judgement", id="inbox-judgement")
        self.shown: int | None = None  # the row that they show

    def show(self, num: int, judged: Judged, *, in_one: bool) -> None:
        """A candidate; `in_one`: the pane has all that stands in the other two as well."""

        def candidate(account: Account) -> Iterable[Content]:
            yield from says(account, judged)
            if in_one:
                yield from all_in_one(account, judged)
                yield Content("")
            yield from came_from(account, judged)

        from_top = self._turn_to(num)
        self.main.show(written(self._app, candidate), from_top=from_top)
        near = written(self._app, lambda by: nearest(by, judged))
        self.near.show(near, from_top=from_top)
        why = written(self._app, lambda account: judgement(account, judged))
        self.why.show(why, from_top=from_top)

    def show_row(self, num: int, row: Row | None) -> None:
        """What the list knows already, until the rest has been read."""
        self._turn_to(num)
        if row is not None:
            short = written(self._app, lambda account: in_short(account, row))
            self.main.show(short, from_top=True)
        self._show_nothing_beside()

    def show_gone(self, why: str) -> None:
        """Nothing any more, and why."""
        self.shown = None
        self.main.show(lambda _: plain(why, "$text-muted"), from_top=True)
        self._show_nothing_beside()

    def show_refused(self, capture: RefusedCapture) -> None:
        """A refused capture, and who voted how."""

        def lines(account: Account) -> Iterable[Content]:
            yield from refused(account, capture)
            yield Content("")
            yield from votes(account, capture.votes, "")

        self.main.show(written(self._app, lines), from_top=self._turn_to(capture.number))

    def _turn_to(self, num: int) -> bool:
        """Whether that is another row than before."""
        is_other, self.shown = self.shown != num, num
        return is_other

    def _show_nothing_beside(self) -> None:
        for pane in (self.near, self.why):
            pane.show(lambda _: Content(""), from_top=True)
