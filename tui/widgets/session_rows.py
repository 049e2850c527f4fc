"""Sessions one a line, under the headings of their days, agents or lines of forks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rich.segment import Segment
from textual.strip import Strip

from ...core.clock import to_ms
from ...core.services.chronicle import Course
from ..glyphs import Glyphs
from ..text import age, fit
from .virtual_list import LEAD, Look, VirtualList

WHEN_WIDTH, AGENT_WIDTH = 6, 8
NAME_WANTED = 34  # cells a name should have before the columns say in words what they count


@dataclass(frozen=True, slots=True)
class Column:
    """What a session came to: how it is said with a glyph, and in words."""

    name: str
    cells: int
    cells_in_words: int


COLUMNS = (
    Column("tokens", 7, 8),
    Column("told", 4, 9),
    Column("kept", 4, 11),
    Column("open", 4, 7),
    Column("undecided", 3, 12),
)
WORDS = {"told": "told", "kept": "learned", "open": "open", "undecided": "to decide"}
LEAVING = ("tokens", "told", "kept", "undecided", "open")
"""The columns in the order in which they leave as the list grows narrow."""

NO_GOAL = "no prompt was kept"
NAME_LEAST = 22  # cells a name keeps, whatever else has to leave
NAME_BEFORE_TOKENS = 30  # it keeps beside a number that the session says in full


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session, by a number of its own."""

    num: int
    course: Course
    is_fork: bool = False  # of a session that stands under the same heading

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.is_fork, self.course))


class SessionList(VirtualList[SessionRow]):
    """Sessions as rows."""

    HELP = """\
## Sessions
Every session of your agents, the newest first: what it was asked, how many memories it was told
(`↓`) and left behind (`↑`), what it left open (`□`), and what waits for your verdict (`≠`). `└` is
a fork. `enter` goes to its memories, `I` to what it was told, `b` to its transcript.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(glyphs, id=id)
        self.by = "day"  # what the headings say: a line says the rest

    def set_now(self, now: datetime, *, by: str = "day") -> None:
        """The moment that ages are counted from, and what the headings say."""
        self.now, self.by = now, by
        self.forget_paint()

    @property
    def legend(self) -> str:
        """What the glyphs of the columns mean; "" where words say it."""
        columns, in_words = columns_in(self.size.width)
        signs = _signs(self.glyphs)
        told = (f"{signs[one.name]} {WORDS[one.name]}" for one in columns if one.name in signs)
        return "" if in_words else " ".join(told)

    def draw_row(self, row: SessionRow, look: Look) -> Strip:
        course = row.course
        muted = self._ink(look, "muted")
        columns, in_words = columns_in(look.width)
        name_cells = look.width - LEAD - WHEN_WIDTH - AGENT_WIDTH - 2
        parts = []
        for column in columns:
            cells = column.cells_in_words if in_words else column.cells
            says = said(column.name, course, self.glyphs, in_words=in_words)
            ink = {"open": "open", "undecided": "conflict"}.get(column.name, "muted")
            parts.append(Segment(" " + fit(says, cells, right=True), self._ink(look, ink)))
            name_cells -= cells + 1
        name = course.session.goal or course.session.summary.partition("\n")[0] or NO_GOAL
        name = f"{self.glyphs.fork} {name}" if row.is_fork else name
        own = self._ink(look) if course.session.goal else muted
        segments = [
            Segment(self._when(course).rjust(WHEN_WIDTH) + " ", muted),
            Segment(fit(course.session.agent, AGENT_WIDTH) + " ", muted),
            Segment(fit(name, max(name_cells, 1)), own),
            *parts,
        ]
        return self._line_of(look, segments)

    def _when(self, course: Course) -> str:
        """The hour it began, or the day, local time; else how long ago that was."""
        began = course.began_at.astimezone()
        if self.by == "day":
            return f"{began:%H:%M}"
        return f"{began:%a} {began.day:>2}" if self.by == "week" else self._age(began)

    def _age(self, moment: datetime) -> str:
        return age(to_ms(moment), to_ms(self.now) or 0)


def columns_in(cells: int) -> tuple[list[Column], bool]:
    """The columns there is room for beside the name, and whether they may use words."""
    room = cells - LEAD - WHEN_WIDTH - AGENT_WIDTH - 2
    if room - sum(one.cells_in_words + 1 for one in COLUMNS) >= NAME_WANTED:
        return list(COLUMNS), True
    kept = list(COLUMNS)
    for name in LEAVING:
        least = NAME_BEFORE_TOKENS if name == "tokens" else NAME_LEAST
        if room - sum(one.cells + 1 for one in kept) >= least:
            break
        kept = [one for one in kept if one.name != name]
    return kept, False


def said(name: str, course: Course, glyphs: Glyphs, *, in_words: bool) -> str:
    """What a column says of a session; "" for nothing."""
    number = {
        "tokens": course.tokens,
        "told": course.told,
        "kept": course.kept,
        "open": course.open,
        "undecided": course.undecided,
    }[name]
    if not number:
        return ""
    short = f"{number:,}" if in_words or number < 10_000 else f"{number / 1000:.0f}k"
    if name == "tokens":
        return f"{short}t"
    return f"{short} {WORDS[name]}" if in_words else f"{_signs(glyphs)[name]}{short}"


def _signs(glyphs: Glyphs) -> dict[str, str]:
    """The glyph of each column that has one."""
    return {
        "told": glyphs.down,
        "kept": glyphs.up,
        "open": glyphs.open,
        "undecided": glyphs.conflict,
    }
