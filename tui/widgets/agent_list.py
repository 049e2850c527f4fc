"""The agents one below the other: how each stands, in words and by a glyph, where, how quickly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.content import Content
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ...core.agents import AgentState, Finding
from ...core.values import ms_of
from ..glyphs import Glyphs
from ..text import AGE_WIDTH, age, counted, fit, width
from .virtual_list import Look, VirtualList

LEAD = 4  # cells before the name: cursor bar, glyph, and air
NAME_WIDTH, STATE_WIDTH, SCOPE_WIDTH, LATENCY_WIDTH = 14, 13, 7, 11
ALWAYS = LEAD + NAME_WIDTH + 1 + STATE_WIDTH + 1 + AGE_WIDTH  # the smallest terminal has room


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent on one line."""

    num: int  # its place among the hosts
    agent: AgentState

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        agent = self.agent
        said = (agent.is_present, agent.scopes, agent.is_trusted, agent.last_fired_ms)
        return hash((*said, agent.latency_p50_ms, agent.latency_p95_ms))


class AgentList(VirtualList[AgentRow]):
    """Agents as rows."""

    HELP = """\
## Agents
The agents that memdeck can work with, and how each stands on this machine: `●` it fires, `○` it is
installed but was never heard, `◐` it needs your trust, `·` not installed, `–` not on this machine.
"""

    def draw_row(self, row: AgentRow, look: Look) -> Strip:
        standing = standing_of(row.agent)
        ink, muted = self._ink(look, COLOURS[standing]), self._ink(look, "muted")
        scope, latency = columns_in(look.width)
        segments = [
            Segment(set_cell_size(glyph_of(standing, self.glyphs), 2), ink),
            Segment(name_of(row.agent) + " ", self._ink(look)),
            Segment(fit(SHORT[standing], STATE_WIDTH), ink),
        ]
        if scope:
            segments.append(
                Segment(" " + fit(scopes_of(row.agent, SCOPE_WIDTH), SCOPE_WIDTH), muted)
            )
        now_ms = ms_of(self.now)
        segments.append(Segment(" " + age(row.agent.last_fired_ms, now_ms), muted))
        if latency:
            text = fit(latency_of(row.agent), LATENCY_WIDTH, right=True)
            segments.append(Segment(" " + text, muted))
        return self._line_of(look, segments)


def name_of(agent: AgentState) -> str:
    """An agent's name; one that is too long goes without its `CLI`."""
    is_whole = width(agent.name) <= NAME_WIDTH
    return fit(agent.name if is_whole else agent.name.removesuffix(" CLI"), NAME_WIDTH)


def columns_in(cells: int) -> tuple[bool, bool]:
    """Whether there is room for the scope, and for the latency beside it."""
    room = cells - ALWAYS
    return room >= 1 + SCOPE_WIDTH, room >= 2 + SCOPE_WIDTH + LATENCY_WIDTH


def head(cells: int) -> Content:
    """The names of the columns, above the rows."""
    scope, latency = columns_in(cells)
    words = " " * LEAD + fit("agent", NAME_WIDTH) + " " + fit("stands", STATE_WIDTH)
    words += " " + fit("scope", SCOPE_WIDTH) if scope else ""
    words += " " + fit("last", AGE_WIDTH, right=True)
    words += " " + fit("p50/p95", LATENCY_WIDTH, right=True) if latency else ""
    return Content.styled(words, "$text-muted")


class AgentColumns(Widget):
    """The line of the columns' names.

    Drawn from its own width, so that it is right whenever the room changes: told from outside,
    it could be told before the layout was made.
    """

    has_rows: reactive[bool] = reactive(False)

    def render(self) -> Content:
        return head(self.size.width - 1) if self.has_rows else Content("")


Standing = Literal["firing", "silent", "untrusted", "not installed", "not present"]

SHORT: dict[Standing, str] = {
    "firing": "firing",
    "silent": "silent",
    "untrusted": "needs trust",
    "not installed": "not installed",
    "not present": "not present",
}
LONG: dict[Standing, str] = {
    **SHORT,
    "silent": "installed but silent",
    "untrusted": "installed, but it needs your trust",
    "not present": "not on this machine",
}
COLOURS: dict[Standing, str] = {
    "firing": "success",
    "silent": "stale",
    "untrusted": "warning",
    "not installed": "muted",
    "not present": "muted",
}
_COMMAND = re.compile(r"`([^`]+)`")


def standing_of(agent: AgentState) -> Standing:
    """How the agent stands: what keeps it from being heard comes first."""
    if not agent.scopes:
        return "not installed" if agent.is_present else "not present"
    if agent.is_trusted is False:
        return "untrusted"
    return "silent" if agent.last_fired_ms is None else "firing"


def glyph_of(standing: Standing, glyphs: Glyphs) -> str:
    """One cell for the standing, another one for each."""
    return {
        "firing": glyphs.firing,
        "silent": glyphs.stale,
        "untrusted": glyphs.untrusted,
        "not installed": glyphs.retired,
        "not present": glyphs.absent,
    }[standing]


def scopes_of(agent: AgentState, cells: int) -> str:
    """Where its hooks stand: all of it, or the first and how many more."""
    said = ", ".join(agent.scopes)
    if len(said) > cells and len(agent.scopes) > 1:
        return f"{agent.scopes[0]} +{len(agent.scopes) - 1}"
    return said


def latency_of(agent: AgentState) -> str:
    """`41/88 ms`: the middle and the slow end; "" before the first answer."""
    middle, slow = agent.latency_p50_ms, agent.latency_p95_ms
    if middle is None or slow is None:
        return ""
    return f"{middle:.0f}/{slow:.0f} ms"


def by_weight(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What wants mending first, and of that what can be mended from here; else as they came."""
    return tuple(sorted(findings, key=lambda one: (one.ok, not one.ok and not one.fix)))


def mendable(agents: Iterable[AgentState]) -> list[Finding]:
    """Every finding that can be mended from here."""
    return [one for agent in agents for one in agent.findings if one.fix and not one.ok]


def summed_up(findings: Sequence[Finding], standing: Standing = "firing") -> str:
    """`2 of 7 want mending`, or that all is well, which nothing unconnected is; "" without any."""
    troubles = sum(not one.ok for one in findings)
    if not findings:
        return ""
    if not troubles:
        if standing in ("not installed", "not present"):
            return "not connected"
        return "all is well"
    return f"{troubles} of {counted(len(findings), 'finding')} to mend"


def command_of(finding: Finding) -> str:
    """What to type to mend it: the commands in its advice, else the advice; "" without any."""
    return "\n".join(_COMMAND.findall(finding.mend)) or finding.mend
