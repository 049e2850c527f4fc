"""The list of memories: one line each, columns that never shift, and the header above them.

Columns leave in a fixed order as the list grows narrow: files, scope, session, age, type.
The glyphs and the title never leave.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import ClassVar

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...core.answers import Row
from ..glyphs import Glyphs
from ..matches import terms_pattern
from ..text import age, fit
from .virtual_list import Look, VirtualList

LEAD = 6  # cells before the title: cursor bar, mark, standing, trouble (⏳ is wide), and air
TITLE_WANTED = 46  # cells a title should have before scope, session and files get theirs
TITLE_NEEDED = 28  # cells below which age and type go as well
GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """One column right of the title."""

    name: str
    width: int
    is_right: bool = False


COLUMNS = (
    Column("type", 11),
    Column("scope", 7),
    Column("session", 20),
    Column("files", 22),
    Column("age", 4, is_right=True),
)
"""From left to right."""

LEAVING = ("files", "scope", "session", "age", "type")
"""The order in which columns leave as the width shrinks."""

SHORT_TYPE = Column("type", 4)
"""Before the age leaves, types are shortened to their first letters."""


@lru_cache(maxsize=64)
def columns_for(width: int) -> tuple[Column, ...]:
    """The columns that a list of `width` cells has room for, from left to right."""
    shown: tuple[Column, ...] = COLUMNS
    for name in LEAVING:
        enough = TITLE_NEEDED if name in ("age", "type") else TITLE_WANTED
        if name == "age" and title_width(width, shown) < TITLE_WANTED - 10:
            shown = tuple(SHORT_TYPE if one.name == "type" else one for one in shown)
        if title_width(width, shown) >= enough:
            return shown
        shown = tuple(one for one in shown if one.name != name)
    return shown


def title_width(width: int, columns: Sequence[Column]) -> int:
    """Cells left for the title; never negative."""
    return max(width - LEAD - sum(column.width + GAP for column in columns) - 1, 0)


Lead = Sequence[tuple[str, str, int]]
"""What stands before a title: text, its meaning (a colour), and cells."""

Cells = Sequence[tuple[str, int, bool]]
"""What stands behind it: text, cells, and whether it stands at the right of them."""


@dataclass(frozen=True, slots=True)
class RowForm:
    """How a row is made: what stands before its title and behind it; the title has the rest."""

    lead: Callable[[Row, Glyphs, datetime], Lead]  # behind the cursor's bar and the mark
    cells: Callable[[Row, int, datetime], Cells]  # for a list of so many cells


def age_in(row: Row, now: datetime) -> str:
    """How old a memory is, as a column says it."""
    return age(row.created_ms, int(now.timestamp() * 1000)).strip()


def _lead(row: Row, glyphs: Glyphs, now: datetime) -> Lead:
    """The two glyphs."""
    standing, trouble = glyphs.of(row, now)
    return (*standing, 1), (*trouble, 3)


def _cells(row: Row, width: int, now: datetime) -> Cells:
    return [
        (_cell(row, column.name, now)[: column.width if column is SHORT_TYPE else None],
         column.width, column.is_right)
        for column in columns_for(width)
    ]  # fmt: skip


def _cell(row: Row, column: str, now: datetime) -> str:
    """The text of a column, uncut."""
    if row.is_gone:
        return ""
    if column == "age":
        return age_in(row, now)
    if column == "session":
        return row.session_name or row.agent or "you"
    if column == "files":
        return row.files[0].rsplit("/", 1)[-1] if row.files else ""
    return row.scope if column == "scope" else row.type


DECK_FORM = RowForm(_lead, _cells)


class MemoryList(VirtualList[Row]):
    """Memories as rows, in the form it is given."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--bar",
        "list--muted",
        "list--mark",
        "list--match",
        "list--pinned",
        "list--conflict",
        "list--stale",
        "list--candidate",
        "list--retired",
        "list--expiring",
    }
    HELP = """\
## Memories
The result of the query above, one memory a line. `space` marks, `v` marks a range, and an
act applies to what is marked, else to the row under the cursor.
"""

    def __init__(
        self, glyphs: Glyphs, *, id: str, form: RowForm = DECK_FORM, about: str = ""
    ) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.form = form
        if about:  # what `?` says of it
            self.HELP = about  # type: ignore[misc]  # Textual asks the widget
        self.terms: re.Pattern[str] | None = None
        self.now = datetime.now(UTC)
        self._minute = 0

    def set_now(self, now: datetime) -> None:
        """The moment ages are counted from; rows are drawn anew once a minute."""
        self.now = now
        minute = int(now.timestamp()) // 60
        if minute != self._minute:
            self._minute = minute
            self.forget_paint()

    def set_terms(self, terms: Sequence[str]) -> None:
        """The words to highlight in titles."""
        pattern = terms_pattern(terms)
        if pattern != self.terms:
            self.terms = pattern
            self.forget_paint()

    def extra_state(self) -> object:
        return self._minute, self.terms

    def draw_row(self, row: Row, look: Look) -> Strip:
        ground = look.ground
        lead = (
            (self.glyphs.bar if look.is_cursor else " ", "bar", 1),
            (self.glyphs.mark if look.is_marked else " ", "mark", 1),
            *self.form.lead(row, self.glyphs, self.now),
        )
        cells = self.form.cells(row, look.width, self.now)
        taken = sum(width for _, _, width in lead) + sum(width + GAP for _, width, _ in cells)
        muted = self._ink(look, ground, "muted")
        strip = Strip(
            [
                *(Segment(set_cell_size(text, width), self._ink(look, ground, meaning))
                  for text, meaning, width in lead),
                *self._title(row, max(look.width - taken - 1, 0), ground),
                *(Segment(" " * GAP + fit(text, width, right=is_right), muted)
                  for text, width, is_right in cells),
            ]
        ).adjust_cell_length(look.width, self.paint_style(*ground))  # fmt: skip
        return strip.simplify()

    def _ink(self, look: Look, ground: tuple[str, ...], meaning: str) -> Style:
        """The colour of a meaning on this ground; sixteen colours have none to spare there."""
        if not meaning or (look.is_cursor and self.app.current_theme.ansi):
            return self.paint_style(*ground)
        return self.paint_style(*ground, f"list--{meaning}")

    def _title(self, row: Row, width: int, ground: tuple[str, ...]) -> list[Segment]:
        """The title, with the words of the query in it highlighted."""
        if row.is_gone:
            return [
                Segment(fit("gone meanwhile", width), self.paint_style(*ground, "list--retired"))
            ]
        is_retired = row.retired_as is not None
        text = self.paint_style(*ground, *(["list--retired"] if is_retired else []))
        match = self.paint_style(*ground, "list--match")
        title, at = fit(row.title, width), 0
        segments: list[Segment] = []
        for found in self.terms.finditer(title) if self.terms else ():
            segments += [Segment(title[at : found.start()], text), Segment(found[0], match)]
            at = found.end()
        return [*segments, Segment(title[at:], text)]


class ListHeader(Widget):
    """The line above the list: how many, in which order, and the columns' names."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"header--sort", "header--column"}
    ALLOW_SELECT = False

    class SortWanted(Message):
        """The header was clicked."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.saying = ""

    def say(self, saying: str) -> None:
        """What stands over the titles: count and order in words."""
        if saying != self.saying:
            self.saying = saying
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        listed = max(width - 1, 0)  # the list keeps a cell for its scrollbar
        sort = self.get_component_rich_style("header--sort")
        muted = self.get_component_rich_style("header--column")
        columns = columns_for(listed) if y == 0 else ()
        title = title_width(listed, columns)
        segments = [Segment(" " * LEAD, sort), Segment(fit(self.saying, title), sort)]
        for column in columns:
            name = fit(column.name, column.width, right=column.is_right)
            segments.append(Segment(" " * GAP + name, muted))
        return Strip(segments).adjust_cell_length(width, sort)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.SortWanted())
