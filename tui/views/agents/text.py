"""The Agents view's keys, when they work, and its words for empty places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....core.agents import AgentState, Finding
from ...acts import FILTER_ACT, MODEL_ACTS, SWITCH_ACTS, ZOOM_ACT, Act
from ...widgets.agent_list import mendable
from ...widgets.nothing import NothingLine, nothing_fits

AGENT_ACTS = (
    Act("agents.install", "i", "Install", "install",
        "Connects the agent: shows every line that would be written, then asks.",
        asks_first=True),
    Act("agents.uninstall", "x", "Uninstall", "uninstall",
        "Takes our hooks out of its settings again, shown before it is done.", asks_first=True),
    Act("agents.fix", "r", "Mend", "fix", "Mends the finding under the cursor, after a yes.",
        asks_first=True),
    Act("agents.fix_all", "F", "Mend all", "fix_all",
        "Mends everything that can be mended from here.", asks_first=True, of_row=False),
    Act("agents.copy", "y", "Copy", "copy", "Copies the command that mends the finding."),
    *SWITCH_ACTS,
    FILTER_ACT,
    Act("agents.refresh", "R", "Refresh", "refresh", "Looks again, now.", of_row=False),
    Act("agents.open", "L", "On the Deck", "memories", "Finds what the agent brought on the Deck."),
    Act("agents.read", "enter", "Read", "read", "To what is known of the agent.", show=False),
    Act("setup.welcome", "W", "Welcome", "app.setup('welcome')",
        "Connects the agents found here, and imports their instructions.", show=False,
        asks_first=True, of_row=False),
    *(replace(act, show=False) for act in MODEL_ACTS),
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

LOOKING = (NothingLine("Looking at the agents of this machine…"),)
NO_AGENTS = (
    NothingLine("Nothing is known of agents here.", is_title=True),
    NothingLine(),
    NothingLine("memdeck doctor", key="$"),
)
NOTHING_FITS = nothing_fits("No agent fits the filter.")
NO_LOOK = "The agents were not looked at yet."


def why_not(
    action: str, agents: Sequence[AgentState], agent: AgentState | None, finding: Finding | None
) -> str:
    """Why an act cannot be done now, as a sentence; "" when it can."""
    if action in ("install", "uninstall"):
        return _why_no_setup(action, agent)
    if action in ("fix", "copy"):
        if finding is None:
            return "There is no finding here."
        if finding.ok:
            return "All is well with it."
        if action == "fix" and not finding.fix:
            return "Only you can mend it; its advice says how."
        return "" if finding.mend or action == "fix" else "There is no advice to copy."
    if action == "fix_all" and not mendable(agents):
        return "There is nothing that could be mended from here."
    return ""


def _why_no_setup(action: str, agent: AgentState | None) -> str:
    if agent is None:
        return NO_LOOK
    if action == "uninstall":
        return "" if agent.scopes else f"{agent.name} is not connected."
    if not agent.is_present and not agent.scopes:
        return f"{agent.name} was not found on this machine."
    return ""
