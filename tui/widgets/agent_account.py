"""One agent as text to read: its program, its hooks, its events; and what it brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from ...core.agents import AgentState
from ...core.values import Memory, ms_of
from ..glyphs import Glyphs
from ..text import age, fit, labelled, moment, one_line, plain, width
from .agent_list import SHORT, glyph_of
from .overview_account import named
from .text_pane import TextPane

LABEL = 10  # cells of a label
MOMENT_FROM = 52  # cells from which on the exact time of an event is said too
TRUST = {
    None: "it asks for none",
    True: "given",
    False: "not given: it runs no hook of ours until you trust them in it",
}


class AgentPane(TextPane):
    """The chosen agent."""

    HELP = """\
## One agent
Its program, where our hooks stand in its settings, which events it sent and when, how long its
answers took, and what went wrong last. Arrows scroll.
"""

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(title, id=id)
        self._titled: Callable[[int], str] = lambda _: title

    def name_by(self, titled: Callable[[int], str]) -> None:
        """From the cells of the pane to the words in its frame; they follow its size."""
        self._titled = titled
        self.name_it(titled(self.size.width))

    def on_resize(self) -> None:
        self.name_it(self._titled(self.size.width))


def account(agent: AgentState, cells: int, glyphs: Glyphs, now: datetime) -> Content:
    """All there is to say of an agent, no line wider than `cells`."""
    lines = [
        *labelled("program", plain(agent.program or _no_program(agent)), cells, LABEL),
        *labelled(
            "hooks in", plain(", ".join(agent.scopes) or "none of its settings"), cells, LABEL
        ),
    ]
    if agent.scopes:
        lines += labelled("trust", plain(TRUST[agent.is_trusted]), cells, LABEL)
    lines += labelled("latency", plain(_latency(agent)), cells, LABEL)
    if agent.last_error:
        error = Content.styled(one_line(agent.last_error), "$text-error")
        lines += labelled("last error", error, cells, LABEL)
    else:
        lines += labelled("last error", plain("none"), cells, LABEL)
    lines += _events(agent, cells, glyphs, now)
    return Content("\n").join([*lines, *_legend(cells, glyphs)])


def _no_program(agent: AgentState) -> str:
    return "not found; its settings are here" if agent.is_present else "not found"


def _latency(agent: AgentState) -> str:
    middle, slow = agent.latency_p50_ms, agent.latency_p95_ms
    if middle is None or slow is None:
        return "nothing was asked of us yet"
    return f"p50 {middle:.0f} ms, p95 {slow:.0f} ms"


def _events(agent: AgentState, cells: int, glyphs: Glyphs, now: datetime) -> list[Content]:
    """When each event last came, as a table."""
    if not agent.events:
        return []
    now_ms = ms_of(now)
    longest = max(width(one.name) for one in agent.events)
    name = max(min(longest, cells - 13), 5)
    lines = [
        Content(""),
        Content.styled(f"  {fit('event', name)}  last came", "$text-muted"),
    ]
    for one in agent.events:
        if one.at_ms is None:
            sign, said, style = glyphs.stale, "never", "$text-muted"
        else:
            at = datetime.fromtimestamp(one.at_ms / 1000, now.tzinfo)
            exact = f"   {moment(at)}" if cells >= MOMENT_FROM else ""
            sign, said, style = glyphs.firing, f"{age(one.at_ms, now_ms).strip():4}{exact}", ""
        lines.append(
            Content.assemble(
                (f"{sign} ", "$success" if one.at_ms is not None else "$text-muted"),
                plain(fit(one.name, name), style),
                ("  ", ""),
                (said.rstrip(), style or "$text-muted"),
            )
        )
    return lines


def _legend(cells: int, glyphs: Glyphs) -> list[Content]:
    """What the signs of the list and of the events mean."""
    signs = [f"{glyph_of(one, glyphs)} {SHORT[one]}" for one in SHORT]
    signs += [f"{glyphs.firing} event came", f"{glyphs.stale} never came"]
    lines = [""]
    for sign in signs:  # each stands beside its word
        line = f"{lines[-1]}  {sign}".strip()
        lines[-1:] = [line] if width(line) <= cells else [lines[-1], sign]
    return [Content(""), *(plain(line, "$text-muted") for line in lines)]


@dataclass(frozen=True, slots=True)
class Brought:
    """What is live of an agent's memories in this project."""

    count: int
    waiting: int  # candidates among them
    newest: Sequence[Memory]

    @property
    def says(self) -> str:
        """How many there are, and how many wait."""
        if not self.count:
            return ""
        waits = "waits" if self.waiting == 1 else "wait"
        return f"{self.count:,} here" + (f", {self.waiting:,} {waits}" if self.waiting else "")


class BroughtPane(TextPane):
    """The newest memories of the chosen agent."""

    HELP = """\
## What it brought
The memories of this project that come from the agent, newest first. A click opens one; `L` finds
all of them on the Deck. Arrows scroll.
"""

    def show_nothing(self) -> None:
        """No agent is chosen."""
        self.name_it("Brought")
        self.show(lambda _: Content(""), from_top=True)

    def show_of(self, agent: AgentState, brought: Brought, now: datetime) -> None:
        """What this agent brought."""
        title = f"Brought by {agent.name}"
        is_other = self.border_title != title
        self.name_it(title, brought.says)
        if not brought.count:
            says = f"{agent.name} brought nothing to this project so far."
            self.show(lambda _: plain(says, "$text-muted"), from_top=True)
            return
        self.show(lambda cells: named(brought.newest, brought.count, cells, now), from_top=is_other)
