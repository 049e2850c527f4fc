"""What agents are told and were told, one a line: the memories of an answer, and past receipts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ...core.answers import Receipt
from ...core.values import ms_of
from ..glyphs import ASCII, Glyphs
from ..text import age, fit
from .bars import stacked, steps_of
from .pages import keys_of
from .virtual_list import Look, VirtualList

LEAD = 7  # cells before the title, one more for each answer beside the first
BAR = 8  # cells of a score's bar
SCORE = 8  # cells of a score
TAIL = 14  # cells of bar and tokens
WIDEST_REASON = 40
WITH_NUMBERS, WITH_BAR, WITH_SCORE = 35, 45, 61  # from which width on there is room

UNRANKED = frozenset({"pinned", "working", "rival", "open", "told"})
"""Parts that say why a memory is told whatever its score: the word stands in the bar's place."""

TOLD, NEXT, OUT, UNKNOWN = "told", "next", "out", ""
"""What became of a memory: told, the next that would fit, left out, or not looked at."""


@dataclass(frozen=True, slots=True)
class Side:
    """What became of a memory in one answer."""

    state: str = UNKNOWN
    why: str = ""  # it was left out
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)
    account: tuple[str, ...] = ()  # why it answers, in words
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """A memory in one answer, or in some beside each other."""

    num: int  # the store's number; negative when the memory is gone
    revision: int
    id: str
    title: str
    status: str
    importance: float
    sides: tuple[Side, ...]
    in_conflict: bool = False
    retired_as: str | None = None
    is_changed: bool = False  # since it was told
    helpful: bool | None = None  # what a person said of it
    used: bool | None = None  # by whom it was told; None: not known
    degree: str = ""  # how sure we are of it: person, established, unproven
    provenance: str = ""  # whose words it is
    is_here: bool = True  # of the project one looks from: else it is only read

    @property
    def is_laid_down(self) -> bool:
        """Whether it is the person's, to be kept to; all else is told as a note."""
        return self.degree == "person"

    @property
    def is_gone(self) -> bool:
        """Whether the store does not hold it any more."""
        return self.num < 0

    @property
    def is_told(self) -> bool:
        """Whether one of the answers tells it."""
        return any(side.state == TOLD for side in self.sides)

    @property
    def side(self) -> Side:
        """The first answer it was part of."""
        return next((side for side in self.sides if side.state), self.sides[0])


def state_glyph(state: str, used: bool | None, glyphs: Glyphs) -> str:
    """One sign for what became of a memory, and for what came of telling it."""
    is_plain = glyphs.full == ASCII.full
    if state == TOLD and used is not None:
        return ("*" if is_plain else "●") if used else ("o" if is_plain else "○")
    next_one = ">" if is_plain else "→"
    return {TOLD: glyphs.mark, NEXT: next_one, OUT: glyphs.retired}.get(state, " ")


class ItemList(VirtualList[Item]):
    """The memories of an answer: told ones first, then the next that would fit, then the rest."""

    HELP = """\
## Memories
What is told, best first; then what was left out, with the reason. `enter` opens a memory on the
Deck.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(glyphs, id=id)
        self._most = 0.0  # the best score: it has the longest bar

    def show_items(self, items: Sequence[Item], keep: int | None) -> None:
        """Show these; the cursor stays on the memory `keep`."""
        sides = [side for item in items for side in item.sides if not UNRANKED & side.parts.keys()]
        self._most = max((side.score for side in sides), default=0.0)
        self._strips.clear()
        self.show(keys_of(items), items, keep=keep)

    def extra_state(self) -> object:
        return self.pages.generation

    def draw_row(self, row: Item, look: Look) -> Strip:
        room = look.width
        segments = self._lead(row, look)
        tail: list[Segment] = []
        if room >= WITH_NUMBERS:
            tail = self._tail(row, look)
        used = sum(part.cell_length for part in (*segments, *tail))
        title = fit(row.title, max(room - used - 1, 1))
        ink = self._ink(look) if row.is_told else self._ink(look, "muted")
        segments += [Segment(title + " ", ink), *tail]
        return Strip(segments).adjust_cell_length(room, self._ink(look)).simplify()

    def _lead(self, row: Item, look: Look) -> list[Segment]:
        bar = Segment(self.glyphs.bar if look.is_cursor else " ", self._ink(look, "bar"))
        states = [self._state(side, row.used, look) for side in row.sides]
        glyph, meaning = self._standing(row)
        trouble = self.glyphs.conflict if row.in_conflict else " "
        said, ink = {True: ("+", "helpful"), False: ("-", "unhelpful"), None: (" ", "")}[
            row.helpful
        ]
        return [
            bar,
            *states,
            Segment(said, self._ink(look, ink)),
            Segment(fit(glyph, 1), self._ink(look, meaning)),
            Segment(fit(trouble, 2), self._ink(look, "conflict")),
        ]

    def _state(self, side: Side, used: bool | None, look: Look) -> Segment:
        glyph = state_glyph(side.state, used, self.glyphs)
        inks = {TOLD: "muted" if used is False else "told", NEXT: "next"}
        return Segment(glyph, self._ink(look, inks.get(side.state, "muted")))

    def _standing(self, row: Item) -> tuple[str, str]:
        if row.is_gone or row.retired_as is not None:
            return self.glyphs.retired, "retired"
        if row.status == "pinned":
            return self.glyphs.pinned, "pinned"
        if row.is_laid_down:
            return self.glyphs.persons, "pinned"
        is_unproven = row.degree == "unproven" or (not row.degree and row.status == "candidate")
        return (self.glyphs.candidate, "candidate") if is_unproven else (" ", "")

    def _tail(self, row: Item, look: Look) -> list[Segment]:
        """Score and tokens of what was told; why not, of what was left out."""
        side, room = row.side, look.width
        muted = self._ink(look, "muted")
        if side.state != TOLD and not side.parts:
            cells = min(max((room - LEAD) // 2, TAIL), WIDEST_REASON)
            return [Segment(fit(side.why, cells), muted)]
        tokens = f"{side.tokens:>5}t" if side.tokens else " " * 6
        if room < WITH_BAR:
            return [Segment(tokens, muted)]
        special = next((name for name in side.parts if name in UNRANKED), "")
        if special:
            cells = BAR + (SCORE if room >= WITH_SCORE else 0)
            return [Segment(fit(special, cells), muted), Segment(tokens, muted)]
        pieces = [
            Segment(text, self._ink(look, meaning))
            for text, meaning in stacked(
                steps_of(side.parts, side.score), BAR, self._most, self.glyphs
            )
        ]
        if room >= WITH_SCORE:
            pieces.append(Segment(f"{side.score:>{SCORE}.3f}", muted))
        return [*pieces, Segment(tokens, muted)]

    def _ink(self, look: Look, name: str = "") -> Style:
        """On the cursor what is muted elsewhere is plain."""
        return super()._ink(look, "" if look.is_cursor and name == "muted" else name)


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
        self.show(keys_of(rows), rows, keep=keep)

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
