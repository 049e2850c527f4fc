"""What there is to tidy, one proposal a line: of what kind, and which memory."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.strip import Strip

from ..glyphs import Glyphs
from ..text import fit, one_line
from .virtual_list import Look, VirtualList

LEAD, KIND_WIDTH = 2, 13


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One line; `num` names the proposal while the app runs."""

    num: int
    kind: str  # in words
    title: str
    is_urgent: bool  # agents may be misled by it

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.kind, self.title, self.is_urgent))


class ProposalList(VirtualList[ProposalRow]):
    """Proposals, those that mislead agents first."""

    HELP = """\
## Tidy
What is known already, one proposal at a time: what contradicts, is said twice, names files that are
gone, may be done, is long, or was told to no agent in a month. One key settles it, `u` takes it
back.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs

    def draw_row(self, row: ProposalRow, look: Look) -> Strip:
        ground = look.ground
        plain = self.paint_style(*ground)
        # sixteen colours have none to spare on the cursor
        has_ink = not (look.is_cursor and self.app.current_theme.ansi)
        bar, muted, urgent = (
            self.paint_style(*ground, f"list--{name}") if has_ink else plain
            for name in ("bar", "muted", "urgent")
        )
        segments = [
            Segment(set_cell_size(self.glyphs.bar if look.is_cursor else "", LEAD), bar),
            Segment(fit(row.kind, KIND_WIDTH), urgent if row.is_urgent else muted),
            Segment(fit(one_line(row.title), max(look.width - LEAD - KIND_WIDTH, 1)), plain),
        ]
        return Strip(segments).adjust_cell_length(look.width, plain)
