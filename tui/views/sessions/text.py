"""The keys of Sessions, when they work, and its words for empty places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...widgets.nothing import NothingLine, nothing_fits
from .model import Opened

if TYPE_CHECKING:
    from ....core.services.sessions import SessionOverview

SESSION_ACTS = (
    Act("session.open", "enter", "Memories", "open", "Shows what it learned, on the Deck."),
    Act("session.receipts", "I", "Told", "go('receipts')",
        "Shows what it was told, prompt by prompt."),
    Act("session.transcript", "b", "Transcript", "go('transcript')",
        "Opens its transcript in your editor, where the last of it was learned."),
    Act("session.history", "H", "History", "go('history')", "Shows what it changed, on Audit."),
    Act("session.links", "L", "Forks", "ask('links')",
        "Goes to the session it was forked from, or to one that goes on from it."),
    Act("session.group", "m", "Group", "ask('group')",
        "By day, by week, by agent, or by line of forks.", of_row=False),
    FILTER_ACT,
    Act("session.copy", "y", "Copy", "ask('copy')", "Copies goal, summary, command or id.",
        show=False),
    Act("session.incognito", "", "Incognito", "incognito",
        "Takes nothing down from it any more, or does so again; can be undone."),
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

ON_SESSION = frozenset(
    {
        *("open", "go('receipts')", "go('transcript')", "go('history')"),
        *("ask('links')", "ask('copy')", "incognito"),
    }
)
MENU_ACTS = tuple(act for act in SESSION_ACTS if act.action in ON_SESSION)

LOOKING = (NothingLine("Reading the sessions…"),)
NOTHING = (
    NothingLine("No session was seen yet.", is_title=True),
    NothingLine(),
    NothingLine("Each session of your agents stands here: what it was asked and told, what it"),
    NothingLine("learned, what it spent, and what it left open."),
    NothingLine(),
    NothingLine("connect an agent", key="6"),
)
NOTHING_FITS = nothing_fits("No session fits the filter.")

TITLE = "Sessions"
BY_WORDS = {"day": "by day", "week": "by week", "agent": "by agent", "line": "by line of forks"}


def why_not(action: str, course: SessionOverview | None, shown: Opened | None) -> str:
    """Why an act cannot be done now, as a sentence; "" when it can, or while that is being read."""
    if action not in ON_SESSION:
        return ""
    if course is None:
        return "No session is chosen."
    if shown is None:
        return ""
    session = shown.session
    if action == "open" and not session.memories and not session.tasks:
        return "Nothing that it learned is left."
    if action == "go('receipts')" and not session.receipts:
        return "It was told nothing."
    if action == "go('transcript')" and not session.transcript:
        return "Nobody noted where its transcript stands."
    if action == "go('transcript')" and not shown.has_transcript:
        return "Its transcript is not there any more."
    if action == "ask('links')" and session.parent is None and not session.forks:
        return "It is no fork, and none was made of it."
    return ""
