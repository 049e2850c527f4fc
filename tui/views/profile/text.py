"""The Profile's keys, when they work, and its words for empty places."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.profiles import ProfileEntry
from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...text import counted
from ...widgets.nothing import NothingLine, nothing_fits

PROFILE_ACTS = (
    Act("profile.open", "enter", "Open", "open", "Opens the memory it rests on, on the Deck."),
    Act("profile.edit", "e", "Edit", "ask('edit')", "Edits that memory in a form."),
    Act("profile.retire", "x", "Retire", "retire",
        "All memories it rests on leave recall; can be undone."),
    Act("profile.new", "c", "New", "ask('new')",
        "Says what you prefer, or how things are done, to agents of every project.", of_row=False),
    Act("profile.move", "t", "Move", "ask('move')", "Puts it into another category."),
    Act("profile.decide", "L", "Decide", "decide",
        "Goes to the conflict, where you decide which of the two holds."),
    Act("profile.clear", "C", "Clear", "ask('clear')",
        "Forgets the whole category under the cursor, after a yes; can be undone.",
        asks_first=True),
    FILTER_ACT,
    Act("profile.read", "", "Read", "read", "To all that is known of the entry.", show=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

ON_ENTRY = frozenset({"open", "ask('edit')", "retire", "ask('move')", "decide", "ask('clear')"})
MENU_ACTS = tuple(act for act in PROFILE_ACTS if act.action in ON_ENTRY)

TITLES = {
    "asked": "To decide",
    "preferences": "Preferences",
    "patterns": "Patterns",
    "facts": "Facts and policies",
}
"""The parts of the list, in their order."""

LOOKING = (NothingLine("Reading the profile…"),)
NOTHING = (
    NothingLine("Nothing is known of you yet.", is_title=True),
    NothingLine(),
    NothingLine("Agents are told here what you prefer: what you say to them in so many words,"),
    NothingLine("what you write down, and what your sessions establish."),
    NothingLine(),
    NothingLine("say what you prefer", key="c"),
)
NOTHING_FITS = nothing_fits("No entry fits the filter.")


def part_of(entry: ProfileEntry) -> str:
    """Under which of `TITLES` an entry stands."""
    return "asked" if entry.asked else entry.section


def heading_of(part: str, entries: Sequence[ProfileEntry]) -> str:
    """What stands above these entries of a part: how many, and of what is to decide how many
    questions, since each has two sides."""
    if part != "asked":
        return f"{TITLES[part]} {len(entries)}"
    return f"{TITLES[part]}: {counted(len({one.asked for one in entries}), 'question')}"


def why_not(action: str, entry: ProfileEntry | None) -> str:
    """Why an act cannot be done now, as a sentence; "" when it can."""
    if action not in ON_ENTRY:
        return ""
    if entry is None:
        return "No entry is chosen."
    if action == "decide" and not entry.asked:
        return "Nothing in the profile contradicts it."
    if action == "ask('clear')" and entry.section == "facts":
        return "What holds in the project is no category of yours: x retires one entry."
    return ""
