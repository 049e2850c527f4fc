"""The Settings' keys, when they work, and its words for empty places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...widgets.nothing import NothingLine, nothing_fits

if TYPE_CHECKING:
    from ....core.services.settings_book import Setting

SETTINGS_ACTS = (
    Act("settings.edit", "enter,e", "Change", "edit",
        "Turns a switch; of others it asks for the value, and shows what it would do."),
    Act("settings.default", "x", "Default", "default",
        "Takes your value out of config.toml, or a project's choice back; can be undone."),
    FILTER_ACT,
    Act("settings.reviewers", "", "Test reviewers", "test_reviewers",
        "Lets every reviewer vote on one memory, those that ask a model too.", of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

LOOKING = (NothingLine("Reading the settings…"),)
NOTHING_FITS = nothing_fits("No setting fits the filter.")


UNREADABLE = (
    NothingLine("The settings cannot be read.", is_title=True),
    NothingLine(),
    NothingLine("Correct the file; then come here again."),
)


def why_not(action: str, setting: Setting | None) -> str:
    """Why an act cannot be done now, as a sentence; "" when it can."""
    if action not in ("edit", "default"):
        return ""
    if setting is None:
        return "No setting is chosen."
    if action == "default" and setting.written is None and setting.source != "chosen":
        return "It is at its default, as far as your config.toml goes."
    return ""
