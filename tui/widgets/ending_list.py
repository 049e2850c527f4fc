"""What leaves if nobody does anything, one memory a line: when, what, and why."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from textual.strip import Strip

from ...core.services.vitals import Ending
from ..text import fit
from .virtual_list import LEAD, Look, VirtualList

WHEN_WIDTH = 9
LEAST_TITLE, LEAST_WHY = 24, 18
MOST_TITLE = 76  # cells that a title takes: on a wall the reason stands beside it, not far off


def within(ending: Ending) -> str:
    """When it leaves, in words of eight cells at most."""
    return f"{ending.within_days} days" if ending.within_days else "now"


@dataclass(frozen=True, slots=True)
class EndingRow:
    """One memory that leaves."""

    ending: Ending

    @property
    def num(self) -> int:
        """The memory's row number."""
        return self.ending.num

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.ending.title, self.ending.why, self.ending.within_days))


class EndingList(VirtualList[EndingRow]):
    """Memories that leave, the soonest first."""

    HELP = """\
## What leaves
What upkeep will retire or change by itself, and why: with its next run, in 7 days, in 30 days, as
things stand. `s` keeps the memory under the cursor: you stand for it from then on.
"""

    def draw_row(self, row: EndingRow, look: Look) -> Strip:
        ending = row.ending
        when_ink = {0: "warning", 7: "soon"}.get(ending.within_days, "muted")
        title, why = columns_in(look.width)
        segments = [
            Segment(fit(within(ending), WHEN_WIDTH), self._ink(look, when_ink)),
            Segment(fit(ending.title, title), self._ink(look)),
        ]
        if why:
            segments.append(Segment("  " + fit(ending.why, why), self._ink(look, "muted")))
        return self._line_of(look, segments)


def columns_in(cells: int) -> tuple[int, int]:
    """Cells for the title and for the reason; the reason has a place once both can say much."""
    room = max(cells - LEAD - WHEN_WIDTH, 0)
    why = room * 2 // 5 - 2
    if why < LEAST_WHY or room - why - 2 < LEAST_TITLE:
        return room, 0
    title = min(room - why - 2, MOST_TITLE)
    return title, room - title - 2
