"""One line of the timeline as pieces of text, each with the role that colours it."""

from __future__ import annotations

from datetime import date, timedelta

from ...core.answers import Entry
from ..text import cut, fit, one_line, width

Piece = tuple[str, str]
"""A text, and its role: `base`, or the end of a component class of the timeline."""

ACTOR_GLYPHS = {"person": "●", "agent": "◆", "rule": "◦"}
UNDONE_GLYPH = "↶"

SESSION_FROM = 103  # cells of the list from which a column is shown
SESSION_CELLS = 20
SEQ_FROM = 83
REASON_FROM = 14  # cells that must be left over for a reason


def entry_pieces(entry: Entry, cells: int, is_cursor: bool = False) -> list[Piece]:
    """An entry on one line of exactly `cells` cells (at least 24).

    Columns leave in a fixed order as the width shrinks: reason, session, number, time.
    """
    act_cells = 11 if cells >= 56 else 9
    left: list[Piece] = [("▌ ", "cursor-bar") if is_cursor else ("  ", "base")]
    if cells >= 40:
        left.append((f"{entry.at.astimezone():%H:%M}  ", "muted"))
    left.append((ACTOR_GLYPHS.get(entry.actor, "·") + " ", _actor_role(entry)))
    left.append((fit(entry.action, act_cells - 1) + " ", _act_role(entry)))
    right: list[Piece] = []
    if cells >= SESSION_FROM:
        right.append(("  " + fit(entry.session_name, SESSION_CELLS), "muted"))
    if cells >= SEQ_FROM:
        right.append((fit(f"#{entry.seq}", 8, right=True), "muted"))
    undone = f" {UNDONE_GLYPH}" if entry.undone_by is not None else ""
    right.append((undone.ljust(2) if cells >= SEQ_FROM else undone, "muted"))
    taken = sum(width(text) for text, _ in (*left, *right))
    return [*left, *_what(entry, max(1, cells - taken)), *right]


def _what(entry: Entry, cells: int) -> list[Piece]:
    """Title, number of memories, and the reason where there is room; exactly `cells` cells."""
    title, reason = one_line(entry.title[:400]), one_line(entry.reason[:400])
    role = "undone" if entry.undone_by is not None else "base"
    if not title:
        title, reason, role = reason or "—", "", "muted"
    elif reason == title:
        reason = ""
    number = f"  ×{len(entry.memories):,}" if len(entry.memories) > 1 else ""
    text = cut(title, max(1, cells - width(number)))
    left = cells - width(text) - width(number)
    pieces = [(text, role), (number, "muted")]
    if reason and left >= REASON_FROM + 3:
        return [*pieces, ("   " + fit(reason, left - 3), "muted")]
    return [*pieces, (" " * left, "base")]


def day_pieces(day: date, today: date, cells: int) -> list[Piece]:
    """The line above the first entry of a day."""
    if day == today:
        name = "Today"
    elif day == today - timedelta(days=1):
        name = "Yesterday"
    else:
        name = f"{day:%A}"
    written = f"{day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")
    used = 2 + width(name) + 1 + width(written) + 1
    return [
        ("  " + name, "day"),
        (f" {written} ", "muted"),
        ("─" * max(0, cells - used), "rule-line"),
    ]


def _actor_role(entry: Entry) -> str:
    is_known = entry.actor in ACTOR_GLYPHS and entry.undone_by is None
    return entry.actor if is_known else "muted"


def _act_role(entry: Entry) -> str:
    if entry.undone_by is not None:
        return "muted"
    return "grave" if entry.action in {"purge", "evict"} else "base"
