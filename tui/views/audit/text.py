"""The journal's keys, when they work, and its words for empty places."""

from __future__ import annotations

from ....core.answers import Entry
from ...acts import ZOOM_ACT, Act, of_no_row
from ...widgets.nothing import NothingLine, nothing_fits

AUDIT_ACTS = (
    Act("audit.open", "enter", "Open memory", "open", "Shows the entry's memory on the Deck."),
    Act("audit.undo", "U", "Undo this", "undo_this", "Takes back this entry, not the newest."),
    Act("audit.filter", "slash", "Filter", "filter", "Narrows the list by words.",
        key_display="/", of_row=False),
    *of_no_row(  # what narrows may be chosen while the list is being read
        Act("audit.actor", "", "Same actor", "same('actor')",
            "Only what this actor did; again all."),
        Act("audit.action", "", "Same act", "same('action')",
            "Only entries of this kind; again all."),
        Act("audit.memory", "", "Same memory", "same('memory')", "Only this memory; again all."),
        Act("audit.session", "", "Same session", "same('session')",
            "Only this session; again all.", show=False),
    ),
    Act("audit.time", "", "Time", "time", "The last hour, today, 7 days, 30 days, everything.",
        of_row=False),
    Act("audit.facets", "f", "Facets", "facets",
        "Only this actor, act, memory or session, or a time; again all.", of_row=False),
    Act("audit.then", "P", "Past Deck", "past", "The whole Deck as it was after this entry."),
    Act("audit.as_of", "", "As of", "as_of",
        "The whole Deck as it was in the past: last monday, 2d, a date.", of_row=False),
    Act("audit.fresh", "R", "Show new", "fresh", "Shows what was written meanwhile.", of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works on the journal, beside what works everywhere."""

FACET_ACTS = tuple(act for act in AUDIT_ACTS if act.action.startswith(("same", "time")))
"""By what the list is narrowed: `f` offers them."""

MENU_ACTS = tuple(
    act for act in AUDIT_ACTS if act.action.startswith(("open", "undo", "past", "same"))
)
"""What can be done to one entry."""

ACTIONS_HERE = frozenset(act.action.partition("(")[0] for act in AUDIT_ACTS)

EMPTY = (
    NothingLine("Nothing was changed yet.", is_title=True),
    NothingLine(),
    NothingLine(
        "Every change of a memory stands here, whoever made it: what it was before, what it is"
        " now, and the key to take it back."
    ),
    NothingLine(),
    NothingLine("go to the Deck, where c writes a memory down", key="1"),
    NothingLine("connect your agents, so that they write", key="6"),
)
ABOUT_TIMES = (
    "A day (monday, yesterday 14:30, 2026-03-01), 7d, or an entry as #42. A day begins it."
)
"""What the line says that asks for a time."""

TITLES = ("Journal", "Before and after")
NO_HITS = nothing_fits("No change fits the filter.")


def value_of(entry: Entry, key: str) -> str | None:
    """What a quick filter by `key` takes from an entry; None when it has nothing of the kind."""
    if key == "memory":
        return entry.memories[0] if entry.memories else None
    return {"actor": entry.actor, "action": entry.action, "session": entry.session}[key]


def why_not(entry: Entry | None, action: str, parameter: str = "") -> str:
    """Why an act cannot be done to the entry now, as a sentence; "" when it can."""
    if action not in {"undo_this", "open", "same", "past"}:
        return ""
    if entry is None:
        return "No entry is chosen."
    if action == "undo_this" and entry.undone_by is not None:
        return f"Entry #{entry.undone_by} took this one back already."
    if action == "open" and not entry.memories:
        return "This entry touched no memory."
    if action == "same" and not value_of(entry, parameter):
        return f"This entry has no {parameter}."
    return ""
