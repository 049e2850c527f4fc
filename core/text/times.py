"""Days that words name, counted from the time of the words: deadlines, limits, ages.

English. Words of other languages are put into it first (`core/language`). A moment that the user
types (`tomorrow`, `7d`, `2026-03-01 9:00`) is read here too, so that all screens and commands
understand the same words.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from functools import cache

from .words import MONTHS, NUMBERS, SPRINT_DAYS, UNIT_DAYS

UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
_RELATIVE = r"(?i)(\d{1,6})\s*(mo|m|h|d|w|y)(?:\s+ago)?"
_MOMENTS_WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_CLOCK = r"(?:(?:^|\s+)(?:at\s+)?(?P<hour>\d{1,2}):(?P<minute>\d\d))?"
_DAY = (
    rf"(?i)(?:(?P<last>last\s+)?{_MOMENTS_WEEKDAY}"
    rf"|(?P<day>today|yesterday)|(?P<which>this|last)\s+(?P<unit>week|month))?{_CLOCK}"
)
_DAY_AHEAD = rf"(?i)(?:{_MOMENTS_WEEKDAY}|(?P<day>today|tomorrow))?{_CLOCK}"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def moment(
    text: str, *, ahead: bool = False, is_start: bool = False, now: datetime | None = None
) -> datetime:
    """Return the moment that `text` names, in UTC; raises ValueError with a valid example.

    A date, `today`, `yesterday`, `monday` (the last one, today's if it is Monday), `last monday`
    (before today), `this week` and `last month` are their beginning in the reader's zone, or the
    time of that day that follows: `monday 14:30`. With `ahead` all of these are to come: `7d`,
    `today`, `tomorrow`, `monday` (the next one, never today), `14:30` (tomorrow's once it is past).
    A day to come is meant until its end, 23:59, unless `is_start`.
    """
    now = now or datetime.now(UTC)
    word = text.strip()
    try:
        if match := re.fullmatch(_RELATIVE, word):
            distance = int(match[1]) * UNITS[match[2].lower()]
            return now + distance if ahead else now - distance
        if word and (day := re.fullmatch(_DAY_AHEAD if ahead else _DAY, word)):
            if not ahead:
                return _named_day(day, now.astimezone())
            return _day_ahead(day, now.astimezone(), is_start)
        if ahead and not is_start:  # "next friday", "in 3 days", "end of month", "3 march"
            words = _pattern(_RELATIVE_DAY)
            if (day := words.fullmatch(word) or words.fullmatch(f"by {word}")) and (
                end := _relative(day, now.astimezone())
            ):
                return end.astimezone(UTC)
        written = datetime.fromisoformat(word)
        if ahead and not is_start and re.fullmatch(r"[\d-]+|\d{4}-?W[\d-]+", word):
            return _day_end(written).astimezone(UTC)
        return written.astimezone(UTC)  # a time without a zone is local time
    except (ValueError, OverflowError):
        named = "tomorrow" if ahead else "yesterday"
        raise ValueError(
            f"{text!r} is not a time. Write 2026-03-01, 2026-03-01T12:00, monday, {named} 14:30,"
            " or 7d, 3h, 2w."
        ) from None


def _named_day(matches: re.Match[str], now: datetime) -> datetime:
    """Return the beginning of the day that the words name, or their time of it; `now` is local."""
    day = now.date()
    if name := matches["weekday"]:
        back = (now.weekday() - _WEEKDAYS.index(name[:3].lower())) % 7
        day -= timedelta(days=7 if matches["last"] and not back else back)
    elif (matches["day"] or "").lower() == "yesterday":
        day -= timedelta(days=1)
    elif (unit := (matches["unit"] or "").lower()) == "week":
        day -= timedelta(days=now.weekday() + (7 if matches["which"].lower() == "last" else 0))
    elif unit:
        day = day.replace(day=1)
        if matches["which"].lower() == "last":
            day = (day - timedelta(days=1)).replace(day=1)
    return datetime.combine(day, _clock(matches)).astimezone(UTC)


def _day_ahead(matches: re.Match[str], now: datetime, is_start: bool) -> datetime:
    """Return the next such day, or its time of it; `now` is local."""
    day, clock = now.date(), _clock(matches)
    if not matches["hour"]:
        if is_start and (matches["day"] or "").lower() == "today":
            raise ValueError("today has begun")
        clock = time() if is_start else time(23, 59)
    if name := matches["weekday"]:
        day += timedelta(days=(_WEEKDAYS.index(name[:3].lower()) - now.weekday() - 1) % 7 + 1)
    elif (matches["day"] or "").lower() == "tomorrow" or (
        not matches["day"] and clock <= now.time()
    ):
        day += timedelta(days=1)
    return datetime.combine(day, clock).astimezone(UTC)


def _clock(matches: re.Match[str]) -> time:
    return time(int(matches["hour"] or 0), int(matches["minute"] or 0))


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MOST = 400  # of a unit; more is no plan

_WEEKDAY = "|".join(WEEKDAYS)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS)
_AMOUNT = rf"(?:a\ (?=couple))?(?P<amount>\d{{1,3}}|{'|'.join(NUMBERS)})(?:\ of)?"
_UNIT = rf"(?P<unit>{'|'.join(UNIT_DAYS)})s?"
_BY = r"(?:by|on|until|till|before|next|this|due)"

ISO_DAY = re.compile(r"(?<![\w./\\-])(\d{4}-\d\d-\d\d)(?!(?!T\d)\w|[/\\-])")
"""A date that is no part of a file's name."""

_PLAIN_DAY = (
    rf"(?:the\ )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\ of)?\ (?P<month>{_MONTH})\b"
    rf"|(?P<month2>{_MONTH})\ (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
)
_RELATIVE_DAY = (
    r"\b(?:(?:by\ |until\ |till\ |before\ )?(?<!not\ )tomorrow"
    r"|(?:by\ |until\ )?(?P<next>next)\ (?P<nextunit>week|sprint|month)"
    r"|(?:by\ |on\ |until\ |till\ |before\ |at\ )?(?:the\ )?end\ of\ (?:the\ |this\ )?"
    rf"(?P<end>day|week|month|sprint|quarter|year|(?:{_MONTH})\b)"
    rf"|in\ {_AMOUNT}\ {_UNIT}"
    rf"|{_BY}\s(?P<weekday>{_WEEKDAY})"
    rf"|(?:{_BY}\s)(?:{_PLAIN_DAY})"
    r"|(?:by\ |until\ )?(?<!not\ )(?P<today>today|tonight))\b"
)
"""A day by its distance from today, or by its date in the year."""

_FOR_A_TIME = (
    r"\b(?:(?P<until>until|till|up\ to|through)\s(?:[^,.;]{2,60}?\ on\ )?(?:(?:next\ )?(?:"
    rf"{_WEEKDAY})|tomorrow|\d{{4}}-\d\d-\d\d|(?:the\ )?end\ of\ (?:the\ |this\ )?(?:week|month|"
    rf"sprint|quarter|year)|next\ (?:week|month)|(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ "
    rf"(?:{_MONTH})|(?:{_MONTH})\ \d{{1,2}}(?:st|nd|rd|th)?)"
    r"|(?<!from\ )(?<!since\ )(?<!as\ of\ )(?<!once\ )(?<!twice\ )(?<!times\ )"
    r"(?:for\ |during\ |in\ )?this\ (?P<this>week|sprint|month|quarter)"
    rf"|(?:for|over)\ the\ next\ (?:{_AMOUNT}\ )?{_UNIT}"
    r"|(?P<today>(?:only|just|for)\ today|(?:^|[:.;]\ )\W*today(?=,?\s+"
    r"(?!(?:we|i|the|it|he|she|they|ha\w*|is\w*)\b))"
    r"|(?:\w+n't|not|never|no)\b[^.;]{2,80}\ today(?=\W*$)))\b"
)
"""Words that limit something to a time whose last day can be computed."""


def due_date(text: str, said_at: datetime | None) -> datetime | None:
    """Return the end of the day that `text` names: a date, or a day counted from `said_at`.

    Days are those where the user is, and the answer has that zone.
    """
    said_at = said_at and said_at.astimezone()
    day = ISO_DAY.search(text)
    if day:
        try:
            return _day_end(datetime.fromisoformat(day[1]))
        except ValueError:
            return None
    match = _pattern(_RELATIVE_DAY).search(text)
    if match is None or said_at is None:
        return None
    try:
        return _relative(match, said_at)
    except (OverflowError, ValueError):  # beyond the last day that there is
        return None


def holds_until(text: str, said_at: datetime | None) -> tuple[str, datetime] | None:
    """Return the words that limit `text` to a time, and its end; else None.

    "until Friday", "for this sprint", "for the next two weeks". Not "for now": no day follows.
    """
    match = _pattern(_FOR_A_TIME).search(text)
    if match is None:
        return None
    said_at = said_at and said_at.astimezone()
    if match["until"] or match["today"]:
        day = f"until {match[0][len(match['until']) :].strip()}" if match["until"] else "today"
        end = due_date(day, said_at)
        return (match[0], end) if end is not None else None
    if said_at is None:
        return None
    try:
        end = _end_of(match["this"].lower(), said_at) if match["this"] else _ahead(match, said_at)
    except (OverflowError, ValueError):
        return None
    return match[0], end


def dated(text: str, due: datetime | None) -> str:
    """`text` with the date in place of "tomorrow", which means nothing a month later."""
    if due is None or ISO_DAY.search(text):
        return text
    details = _pattern(_RELATIVE_DAY).sub(f"by {due:%Y-%m-%d}", text, count=1).strip()
    details = re.sub(rf"\b(?:by|on|before|until) (?=by {due:%Y-%m-%d})", "", details)
    return re.sub(rf"^(by {due:%Y-%m-%d}),? (?=\w)", r"\1, ", details)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE | re.VERBOSE)


def _relative(matches: re.Match[str], said_at: datetime) -> datetime | None:
    if matches["weekday"]:
        position = WEEKDAYS.index(matches["weekday"].lower())
        return _day_end(said_at + timedelta(days=(position - said_at.weekday() - 1) % 7 + 1))
    if matches["next"]:
        return _day_end(said_at + timedelta(days=UNIT_DAYS[matches["nextunit"].lower()]))
    if matches["end"]:
        return _end_of(matches["end"].lower(), said_at)
    if matches["unit"]:
        return _ahead(matches, said_at)
    if month := matches["month"] or matches["month2"]:
        number = next(n for n, name in enumerate(MONTHS, 1) if name.startswith(month.lower()[:3]))
        return _day_of_year(int(matches["day"] or matches["day2"]), number, said_at)
    return _day_end(said_at + timedelta(days=0 if matches["today"] else 1))


def _ahead(matches: re.Match[str], said_at: datetime) -> datetime:
    """So many units later: one, where none is named; at most `_MOST`."""
    amount = (matches["amount"] or "one").lower()
    count = min(NUMBERS.get(amount, 0) or int(amount), _MOST)
    return _day_end(said_at + timedelta(days=count * UNIT_DAYS[matches["unit"].lower()]))


def _day_of_year(day: int, month: int, said_at: datetime) -> datetime | None:
    """Return the next such day: "March 3" said in November is next year's."""
    for year in (said_at.year, said_at.year + 1):
        try:
            day_end = _day_end(datetime(year, month, day))
        except ValueError:
            continue
        if day_end >= said_at:
            return day_end
    return None


def _end_of(unit: str, said_at: datetime) -> datetime:
    if unit == "week":
        return _day_end(said_at + timedelta(days=6 - said_at.weekday()))
    if unit == "sprint":
        return _day_end(said_at + timedelta(days=SPRINT_DAYS))
    if unit == "day":
        return _day_end(said_at)
    month, year = said_at.month, said_at.year
    named = [n for n, name in enumerate(MONTHS, 1) if name.startswith(unit[:3])]
    if named and unit != "month":
        year += named[0] < month
        month = named[0]
    if unit == "quarter":
        month = (month + 2) // 3 * 3
    if unit == "year":
        month = 12
    return _day_end(datetime(year + month // 12, month % 12 + 1, 1) - timedelta(days=1))


def _day_end(day: datetime) -> datetime:
    return datetime.combine(day.date(), time(23, 59)).astimezone()


def span(seconds: float) -> str:
    """Return a length of time in four characters or fewer: `now`, `5m`, `3h`, `2d`, `7w`, `2y`."""
    if seconds < 60:
        return "now"
    for unit, size, below in (("m", 60, 60), ("h", 3600, 24), ("d", 86400, 21), ("w", 604800, 9)):
        if seconds < size * below:
            return f"{int(seconds // size)}{unit}"
    days = seconds / 86400
    return f"{int(days // 30.44)}mo" if days < 365 else f"{int(days // 365.25) or 1}y"
