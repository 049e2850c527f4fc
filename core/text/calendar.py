"""How people write months and small amounts of time, as data."""

from __future__ import annotations

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip

SPRINT_DAYS = 14
"""How long "this sprint" is taken to go on, where nobody says it."""

UNIT_DAYS = {"day": 1, "week": 7, "sprint": SPRINT_DAYS, "month": 30}
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "couple": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "ten": 10,
}  # fmt: skip
"""Small numbers as people write them before a unit of time."""
