"""How an agent stands here, in a word and by a glyph, and what its findings come to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from ...core.agents import AgentState, Finding
from ..glyphs import Glyphs
from ..text import counted

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
