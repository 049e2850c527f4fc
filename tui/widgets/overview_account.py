"""Memories with their ages, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content
from textual.style import Style

from ...core.clock import to_ms
from ...core.values import Memory
from ..text import age, cut, one_line, plain, width

INDENT = "  "


def named(memories: Sequence[Memory], count: int, cells: int, now: datetime) -> Content:
    """These memories, a line each with its age; of `count` that there are, how many more."""
    lines = [_line(one, _age(one, now), cells, "") for one in memories]
    rest = count - len(memories)
    if rest > 0:
        lines.append(plain(f"and {rest:,} more" if lines else "enter shows them", "$text-muted"))
    return Content("\n").join(lines)


def _line(memory: Memory, tail: str, cells: int, indent: str = INDENT) -> Content:
    room = max(cells - len(indent) - len(tail) - 2, 8)
    title = cut(one_line(memory.title), room)
    link = Style.from_meta({"memdeck_memory": memory.id})
    said = plain(title, "$text-accent").stylize(link)
    return Content.assemble(indent, said, " " * (room - width(title) + 2), (tail, "$text-muted"))


def _age(memory: Memory, now: datetime) -> str:
    return age(to_ms(memory.created_at), to_ms(now) or 0)
