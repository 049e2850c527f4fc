"""Facets: what the current result is made of, with counts; choosing one narrows the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..inks import Inks
from ..text import cut, fit, width

SECTIONS = ("status", "tier", "type", "category", "scope", "agent", "tag", "project")
"""The keys with facets, from top to bottom."""

MOST_VALUES = {"tag": 12, "project": 8}
"""How many values a section lists; the others list all they have."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the pane: a section's name (`value` is "") or one value."""

    key: str
    value: str = ""
    count: int = 0

    @property
    def is_value(self) -> bool:
        return bool(self.value)


class Facets(ScrollView, can_focus=True):
    """Values with live counts; `enter` puts the token in the box, `minus` its opposite."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Only these", id="facets.choose"),
        Binding("minus", "exclude", "Not these", key_display="-", id="facets.exclude"),
        Binding("j,down", "move(1)", "Down", show=False, id="facets.down"),
        Binding("k,up", "move(-1)", "Up", show=False, id="facets.up"),
        Binding("g,home", "jump(0)", "Top", show=False, id="facets.top"),
        Binding("G,end", "jump(-1)", "Bottom", show=False, id="facets.bottom"),
    ]
    HELP = """\
## Facets
What the result is made of, counted anew with each query. `enter` adds the value to the query
or takes it out again; `-` leaves it out instead.
"""

    cursor = reactive(0, repaint=False, init=False)

    class Chosen(Message):
        """A value is to be added to the query, or excluded, or taken out again."""

        def __init__(self, key: str, value: str, negated: bool) -> None:
            super().__init__()
            self.key, self.value, self.negated = key, value, negated

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.lines: list[Line] = []
        self.chosen: dict[tuple[str, str], bool] = {}  # (key, value) -> whether negated
        self._inks = Inks(self)

    def show(
        self,
        facets: Mapping[str, Sequence[tuple[str, int]]],
        chosen: Mapping[tuple[str, str], bool],
    ) -> None:
        """Show the counts; the cursor stays on its value."""
        here = self.current
        self.chosen = dict(chosen)
        self.lines = list(self._arranged(facets))
        self._measure()
        places = {(line.key, line.value): row for row, line in enumerate(self.lines)}
        row = places.get((here.key, here.value)) if here else None
        first = next((row for row, line in enumerate(self.lines) if line.is_value), 0)
        self.cursor = row if row is not None else min(max(self.cursor, first), len(self.lines))
        self._settle(1)
        self.refresh()

    def _arranged(self, facets: Mapping[str, Sequence[tuple[str, int]]]) -> list[Line]:
        lines: list[Line] = []
        for key in SECTIONS:
            values = list(facets.get(key, ()))
            known = {value for value, _ in values}
            # What the query names stays in sight, also when nothing is left of it.
            values += [(v, 0) for (k, v) in self.chosen if k == key and v not in known]
            values = values[: MOST_VALUES.get(key, len(values))]
            if not values:
                continue
            if lines:
                lines.append(Line(""))
            lines.append(Line(key))
            lines += [Line(key, value, count) for value, count in values if value]
        return lines

    @property
    def current(self) -> Line | None:
        """The value under the cursor."""
        line = self.lines[self.cursor] if 0 <= self.cursor < len(self.lines) else None
        return line if line and line.is_value else None

    # -- moving and choosing

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.lines) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self.refresh_line(old)
        self.refresh_line(new)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if new <= 1 or new < top:
            self.scroll_to(y=0 if new <= 1 else new - 1, animate=False)
        elif height and new >= top + height:
            self.scroll_to(y=new - height + 1, animate=False)

    def _settle(self, direction: int) -> None:
        """Go on in `direction` until the cursor stands on a value; back if there is none."""
        row = self.cursor
        while 0 <= row < len(self.lines) and not self.lines[row].is_value:
            row += direction
        if 0 <= row < len(self.lines):
            self.cursor = row
        elif any(line.is_value for line in self.lines):
            self.cursor = row - direction if direction < 0 else row
            self._settle(-direction)

    def action_move(self, rows: int) -> None:
        self.cursor += rows
        self._settle(1 if rows > 0 else -1)

    def action_jump(self, row: int) -> None:
        self.cursor = row if row >= 0 else len(self.lines) - 1
        self._settle(1 if row >= 0 else -1)

    def action_choose(self) -> None:
        self._choose(negated=False)

    def action_exclude(self) -> None:
        self._choose(negated=True)

    def _choose(self, *, negated: bool) -> None:
        if line := self.current:
            self.post_message(self.Chosen(line.key, line.value, negated))

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        row = place.y + self.scroll_offset.y if place is not None else -1
        if 0 <= row < len(self.lines) and self.lines[row].is_value:
            event.stop()
            self.cursor = row
            self._choose(negated=event.button == 3)

    # -- painting

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.clear()

    def on_resize(self) -> None:
        self._measure()

    def on_focus(self) -> None:
        self.refresh_line(self.cursor)

    def on_blur(self) -> None:
        self.refresh_line(self.cursor)

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, len(self.lines))

    def _style(self, *names: str) -> Style:
        return self._inks.style(*(f"facet--{name}" for name in names))

    def render_line(self, y: int) -> Strip:
        row, cells = y + self.scroll_offset.y, self.scrollable_content_region.width
        if row >= len(self.lines) or not self.lines[row].key:
            return Strip.blank(cells, self._style("base"))
        line = self.lines[row]
        if not line.is_value:
            return Strip([Segment(fit(line.key, cells), self._style("base", "section"))])
        ground = "cursor" if row == self.cursor and self.has_focus else "base"
        sign, state = self._state(line)
        count = f"{line.count:,}"
        name = cut(line.value, max(cells - 4 - width(count), 1))
        gap = " " * max(cells - 3 - width(name) - width(count), 0)
        inks = (ground, *([state] if state else []))
        return Strip(
            [
                Segment(f"{sign} {name}{gap}", self._style(*inks)),
                Segment(count, self._style(ground, state or "count")),
            ]
        ).adjust_cell_length(cells, self._style(ground))

    def _state(self, line: Line) -> tuple[str, str]:
        """The sign before a value, and the colour it has."""
        negated = self.chosen.get((line.key, line.value))
        if negated is None:
            return " ", ""
        return ("-", "excluded") if negated else ("+", "chosen")
