"""The profile one entry a line, under the headings of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from ...core.clock import to_ms
from ...core.profiles import ProfileEntry
from ..glyphs import Glyphs
from ..text import AGE_WIDTH, age, fit, one_line
from .virtual_list import Look, VirtualList, heading_in

LEAD = 4  # cells before the group: cursor bar, glyph
GROUP_WIDTH, WHOSE_WIDTH = 12, 11
TITLE_WANTED = 30  # cells a title should have before the columns right of it get theirs


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One entry, or, with a number below 0, the heading of those that follow."""

    num: int
    title: str
    entry: ProfileEntry | None = None

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        one = self.entry
        if one is None:
            return hash(self.title)
        return hash((one.memory.revision, one.group, one.asked, one.is_told, one.last_used))


class ProfileList(VirtualList[ProfileRow]):
    """The profile as rows; the cursor stands on entries only."""

    HELP = """\
## Profile
Who you are to agents, each entry with its category, whose it is and when it was last used: `≠` it
contradicts another entry and waits for you, `◆` it is yours. The others are established.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.now = datetime.now(UTC)

    def set_now(self, now: datetime) -> None:
        """The moment that ages are counted from."""
        self.now = now
        self.forget_paint()

    # -- headings are no entries

    def validate_cursor(self, cursor: int) -> int:
        row = super().validate_cursor(cursor)
        if not self.keys or self.keys[row] >= 0:
            return row
        before = row - 1 if row <= self.cursor else -1
        return before if before >= 0 else row + 1

    def _can_stand_on(self, row: int) -> bool:
        return super()._can_stand_on(row) and self.keys[row] >= 0

    def _into_view(self, row: int) -> None:
        """Its heading, too, where there is room for both; by one scroll."""
        has_heading = 0 < row < len(self.keys) and self.keys[row - 1] < 0
        has_room = self.scrollable_content_region.height > 1
        is_above = has_heading and has_room and self.lines.top(row - 1) < self.scroll_offset.y
        super()._into_view(row - 1 if is_above else row)

    # -- painting

    def draw_row(self, row: ProfileRow, look: Look) -> Strip:
        ground = look.ground
        plain = self.paint_style(*ground)
        # sixteen colours have none to spare on the cursor
        has_ink = not (look.is_cursor and self.app.current_theme.ansi)
        bar, muted, conflict, persons = (
            self.paint_style(*ground, f"list--{name}") if has_ink else plain
            for name in ("bar", "muted", "conflict", "persons")
        )
        entry = row.entry
        if entry is None:
            heading = self.paint_style(*ground, "list--heading")
            words = Segment(heading_in(row.title, look.width), heading)
            return Strip([words]).adjust_cell_length(look.width, plain)
        glyph, ink = " ", plain
        if entry.asked:
            glyph, ink = self.glyphs.conflict, conflict
        elif entry.degree == "person":
            glyph, ink = self.glyphs.persons, persons
        title, whose, has_age = columns_in(look.width)
        segments = [
            Segment(set_cell_size(self.glyphs.bar if look.is_cursor else "", 2), bar),
            Segment(set_cell_size(glyph, 2), ink),
            Segment(fit(entry.group, GROUP_WIDTH) + " ", muted),
            Segment(fit(one_line(entry.memory.title), title), plain),
        ]
        if whose:
            segments.append(Segment("  " + fit(entry.whose, WHOSE_WIDTH), muted))
        if has_age:
            used = age(to_ms(entry.last_used), to_ms(self.now) or 0)
            segments.append(Segment(" " + used, muted))
        return Strip(segments).adjust_cell_length(look.width, plain)


def columns_in(cells: int) -> tuple[int, bool, bool]:
    """The cells of the title, and whether there is room for whose it is, and for its age."""
    room = cells - LEAD - GROUP_WIDTH - 1
    has_age = room >= TITLE_WANTED
    room -= AGE_WIDTH + 1 if has_age else 0
    whose = room >= TITLE_WANTED + WHOSE_WIDTH + 2
    return max(room - (WHOSE_WIDTH + 2 if whose else 0), 1), whose, has_age
