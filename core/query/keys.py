"""The keys of the query language, what each accepts, and how a broken one is explained.

One table serves the parser, completion, help and the filters of programs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from ..values import CATEGORIES, SCOPES, STATUSES, TIERS, TYPES

STATES = (
    "conflict",
    "pinned",
    "stale",
    "expiring",
    "retired",
    "candidate",
    "live",
    "verify",
    "told",
    "untold",
    "offered",
    "me",
)
"""What `is:` accepts."""

SORTS = ("created", "updated", "importance", "title", "used", "relevance")
REVERSIBLE = ("created", "updated", "importance", "title", "used")
"""What `sort:` accepts; a leading `-` turns the order around, except for relevance."""

OPERATORS = (">=", "<=", ">", "<", "=")


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what kind of value it takes, and what it is for."""

    kind: str  # choice, text, importance, time, age, moment or sort
    help: str
    choices: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()  # what programs call it in a filter; none: no such filter


KEYS: Mapping[str, Key] = {
    "type": Key("choice", "kind of memory", TYPES, ("type",)),
    "status": Key("choice", "how far it got", STATUSES, ("status",)),
    "category": Key("choice", "what it is about", CATEGORIES, ("category",)),
    "scope": Key("choice", "where it holds", SCOPES, ("scope",)),
    "tier": Key("choice", "cold is injected only if asked for", TIERS, ("tier",)),
    "is": Key("choice", "a state it is in", STATES),
    "tag": Key("text", "has this tag", fields=("tags",)),
    "file": Key("text", "names a file with this in its path", fields=("files",)),
    "session": Key("text", "learned in this session", fields=("session",)),
    "agent": Key("text", "learned by this agent", fields=("agent",)),
    "project": Key("text", "belongs to this project; * is all of them", ("*",)),
    "importance": Key("importance", "1 to 10, as in >=7, <3 or =5", fields=("importance",)),
    "created": Key(
        "age", "age or day, as in <7d, >2w or 2026-01-31", fields=("timestamp", "created_at")
    ),
    "updated": Key("age", "last change, as in <7d or 2026-01-31", fields=("updated_at",)),
    "before": Key("time", "made before this day or age, as in 2026-01-31 or 7d"),
    "after": Key("time", "made on this day, within this age, or later"),
    "at": Key("moment", "as it was then, as in monday, 7d, 2026-01-31 or #42 (an entry)"),
    "sort": Key("sort", "order; a leading - turns it around", SORTS),
}
"""Every key, in the order in which help and completion show them."""

FIELDS: Mapping[str, str] = {field: name for name, key in KEYS.items() for field in key.fields}
"""The fields that programs filter by, each with its key. Importance goes from 0 to 1 there."""

_AGE = r"([0-9]{1,6})([hdw])"
_HOURS = {"h": 1, "d": 24, "w": 168}
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}[0-9:.+Z-]*"

Window = tuple[datetime | None, datetime | None]
"""A stretch of time: from (included) to (not included); None is open."""


class Broken(Exception):
    """A value that its key does not accept: what is wrong, and the nearest that is right."""

    def __init__(self, message: str, nearest: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.nearest = nearest


def accept(key: str, text: str) -> tuple[str, str]:
    """(operator, value) of `key:text`, in their one spelling. Raises Broken."""
    about = KEYS[key]
    if not text:
        raise Broken(f"{key}: needs a value ({about.help}).")
    if about.kind == "choice":
        return "=", _choice(key, text.lower(), about.choices)
    if about.kind == "sort":
        return "=", _sort(text.lower())
    if about.kind == "moment":
        return "=", _moment(text)
    if about.kind == "importance":
        return _importance(text)
    if about.kind == "text":
        return "=", text
    operator, moment = _operator(text) if about.kind == "age" else ("", text)
    return operator or "=", _time(key, moment)


def window(key: str, operator: str, value: str, now: datetime) -> Window:
    """The stretch of time that an accepted value of a time key names at `now`.

    An age counts back from `now`: `created:<7d` is the last seven days, `created:>7d` all before.
    A day begins at midnight in the zone of `now`. `after:` a day includes it, `before:` does not.
    """
    since, until = _stretch(value, now)
    if re.fullmatch(_AGE, value):  # a smaller age is a later time
        operator = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">="}[operator]
        until = since
    if key == "before":
        return None, since
    if key == "after" or operator == ">=":
        return since, None
    if operator == ">":
        return until, None
    if operator == "<":
        return None, since
    if operator == "<=":
        return None, until
    return since, until


