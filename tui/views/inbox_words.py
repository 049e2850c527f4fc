"""What the Inbox says in words: empty places, times to come, and why a key cannot act."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from textual.content import Content
from textual.style import Style

from ..dialogs.menu import Choice
from ..text import counted, plain
from ..widgets.nothing import NothingLine

MORNING = 8  # o'clock: when what was put off for days comes back

NO_NEIGHBOUR = "Nothing that is known is near to it."
NOTHING_WAITS = "Nothing waits for a verdict."
NOTHING_REFUSED = "Nothing was refused."
NO_TEXT = "Nothing of its text was kept."
NOTHING_FITS = (
    NothingLine("Nothing fits the filter.", is_title=True),
    NothingLine(),
    NothingLine("clear the filter", key="esc"),
)


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
        lines.append(NothingLine(f"look at {counted(refused, 'capture')} that {verb} refused", "w"))
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
        NothingLine("back to what waits", key="w"),
    )


def cannot_be_read(what: str, hint: str) -> tuple[NothingLine, ...]:
    """The store cannot be used: what happened, and what to do."""
    return (NothingLine(what, is_title=True), NothingLine(), NothingLine(hint))


def as_content(lines: Sequence[NothingLine], width: int) -> Content:
    """These lines as text; a key in it can be clicked."""
    parts: list[Content] = []
    keys = max((len(line.key) for line in lines), default=0) + 2
    for line in lines:
        if line.key:
            goes = Style.from_meta({"memdeck_key": line.press})
            key = Content.styled(line.key.ljust(keys), "bold $footer-key-foreground")
            parts.append((key + plain(line.text, "$text-muted")).stylize(goes))
        else:
            parts.append(plain(line.text, "bold $foreground" if line.is_title else "$text-muted"))
    return Content("\n").join(part for line in parts for part in line.wrap(max(width, 8)))
