"""Summaries and what they are made of. Times are ms since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from peewee import JOIN, SQL, fn

from .fields import EARLIEST_MS, LATEST_MS
from .queries import Query, among, column, columns, first, listing, optional
from .rows import StoredSummary
from .tables import MemoryRow, SessionRow, SummaryRow
from .type_tables import ProspectiveRow

DAY_MS = 24 * 60 * 60 * 1_000

_LONG_AGO_MS = 1_000_000 * DAY_MS

MOST = 2_000
"""Memories of one stretch that are read, the most important first."""

_TURNED_DOWN = ("forgotten", "rejected", "cleared")


class WorkedDay(TypedDict):
    """A day in which something was learned."""

    starts_at: int
    changed_at: int  # when one of its memories was last written


class DoneTask(TypedDict):
    """A task that was completed."""

    id: str
    content: str
    session: str | None  # in which it was set
    created_at: int
    completed_at: int
    changed_at: int


class SummedSession(TypedDict):
    """A session that was summed up."""

    id: str
    goal: str | None
    starts_at: int
    ends_at: int


class DigestMemory(TypedDict):
    """What a summary tells of a memory."""

    id: str
    num: int
    type: str
    category: str
    title: str
    content: str
    importance: float
    session: str | None
    retired_as: str | None
    intention: str | None  # the status of what is to be done


def _told(project: str) -> Query:
    return (MemoryRow.project == project) & _open()


def _open() -> Query:
    return (MemoryRow.type != "working") & (MemoryRow.privacy == "public")


@listing(WorkedDay)
def worked_days(project: str) -> Query:
    """The days in which something was learned that may be told, the first one first."""
    since = MemoryRow.created_at + _LONG_AGO_MS  # to round down, of what is before 1970 as well
    day = since / DAY_MS * DAY_MS - _LONG_AGO_MS  # `%` is LIKE to Peewee
    return (
        MemoryRow.select(day.alias("starts_at"), fn.max(MemoryRow.updated_at).alias("changed_at"))
        .where(MemoryRow.project == project, MemoryRow.type != "working")
        .group_by(SQL("starts_at"))
        .order_by(SQL("starts_at"))
    )


def _done_tasks(condition: Query) -> Query:
    return (
        MemoryRow.select(
            *columns(MemoryRow, DoneTask),
            ProspectiveRow.completed_at,
            MemoryRow.updated_at.alias("changed_at"),
        )
        .join(ProspectiveRow, on=ProspectiveRow.memory == MemoryRow.num)
        .where(
            condition,
            ProspectiveRow.status == "completed",
            ProspectiveRow.completed_at.is_null(False),
            MemoryRow.retired_as.is_null() | MemoryRow.retired_as.not_in(_TURNED_DOWN),
        )
        .order_by(ProspectiveRow.completed_at, MemoryRow.num)
    )


@listing(DoneTask)
def done_tasks(project: str) -> Query:
    """The completed tasks that may be told, the first one first."""
    return _done_tasks(_told(project))


@first(DoneTask)
def done_task(project: str, memory: str) -> Query:
    """The completed task with this id, if it is one that may be told."""
    return _done_tasks(_told(project) & (MemoryRow.id == memory))


@column(str)
def running_at(project: str, moment: int) -> Query:
    """Ids of the sessions that ran at a moment."""
    return SessionRow.select(SessionRow.id).where(
        SessionRow.project == project,
        SessionRow.started_at <= moment,
        SessionRow.ended_at.is_null() | (SessionRow.ended_at >= moment),
    )


def _learned(told: Query, start: int, end: int, *more: Query) -> Query:
    return (
        MemoryRow.select(
            *columns(MemoryRow, DigestMemory), ProspectiveRow.status.alias("intention")
        )
        .join(ProspectiveRow, JOIN.LEFT_OUTER, on=ProspectiveRow.memory == MemoryRow.num)
        .where(
            told,
            MemoryRow.created_at >= start,
            MemoryRow.created_at < end,
            MemoryRow.retired_as.is_null() | MemoryRow.retired_as.not_in(_TURNED_DOWN),
            *more,
        )
        .order_by(MemoryRow.importance.desc(), MemoryRow.num)
        .limit(MOST)
    )


@listing(DigestMemory)
def learned_between(project: str, start: int, end: int) -> Query:
    """What was learned from `start` to before `end` and nobody turned down, aged ones with them."""
    return _learned(_told(project), start, end)


@listing(DigestMemory)
def learned_by(project: str, start: int, end: int, sessions: Sequence[str]) -> Query:
    """Of this what was learned in these sessions."""
    return _learned(_told(project), start, end, MemoryRow.session.in_(among(sessions)))


@listing(SummedSession)
def rewritten_sessions(project: str, since: int) -> Query:
    """The sessions that were summed up and of which a memory was written since then."""
    return (
        SessionRow.select(SessionRow.id, SessionRow.goal, SummaryRow.starts_at, SummaryRow.ends_at)
        .join(SummaryRow, on=SummaryRow.session == SessionRow.id)
        .join(MemoryRow, on=MemoryRow.session == SessionRow.id)
        .where(
            SessionRow.project == project,
            SummaryRow.level == "session",
            MemoryRow.updated_at >= since,
        )
        .distinct()
        .order_by(SessionRow.id)
    )


@optional(str)
def goal_of(session: str) -> Query:
    """What a session was asked first."""
    return SessionRow.select(SessionRow.goal).where(SessionRow.id == session)


@listing(DigestMemory)
def learned_in(session: str) -> Query:
    """What a session learned and nobody turned down or overturned, aged ones with them."""
    holds = MemoryRow.retired_as.is_null() | (MemoryRow.retired_as != "superseded")
    return _learned(_open(), EARLIEST_MS, LATEST_MS, MemoryRow.session == session, holds)


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
