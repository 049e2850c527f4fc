"""The conflicts one below the other; the two memories of one, and the words above them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Static

from ....core.judgements import Conflict
from ....core.text.words import is_common, is_stop_word, stem, tokens
from ....core.values import Memory, ms_of
from ...glyphs import Glyphs
from ...text import AGE_WIDTH, age, cut, fit, one_line, plain, width
from ...widgets.side_account import Frame, Pair, SidePane, both_sides
from ...widgets.virtual_list import Look, VirtualList

if TYPE_CHECKING:
    from ...app import MemoryApp


KIND_WORDS = {
    "contradictory": "They contradict each other: only one can hold.",
    "superseded": "One seems to replace the other.",
    "ambiguous": "They do not quite agree: which holds may depend on where, or when.",
}
"""How two memories may disagree, in plain words."""

VERDICT_WORDS = {
    "a": "kept the left one",
    "b": "kept the right one",
    "both": "kept both",
    "neither": "kept neither",
    "merged": "made the two one",
    "not_a_conflict": "called it no conflict",
}
"""How a conflict ended, as a sentence goes on after who did it."""

SHORT_VERDICTS = {
    "a": "left",
    "b": "right",
    "both": "both",
    "neither": "neither",
    "merged": "merged",
    "not_a_conflict": "none",
}
"""The same for a column."""

TALL = 24  # lines of a terminal in which a sentence may take two
LONGEST_COMPARED = 2_000  # characters of a memory in which words are looked for
MOST_SHARED = 6  # words that both have, named where nobody said why


class ConflictHead(Static):
    """What stands above the two sides."""

    ALLOW_SELECT = False

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs
        self._conflict: Conflict | None = None
        self._place, self._now = "", datetime.min

    def show(self, conflict: Conflict | None, place: str, now: datetime) -> None:
        """Say this of a conflict; `place` is `2 of 5`."""
        self._conflict, self._place, self._now = conflict, place, now
        self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        room = self.content_region.width
        rows = 2 if self.app.size.height >= TALL else 1
        self.update(
            Content("\n").join(self.lines(self._conflict, room, rows))
            if self._conflict is not None and room > 0
            else ""
        )

    def lines(self, conflict: Conflict, room: int, rows: int = 1) -> list[Content]:
        """The lines, none wider than `room` cells; a sentence may take `rows` of them."""
        since = age(ms_of(conflict.detected_at), ms_of(self._now)).strip()
        noted = "noted just now" if since == "now" else f"noted {since} ago"
        lead = f"{self._glyphs.conflict} {self._place}  "
        kind = cut(KIND_WORDS.get(conflict.kind, conflict.kind), room - width(lead))
        gap = room - width(lead) - width(kind) - width(noted)
        lines = [
            Content.assemble(
                (lead, "bold $conflict"),
                (kind, "bold $foreground"),
                (" " * gap + noted if gap >= 2 else "", "$text-muted"),
            ),
        ]
        if why := conflict.reason or shared_words(conflict.first, conflict.second):
            lines += _labelled("why", why, room, rows)
        if conflict.model_says:
            lines += _labelled("model", conflict.model_says, room, 1)
        if conflict.verdict is not None:
            lines += _labelled("decided", self._decided(conflict), room, rows)
        return lines

    def _decided(self, conflict: Conflict) -> str:
        words = VERDICT_WORDS.get(conflict.verdict or "", conflict.verdict or "")
        if conflict.is_set_aside:
            words = "taken off the list by a model"
        if conflict.resolved_at is not None:
            since = age(ms_of(conflict.resolved_at), ms_of(self._now)).strip()
            words += ", just now" if since == "now" else f", {since} ago"
        return f"{words}: {conflict.context}" if conflict.context else words


def shared_words(first: Memory, second: Memory) -> str:
    """`both speak of webhook, timeout`: the telling words that both texts have; "" for none."""
    texts = (f"{one.title} {one.content}"[:LONGEST_COMPARED].lower() for one in (first, second))
    words = [tokens(text) for text in texts]
    theirs = {stem(word) for word in words[1]}
    shared: dict[str, str] = {}
    for word in words[0]:
        is_telling = len(word) > 2 and not word.isdigit() and not is_stop_word(word)
        if is_telling and not is_common(word) and stem(word) in theirs:
            shared.setdefault(stem(word), word)
    return f"both speak of {', '.join([*shared.values()][:MOST_SHARED])}" if shared else ""


def _labelled(label: str, text: str, room: int, rows: int) -> list[Content]:
    """The text behind its label in at most `rows` lines; what was cut off ends in `…`."""
    lead = f"{label}  "
    cells = max(room - width(lead), 1)
    lines = plain(one_line(text)).wrap(cells)
    if len(lines) > rows:
        head = " ".join(line.plain.strip() for line in lines[: rows - 1])
        lines = lines[: rows - 1]
        lines.append(plain(cut(one_line(text)[len(head) :], cells)))
    return [
        Content.assemble((lead if not row else " " * width(lead), "$text-muted"), line)
        for row, line in enumerate(lines)
    ]


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


class ConflictList(VirtualList[ConflictRow]):
    """Conflicts as rows."""

    HELP = """\
