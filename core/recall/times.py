"""When a question is about: "yesterday", "last week", "in March", "on 7 July 2026".

A time that a question names is a wish, never a filter: what was learned then ranks higher, and
what was learned near it a little. English and German.
"""

from __future__ import annotations

from ...frozen import NamedTuple
from ..text.shapes import words
from ..text.times import MONTHS, NUMBERS, UNIT_DAYS
from ..values import UTC, datetime

HOUR_MS, DAY_MS = 3_600_000, 86_400_000

_NUMBERS = {
    **NUMBERS,
    **{"einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6},
    **{"sieben": 7, "zehn": 10},
}
_DAYS_OF = {**UNIT_DAYS, "tag": 1, "woche": 7, "monat": 30}
_MONTH = {
    **{name: number for number, name in enumerate(MONTHS, 1)},
    **{"januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10},
    "dezember": 12,
}
_SPAN = (
    r"\b(?:(?P<n>\d{1,3}|[a-zü]+) (?P<unit>day|week|month)s? ago"
    r"|vor (?P<zahl>\d{1,3}|[a-zü]+) (?P<einheit>tag|woche|monat)(?:en|n)?)\b"
)
_IN_MONTH = r"\b(?:in|im|last|since|letzten|seit) (?P<month>[a-zä]{3,9})\b"
_DATE = (
    r"\b(?:(?P<on>in|on|im|am|since|seit|until|bis) )?(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
    r" (?:of )?)?(?P<month>[a-zä]{3,9})(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?(?![\d:.]))?"
    r"(?:,? (?P<year>20\d\d))?\b"
)
"""A month with a day or a year: "on 7 July, 2023", "May 3, 2023", "am 3. März", "in July 2023"."""

_ISO = r"\b(?P<year>20\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b"
_NAMED = (
    (r"\b(?:today|heute|this morning)\b", "today heute morning", 0, 0),
    (r"\b(?:yesterday|gestern)\b", "yesterday gestern", 1, 1),
    (r"\b(?:day before yesterday|vorgestern)\b", "yesterday vorgestern", 2, 2),
    (
        r"\b(?:the other day|recently|lately|neulich|kürzlich)\b",
        "other recently lately neulich kürzlich",
        0,
        10,
    ),
)
"""A time by its name, the words of which one is in it, and how many days ago it was."""

_WEEK = r"\b(?:(?P<last>last week|letzten? woche)|this week|diese woche)\b"
_MAY = 5
"""Also a verb: "may 3 people" is no day unless something says so."""

_LAST_MONTH = r"\b(?:last month|letzten monat)\b"

_SAY_WHEN = frozenset(
    " ".join(
        ("ago vor week woche month monat", *_MONTH, *(named for _, named, _, _ in _NAMED))
    ).split()
)
"""Words without one of which a prompt names no time, but a date in digits."""


class Window(NamedTuple):
    """A stretch of time, in milliseconds since 1970; `until` is not part of it."""

    since: int
    until: int

    def fits(self, moment: int) -> float:
        """1.0 inside, falling to 0.0 at half the window's length (at least a day) beside it."""
        if self.since <= moment < self.until:
            return 1.0
        away = self.since - moment if moment < self.since else moment - self.until
        return max(0.0, 1.0 - away / max((self.until - self.since) / 2, DAY_MS))


def full_hour(at_ms: int) -> int:
    """The beginning of the clock's hour that `at_ms` lies in, in UTC milliseconds."""
    return at_ms // HOUR_MS * HOUR_MS


def window_of(prompt: str, now_ms: int) -> Window | None:
    """The time that `prompt` is about, or None. Days are those of UTC."""
    text = prompt[:2_000].lower()
    has = set(words(text)).intersection  # a pattern is read for its words only
    is_iso = "20" in text and "-" in text
    if not (is_iso or has(_SAY_WHEN)):
        return None
    import re  # seldom: it costs a prompt as much as all the rest of its reading

    if is_iso and (found := re.search(_ISO, text)):
        return _date(int(found["year"]), int(found["month"]), int(found["day"] or 0))
    today = now_ms // DAY_MS
    if has(("ago", "vor")) and (found := re.search(_SPAN, text)):
        number = found["n"] or found["zahl"]
        unit = _DAYS_OF[found["unit"] or found["einheit"]]
        count = int(number) if number.isdecimal() else _NUMBERS.get(number, 0)
        if count:
            return _days(today - count * unit - unit // 2, today - count * unit + unit // 2)
    if has(("week", "woche")) and (found := re.search(_WEEK, text)):
        monday = today - (today + 3) % 7  # 1 January 1970 was a Thursday
        start = monday - 7 if found["last"] else monday
        return _days(start, start + 6)
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    if has(("month", "monat")) and re.search(_LAST_MONTH, text):
        return _month(now.year - (now.month == 1), (now.month - 2) % 12 + 1)
    names_month = bool(has(_MONTH))
    for found in re.finditer(_DATE, text) if names_month else ():
        number, day = _MONTH.get(found["month"], 0), int(found["day"] or found["after"] or 0)
        if number and (found["year"] or (day and (found["on"] or number != _MAY))):
            year = int(found["year"] or now.year - ((number, day) > (now.month, now.day)))
            return _date(year, number, day)
    for pattern, named, least, most in reversed(_NAMED):
        if has(named.split()) and re.search(pattern, text):
            return _days(today - most, today - least)
    for found in re.finditer(_IN_MONTH, text) if names_month else ():
        if number := _MONTH.get(found["month"]):
            return _month(now.year - (number > now.month), number)
    return None


def _date(year: int, month: int, day: int) -> Window | None:
    """That day, or the month when `day` is 0; None when the calendar has no such day."""
    try:
        start = datetime(year, month, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    today = int(start.timestamp() * 1000) // DAY_MS
    return _days(today, today) if day else _month(year, month)


def _days(first: int, last: int) -> Window:
    """From the beginning of one day since 1970 to the end of another."""
    return Window(first * DAY_MS, (last + 1) * DAY_MS)


def _month(year: int, month: int) -> Window:
    start = datetime(year, month, 1, tzinfo=UTC)
    end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return Window(int(start.timestamp() * 1000), int(end.timestamp() * 1000))
