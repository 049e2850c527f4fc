"""What waits and what there is to look at, one matter a line: how many, what, the key."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip

from ...frozen import dataclass
from ..text import fit
from .virtual_list import LEAD, Look, VirtualList

COUNT_WIDTH, KEY_WIDTH = 9, 2


@dataclass(frozen=True, slots=True)
class MatterRow:
    """One line, and the key that goes there from anywhere."""

    num: int
    count: int | None  # None: it is being counted
    what: str
    key: str
    is_urgent: bool

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.count, self.what, self.key, self.is_urgent))


class MatterList(VirtualList[MatterRow]):
    """Matters, those that wait for a person first."""

    HELP = """\
## Home
What waits for you, and what there is to look at. `enter` goes to where the line under the cursor is
settled; where a key stands at the right, it goes there from anywhere.
"""

    def draw_row(self, row: MatterRow, look: Look) -> Strip:
        plain = self._ink(look)
        what = max(look.width - LEAD - COUNT_WIDTH - KEY_WIDTH, 1)
        count = _in_short(row.count)
        segments = [
            Segment(fit(count, COUNT_WIDTH - 2, right=True) + "  ",
                    self._ink(look, "urgent") if row.is_urgent else plain),
            Segment(fit(row.what, what), plain if row.is_urgent else self._ink(look, "muted")),
            Segment(fit(row.key, KEY_WIDTH, right=True), self._ink(look, "key")),
        ]  # fmt: skip
        return self._line_of(look, segments)


def _in_short(count: int | None) -> str:
    """A count in the cells that there are for it; "…" while it is made."""
    if count is None:
        return "…"
    return f"{count:,}" if count < 1_000_000 else f"{count / 1_000_000:.2f} M"
