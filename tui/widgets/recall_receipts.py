"""Past injections, one a line: when, whom, how much, and for which prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.segment import Segment
from textual.strip import Strip

from ...core.answers import Receipt
from ...core.values import ms_of
from ..text import age, fit
from .virtual_list import Look, VirtualList

EVENTS = {
    "UserPromptSubmit": "prompt",
    "SessionStart": "start",
    "PreToolUse": "tool",
    "SubagentStart": "subagent",
    "PostCompact": "compact",
    "PreAssistantResponse": "answer",
    "TaskBoundary": "task",
}
"""What made a host ask, in a word."""

COLUMNS = (("host", 8, 0), ("event", 8, 43), ("told", 7, 33), ("used", 7, 75), ("tokens", 7, 96))
"""Name, cells, and the width of the list from which a column is shown."""


LONG_EVENTS = {
    "UserPromptSubmit": "a prompt that was not kept",
    "SessionStart": "session start",
    "PreToolUse": "before a tool",
    "SubagentStart": "subagent start",
    "PostCompact": "after compaction",
    "PreAssistantResponse": "before an answer",
    "TaskBoundary": "between two tasks",
}
"""What made a host ask, where no prompt says it."""


def event_word(event: str) -> str:
    """What made a host ask, in a word; unknown events by their own name."""
    return EVENTS.get(event, event)


def occasion(receipt: Receipt) -> str:
    """The prompt that was asked; where none was kept, what made the host ask."""
    if receipt.prompt:
        return receipt.prompt
    what = LONG_EVENTS.get(receipt.event, receipt.event)
    about = (receipt.role or receipt.source, *receipt.files[:1])
    return ", ".join([what, *(one for one in about if one)])


def used_of(receipt: Receipt) -> str:
    """How many of its memories were used; "" where that is not known of any."""
    known = [item["used"] for item in receipt.items if item.get("used") is not None]
    return f"{sum(known)} used" if known else ""


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """One receipt as a row."""

    num: int
    receipt: Receipt
    prompt: str | None = None  # where it was kept
    revision: int = 0


class ReceiptList(VirtualList[ReceiptRow]):
    """Receipts, the newest first."""

    HELP = """\
## Receipts
What agents were told, the newest first. `enter` goes to what one of them was told.
"""

    def show_receipts(self, rows: Sequence[ReceiptRow], keep: int | None, now: datetime) -> None:
        """Show these; the cursor stays on the receipt `keep`. Ages are counted from `now`."""
        self.now = now
        self.show_all(rows, keep)

    def extra_state(self) -> object:
        return self.pages.generation

    def draw_row(self, row: ReceiptRow, look: Look) -> Strip:
        ground = look.ground
        base = self._paint_style(*ground)
        muted = base if look.is_cursor else self._paint_style(*ground, "list--muted")
        receipt = row.receipt
        when = age(ms_of(receipt.at), ms_of(self.now))
        cells = {
            "host": receipt.host,
            "event": event_word(receipt.event),
            "told": f"{len(receipt.items)} told",
            "used": used_of(receipt),
            "tokens": f"{receipt.tokens:,}t",
        }
        bar = self.glyphs.bar if look.is_cursor else " "
        segments = [
            Segment(bar, base if look.is_cursor else self._paint_style(*ground, "list--bar")),
            Segment(f"{when}  ", muted),
        ]
        for name, wide, least in COLUMNS:
            if look.width >= least:
                is_number = name in ("told", "used", "tokens")
                ink = base if name == "host" else muted
                segments.append(Segment(fit(cells[name], wide, right=is_number) + "  ", ink))
        used = sum(part.cell_length for part in segments)
        what = row.prompt or ", ".join(
            word for word in (_about(receipt), receipt.session_name) if word
        )
        ink = base if row.prompt else muted
        segments.append(Segment(fit(what, max(look.width - used, 0)), ink))
        return Strip(segments).adjust_cell_length(look.width, base).simplify()


def _about(receipt: Receipt) -> str:
    """What a receipt without a prompt is about, beside its event."""
    return receipt.role or receipt.source or next(iter(receipt.files), "")
