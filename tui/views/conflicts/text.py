"""The workbench's keys, and its words for empty places.

A side is lit by an arrow before `enter` keeps it; the other verdicts are letters of the one table.
"""

from __future__ import annotations

from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...widgets.nothing import NothingLine, nothing_fits

VERDICT_ACTS = (
    Act("verdict.keep", "enter", "Keep", "decide('lit')",
        "The side that is lit holds; it supersedes the other one."),
    Act("verdict.left", "", "Left", "decide('a')",
        "The left one holds; it supersedes the right one."),
    Act("verdict.right", "", "Right", "decide('b')",
        "The right one holds; it supersedes the left one."),
    Act("verdict.both", "a", "Both hold", "decide('both')",
        "Both hold together: you say in a line what tells them apart."),
    Act("verdict.merge", "M", "Merge", "decide('merge')",
        "One text for both, written in a form; it replaces the two."),
    Act("verdict.supersede", "", "Newer", "decide('newer')",
        "The newer one holds: it replaces the earlier one."),
    Act("verdict.older", "", "Older", "decide('older')",
        "The one learned earlier holds after all; the later one leaves recall.", show=False),
    Act("verdict.same", "", "Same", "decide('merged')",
        "They say the same: the left one stays and gains what the right one had.", show=False),
    Act("verdict.none", "s", "No conflict", "decide('not_a_conflict')",
        "They only look alike: both stay, and this is not asked again."),
    Act("verdict.neither", "x", "Neither", "decide('neither')",
        "Neither holds: both leave recall."),
)  # fmt: skip
"""How a conflict may end. Each is one entry in the journal, and one undo."""

CONFLICT_ACTS = (
    Act("verdict.light_left", "left", "Side", "light('a')",
        "Lights the left side, or the right one; then enter keeps it.", key_display="← →"),
    Act("verdict.light_right", "right", "Light right", "light('b')",
        "Lights the right side; then enter keeps it.", show=False),
    *VERDICT_ACTS,
    Act("conflict.next", "n", "Next", "step(1)", "The next conflict; after the last, the first."),
    Act("conflict.previous", "N", "Previous", "step(-1)", "The conflict before.", show=False),
    Act("conflict.reopen", "U", "Reopen", "reopen", "Takes this verdict back, not the newest."),
    Act("conflict.decided", "f", "Decided", "decided",
        "What was decided, and how; again: what is open.", of_row=False),
    Act("conflict.open", "L", "On the Deck", "open", "Opens the side you are in on the Deck."),
    Act("conflict.list", "", "List", "list", "Goes to the list, over the rest where it must.",
        show=False, of_row=False),
    FILTER_ACT,
    ZOOM_ACT,
)  # fmt: skip
"""What works on the workbench, beside what works everywhere."""

HELP = """\
## Conflicts
Memories that speak of the same thing. What is surely in conflict comes first and is marked for
agents; the rest, by how likely it is, is told to nobody but you. The words are marked in which the
two differ, with `=` before tags and files that both have. `←` and `→` light a side and `enter`
keeps it; every other verdict is one letter, and `u` takes it back.
"""

NOTHING_OPEN = (
    NothingLine("Nothing is in conflict.", is_title=True),
    NothingLine(),
    NothingLine("When two memories cannot both hold, they stand here"),
    NothingLine("side by side until you have decided. What is surely in"),
    NothingLine("conflict is recalled with that mark for as long."),
    NothingLine(),
    NothingLine("look at what was decided", key="f"),
    NothingLine("to the Deck", key="1"),
)
NOTHING_FITS = nothing_fits("No conflict fits the filter.")
NOTHING_DECIDED = (
    NothingLine("No conflict was decided yet.", is_title=True),
    NothingLine(),
    NothingLine("Verdicts stand here, and each can be taken back."),
    NothingLine(),
    NothingLine("look at what is open", key="f"),
)
