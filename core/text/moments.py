"""A moment as a person writes it: ISO 8601, or a distance from now."""

import re
from datetime import UTC, datetime, timedelta

UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
_RELATIVE = re.compile(r"(\d{1,6})\s*(mo|m|h|d|w|y)", re.IGNORECASE)


def moment(text: str, *, ahead: bool = False, now: datetime | None = None) -> datetime:
    """The moment that `text` names, in UTC; raises ValueError with an example of what would do."""
    now = now or datetime.now(UTC)
    word = text.strip()
    try:
        if match := _RELATIVE.fullmatch(word):
            distance = int(match[1]) * UNITS[match[2].lower()]
            return now + distance if ahead else now - distance
        found = datetime.fromisoformat(word)
        return found.astimezone(UTC)  # a time without a zone is local time
    except (ValueError, OverflowError):
        raise ValueError(
            f"{text!r} is not a time. Write 2026-03-01, 2026-03-01T12:00, or 7d, 3h, 2w."
        ) from None
