"""The list of memories, a line or two each, and the header above them.

The first line has the signs, the title and columns that never shift; the second, where a form has
one, says what the memory is, how its text goes on, and what it belongs to. Importance is weight.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...core.answers import Row
from ...core.values import ms_of
from ..glyphs import Glyphs
from ..inks import Inks
from ..matches import terms_pattern
from ..text import age, cut, fit, one_line, width
from .memory_columns import (
    GAP,
    LEAD,
    ONE_LINE,
    TWO_LINES,
    UNCHOSEN,
    Beside,
    Column,
    cell,
    columns_for,
    title_width,
)
from .virtual_list import Look, VirtualList

HEAVY = 0.75  # importance from which a title is bold
LIGHT = 0.35  # and below which it steps back

Lead = Sequence[tuple[str, str, int]]
"""What stands before a title: text, its meaning (a colour), and cells."""

Cells = Sequence[tuple[str, int, bool]]
"""What stands behind it: text, cells, and whether it stands at the right of them."""


@dataclass(frozen=True, slots=True)
class RowForm:
    """How a row is made: what stands before its title and behind it; the title has the rest."""

    lead: Callable[[Row, Glyphs, datetime], Lead]  # behind the cursor's bar and the mark
    cells: Callable[[Row, int, datetime], Cells]  # for a list of so many cells
    below: Callable[[Row, int, Glyphs, datetime, str], Below] | None = None
    """The second line, if any; the text is the project's name where rows say whose they are."""
    beside: Beside = UNCHOSEN  # the columns behind, for the header


def _lead(row: Row, glyphs: Glyphs, now: datetime) -> Lead:
    """The two glyphs."""
    standing, trouble = glyphs.of(row, now)
    return (*standing, 1), (*trouble, 3)


def deck_form(beside: Beside, *, has_two_lines: bool = True) -> RowForm:
    """How the Deck's rows are made: with these columns, or, without any, with those of the form."""
    if not beside.names:
        beside = replace(beside, names=TWO_LINES if has_two_lines else ONE_LINE)

    def cells(row: Row, width: int, now: datetime) -> Cells:
        return [
            (cell(row, column.name, now), column.width, column.is_right)
            for column in columns_for(width, beside)
        ]

    def second(row: Row, width: int, glyphs: Glyphs, now: datetime, own: str) -> Below:
        visible = columns_for(width, beside)
        room = max(width - LEAD, 0)
        return below(row, room, title_width(width, visible), visible, glyphs, now, own)

    return RowForm(_lead, cells, second if has_two_lines else None, beside)


DECK_FORM = deck_form(UNCHOSEN)


