"""Summarise sessions, days, weeks, months and the project, from the memories as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ...db import sessions
from ...db.errors import NotFound
from ..lifecycle.summaries import summed_up
from ..text.tokens import strict_tokens
from ..values import moment_at

if TYPE_CHECKING:
    from ..context import Context
    from ..values import Memory

LEVELS = ("session", "day", "week", "month", "project")

_BELOW = {"project": "month", "month": "day", "week": "day", "day": "session"}


class Period(NamedTuple):
    """A day, week or month (UTC), or the whole life of a project."""

    level: str
    name: str  # 2026-03-02, 2026-W10, 2026-03, project
    starts_at: int  # ms
    ends_at: int  # ms, the first that is no longer of it


def period_of(level: str, moment: int) -> Period:
    """Return the day, week or month in which a moment (ms since 1970) lies."""
    day = datetime.fromtimestamp(moment / 1_000, UTC)
    day = day.replace(hour=0, minute=0, second=0, microsecond=0)
    if level == "day":
        first, after, name = day, day + timedelta(days=1), f"{day:%Y-%m-%d}"
    elif level == "week":
        first = day - timedelta(days=day.weekday())
        after, name = first + timedelta(days=7), f"{day:%G-W%V}"
    else:
        first = day.replace(day=1)
        after, name = (first + timedelta(days=32)).replace(day=1), f"{day:%Y-%m}"
    start, end = (int(each.timestamp()) * 1_000 for each in (first, after))
    return Period(level, name, start, end)


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a session or of a period."""

    level: str  # one of LEVELS
    name: str  # as of its Period; of a session its id
    starts_at: datetime
    ends_at: datetime
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class OpenedSummary:
    summary: Summary
    summaries: tuple[Summary, ...]  # of the level below, oldest first
    memories: tuple[Memory, ...]  # of a day or a session; retired ones with them


class Summaries:
    _context: Context

    def summaries(self, level: str | None = None, limit: int | None = None) -> list[Summary]:
        """Return the project's summaries, newest first; only those of a level if one is given."""
        levels = LEVELS if level is None else (level,)
        if len(levels) == 1:
            return list(islice(self._of_level(levels[0]), limit))
        summaries = [summary for each in levels for summary in islice(self._of_level(each), limit)]
        summaries.sort(key=lambda item: (item.starts_at, LEVELS.index(item.level)), reverse=True)
        return summaries[:limit]

    def opened_summary(self, ref: str) -> OpenedSummary:
        """Return a summary by its name, or its session's id, with its sources. Raises NotFound."""
        wanted = ref.lower()
        periods = [
            period
            for level in LEVELS
            for period in self._periods(level)
            if wanted == period.name.lower()
            or (level == "session" and wanted and period.name.lower().startswith(wanted))
        ]
        summary = self._summary(periods[0]) if len(periods) == 1 else None
        if summary is None:
            raise NotFound(f"No one summary is called “{ref}”.", hint="See `memdeck summaries`.")
        if summary.level == "session":
            nums = sessions.nums_of(self._context.database, summary.name)
            return OpenedSummary(summary, (), tuple(self._context.memories(nums)))
        below = self.summaries(_BELOW[summary.level])[::-1]
        if summary.level != "day":
            inside = (
                item for item in below if summary.starts_at <= item.starts_at < summary.ends_at
            )
            return OpenedSummary(summary, tuple(inside), ())
        day = period_of("day", round(summary.starts_at.timestamp() * 1_000))
        rows = sessions.learned_between(*self._context.here, day.starts_at, day.ends_at)
        ids = {row["session"] for row in rows}
        memories = self._context.memories(sorted(row["num"] for row in rows))
        of_day = tuple(item for item in below if item.name in ids)
        return OpenedSummary(summary, of_day, tuple(memories))

    def _of_level(self, level: str) -> Iterator[Summary]:
        """Yield the summaries of a level that have content, the newest first."""
        return (summary for period in self._periods(level) if (summary := self._summary(period)))

    def _periods(self, level: str) -> list[Period]:
        if level == "session":
            return [
                Period(level, row["session"], row["starts_at"], row["ends_at"])
                for row in sessions.summaries(*self._context.here)
            ]
        days = sessions.worked_days(*self._context.here)
        if level == "project":
            end = max(self._context.now_ms(), days[-1]) + 1 if days else 0
            return [Period(level, level, days[0], end)] if days else []
        return list(dict.fromkeys(period_of(level, day) for day in reversed(days)))

    def _summary(self, period: Period) -> Summary | None:
        is_session = period.level == "session"
        content = session_summary(self._context, period.name) if is_session else self.digest(period)
        if not content:
            return None
        start, end = moment_at(period.starts_at), moment_at(period.ends_at)
        tokens = strict_tokens(content)
        return Summary(period.level, period.name, start, end, content, tokens)

    def digest(self, period: Period) -> str:
        """Return the digest of a period in whole statements; "" without content."""
        rows = sessions.learned_between(*self._context.here, period.starts_at, period.ends_at)
        return summed_up("", sorted(rows, key=lambda row: row["num"]))[0]


def session_summary(context: Context, session: str) -> str:
    """Return the summary of a session from its memories as they are now; "" without content."""
    rows = sessions.learned_in(context.database, session)
    goal = sessions.goal_of(context.database, session)
    return summed_up(goal, sorted(rows, key=lambda row: row["num"]))[0]
