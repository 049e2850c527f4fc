"""A memory on one line, and the glyphs that say its state without colour."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..core.values import Memory, importance_10
from .output import Ink, age, table


def glyph(memory: Memory) -> Ink:
    """Retired ·, in conflict ≠, pinned ★, candidate ?, else a space."""
    if memory.retired_at is not None:
        return Ink("·", "dim")
    if memory.in_conflict:
        return Ink("≠", "bad")
    if memory.status == "pinned":
        return Ink("★", "warn")
    return Ink("?", "warn") if memory.status == "candidate" else Ink(" ", "dim")


def memory_row(memory: Memory, now: datetime) -> list[str | Ink]:
    """Glyph, id, type, importance, age, title."""
    return [
        glyph(memory),
        Ink(memory.short_id, "dim"),
        memory.type,
        f"{importance_10(memory.importance):2}",
        f"{age(memory.created_at, now):>4}",
        memory.title or memory.content,
    ]


def show_rows(memories: Sequence[Memory], now: datetime, *, of_several: bool = False) -> int:
    """Memories as aligned lines on standard output, each with its project if `of_several`.

    How many they are.
    """
    rows = [memory_row(memory, now) for memory in memories]
    if of_several:
        for row, memory in zip(rows, memories, strict=True):
            row.insert(2, Ink(memory.project, "dim"))
    table(rows)
    return len(rows)


def acted(done: str, memories: Sequence[Memory]) -> None:
    """What an act did, a line for each memory: `pinned  01hz3k9  Retry budget is 3`."""
    table(
        [[done, Ink(memory.short_id, "dim"), memory.title or memory.content] for memory in memories]
    )