def nearest(text: str, choices: Sequence[str], least: float = 60.0) -> str | None:
    """The one of `choices` that `text` begins, else the most similar, or None.

    Similarity goes from 0 to 100 and must be at least `least`.
    """
    if len(text) > 1:
        for choice in choices:
            if choice.startswith(text):
                return choice
    from rapidfuzz import fuzz, process  # only a broken query pays for it

    extractOne = process.extractOne(text[:40], choices, scorer=fuzz.ratio, score_cutoff=least)
    return str(extractOne[0]) if extractOne else None


def _choice(key: str, text: str, choices: Sequence[str]) -> str:
    if text in choices or (key == "type" and _is_brought(text)):
        return text
    raise Broken(f"{key}: knows no “{text}”.", nearest(text, choices, 50.0))


def _is_brought(kind: str) -> bool:
    """Whether another package brings this type of memory."""
    from ..extensions import names  # the dearer look, for what is not ours

    return kind in names("type")


def _sort(text: str) -> str:
    name = text.removeprefix("-")
    if name not in SORTS:
        raise Broken(f"sort: knows no “{text}”.", nearest(name, SORTS, 50.0))
    if text != name and name not in REVERSIBLE:
        raise Broken(f"sort:{name} cannot be turned around.", name)
    return text


def _moment(text: str) -> str:
    """Return a point in time, or an entry, as it is written. Raises Broken."""
    try:
        when_of(text, datetime.now(UTC))
    except ValueError as error:
        raise Broken(f"at: {error}", "monday") from None
    return text.lower()


def when_of(text: str, now: datetime) -> datetime | int:
    """Return the time that `at:` names, or the number of an entry. Raises ValueError."""
    from ..text.times import moment

    if text.startswith("#") and text[1:].isdecimal():
        return int(text[1:])
    return moment(text, now=now)


def _operator(text: str) -> tuple[str, str]:
    """The comparison at the start of `text`, "" if there is none, and the rest."""
    text = text.replace("≥", ">=", 1).replace("≤", "<=", 1)
    for operator in OPERATORS:
        if text.startswith(operator):
            return operator, text[len(operator) :]
    return "", text


def _importance(text: str) -> tuple[str, str]:
    operator, number = _operator(text)
    if not re.fullmatch(r"[0-9]{1,9}", number):
        raise Broken("importance: takes a whole number from 1 to 10, as in >=7.", ">=7")
    value = int(number)
    if not 1 <= value <= 10:
        raise Broken("importance: goes from 1 to 10.", f"{operator}{min(max(value, 1), 10)}")
    return operator or "=", str(value)


def _time(key: str, text: str) -> str:
    """An age or a point in time in its one spelling. Raises Broken."""
    if re.fullmatch(_AGE, text.lower()):
        return text.lower()
    moment = text.upper()
    try:
        if re.fullmatch(_DAY, moment) or re.fullmatch(_MOMENT, moment):
            _stretch(moment, datetime(2000, 1, 1, tzinfo=UTC))
            return moment
    except (ValueError, OverflowError):
        pass  # no such day
    kinds = "an age such as 7d, 2w or 3h, or a day such as 2026-01-31"
    raise Broken(f"{key}: takes {kinds}.", "<7d" if KEYS[key].kind == "age" else "7d")


def _stretch(text: str, now: datetime) -> tuple[datetime, datetime]:
    """A day from midnight to midnight, a minute from its start, or an age back from `now`."""
    zone = now.tzinfo or UTC
    if age := re.fullmatch(_AGE, text):
        back = timedelta(hours=int(age[1]) * _HOURS[age[2]])
        floor = datetime(1, 1, 2, tzinfo=zone)
        moment = now - back if now - floor > back else floor
        return moment, moment
    if re.fullmatch(_DAY, text):
        day = datetime.combine(datetime.fromisoformat(text).date(), time(), zone)
        return day, day + timedelta(days=1)
    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return moment, moment + timedelta(minutes=1)