class MemoryList(VirtualList[Row]):
    """Memories as rows, in the form it is given."""

    HELP = """\
## Memories
The result of the query above; bold is what matters most. `space` marks, `v` marks a range, and an
act applies to what is marked, else to the row under the cursor.
"""

    def __init__(
        self, glyphs: Glyphs, *, id: str, form: RowForm = DECK_FORM, about: str = ""
    ) -> None:
        super().__init__(glyphs, id=id)
        self.form = form
        self._grow(1 if form.below is None else 2)
        if about:  # what `?` says of it
            self.HELP = about  # type: ignore[misc]  # Textual asks the widget
        self.terms: re.Pattern[str] | None = None
        self.own_project = ""  # its name while rows of several projects say whose they are

    def set_form(self, form: RowForm) -> None:
        """Make the rows in another form."""
        self.form = form
        self._grow(1 if form.below is None else 2)
        self.forget_paint()

    def set_terms(self, terms: Sequence[str]) -> None:
        """The words to highlight in titles."""
        pattern = terms_pattern(terms)
        if pattern != self.terms:
            self.terms = pattern
            self.forget_paint()

    def extra_state(self) -> object:
        return self._minute, self.terms, self.own_project

    def draw_row(self, row: Row, look: Look) -> Strip:
        ground = look.ground
        lead = (
            (self.glyphs.bar if look.is_cursor else " ", "bar", 1),
            (self.glyphs.mark if look.is_marked else " ", "mark", 1),
            *self.form.lead(row, self.glyphs, self.now),
        )
        cells = self.form.cells(row, look.width, self.now)
        taken = sum(width for _, _, width in lead) + sum(width + GAP for _, width, _ in cells)
        muted = self._ink(look, "muted")
        strip = Strip(
            [
                *(Segment(set_cell_size(text, width), self._ink(look, meaning))
                  for text, meaning, width in lead),
                *self._title(row, max(look.width - taken, 0), look),
                *(Segment(" " * GAP + fit(text, width, right=is_right), muted)
                  for text, width, is_right in cells),
            ]
        ).adjust_cell_length(look.width, self._paint_style(*ground))  # fmt: skip
        return strip.simplify()

    def _draw_below(self, row: Row, look: Look, line: int) -> Strip:  # noqa: ARG002
        """What the memory is, its text, and what it belongs to."""
        assert self.form.below is not None
        message = self.form.below(row, look.width, self.glyphs, self.now, self.own_project)
        ground = look.ground
        muted = self._ink(look, "muted")
        bar = self.glyphs.bar if look.is_cursor else " "
        return (
            Strip(
                [
                    Segment(bar, self._ink(look, "bar")),
                    Segment(" " * (LEAD - 1), self._paint_style(*ground)),
                    *(Segment(text, self._ink(look, ink)) for text, ink in message.is_what),
                    *self._highlighted(message.text, muted, ground),
                    *(Segment(text, self._ink(look, ink)) for text, ink in message.belongs),
                ]
            )
            .adjust_cell_length(look.width, self._paint_style(*ground))
            .simplify()
        )

    def _title(self, row: Row, width: int, look: Look) -> list[Segment]:
        """The title in the weight it has, with the words of the query in it highlighted."""
        ground = look.ground
        if row.is_gone:
            return [
                Segment(fit("gone meanwhile", width), self._paint_style(*ground, "list--retired"))
            ]
        if row.retired_as is not None:
            text = self._paint_style(*ground, "list--retired")
        elif row.importance >= HEAVY:
            text = self._paint_style(*ground, "list--heavy")
        elif row.importance < LIGHT and not look.is_cursor:
            text = self._paint_style(*ground, "list--light")
        else:
            text = self._paint_style(*ground)
        project = project_of(row, self.own_project) if self.form.below is None else None
        if project is None:
            return self._highlighted(fit(title_in(row, width), width), text, ground)
        name, meaning = project
        name = f"{cut(name, min(LONGEST_PROJECT, max(width // 3, 1)))}{DOT}"
        rest = max(width - cell_len(name), 0)
        title = self._highlighted(fit(title_in(row, rest), rest), text, ground)
        return [Segment(name, self._ink(look, meaning)), *title]

    def _highlighted(self, text: str, ink: Style, ground: tuple[str, ...]) -> list[Segment]:
        """The words of the query stand out."""
        match = self._paint_style(*ground, "list--match")
        at = 0
        segments: list[Segment] = []
        for matches in self.terms.finditer(text) if self.terms else ():
            segments += [Segment(text[at : matches.start()], ink), Segment(matches[0], match)]
            at = matches.end()
        return [*segments, Segment(text[at:], ink)]


SORTED_BY = {"title": "title", "importance": "importance", "age": "created"}
"""What a query sorts by to sort by a column; the others have no order."""


class ListHeader(Widget):
    """The line above the list: how many, in which order, and the columns' names."""

    ALLOW_SELECT = False

    class SortWanted(Message):
        """A column's name was clicked; "title" for what stands over the titles."""

        def __init__(self, column: str) -> None:
            super().__init__()
            self.column = column

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self._inks = Inks(self)
        self.glyphs = glyphs
        self.saying = ""
        self.sort = ""
        self.beside = DECK_FORM.beside

    def name_columns(self, beside: Beside) -> None:
        """The columns of the list below."""
        self.beside = beside
        self.refresh()

    def say(self, saying: str, sort: str = "") -> None:
        """What stands over the titles, the order in words; and `sort` as a query says it."""
        if (saying, sort) != (self.saying, self.sort):
            self.saying, self.sort = saying, sort
            self.refresh()

    def _sign(self, column: str) -> str:
        """A cell before the column that is sorted by: which way round."""
        name = SORTED_BY.get(column)
        if name is None or self.sort.removeprefix("-") != name:
            return " "
        return self.glyphs.up if self.sort.startswith("-") else self.glyphs.down

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        listed = max(width - 2, 0)  # the list keeps a cell for its scrollbar, and one before it
        sort = muted = self._inks.style("list--muted")
        columns = columns_for(listed, self.beside) if y == 0 else ()
        title = title_width(listed, columns)
        lead = f"{self._sign('title'):>{LEAD - 1}} " if y == 0 else " " * LEAD
        segments = [Segment(lead, sort), Segment(fit(self.saying, title), sort)]
        for column in columns:
            name = fit(column.name, column.width, right=column.is_right)
            sign = self._sign(column.name)
            segments.append(Segment(f"{sign:>{GAP}}", sort))
            segments.append(Segment(name, muted if sign == " " else sort))
        return Strip(segments).adjust_cell_length(width, sort)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        listed = max(self.size.width - 2, 0)
        columns = columns_for(listed, self.beside)
        start, clicked = LEAD + title_width(listed, columns), "title"
        for column in columns:
            if event.x >= start:
                clicked = column.name
            start += GAP + column.width
        self.post_message(self.SortWanted(clicked))


