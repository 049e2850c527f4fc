"""The stretches of time that are summed up, and what one comes to.

Pure. Days are those of UTC. A stretch is summed up when it is over, from what was learned in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from .summaries import statement_of, summed_up

STRETCHES = ("day", "week", "month")
"""Stretches of time that are summed up when they are over, the finest first."""

LEVELS = ("task", "session", *STRETCHES, "project")
"""All that is summed up: a task when it is done, a project when a month is over."""

REFUTED = "refuted"
"""What stands for the category of a memory that another one took the place of."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Solved", ("error",)),
    ("Refuted", (REFUTED,)),
    ("Watch out", ("warning",)),
    ("Decided", ("decision", "architecture")),
    ("Laid down", ("preference", "pattern")),
    ("Found", ("discovery",)),
    ("Changed", ("file_change",)),
)
"""The parts of a digest: what failed stands first, so that no room is lacking for it."""


LESSONS = ("Solved", "Refuted")
"""The parts that are told in full, as far as there is room: what a failure taught."""


class Stretch(NamedTuple):
    """A day, week or month, and what else is told between two moments."""

    level: str
    name: str  # 2026-03-02, 2026-W10, 2026-03, project; of a task its memory's id
    starts_at: int  # ms
    ends_at: int  # ms, the first that is no longer of it


def stretch_of(level: str, moment: int) -> Stretch:
    """The stretch of a level, one of `STRETCHES`, in which a moment (ms since 1970) lies."""
    day = datetime.fromtimestamp(moment / 1_000, UTC).replace(hour=0, minute=0, second=0)
    day = day.replace(microsecond=0)
    if level == "day":
        first, after, name = day, day + timedelta(days=1), f"{day:%Y-%m-%d}"
    elif level == "week":
        first = day - timedelta(days=day.weekday())
        after, name = first + timedelta(days=7), f"{day:%G-W%V}"
    else:
        first = day.replace(day=1)
        after, name = (first + timedelta(days=32)).replace(day=1), f"{day:%Y-%m}"
    return Stretch(level, name, _ms(first), _ms(after))


def digest_of(learned: Sequence[Mapping[str, Any]], goal: str = "") -> str:
    """What a stretch comes to, in whole statements, below its goal; "" of nothing learned.

    `learned` are rows of memories as `summaries.summary_of` takes them, and `retired_as`.
    """
    rows = [
        {**row, "category": REFUTED, "intention": None}
        if row["retired_as"] == "superseded"
        else row
        for row in learned
    ]
    return summed_up(goal, rows, (), PARTS, LESSONS)[0]


def lessons_of(learned: Sequence[Mapping[str, Any]], digest: str) -> list[str]:
    """What a digest tells of what failed, with what mended it, and of what was refuted."""
    taught = (
        statement_of({**row, "category": REFUTED} if row["retired_as"] == "superseded" else row)
        for row in learned
        if row["category"] == "error" or row["retired_as"] == "superseded"
    )
    return list(dict.fromkeys(each for each in taught if each and each in digest))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp()) * 1_000
