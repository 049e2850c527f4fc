"""The journal as a timeline: newest on top, one line per change, days set apart.

It holds the entries that were read so far, and asks for more before the reader reaches the
end. It knows nothing of the core: entries come in as values, wishes go out as messages.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ...core.answers import Entry
from ..text import cut, fit, one_line, width
from .pages import Pages
from .virtual_list import Look, VirtualList


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the timeline."""

    entry: Entry

    @property
    def num(self) -> int:
        """The entry's number."""
        return self.entry.seq

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.entry.seq, self.entry.undone_by))


class Lines(Pages[Line]):
    """All lines are here: their keys are the numbers of entries."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def has(self, index: int) -> bool:
        return 0 <= index < len(self.entries)

    def row(self, index: int) -> Line | None:
        return Line(self.entries[index]) if self.has(index) else None


class Timeline(VirtualList[Line]):
    """Changes, newest first, under their days."""

    HELP = (
        "Every change of a memory, newest first: who did it, what, and to what. "
        "The pane beside it shows the words before and after."
    )
    BINDINGS: ClassVar[list[BindingType]] = []

    @dataclass
    class MoreWanted(Message):
        """The reader nears the end; `to_the_end` when it is to be reached at once."""

        before: int  # the sequence number of the oldest entry here
        to_the_end: bool

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.pages: Lines = Lines()
        self.is_complete = True  # nothing older is to be had
        self.today = date.min
        self._asked = self._to_the_end = False

    # -- what is shown

    @property
    def entries(self) -> list[Entry]:
        """The entries that were read, newest first."""
        return self.pages.entries

    @property
    def entry(self) -> Entry | None:
        """The entry under the cursor."""
        line = self.current
        return None if line is None else line.entry

    @property
    def index(self) -> int:
        """Which of the entries the cursor stands on."""
        return max(self.cursor, 0)

    def show_entries(
        self,
        entries: Sequence[Entry],
        *,
        is_complete: bool,
        now: datetime,
        goes_to: int | None = None,
    ) -> None:
        """Replace everything. The cursor goes to the entry `goes_to`, else stays on its own."""
        seqs, here = array("q", [entry.seq for entry in entries]), self.current_key
        self.today = now.astimezone().date()
        self.pages.entries = list(entries)
        self.is_complete, self._asked = is_complete, False
        self.show(seqs, (), self._by_day(), goes_to if goes_to in seqs else here)
        self.forget_paint()

    def _by_day(self, start: int = 0) -> list[tuple[int, str]]:
        """The first entry of each day, from row `start` on, and the day as it is written."""
        last = self.entries[start - 1].at.astimezone().date() if start else None
        groups = []
        for row in range(start, len(self.entries)):
            day = self.entries[row].at.astimezone().date()
            if day != last:
                groups.append((row, day.isoformat()))
                last = day
        return groups

    def extend(self, entries: Sequence[Entry], *, is_complete: bool) -> None:
        """Add older entries below."""
        start = len(self.entries)
        self.keys.extend(entry.seq for entry in entries)
        self.entries.extend(entries)
        for row, day in self._by_day(start):
            self.lines.starts.append(row)
            self.headings.append(day)
        self.is_complete, self._asked = is_complete, False
        self._measure()
        self.refresh()
        if self._to_the_end:
            self._to_the_end = not is_complete
            self.cursor = len(self.keys) - 1

    def _measure(self) -> None:
        height = self.lines.top(len(self.keys)) + (0 if self.is_complete else 1)
        self.virtual_size = Size(self.scrollable_content_region.width, height)

    # -- moving

    def _hold(self, row: int, offset: int) -> None:
        if self.scroll_offset.y:  # at the top one sees what comes
            super()._hold(row, offset)

    def watch_cursor(self, old: int, new: int) -> None:
        super().watch_cursor(old, new)
        self._ask_for_more()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._ask_for_more()

    def on_resize(self) -> None:
        self._ask_for_more()

    def _ask_for_more(self) -> None:
        if self.is_complete or self._asked or not self.entries:
            return
        height = self.scrollable_content_region.height
        lowest = max(self.scroll_offset.y + height, self.lines.top(self.cursor))
        if self._to_the_end or lowest + height >= self.lines.top(len(self.keys)):
            self._asked = True
            self.post_message(self.MoreWanted(self.entries[-1].seq, self._to_the_end))

    def action_move(self, steps: int, unit: str = "row") -> None:
        self._to_the_end = False
        super().action_move(steps, unit)

    def action_jump(self, row: int) -> None:
        """To the newest entry, or to the oldest, reading what is missing on the way."""
        self._to_the_end = row < 0 and not self.is_complete
        super().action_jump(row)
        if row >= 0:
            self.scroll_to(y=0, animate=False)
        self._ask_for_more()

    # -- painting

    def render_line(self, y: int) -> Strip:
        line, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        end = self.lines.top(len(self.keys))
        if line < end:
            return super().render_line(y)
        text = "  ┄┄┄┄" if line == end and not self.is_complete else ""
        segment = Segment(text, self.rich_style + self._role("muted"))
        return Strip([segment]).adjust_cell_length(width, self.rich_style)

    def draw_row(self, row: Line, look: Look) -> Strip:
        pieces, base = entry_pieces(row.entry, look.width, look.is_cursor), self.rich_style
        if look.is_flashing:
            return self._cursor_strip(pieces, look.width, self._paint_style("list--flash"))
        if not look.is_cursor:
            segments = [Segment(text, base + self._role(role)) for text, role in pieces]
            return Strip(segments).adjust_cell_length(look.width, base)
        return self._cursor_strip(pieces, look.width, base + self._inks.style(*look.ground))

    def _draw_heading(self, heading: str, width: int) -> Strip:
        base = self.rich_style
        pieces = day_pieces(date.fromisoformat(heading), self.today, width - 1)
        segments = [Segment(text, base + self._role(role)) for text, role in pieces]
        return Strip(segments).adjust_cell_length(width, base)

    def _cursor_strip(self, pieces: Sequence[Piece], width: int, row: Style) -> Strip:
        ground = Style(bgcolor=row.bgcolor)
        segments = []
        for text, role in pieces:
            # sixteen colours cannot promise that a coloured word is readable on the cursor
            is_plain = role == "base" or (self.app.native_ansi_color and role != "cursor-bar")
            segments.append(Segment(text, row if is_plain else row + self._role(role) + ground))
        return Strip(segments).adjust_cell_length(width, row)

    def _role(self, role: str) -> Style:
        """The colours of a role, without a ground."""
        if role == "base":
            return Style.null()
        if role == "cursor-bar":
            return self._inks.style("list--bar" if self.has_focus else "list--muted")
        return self._inks.style(f"timeline--{role}")


Piece = tuple[str, str]
"""A text, and its role: `base`, or the end of a component class of the timeline."""

ACTOR_GLYPHS = {"person": "●", "agent": "◆", "rule": "◦"}
UNDONE_GLYPH = "↶"

SESSION_FROM = 103  # cells of the list from which a column is shown
SESSION_CELLS = 20
SEQ_FROM = 83
REASON_FROM = 14  # cells that must be left over for a reason


def entry_pieces(entry: Entry, cells: int, is_cursor: bool = False) -> list[Piece]:
    """An entry on one line of exactly `cells` cells (at least 24).

    Columns leave in a fixed order as the width shrinks: reason, session, number, time.
    """
    act_cells = 11 if cells >= 56 else 9
    left: list[Piece] = [("▌ ", "cursor-bar") if is_cursor else ("  ", "base")]
    if cells >= 40:
        left.append((f"{entry.at.astimezone():%H:%M}  ", "muted"))
    left.append((ACTOR_GLYPHS.get(entry.actor, "·") + " ", _actor_role(entry)))
    left.append((fit(entry.action, act_cells - 1) + " ", _act_role(entry)))
    right: list[Piece] = []
    if cells >= SESSION_FROM:
        right.append(("  " + fit(entry.session_name, SESSION_CELLS), "muted"))
    if cells >= SEQ_FROM:
        right.append((fit(f"#{entry.seq}", 8, right=True), "muted"))
    undone = f" {UNDONE_GLYPH}" if entry.undone_by is not None else ""
    right.append((undone.ljust(2) if cells >= SEQ_FROM else undone, "muted"))
    taken = sum(width(text) for text, _ in (*left, *right))
    return [*left, *_what(entry, max(1, cells - taken)), *right]


def _what(entry: Entry, cells: int) -> list[Piece]:
    """Title, number of memories, and the reason where there is room; exactly `cells` cells."""
    title, reason = one_line(entry.title[:400]), one_line(entry.reason[:400])
    role = "undone" if entry.undone_by is not None else "base"
    if not title:
        title, reason, role = reason or "—", "", "muted"
    elif reason == title:
        reason = ""
    number = f"  ×{len(entry.memories):,}" if len(entry.memories) > 1 else ""
    text = cut(title, max(1, cells - width(number)))
    left = cells - width(text) - width(number)
    pieces = [(text, role), (number, "muted")]
    if reason and left >= REASON_FROM + 3:
        return [*pieces, ("   " + fit(reason, left - 3), "muted")]
    return [*pieces, (" " * left, "base")]


def day_pieces(day: date, today: date, cells: int) -> list[Piece]:
    """The line above the first entry of a day."""
    if day == today:
        name = "Today"
    elif day == today - timedelta(days=1):
        name = "Yesterday"
    else:
        name = f"{day:%A}"
    written = f"{day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")
    used = 2 + width(name) + 1 + width(written) + 1
    return [
        ("  " + name, "day"),
        (f" {written} ", "muted"),
        ("─" * max(0, cells - used), "rule-line"),
    ]


def _actor_role(entry: Entry) -> str:
    is_known = entry.actor in ACTOR_GLYPHS and entry.undone_by is None
    return entry.actor if is_known else "muted"


def _act_role(entry: Entry) -> str:
    if entry.undone_by is not None:
        return "muted"
    return "grave" if entry.action in {"purge", "evict"} else "base"
