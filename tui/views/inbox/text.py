"""The Inbox's keys and words: empty places, times to come, and why a key cannot act."""

from __future__ import annotations

from datetime import datetime, timedelta

from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...dialogs.questions import Choice
from ...text import counted
from ...widgets.nothing import NothingLine

INBOX_ACTS = (
    Act("inbox.accept", "a", "Accept", "decide('accept')", "Makes it a memory of the project."),
    Act("inbox.pin", "p", "Pin", "decide('pin')", "Accepts it, always to be recalled."),
    Act("inbox.edit", "e", "Edit", "decide('edit')", "Edits it in a form; saving accepts it."),
    Act("inbox.merge", "M", "Merge", "decide('merge')",
        "Merges it into the known memory most like it.", asks_first=True),
    Act("inbox.reject", "x", "Reject", "decide('reject')",
        "Refuses it; the same text is not captured again."),
    Act("inbox.done", "d", "Done", "decide('done')",
        "Ends a task that is done: no agent is told of it again.", show=False),
    Act("inbox.snooze", "s", "Snooze", "decide('snooze')", "Puts it off: an hour, a day, a week."),
    Act("inbox.rescue", "r", "Rescue", "rescue", "Keeps a refused capture after all."),
    Act("inbox.skip", "space", "Skip", "go('on')", "Leaves it for later and goes on."),
    FILTER_ACT,
    Act("inbox.refused", "f", "Refused", "turn('refused')", "Shows what was refused.",
        of_row=False),
    Act("inbox.waiting", "f", "Waiting", "turn('waiting')", "Goes back to what waits.",
        of_row=False),
    Act("inbox.next", "j,right_square_bracket", "Next", "go('next')", "The next candidate.",
        show=False),
    Act("inbox.previous", "k,left_square_bracket", "Previous", "go('previous')",
        "The previous candidate.", show=False),
    Act("inbox.first", "g", "First", "go('first')", "The most valuable candidate.", show=False,
        of_row=False),
    Act("inbox.last", "G", "Last", "go('last')", "The least valuable candidate.", show=False,
        of_row=False),
    Act("inbox.list", "", "List", "list", "To the list, and back.", show=False, of_row=False),
    Act("inbox.read", "enter", "Read", "read", "To the candidate.", show=False),
    Act("inbox.near", "L", "Nearest", "near", "Opens the known memory most like it on the Deck.",
        show=False),
    Act("list.range", "v", "Range", "mark('range')",
        "Marks from here to where you go.", show=False),
    Act("list.mark_all", "A", "Mark all", "mark('all')",
        "Marks everything that waits.", show=False, of_row=False),
    Act("list.invert", "asterisk", "Invert", "mark('invert')", "Marks what is not marked.",
        show=False, key_display="*", of_row=False),
    ZOOM_ACT,
)  # fmt: skip
"""What works in the Inbox."""

HELP = """\
## Inbox
What hooks captured waits here for your verdict, the most valuable first. A verdict brings up the
next one, and `u` takes it back.
"""

MORNING = 8  # o'clock: when what was put off for days comes back

NO_NEIGHBOUR = "Nothing that is known is near to it."
NOTHING_WAITS = "Nothing waits for a verdict."
NOTHING_REFUSED = "Nothing was refused."
NO_TASK = "This is no task that could be done."
NO_TEXT = "Nothing of its text was kept."


def later(now: datetime) -> dict[str, datetime]:
    """The moments to which a candidate can be put off, by the letter that chooses them."""
    local = now.astimezone()
    morning = local.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return {
        "h": now + timedelta(hours=1),
        "t": morning + timedelta(days=1),
        "w": morning + timedelta(days=7),
    }


def later_choices(now: datetime) -> list[Choice]:
    """The menu of these moments, each with its exact time."""
    labels = {"h": "an hour", "t": "tomorrow", "w": "a week"}
    return [
        Choice(letter, labels[letter], f"{at.astimezone():%a %d %b %H:%M}", key=letter)
        for letter, at in later(now).items()
    ]


def nothing_waits(project: str, snoozed: int, refused: int) -> tuple[NothingLine, ...]:
    """The empty Inbox: what it is for, and what to do."""
    whose = f" in {project}" if project else ""
    lines = [
        NothingLine(f"Nothing waits for a verdict{whose}.", is_title=True),
        NothingLine(),
        NothingLine(
            "What hooks capture from your agents' sessions comes here first: accept what is"
            " right, reject what is not, merge what is known already."
        ),
    ]
    if snoozed:
        lines.append(NothingLine(f"{counted(snoozed, 'candidate')} put off until later."))
    lines.append(NothingLine())
    if refused:
        verb = "was" if refused == 1 else "were"
        lines.append(NothingLine(f"look at {counted(refused, 'capture')} that {verb} refused", "f"))
    lines.append(NothingLine("go to the Deck: all that is known", key="1"))
    lines.append(NothingLine("connect your agents, so that they write", key="6"))
    return tuple(lines)


def nothing_refused() -> tuple[NothingLine, ...]:
    """No refused captures."""
    return (
        NothingLine(NOTHING_REFUSED, is_title=True),
        NothingLine(),
        NothingLine(
            "What the gates turn away stands here with the reason, so that you can bring back"
            " what was worth keeping."
        ),
        NothingLine(),
        NothingLine("back to what waits", key="f"),
    )
