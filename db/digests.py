"""Summaries of sessions, days, weeks and months, and what they are made of. Times are milliseconds
since 1970."""

from __future__ import annotations

from typing import TypedDict

from peewee import JOIN, SQL, fn

from .memories import SessionMemory
from .queries import Query, column, listing
from .rows import StoredSummary
from .tables import MemoryRow, SummaryRow
from .type_tables import ProspectiveRow

DAY_MS = 24 * 60 * 60 * 1_000

MOST = 2_000
"""Memories of one stretch that are read, the most important first."""

_TURNED_DOWN = ("forgotten", "rejected", "cleared")


class WorkedDay(TypedDict):
    """A day in which something was learned."""

    starts_at: int
    changed_at: int  # when one of its memories was last written


class DigestMemory(SessionMemory):
    """What a digest needs of a memory."""

    num: int
    session: str | None
    retired_as: str | None


def _told(project: str) -> Query:
    return (
        (MemoryRow.project == project)
        & (MemoryRow.type != "working")
        & (MemoryRow.privacy == "public")
    )


@listing(WorkedDay)
def worked_days(project: str) -> Query:
    """The days in which something was learned that may be told, the first one first."""
    day = MemoryRow.created_at - (MemoryRow.created_at % DAY_MS)
    return (
        MemoryRow.select(day.alias("starts_at"), fn.max(MemoryRow.updated_at).alias("changed_at"))
        .where(MemoryRow.project == project, MemoryRow.type != "working")
        .group_by(SQL("starts_at"))
        .order_by(SQL("starts_at"))
    )


@listing(DigestMemory)
def learned_between(project: str, start: int, end: int) -> Query:
    """What was learned from `start` to before `end` and nobody turned down, aged ones with them."""
    own = SessionMemory.__annotations__.keys() - {"intention"}
    columns = [getattr(MemoryRow, name) for name in SessionMemory.__annotations__ if name in own]
    return (
        MemoryRow.select(
            *columns,
            MemoryRow.num,
            MemoryRow.session,
            MemoryRow.retired_as,
            ProspectiveRow.status.alias("intention"),
        )
        .join(ProspectiveRow, JOIN.LEFT_OUTER, on=ProspectiveRow.memory == MemoryRow.num)
        .where(
            _told(project),
            MemoryRow.created_at >= start,
            MemoryRow.created_at < end,
            MemoryRow.retired_as.is_null() | MemoryRow.retired_as.not_in(_TURNED_DOWN),
        )
        .order_by(MemoryRow.importance.desc(), MemoryRow.num)
        .limit(MOST)
    )


@column(int)
def nums_of(session: str) -> Query:
    """Row numbers of what a session learned and nobody turned down, aged ones with them."""
    return (
        MemoryRow.select(MemoryRow.num)
        .where(
            MemoryRow.session == session,
            MemoryRow.type != "working",
            MemoryRow.retired_as.is_null() | MemoryRow.retired_as.not_in(_TURNED_DOWN),
        )
        .order_by(MemoryRow.num)
        .limit(MOST)
    )


@listing(StoredSummary)
def summaries(project: str) -> Query:
    """All summaries of a project, the newest first."""
    return (
        SummaryRow.select()
        .where(SummaryRow.project == project)
        .order_by(SummaryRow.starts_at.desc(), SummaryRow.id)
    )
