"""The Health view's keys, when they work, and its words for empty places."""

from __future__ import annotations

from ....core.services.vitals import Ending
from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...widgets.nothing import NothingLine, nothing_fits

HEALTH_ACTS = (
    Act("health.open", "enter", "Open", "open", "Opens the memory on the Deck."),
    Act("health.keep", "s", "Keep", "keep",
        "Lets the memory stay, after your yes: you stand for it, and no rule retires it.",
        asks_first=True),
    FILTER_ACT,
    Act("health.refresh", "R", "Refresh", "refresh", "Looks again, now.", of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

LOOKING = (NothingLine("Looking at what is due…"),)
NOTHING_LEAVES = (
    NothingLine("Nothing leaves within 30 days.", is_title=True),
    NothingLine(),
    NothingLine("What upkeep will retire or change stands here, and s keeps it."),
)
NOTHING_FITS = nothing_fits("Nothing that leaves fits the filter.")


def why_not(action: str, ending: Ending | None) -> str:
    """Why an act cannot be done now, as a sentence; "" when it can."""
    if action in ("open", "keep") and ending is None:
        return "Nothing here is about to leave."
    return ""
