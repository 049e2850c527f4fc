"""What a person puts off: todos, reminders and promises, with when and how urgent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ...language.phrases import Phrases, phrases
from ...text.times import dated, due_date

PRIORITIES: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (priority, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for priority, words in (
        (1, r"no (?:rush|hurry)|not urgent|whenever (?:you|we|there)|lowest priority|p4"),
        (5, r"urgent(?:ly)?|asap|critical|blocker|blocking|immediately|top priority|p0"),
        (2, r"some ?day|one day|eventually|at some point|low priority|nice to have|p3"),
        (4, r"important|high priority|soon|p1"),
    )
)
"""Priority 1 (least) to 5 by a person's words; the first row that fits, else 3."""

_FOLLOW_UP = re.compile(r"\bfollow[\s-]?up\b", re.IGNORECASE)
_COMMITMENT = re.compile(
    r"^(?:(?:later|tomorrow|next \w+|(?:after|once|when) [^,]{2,60}),? )?(?:i|we)"
    r"(?:'ll| will| promised)\b",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(
    r"(?:by|on|before|until|in|at|next|tomorrow|tonight|the end|end|\d)\b", re.IGNORECASE
)
_FIRST = 60  # characters in which an occasion begins a sentence


@dataclass(frozen=True, slots=True)
class Intention:
    """A put-off task."""

    text: str
    due: datetime | None
    details: Mapping[str, Any]  # the fields of the prospective table


def planned_in(text: str, masked: str, one: Phrases, said_at: datetime | None) -> Intention | None:
    """What a sentence puts off in the words of one language, None where it puts off nothing."""
    if found := one.label.match(masked):
        return intention(text[slice(*found.span("said"))], said_at)
    if found := one.reminder.match(masked):
        return intention(text[slice(*found.span("said"))], said_at, "reminder", whole=text)
    if one.chat.search(masked) or len(text.split()) < 4:
        return None
    if one.put_off.match(masked):
        return intention(text, said_at)
    english = one.in_english(masked)
    starts = due_date(english[:_FIRST], said_at) or one.occasion.match(masked)
    is_first = one.occasion.match(masked) or _DAY_FIRST.match(english)  # and not the subject
    if not one.we_must.match(masked) and not (starts and is_first and one.must.search(masked)):
        return None
    occasion = one.occasion.search(masked) or one.event.search(masked) or one.trigger.search(masked)
    return intention(text, said_at) if occasion or due_date(english, said_at) else None


def intention(
    text: str, said_at: datetime | None, kind: str = "todo", *, whole: str = ""
) -> Intention:
    """What `text` puts off, said at `said_at` in a sentence that may say how urgent it is.

    It waits for a day that is named (time), else for a place in the work ("when you touch
    billing.py", context), else for something to happen ("once the release is out", event).
    """
    english, urgency = phrases()[0], whole or text
    if found := english.reminder.match(text):
        kind, text = "reminder", text[slice(*found.span("said"))]
    elif kind == "todo" and _FOLLOW_UP.search(text):
        kind = "followup"
    elif kind == "todo" and _COMMITMENT.match(text):
        kind = "commitment"
    due = due_date(text, said_at)
    told = dated(text, due)
    for other in phrases()[1:] if due is None else ():
        if due := due_date(other.in_english(text), said_at):
            told = f"{text.rstrip(' .!')} ({due:%Y-%m-%d})"
            break
    place, event = english.trigger.search(text), english.event.search(text)
    occasion = (place or event or [""])[0] if due is None else f"by {due:%Y-%m-%d}"
    details = {
        "intention_type": kind,
        "trigger_type": "time" if due else "event" if event and not place else "context",
        "trigger_condition": occasion.rstrip(" .!"),
        "priority": next((urgent for urgent, words in PRIORITIES if words.search(urgency)), 3),
        "status": "pending",
    }
    return Intention(told, due, details)
