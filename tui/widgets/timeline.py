"""The journal as a timeline: newest on top, one line per change, days set apart.

It holds the entries that were read so far, and asks for more before the reader reaches the
end. It knows nothing of the core: entries come in as values, wishes go out as messages.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...core.answers import Entry
from .timeline_row import Piece, day_pieces, entry_pieces


class Timeline(ScrollView, can_focus=True, inherit_bindings=False):
    """Changes, newest first. The cursor is an index of `entries`; days are only drawn."""

    ALLOW_SELECT = False  # else dragging starts text selection
    HELP = (
        "Every change of a memory, newest first: who did it, what, and to what. "
        "The pane beside it shows the words before and after."
    )
    COMPONENT_CLASSES = {
        "timeline--cursor",
        "timeline--cursor-bar",
        "timeline--day",
        "timeline--muted",
        "timeline--rule-line",
        "timeline--person",
        "timeline--agent",
        "timeline--rule",
        "timeline--grave",
        "timeline--undone",
    }
    BINDINGS = [
        Binding("j,down", "move(1)", "Down", id="list.down", show=False),
        Binding("k,up", "move(-1)", "Up", id="list.up", show=False),
        Binding("g,home", "first", "Top", id="list.first", show=False),
        Binding("G,end", "last", "Bottom", id="list.last", show=False),
        Binding("ctrl+d", "half_page(1)", "Half a page down", id="list.half_down", show=False),
        Binding("ctrl+u", "half_page(-1)", "Half a page up", id="list.half_up", show=False),
        Binding("pagedown", "half_page(2)", "Page down", id="list.page_down", show=False),
        Binding("pageup", "half_page(-2)", "Page up", id="list.page_up", show=False),
    ]

    cursor = reactive(0, repaint=False)

    @dataclass
    class Moved(Message):
        """The cursor stands on another entry, or on none."""

        entry: Entry | None

    @dataclass
    class Opened(Message):
        """The person chose an entry."""

        entry: Entry

    @dataclass
    class MenuWanted(Message):
        """An entry was clicked with the right button."""

        entry: Entry

    @dataclass
    class MoreWanted(Message):
        """The reader nears the end; `to_the_end` when it is to be reached at once."""

        before: int  # the sequence number of the oldest entry here
        to_the_end: bool

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.entries: list[Entry] = []
        self.is_complete = True  # nothing older is to be had
        self.today = date.min
        self._lines = array("q")  # a line is an entry's index, or ~index for the day above it
        self._line_of = array("q")
        self._asked = self._to_the_end = self._is_showing = False
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(128)
        self._paint: dict[str, Style] = {}

    # What is shown

    def show(
        self,
        entries: Sequence[Entry],
        *,
        is_complete: bool,
        now: datetime,
        goes_to: int | None = None,
    ) -> None:
        """Replace everything. The cursor goes to the entry `goes_to`, else stays on its own."""
        self._is_showing = True  # the list moves, not the person
        held = self.current.seq if self.current else None
        top = self.scroll_offset.y
        above = self.cursor_line - top
        self.entries, self.today = [], now.astimezone().date()
        self._lines, self._line_of = array("q"), array("q")
        self._append(entries, is_complete)
        seqs = [entry.seq for entry in self.entries]
        held = goes_to if goes_to in seqs else held
        index = seqs.index(held) if held in seqs else min(self.cursor, max(0, len(seqs) - 1))
        self.set_reactive(Timeline.cursor, index)
        if top:  # what is being read stays where it is; at the top one sees what comes
            self._scroll(self.cursor_line - above)
        self._keep_in_sight()
        self._is_showing = False
        self.post_message(self.Moved(self.current))

    def extend(self, entries: Sequence[Entry], *, is_complete: bool) -> None:
        """Add older entries below."""
        self._append(entries, is_complete)
        if self._to_the_end:
            self._to_the_end = not is_complete
            self.cursor = len(self.entries) - 1

    def _append(self, entries: Sequence[Entry], is_complete: bool) -> None:
        day = self.entries[-1].at.astimezone().date() if self.entries else None
        for index, entry in enumerate(entries, len(self.entries)):
            at = entry.at.astimezone().date()
            if at != day:
                self._lines.append(~index)
                day = at
            self._line_of.append(len(self._lines))
            self._lines.append(index)
        self.entries.extend(entries)
        self.is_complete, self._asked = is_complete, False
        self._strips.clear()
        self._measure()
        self.refresh()

    def _measure(self) -> None:
        height = len(self._lines) + (0 if self.is_complete else 1)
        self.virtual_size = Size(self.scrollable_content_region.width, height)

    @property
    def current(self) -> Entry | None:
        """The entry under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    @property
    def cursor_line(self) -> int:
        """The line of the cursor, counted from the first line of all."""
        return self._line_of[self.cursor] if self.cursor < len(self._line_of) else 0

    # Moving

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.entries) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        for index in (old, new):
            if index < len(self._line_of):
                self.refresh_line(self._line_of[index])
        self._keep_in_sight()
        self._ask_for_more()
        self.post_message(self.Moved(self.current))

    def _keep_in_sight(self) -> None:
        line, height = self.cursor_line, self.scrollable_content_region.height
        top = self.scroll_offset.y
        first = line - 1 if line and self._lines[line - 1] < 0 else line  # with its day
        if first < top:
            self._scroll(first)
        elif line >= top + height > 0:
            self._scroll(line - height + 1)

    def _scroll(self, top: int) -> None:
        # by force: a list that was short until now has no scrollbar yet, and would stay where it is
        self.scroll_to(y=max(top, 0), animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if not self._is_showing:
            self._take_cursor_along()
        self._ask_for_more()

    def _take_cursor_along(self) -> None:
        """The wheel and the scrollbar do not leave the cursor behind: it is always in sight."""
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not height or top <= self.cursor_line < top + height:
            return
        step = 1 if self.cursor_line < top else -1
        line = top if step > 0 else min(top + height, len(self._lines)) - 1
        while 0 <= line < len(self._lines) and self._lines[line] < 0:  # a day is no entry
            line += step
        if 0 <= line < len(self._lines):
            self.cursor = self._lines[line]

    def _ask_for_more(self) -> None:
        if self.is_complete or self._asked or not self.entries:
            return
        height = self.scrollable_content_region.height
        lowest = max(self.scroll_offset.y + height, self.cursor_line)
        if self._to_the_end or lowest + height >= len(self._lines):
            self._asked = True
            self.post_message(self.MoreWanted(self.entries[-1].seq, self._to_the_end))

    def action_move(self, step: int) -> None:
        """One entry down or up."""
        self._to_the_end = False
        self.cursor += step

    def action_half_page(self, halves: int) -> None:
        """Half a page down or up, or two of them."""
        self._to_the_end = False
        self.cursor += halves * max(1, self.scrollable_content_region.height // 2)

    def action_first(self) -> None:
        """To the newest entry."""
        self._to_the_end = False
        self.cursor = 0
        self.scroll_to(y=0, animate=False)

    def action_last(self) -> None:
        """To the oldest entry, reading what is missing on the way."""
        self._to_the_end = not self.is_complete
        self.cursor = len(self.entries) - 1
        self._ask_for_more()

    def on_click(self, event: events.Click) -> None:
        """A click selects, a double click opens, the right button asks for the acts."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        line = offset.y + self.scroll_offset.y
        if line < len(self._lines) and self._lines[line] >= 0:
            self.cursor = self._lines[line]
            entry = self.entries[self.cursor]
            if event.button == 3:
                self.post_message(self.MenuWanted(entry))
            elif event.chain == 2:
                self.post_message(self.Opened(entry))

    def on_resize(self) -> None:
        """Nothing else makes the virtual size follow."""
        self._is_showing = True  # the room changes, the person went nowhere
        self._measure()
        self._keep_in_sight()
        self._is_showing = False
        self._ask_for_more()

    def on_focus(self) -> None:
        self._repaint()

    def on_blur(self) -> None:
        self._repaint()

    # Painting

    def notify_style_update(self) -> None:
        """Another theme: the styles are read again."""
        super().notify_style_update()
        self._repaint()

    def _repaint(self) -> None:
        self._paint.clear()
        self._strips.clear()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        if not self._paint:
            style_of = partial(self.get_component_rich_style, partial=True)
            self._paint = {name[10:]: style_of(name) for name in self.COMPONENT_CLASSES}
            self._paint["base"] = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        line, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        base = self._paint["base"]
        if line >= len(self._lines):
            text = "  ┄┄┄┄" if line == len(self._lines) and not self.is_complete else ""
            return Strip([Segment(text, base + self._paint["muted"])]).adjust_cell_length(
                width, base
            )
        index = self._lines[line]
        is_cursor = index == self.cursor
        entry = self.entries[index if index >= 0 else ~index]
        key = (index, entry.seq, entry.undone_by, width, is_cursor, self.has_focus)
        strip = self._strips.get(key)
        if strip is None:
            pieces = (
                entry_pieces(entry, width, is_cursor)
                if index >= 0
                else day_pieces(entry.at.astimezone().date(), self.today, width)
            )
            strip = self._strips[key] = self._strip(pieces, width, is_cursor)
        return strip

    def _strip(self, pieces: Sequence[Piece], width: int, is_cursor: bool) -> Strip:
        base = self._paint["base"]
        if not is_cursor:
            segments = [Segment(text, base + self._paint[role]) for text, role in pieces]
            return Strip(segments).adjust_cell_length(width, base)
        row = base + self._paint["cursor"]
        ground = Style(bgcolor=row.bgcolor)
        segments = []
        for text, role in pieces:
            # sixteen colours cannot promise that a coloured word is readable on the cursor
            is_plain = role == "base" or (self.app.native_ansi_color and role != "cursor-bar")
            segments.append(Segment(text, row if is_plain else row + self._paint[role] + ground))
        return Strip(segments).adjust_cell_length(width, row)
