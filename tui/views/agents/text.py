"""The Agents view's keys, when they work, and its words for empty places."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.agents import AgentState, Finding
from ...acts import FILTER_ACT, Act
from ...widgets.agent_list import mendable
from ...widgets.nothing import NothingLine

AGENT_ACTS = (
    Act("agents.install", "i", "Install", "install",
        "Connects the agent: shows every line that would be written, then asks.",
        asks_first=True),
    Act("agents.uninstall", "x", "Uninstall", "uninstall",
        "Takes our hooks out of its settings again, shown before it is done.", asks_first=True),
    Act("agents.fix", "r", "Mend", "fix", "Mends the finding under the cursor, after a yes.",
        asks_first=True),
    Act("agents.fix_all", "F", "Mend all", "fix_all",
        "Mends everything that can be mended from here.", asks_first=True),
    Act("agents.copy", "y", "Copy", "copy", "Copies the command that mends the finding."),
    Act("switch.auto", "", "Auto-memory", "app.setup('auto_memory')",
        "Keeps what sessions show: one session, this project, everywhere."),
    Act("switch.incognito", "", "Incognito", "app.setup('incognito')",
        "Takes nothing down for a while: one session, this project, everywhere."),
    FILTER_ACT,
    Act("agents.refresh", "R", "Refresh", "refresh", "Looks again, now."),
    Act("agents.open", "L", "On the Deck", "deck", "Finds what the agent brought on the Deck."),
    Act("agents.read", "enter", "Read", "read", "To what is known of the agent.", show=False),
    Act("setup.welcome", "W", "Welcome", "app.setup('welcome')",
        "Connects the agents found here, and imports their instructions.", show=False,
        asks_first=True),
    Act("setup.extractor", "", "Extractor", "app.setup('extractor')",
        "Chooses the model of yours that reads each session once, or none.", show=False),
    Act("teaching.reset", "", "Reset teaching", "app.setup('teaching')",
        "Lets your verdicts in this project count no more; can be undone.", show=False,
        asks_first=True),
    Act("app.zoom", "z", "Zoom", "zoom", "Gives the pane all the room; again to give it back.",
        show=False),
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

LOOKING = (NothingLine("Looking at the agents of this machine…"),)
NO_AGENTS = (
    NothingLine("Nothing is known of agents here.", is_title=True),
    NothingLine(),
    NothingLine("memdeck doctor", key="$"),
)
NOTHING_FITS = (
    NothingLine("No agent fits the filter.", is_title=True),
    NothingLine(),
    NothingLine("clear the filter", key="esc"),
)
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
