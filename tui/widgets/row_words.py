"""What a row of two lines says in words: the title as far as there is room, and below it what the
memory is, how its text goes on, and what it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from ...core.answers import Row
from ..glyphs import Glyphs
from ..text import age, cut, fit, one_line, width
from .memory_columns import Column

MOST_TAGS = 3
TEXT_NEEDED = 24  # cells of text before tags and origin get theirs
STATES_FROM = 60  # cells from which the signs are said in words as well
LONGEST_PROJECT = 24  # cells of a project's name
LONGEST_WORD = 24  # that is said again where a title was cut within it
DOT = " · "

Piece = tuple[str, str]
"""Text, and the meaning that colours it."""


@dataclass(frozen=True, slots=True)
class Below:
    """The second line: what the memory is, its text, and at the right what it belongs to."""

    is_what: Sequence[Piece]
    text: str
    belongs: Sequence[Piece]


@lru_cache(maxsize=128)
def title_in(row: Row, cells: int) -> str:
    """The title in at most `cells` cells; one that was cut from the text goes on where it can."""
    title = one_line(row.title)
    if title.endswith("…") and width(title) < cells:
        stem, text = _stem(title), _excerpt(row.excerpt)
        if text.startswith(stem):
            title = text.partition(". ")[0].rstrip(".")
    return cut(title, cells)


def project_of(row: Row, own: str) -> Piece | None:
    """Whose a row is; its own project is said as `own`, where a list has rows of several."""
    if row.project:
        return row.project, "expiring"
    return (own, "muted") if own and row.scope != "global" else None


def below(
    row: Row,
    cells: int,
    title_cells: int,
    columns: Sequence[Column],
    glyphs: Glyphs,
    now: datetime,
    own: str,
) -> Below:
    """The second line of a row in `cells` cells, where the title above had `title_cells`."""
    if row.is_gone:
        return Below((), "", ())
    named = {one.name for one in columns}
    text = text_after(row, title_in(row, title_cells))
    what = [*_states(row, glyphs, now)] if cells >= STATES_FROM else []
    if whose := project_of(row, own):
        what.insert(0, (cut(whose[0], LONGEST_PROJECT), whose[1]))
    if "type" not in named:
        what.append((row.type, "muted"))
    if not text and "category" not in named:
        what.append((row.category, "muted"))
    pieces: list[Piece] = []
    for piece in what:
        pieces += [(DOT, "muted"), piece] if pieces else [piece]
    taken = sum(width(word) for word, _ in pieces) + len(DOT)
    belongs = _belongs(row, named, cells - taken - min(TEXT_NEEDED, width(text)))
    room = cells - taken - sum(width(word) for word, _ in belongs)
    if not text or room < 4:
        return Below(pieces, " " * max(room + len(DOT), 0), belongs)
    return Below([*pieces, (DOT, "muted")] if pieces else [], fit(text, room), belongs)


def text_after(row: Row, title: str) -> str:
    """The text of a row as it goes on where the title above it stopped; "" where it is all said."""
    text = _excerpt(row.excerpt)
    stem = _stem(title)
    if not text.startswith(stem):
        return text
    rest = text[len(stem) :]
    if title.endswith("…") and rest[:1].isalnum() and stem[-1:].isascii():  # cut within a word
        word = stem[-LONGEST_WORD:].rpartition(" ")
        return f"…{word[2] if word[1] else ''}{rest}"
    return rest.lstrip(" .,;:…")


@lru_cache(maxsize=128)
def _excerpt(text: str) -> str:
    """On one line; both lines of a row ask for it."""
    return one_line(text)


def _stem(title: str) -> str:
    return title.rstrip("…").rstrip(" .,;:")


def _states(row: Row, glyphs: Glyphs, now: datetime) -> list[Piece]:
    """The words for the two signs of a row, in their colours."""
    states: list[Piece] = []
    (_, standing), (_, trouble) = glyphs.of(row, now)
    if standing:
        states.append((row.retired_as or row.status, standing))
    if trouble == "conflict":
        states.append(("in conflict", trouble))
    elif trouble:
        left = age(row.expires_ms, int(now.timestamp() * 1000)).strip()
        states.append((f"ends in {left[1:]}" if left.startswith("+") else "ended", trouble))
    return states


def _belongs(row: Row, named: set[str], room: int) -> list[Piece]:
    """Tags and who said it, as far as there is room."""
    origin = "" if "agent" in named or "session" in named else row.agent or "you"
    tags = [] if "tags" in named else [f"#{one_line(tag)}" for tag in row.tags[:MOST_TAGS]]
    pieces: list[Piece] = []
    room -= 2 + width(origin) if origin else 0
    for tag in tags:
        if width(tag) + 1 > room:
            break
        pieces.append((f" {tag}", "tag"))
        room -= width(tag) + 1
    if origin and room >= 0:
        pieces.append((f"  {one_line(origin)}", "muted"))
    return pieces
