"""The columns right of a memory's title: which there are, which one chose, how wide they are, and
for which there is room. The title has the rest, or what one chose has it; the title never leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from ...core.answers import Row
from ...core.values import importance_10, ms_of
from ..text import age

LEAD = 6  # cells before the title: cursor bar, mark, standing, trouble (⏳ is wide), and air
TITLE_WANTED = 46  # cells a title should have before any column but age and type gets its own
TITLE_NEEDED = 28  # cells below which age and type go as well
TITLE_LEAST = 20  # cells that what one chose leaves it
GAP = 2
NARROWEST, WIDEST = 4, 99  # cells that one may give a column
TITLE = "title"


@dataclass(frozen=True, slots=True)
class Column:
    """One column right of the title."""

    name: str
    width: int
    is_right: bool = False


COLUMNS = (
    Column("type", 11),
    Column("status", 9),
    Column("category", 12),
    Column("importance", 10, is_right=True),
    Column("scope", 7),
    Column("agent", 9),
    Column("session", 20),
    Column("tags", 20),
    Column("files", 22),
    Column("age", 4, is_right=True),
)
"""Every column, from left to right."""

LEAVING = ("tags", "files", "category", "scope", "session", "agent", "importance", "status", "age",
           "type")  # fmt: skip
"""The order in which columns leave as the width shrinks."""

ONE_LINE = ("type", "scope", "session", "files", "age")
"""What stands beside a title where a row has one line, and nobody chose."""

TWO_LINES = ("age",)
"""And where it has two: the second says the rest."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a title, as one wants it where there is room."""

    names: tuple[str, ...]
    widths: tuple[tuple[str, int], ...] = ()  # cells, of those that have not their usual ones
    free: str = TITLE  # which of them takes what is free

    @property
    def is_usual(self) -> bool:
        """Whether nobody chose any of it."""
        return self.names in (ONE_LINE, TWO_LINES) and not self.widths and self.free == TITLE

    def width_of(self, name: str) -> int:
        """The cells of a column, or of the title where another takes what is free."""
        usual = {TITLE: TITLE_WANTED, **{item.name: item.width for item in COLUMNS}}
        return dict(self.widths).get(name, usual.get(name, NARROWEST))


UNCHOSEN = Beside(())
USUAL = Beside(ONE_LINE)


@lru_cache(maxsize=64)
def columns_for(width: int, beside: Beside = USUAL) -> tuple[Column, ...]:
    """The columns that a list of `width` cells has room for, left to right, as wide as they are."""
    visible = tuple(
        replace(item, width=beside.width_of(item.name))
        for item in COLUMNS
        if item.name in beside.names
    )
    for name in LEAVING:
        enough = TITLE_NEEDED if name in ("age", "type") else TITLE_WANTED
        if not beside.is_usual:
            enough = TITLE_LEAST
        if title_width(width, visible) >= enough:
            break
        visible = tuple(item for item in visible if item.name != name)
    spare = max(title_width(width, visible) - beside.width_of(TITLE), 0)
    return tuple(
        replace(item, width=item.width + spare) if item.name == beside.free else item
        for item in visible
    )


def title_width(width: int, columns: Sequence[Column]) -> int:
    """Cells left for the title; never negative."""
    return max(width - LEAD - sum(column.width + GAP for column in columns), 0)


def age_in(row: Row, now: datetime) -> str:
    """How old a memory is, as a column says it."""
    return age(row.created_ms, ms_of(now)).strip()


def cell(row: Row, column: str, now: datetime) -> str:
    """What a column says of a memory, uncut."""
    if row.is_gone:
        return ""
    match column:
        case "age":
            return age_in(row, now)
        case "session":
            return row.session_name or row.agent or "you"
        case "agent":
            return row.agent or "you"
        case "files":
            return row.files[0].rsplit("/", 1)[-1] if row.files else ""
        case "tags":
            return " ".join(row.tags)
        case "importance":
            return f"{importance_10(row.importance)}/10"
        case "status":
            return row.retired_as or row.status
        case "category":
            return row.category
        case "scope":
            return row.scope
    return row.type
