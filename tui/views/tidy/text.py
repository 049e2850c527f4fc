"""Tidy's keys, when they work, and its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....core.services.tidy import PAIRS, Proposal
from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...widgets.nothing import NothingLine, nothing_fits

TIDY_ACTS = (
    Act("tidy.keep", "a", "Keep", "settle('keep')",
        "It stands as it is, both where there are two; not asked again for a while."),
    Act("tidy.merge", "M", "Merge", "settle('merge')",
        "The other one says it for both; the lit one leaves recall."),
    Act("tidy.forget", "x", "Forget", "settle('drop')",
        "The lit one leaves recall; can be undone."),
    Act("tidy.edit", "e", "Edit", "settle('edit')", "Edits the lit one in a form."),
    Act("tidy.done", "d", "Done", "settle('done')",
        "Ends a task that is done: no agent is told of it again."),
    Act("tidy.skip", "space", "Skip", "skip",
        "Leaves it as it is; it comes again when its text has changed."),
    Act("tidy.left", "h,left", "Left", "light(0)",
        "Lights the left one: what leaves is the one that is lit.", show=False),
    Act("tidy.right", "l,right", "Right", "light(1)",
        "Lights the right one: what leaves is the one that is lit.", show=False),
    Act("tidy.next", "n", "Next", "go(1)", "The next proposal.", show=False),
    Act("tidy.previous", "N", "Previous", "go(-1)", "The previous proposal.", show=False),
    Act("tidy.open", "enter", "Open", "open", "Opens the lit one on the Deck."),
    FILTER_ACT,
    Act("tidy.again", "R", "Look again", "again", "Looks anew, also for what you skipped.",
        show=False, of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""

KIND_WORDS = {
    "contradiction": "contradicts",
    "repetition": "said twice",
    "moved": "file moved",
    "verify": "verify",
    "task": "task",
    "long": "long",
    "untold": "never told",
}
"""The kinds of proposals, as the list names them."""

ASKS = {
    "contradiction": "Do both hold?",
    "repetition": "Is one of them enough?",
    "moved": "Its file has moved. Does it hold?",
    "verify": "Is it still true?",
    "task": "Is it done?",
    "long": "Can it be said in fewer words?",
    "untold": "Is it worth keeping?",
}
"""What each kind asks."""

KEEP, EDIT, SKIP, FORGET = ("a", "keep"), ("e", "edit"), ("␣", "skip"), ("x", "forget")
LEAVES, SIDE = ("x", "lit one leaves"), ("h l", "side")

ANSWERS: Mapping[str, Sequence[tuple[str, str]]] = {
    "contradiction": (("a", "both hold"), LEAVES, SIDE, EDIT, SKIP),
    "repetition": (("M", "merge into the other"), ("a", "both stay"), LEAVES, SIDE, SKIP),
    "moved": (("a", "it holds, and names the file where it is now"), EDIT, FORGET, SKIP),
    "verify": (("a", "still true"), EDIT, FORGET, SKIP),
    "task": (("d", "done"), ("a", "it is still to be done"), EDIT, FORGET, SKIP),
    "long": (EDIT, ("a", "it needs the words"), FORGET, SKIP),
    "untold": (FORGET, KEEP, EDIT, SKIP),
}
"""What one may answer: the key, and what it says."""

LOOKING = (NothingLine("Looking at what is known…"),)
NOTHING = (
    NothingLine("Everything is tidy.", is_title=True),
    NothingLine(),
    NothingLine("What is said twice, contradicts, names files that are gone, may be done, is long"),
    NothingLine("or was told to no agent in a month comes here, for you to settle it."),
    NothingLine(),
    NothingLine("look again, also for what you skipped", key="R"),
    NothingLine("go to Home", key="0"),
)
NOTHING_FITS = nothing_fits("No proposal fits the filter.")


def why_not(what: str, proposal: Proposal | None) -> str:
    """Why it cannot be said to a proposal, as a sentence; "" when it can."""
    if proposal is None:
        return "There is no proposal here."
    if what == "merge" and proposal.kind not in PAIRS:
        return "This is one memory: there is nothing to merge it into."
    if what == "merge" and proposal.kind == "contradiction":
        return "These contradict: x lets the lit one leave, a keeps both."
    if what == "done" and proposal.kind != "task":
        return "This is no task that could be done."
    if what == "light" and proposal.other is None:
        return "This is about one memory."
    return ""
