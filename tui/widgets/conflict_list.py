"""The conflicts one below the other: what each is about, and its age or its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from ..glyphs import Glyphs
from ..text import AGE_WIDTH, age, fit
from .conflict_head import SHORT_VERDICTS
from .virtual_list import Look, VirtualList

LEAD = 4  # cells before the title: cursor bar, sign, and air
VERDICT_WIDTH = max(map(len, SHORT_VERDICTS.values()))
AGE_FROM = 40  # cells from which on an age has room; the one under the cursor has it above


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """One conflict on one line."""

    num: int  # its key in the list
    revision: int  # changes with what the line says
    title: str
    since_ms: int
    verdict: str = ""  # in a word; "" while it is open
    is_sure: bool = True  # else it is only listed: agents are not told


class ConflictList(VirtualList[ConflictRow]):
    """Conflicts as rows."""

    HELP = """\
## Conflicts
Pairs of memories that speak of the same thing, the likeliest contradiction first: `≠` is surely in
conflict and told to agents so, `~` is for you alone. The two at the right belong to the row
under the cursor, and a letter decides between them.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.now = datetime.now(UTC)
        self._minute = 0

    def set_now(self, now: datetime) -> None:
        """The moment ages are counted from; rows are drawn anew once a minute."""
        self.now = now
        if (minute := int(now.timestamp()) // 60) != self._minute:
            self._minute = minute
            self.forget_paint()

    def extra_state(self) -> object:
        return self._minute

    def draw_row(self, row: ConflictRow, look: Look) -> Strip:
        ground = look.ground
        # sixteen colours have none to spare on the cursor
        has_ink = not (look.is_cursor and self.app.current_theme.ansi)
        bar, conflict, muted = (
            self.paint_style(*ground, f"list--{name}") if has_ink else self.paint_style(*ground)
            for name in ("bar", "conflict", "muted")
        )
        sign = self.glyphs.conflict if row.is_sure else self.glyphs.near
        sign = self.glyphs.retired if row.verdict else sign
        mark = row.verdict or age(row.since_ms, int(self.now.timestamp() * 1000)).strip()
        marked = VERDICT_WIDTH if row.verdict else AGE_WIDTH if look.width >= AGE_FROM else 0
        room = max(look.width - LEAD - (marked + 1 if marked else 0), 0)
        segments = [
            Segment(set_cell_size(self.glyphs.bar if look.is_cursor else "", 2), bar),
            Segment(set_cell_size(sign, 2), conflict if row.is_sure and not row.verdict else muted),
            Segment(fit(row.title, room), self.paint_style(*ground)),
        ]
        if marked:
            segments.append(Segment(" " + fit(mark, marked, right=True), muted))
        return Strip(segments).adjust_cell_length(look.width, self.paint_style(*ground))
