"""What a person puts off: todos, reminders and promises, with when and how urgent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from .rules import Rule, rx

INTENTION = Rule(
    "intention",
    rx(
        r"^(?:todo|to\ do|fixme|follow[\s-]?up)\s?[:–—-]\s*(?P<said>\S.*)$"
        r"|^(?=(?:please\ )?remind\ (?:me|us)\b|.*\b(?:later|next\ (?:week|sprint|month|release|"
        r"time)|someday|eventually|at\ some\ point|tomorrow|on\ (?:mon|tues|wednes|thurs|fri|"
        r"satur|sun)day|after\ the\ \w+|once\ \w+|when\ we\ (?:get\ to|have)|before\ the\ \w+|"
        r"by\ (?:mon|tues|wednes|thurs|fri|satur|sun)day|by\ \d{4}-\d\d-\d\d|follow[\s-]?up)\b)"
        r"(?:(?:please\ )?remind\ (?:me|us)|(?:(?:later|eventually|tomorrow|next\ \w+|"
        r"at\ some\ point),?\ )?(?:i|we)\ "
        r"(?:still\ )?(?:need|have|want|plan|intend|ought)\ to|(?:i|we)(?:'ll|\ will|\ should|"
        r"\ must)|we're\ going\ to|(?:later|eventually|tomorrow|next\ \w+|"
        r"at\ some\ point),)(?!\ (?:talk|discuss|see|meet|chat|look|continue|go)\b)"
        r"(?:\s\S+){2,}"
    ),
    "task_progress",
    "prospective",
    0.6,
    0.8,
    "todo",
    ("todo",),
    lasts=True,
)

_REMINDER = re.compile(r"^(?:please )?remind (?:me|us)\b(?:\s(?:to|that|about))?\s*", re.IGNORECASE)
_FOLLOW_UP = re.compile(r"\bfollow[\s-]?up\b", re.IGNORECASE)
_COMMITMENT = re.compile(r"^(?:i|we)(?:'ll| will)\b", re.IGNORECASE)
_URGENT = re.compile(
    r"\b(?:urgent(?:ly)?|asap|critical|blocker|high priority|important)\b", re.IGNORECASE
)
_UNHURRIED = re.compile(r"\b(?:someday|eventually|at some point|low priority|nice to have)\b", re.I)
_TRIGGER = re.compile(
    r"\b(?:after|once|when|before|as soon as|until)\s(?!it\b|that\b|this\b)[^,.;]{3,80}",
    re.IGNORECASE,
)
_ISO_DAY = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RELATIVE_DAY = re.compile(
    r"\b(?:(?:by |until |before )?tomorrow|(?:by )?next week|"
    r"(?:by|on|until|before|next|this)\s(?P<weekday>" + "|".join(_WEEKDAYS) + r"))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Intention:
    """The parts of a put-off task (000-12)."""

    text: str
    kind: str  # todo, reminder, followup or commitment
    priority: int  # 1-5; 5 is the most urgent
    trigger_type: str  # time, event or context
    trigger: str  # the words that name the occasion, or ""
    due: datetime | None


def intention(text: str, said_at: datetime | None) -> Intention:
    """What `text` puts off, said at `said_at`."""
    kind = "todo"
    bare = _REMINDER.sub("", text)
    if bare != text:
        kind = "reminder"
    elif _FOLLOW_UP.search(text):
        kind = "followup"
    elif _COMMITMENT.match(text):
        kind = "commitment"
    priority = 5 if _URGENT.search(text) else 2 if _UNHURRIED.search(text) else 3
    due = due_date(text, said_at)
    occasion = _TRIGGER.search(text)
    trigger_type = "time" if due else "event" if occasion else "context"
    return Intention(
        _dated(bare, due), kind, priority, trigger_type, occasion[0] if occasion else "", due
    )


def due_date(text: str, said_at: datetime | None) -> datetime | None:
    """The end of the day that `text` names: a date, or a day counted from `said_at` (UTC)."""
    day = _ISO_DAY.search(text)
    if day:
        try:
            return _day_end(datetime.fromisoformat(day[1]))
        except ValueError:
            return None
    relative = _RELATIVE_DAY.search(text)
    if relative is None or said_at is None:
        return None
    if relative["weekday"]:
        ahead = (_WEEKDAYS.index(relative["weekday"].lower()) - said_at.weekday() - 1) % 7 + 1
    else:
        ahead = 1 if "tomorrow" in relative[0].lower() else 7
    return _day_end(said_at + timedelta(days=ahead))


def _dated(text: str, due: datetime | None) -> str:
    """`text` with the date in place of "tomorrow", which means nothing a month later."""
    if due is None or _ISO_DAY.search(text):
        return text
    told = _RELATIVE_DAY.sub(f"by {due:%Y-%m-%d}", text, count=1).strip()
    return re.sub(r"^(by \S+?),? ?(?=\w)", r"\1, ", told)


def _day_end(day: datetime) -> datetime:
    return day.replace(hour=23, minute=59, second=0, microsecond=0, tzinfo=UTC)
