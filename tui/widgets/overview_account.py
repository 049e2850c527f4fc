"""What agents learned, use and are told, as text to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from textual.content import Content
from textual.style import Style

from ...core.agents import AgentState
from ...core.clock import to_ms
from ...core.services.vitals import Overview
from ...core.values import Memory
from ..glyphs import Glyphs
from ..text import age, counted, cut, one_line, plain, width
from .agent_list import LONG, standing_of
from .bars import budget_line
from .text_pane import TextPane

INDENT = "  "


class OverviewPane(TextPane):
    """What agents know."""

    HELP = """\
## What your agents know
What was learned this week, what is used most, what agents were told and what it cost, and which
agents are connected. A click on a title opens the memory. Arrows scroll.
"""


def account(
    seen: Overview, agents: Sequence[AgentState], cells: int, glyphs: Glyphs, now: datetime
) -> Content:
    """All of it, no line wider than `cells`."""
    lines = [
        *_named("Learned this week", seen.newest, seen.learned, cells, lambda one: _age(one, now)),
        *_named("Used most", seen.most_used, len(seen.most_used), cells, _uses),
        *_told(seen, cells, glyphs),
        *_agents(agents, cells),
    ]
    return Content("\n").join(lines)


def _indented(words: str, cells: int, style: str = "") -> Content:
    return Content.assemble(INDENT, plain(cut(words, max(cells - len(INDENT), 1)), style))


def _heading(words: str) -> Content:
    return Content.styled(words, "bold")


def _named(
    title: str,
    memories: Sequence[Memory],
    count: int | None,
    cells: int,
    tail: Callable[[Memory], str],
) -> list[Content]:
    if not memories:
        return []
    rest = 0 if count is None else count - len(memories)
    more = [plain(f"{INDENT}and {rest:,} more", "$text-muted")] if rest > 0 else []
    return [
        _heading(title),
        *(_line(one, tail(one), cells) for one in memories),
        *more,
        Content(""),
    ]


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


def _uses(memory: Memory) -> str:
    used = f"used {memory.used}×, " if memory.used else ""
    return f"{used}told {memory.accesses}×"


def _told(seen: Overview, cells: int, glyphs: Glyphs) -> list[Content]:
    week, start = seen.week, seen.start
    lines = []
    if week.agents:
        what = counted(week.total("memories"), "memory", "memories")
        used = f", {week.total('used'):,} of them used" if week.total("used") else ""
        prompts = counted(week.total("injections"), "prompt")
        lines.append(_indented(f"{what} with {prompts}{used}", cells))
        lines.append(_indented(f"{week.total('tokens'):,} tokens", cells, "$text-muted"))
    if start is not None:
        lines.append(budget_line("last start", start.tokens, start.budget, cells, glyphs))
    return [_heading("Told this week"), *lines, Content("")] if lines else []


def _agents(agents: Sequence[AgentState], cells: int) -> list[Content]:
    here = [one for one in agents if one.is_present]
    if not here:
        return []
    longest = max(len(one.name) for one in here) + 2
    lines = [
        Content.assemble(
            INDENT,
            plain(one.name),
            " " * (longest - width(one.name)),
            plain(
                cut(LONG[standing_of(one)], max(cells - longest - len(INDENT), 1)), "$text-muted"
            ),
        )
        for one in here
    ]
    return [_heading("Agents"), *lines]