## Conflicts
Pairs of memories that contradict each other. Agents receive both with a mark. The two at the right
belong to the row under the cursor, and a letter decides between them.
"""

    def draw_row(self, row: ConflictRow, look: Look) -> Strip:
        muted = self._ink(look, "muted")
        sign = self.glyphs.retired if row.verdict else self.glyphs.conflict
        mark = row.verdict or age(row.since_ms, ms_of(self.now)).strip()
        marked = VERDICT_WIDTH if row.verdict else AGE_WIDTH if look.width >= AGE_FROM else 0
        room = max(look.width - LEAD - (marked + 1 if marked else 0), 0)
        segments = [
            Segment(
                set_cell_size(sign, 2),
                muted if row.verdict else self._ink(look, "conflict"),
            ),
            Segment(fit(row.title, room), self._ink(look)),
        ]
        if marked:
            segments.append(Segment(" " + fit(mark, marked, right=True), muted))
        return self._line_of(look, segments)


LOW = 7  # lines of a side: lower, the words come before everything else


class Sides:
    """What stands beside the list, for one pair at a time."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self.lit = ""  # the side that `enter` keeps: "a", "b", or none
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.head = ConflictHead(app.glyphs, id="conflict-head")
        self.left = SidePane(id="conflict-left")
        self.right = SidePane(id="conflict-right")

    def from_top(self) -> None:
        """Another pair is read from its first line; none of its sides is lit."""
        self.lit = ""
        for side in (self.left, self.right):
            side.scroll_home(animate=False, immediate=True)

    def show(self, pair: Pair | None, place: str, *, is_aligned: bool) -> None:
        """Lay both sides out; `place` is `2 of 5`, aligned are they beside each other."""
        now = self._app.clock()
        self.left.partner, self.right.partner = (
            (self.right, self.left) if is_aligned else (None, None)
        )
        self.head.show(pair.conflict if pair else None, place, now)
        if pair is None or not any((self.left.room, self.right.room)):
            return
        rooms = (max(self.left.room, 1), max(self.right.room, 1))
        height = self.left.size.height or self.right.size.height
        frame = Frame(rooms, is_aligned, is_low=height < LOW)
        texts = both_sides(pair, frame, self._app.glyphs, now)
        for side, text in zip((self.left, self.right), texts, strict=True):
            side.show(text)
        self._say_titles(pair)

    def light(self, side: str, pair: Pair | None) -> None:
        """Light this side, "a" or "b", or none."""
        self.lit = side if pair is not None and pair.conflict.is_open else ""
        if pair is not None:
            self._say_titles(pair)

    def _say_titles(self, pair: Pair) -> None:
        """The key that lights a side, and what `enter` then does; which one is the newer."""
        for side, mark, key, name in (
            (self.left, "a", "←", "left"),
            (self.right, "b", "→", "right"),
        ):
            is_newer = pair.newer_is_first == (name == "left")
            age = "newer" if is_newer else "older"
            is_lit = self.lit == mark and pair.conflict.is_open
            side.set_class(is_lit, "-lit")
            if pair.conflict.is_open:
                shown = "enter" if is_lit else key
                side.border_title = Content.assemble(
                    (f"{shown} ", "bold $text-accent"), f"keep this · {age}"
                )
            else:
                side.border_title = Content(f"{name.capitalize()} · {age}")
            rival = "older" if is_newer else "newer"
            side.border_subtitle = f"it replaces the {rival} one" if is_lit else ""
