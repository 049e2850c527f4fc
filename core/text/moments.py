"""A moment as a person writes it: ISO 8601, a day by its name, or a distance from now."""

import re
from datetime import UTC, datetime, time, timedelta

UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
_RELATIVE = r"(?i)(\d{1,6})\s*(mo|m|h|d|w|y)(?:\s+ago)?"
_WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_CLOCK = r"(?:(?:^|\s+)(?:at\s+)?(?P<hour>\d{1,2}):(?P<minute>\d\d))?"
_DAY = (
    rf"(?i)(?:(?P<last>last\s+)?{_WEEKDAY}"
    rf"|(?P<day>today|yesterday)|(?P<which>this|last)\s+(?P<unit>week|month))?{_CLOCK}"
)
_DAY_AHEAD = rf"(?i)(?:{_WEEKDAY}|(?P<day>tomorrow))?{_CLOCK}"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def moment(text: str, *, ahead: bool = False, now: datetime | None = None) -> datetime:
    """The moment that `text` names, in UTC; raises ValueError with an example of what would do.

    A date, `today`, `yesterday`, `monday` (the last one, today's if it is Monday), `last monday`
    (before today), `this week` and `last month` are their beginning in the reader's zone, or the
    time of that day that follows: `monday 14:30`. With `ahead` all of these are to come: `7d`,
    `tomorrow`, `monday` (the next one, never today), `14:30` (tomorrow's once it is past).
    """
    now = now or datetime.now(UTC)
    word = text.strip()
    try:
        if match := re.fullmatch(_RELATIVE, word):
            distance = int(match[1]) * UNITS[match[2].lower()]
            return now + distance if ahead else now - distance
        if word and (day := re.fullmatch(_DAY_AHEAD if ahead else _DAY, word)):
            return (_day_ahead if ahead else _named_day)(day, now.astimezone())
        found = datetime.fromisoformat(word)
        return found.astimezone(UTC)  # a time without a zone is local time
    except (ValueError, OverflowError):
        named = "tomorrow" if ahead else "yesterday"
        raise ValueError(
            f"{text!r} is not a time. Write 2026-03-01, 2026-03-01T12:00, monday, {named} 14:30,"
            " or 7d, 3h, 2w."
        ) from None


def _named_day(found: re.Match[str], now: datetime) -> datetime:
    """The beginning of the day that the words name, or their time of it; `now` is local."""
    day = now.date()
    if name := found["weekday"]:
        back = (now.weekday() - _WEEKDAYS.index(name[:3].lower())) % 7
        day -= timedelta(days=7 if found["last"] and not back else back)
    elif (found["day"] or "").lower() == "yesterday":
        day -= timedelta(days=1)
    elif (unit := (found["unit"] or "").lower()) == "week":
        day -= timedelta(days=now.weekday() + (7 if found["which"].lower() == "last" else 0))
    elif unit:
        day = day.replace(day=1)
        if found["which"].lower() == "last":
            day = (day - timedelta(days=1)).replace(day=1)
    return datetime.combine(day, _clock(found)).astimezone(UTC)


def _day_ahead(found: re.Match[str], now: datetime) -> datetime:
    """The next such day, or its time of it; `now` is local."""
    day, clock = now.date(), _clock(found)
    if name := found["weekday"]:
        day += timedelta(days=(_WEEKDAYS.index(name[:3].lower()) - now.weekday() - 1) % 7 + 1)
    elif found["day"] or clock <= now.time():
        day += timedelta(days=1)
    return datetime.combine(day, clock).astimezone(UTC)


def _clock(found: re.Match[str]) -> time:
    return time(int(found["hour"] or 0), int(found["minute"] or 0))