MOST_TAGS = 3
TEXT_NEEDED = 24  # cells of text before tags and origin get theirs
STATES_FROM = 60  # cells from which the signs are said in words as well
LONGEST_PROJECT = 24  # cells of a project's name
LONGEST_WORD = 24  # that is said again where a title was cut within it
DOT = " · "

Piece = tuple[str, str]
"""Text, and the meaning that colours it."""


@dataclass(frozen=True, slots=True)
class Below:
    """The second line: what the memory is, its text, and at the right what it belongs to."""

    is_what: Sequence[Piece]
    text: str
    belongs: Sequence[Piece]


@lru_cache(maxsize=128)
def title_in(row: Row, cells: int) -> str:
    """The title in at most `cells` cells; one that was cut from the text goes on where it can."""
    title = one_line(row.title)
    if title.endswith("…") and width(title) < cells:
        stem, text = _stem(title), _excerpt(row.excerpt)
        if text.startswith(stem):
            title = text.partition(". ")[0].rstrip(".")
    return cut(title, cells)


def project_of(row: Row, own: str) -> Piece | None:
    """Whose a row is; its own project is said as `own`, where a list has rows of several."""
    if row.project:
        return row.project, "expiring"
    return (own, "muted") if own and row.scope != "global" else None


def below(
    row: Row,
    cells: int,
    title_cells: int,
    columns: Sequence[Column],
    glyphs: Glyphs,
    now: datetime,
    own: str,
) -> Below:
    """The second line of a row in `cells` cells, where the title above had `title_cells`."""
    if row.is_gone:
        return Below((), "", ())
    named = {column.name for column in columns}
    text = text_after(row, title_in(row, title_cells))
    what = [*_states(row, glyphs, now)] if cells >= STATES_FROM else []
    if whose := project_of(row, own):
        what.insert(0, (cut(whose[0], LONGEST_PROJECT), whose[1]))
    if "type" not in named:
        what.append((row.type, "muted"))
    if not text and "category" not in named:
        what.append((row.category, "muted"))
    pieces: list[Piece] = []
    for piece in what:
        pieces += [(DOT, "muted"), piece] if pieces else [piece]
    taken = sum(width(word) for word, _ in pieces) + len(DOT)
    belongs = _belongs(row, named, cells - taken - min(TEXT_NEEDED, width(text)))
    room = cells - taken - sum(width(word) for word, _ in belongs)
    if not text or room < 4:
        return Below(pieces, " " * max(room + len(DOT), 0), belongs)
    return Below([*pieces, (DOT, "muted")] if pieces else [], fit(text, room), belongs)


def text_after(row: Row, title: str) -> str:
    """The text of a row as it goes on where the title above it stopped; "" where it is all said."""
    text = _excerpt(row.excerpt)
    stem = _stem(title)
    if not text.startswith(stem):
        return text
    rest = text[len(stem) :]
    if title.endswith("…") and rest[:1].isalnum() and stem[-1:].isascii():  # cut within a word
        word = stem[-LONGEST_WORD:].rpartition(" ")
        return f"…{word[2] if word[1] else ''}{rest}"
    return rest.lstrip(" .,;:…")


@lru_cache(maxsize=128)
def _excerpt(text: str) -> str:
    """On one line; both lines of a row ask for it."""
    return one_line(text)


def _stem(title: str) -> str:
    return title.rstrip("…").rstrip(" .,;:")


def _states(row: Row, glyphs: Glyphs, now: datetime) -> list[Piece]:
    """The words for the two signs of a row, in their colours."""
    states: list[Piece] = []
    (_, standing), (_, trouble) = glyphs.of(row, now)
    if standing:
        states.append((row.retired_as or row.status, standing))
    if trouble == "conflict":
        states.append(("in conflict", trouble))
    elif trouble:
        remaining = age(row.expires_ms, ms_of(now)).strip()
        states.append(
            (f"ends in {remaining[1:]}" if remaining.startswith("+") else "ended", trouble)
        )
    return states


def _belongs(row: Row, named: set[str], room: int) -> list[Piece]:
    """Tags and who said it, as far as there is room."""
    origin = "" if "agent" in named or "session" in named else row.agent or "you"
    tags = [] if "tags" in named else [f"#{one_line(tag)}" for tag in row.tags[:MOST_TAGS]]
    pieces: list[Piece] = []
    room -= 2 + width(origin) if origin else 0
    for tag in tags:
        if width(tag) + 1 > room:
            break
        pieces.append((f" {tag}", "tag"))
        room -= width(tag) + 1
    if origin and room >= 0:
        pieces.append((f"  {one_line(origin)}", "muted"))
    return pieces
