"""The list of memories: two lines each, the title with its age, and below it the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ...core.answers import Row
from ...core.values import ms_of
from ..glyphs import Glyphs
from ..text import AGE_WIDTH, age, cut, fit, one_line, terms_pattern, width
from .virtual_list import Look, VirtualList

LEAD = 6
"""Cells before the title: the cursor's bar, the mark, two glyphs, and two cells of air."""

HEAVY, LIGHT = 0.75, 0.35
"""Importance from which a title is bold, and below which it is muted."""

PROJECT_CELLS = 24
MAX_REPEATED = 24
"""Cells of a word that is shown again if the title was cut within it."""

LINES_FOR_TWO = 6
"""Lines a list must have for rows of two lines."""


class MemoryList(VirtualList[Row]):
    """Memories in the order of their query."""

    HELP = """\
## Memories
The result of the query above. Bold titles matter most. `space` marks, `v` marks a range. An act
applies to the marked rows, or to the row under the cursor.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(glyphs, id=id)
        self.terms: re.Pattern[str] | None = None
        self.own_project = ""  # its name while rows of several projects are listed
        self._grow(2)

    def on_resize(self) -> None:
        """Use one line a row where there is no room for two."""
        self._grow(1 if 0 < self.size.height < LINES_FOR_TWO else 2)

    def set_terms(self, terms: Sequence[str]) -> None:
        """Highlight these words."""
        pattern = terms_pattern(terms)
        if pattern != self.terms:
            self.terms = pattern
            self.forget_paint()

    def extra_state(self) -> object:
        return self._minute, self.terms, self.own_project

    def draw_row(self, row: Row, look: Look) -> Strip:
        (standing, meaning), (trouble, kind) = self.glyphs.of(row, self.now)
        segments = [
            Segment(self.glyphs.bar if look.is_cursor else " ", self._ink(look, "bar")),
            Segment(self.glyphs.mark if look.is_marked else " ", self._ink(look, "mark")),
            Segment(standing, self._ink(look, meaning)),
            Segment(fit(trouble, LEAD - 3), self._ink(look, kind)),
        ]
        room = max(look.width - LEAD - AGE_WIDTH - 2, 0)
        segments += self._highlighted(fit(title_in(row, room), room), self._weight(row, look), look)
        created = age(row.created_ms, ms_of(self.now))
        segments.append(Segment(f"  {created}", self._ink(look, "muted")))
        return self._filled(segments, look)

    def _draw_below(self, row: Row, look: Look, line: int) -> Strip:  # noqa: ARG002
        """Return the second line: the project if there are several, then the text."""
        muted = self._ink(look, "muted")
        segments = [
            Segment(self.glyphs.bar if look.is_cursor else " ", self._ink(look, "bar")),
            Segment(" " * (LEAD - 1), self._ink(look)),
        ]
        room = max(look.width - LEAD, 0)
        if name := project_of(row, self.own_project):
            name = f"{cut(name, PROJECT_CELLS)} · "
            segments.append(Segment(name, self._ink(look, "expiring" if row.project else "muted")))
            room = max(room - width(name), 0)
        title_cells = max(look.width - LEAD - AGE_WIDTH - 2, 0)
        text = text_after(row, title_in(row, title_cells))
        segments += self._highlighted(fit(text, room), muted, look)
        return self._filled(segments, look)

    def _filled(self, segments: list[Segment], look: Look) -> Strip:
        return Strip(segments).adjust_cell_length(look.width, self._ink(look)).simplify()

    def _weight(self, row: Row, look: Look) -> Style:
        """Return the style of a title by its importance."""
        if row.is_gone or row.retired_as is not None:
            return self._ink(look, "retired")
        if row.importance >= HEAVY:
            return self._ink(look, "heavy")
        if row.importance < LIGHT and not look.is_cursor:
            return self._ink(look, "light")
        return self._ink(look)

    def _highlighted(self, text: str, style: Style, look: Look) -> list[Segment]:
        match, at = self._ink(look, "match"), 0
        segments: list[Segment] = []
        for matches in self.terms.finditer(text) if self.terms else ():
            segments += [Segment(text[at : matches.start()], style), Segment(matches[0], match)]
            at = matches.end()
        return [*segments, Segment(text[at:], style)]


@lru_cache(maxsize=256)
def title_in(row: Row, cells: int) -> str:
    """Return the title in at most `cells` cells; one cut from the text goes on where it can."""
    if row.is_gone:
        return "gone meanwhile"
    title = one_line(row.title)
    if title.endswith("…") and width(title) < cells:
        text = one_line(row.excerpt)
        if text.startswith(_stem(title)):
            title = text.partition(". ")[0].rstrip(".")
    return cut(title, cells)


def text_after(row: Row, title: str) -> str:
    """Return the text of a row from where its title stops; "" if the title says it all."""
    text, stem = one_line(row.excerpt), _stem(title)
    if row.is_gone or not text.startswith(stem):
        return "" if row.is_gone else text
    rest = text[len(stem) :]
    if title.endswith("…") and rest[:1].isalnum() and stem[-1:].isascii():  # cut within a word
        word = stem[-MAX_REPEATED:].rpartition(" ")
        return f"…{word[2] if word[1] else ''}{rest}"
    return rest.lstrip(" .,;:…")


def _stem(title: str) -> str:
    return title.rstrip("…").rstrip(" .,;:")


def project_of(row: Row, own: str) -> str:
    """Return whose a row is; its own project is named `own` in a list of several."""
    if row.project:
        return str(row.project)
    return own if row.scope != "global" else ""
