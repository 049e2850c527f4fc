"""What came of each session: what it was told, learned, left open. Reads only.

Tables `session`, `receipt`, `receipt_item`, `memory`, `prospective`, `working`, `conflict`,
`extraction`, `extraction_call`. Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence

from peewee import SQL, Case, fn

from ..frozen import TypedDict
from .conflicts import told as is_open
from .derived import ExtractionCallRow, ExtractionRow, ReceiptItemRow, ReceiptRow
from .queries import Query, among, column, columns, listing, optional, row, single, tuples
from .tables import ConflictRow, MemoryRow, SessionRow
from .type_tables import ProspectiveRow, WorkingRow

OPEN = ("pending", "active")
"""States of an intention that is not done."""


class NamedSession(TypedDict):
    """A session with what it can be called by."""

    id: str
    agent: str
    goal: str | None
    parent: str | None
    started_at: int


def _names() -> Query:
    return SessionRow.select(*columns(SessionRow, NamedSession))


@listing(NamedSession)
def named(ids: Sequence[str]) -> Query:
    """What these sessions can be called by."""
    return _names().where(SessionRow.id.in_(among(ids)))


@listing(NamedSession)
def forks_of(session: str) -> Query:
    """The sessions that were forked from this one, the oldest first."""
    return _names().where(SessionRow.parent == session).order_by(SessionRow.started_at)


# --- told


@tuples(tuple[str, int, int, int, int])
def told(project: str, sessions: Sequence[str]) -> Query:
    """(session, times it was told something, tokens, time of the first and of the last one)."""
    sums = (fn.count(SQL("*")), fn.sum(ReceiptRow.tokens))
    times = (fn.min(ReceiptRow.at), fn.max(ReceiptRow.at))
    return (
        ReceiptRow.select(ReceiptRow.session, *sums, *times)
        .where(
            ReceiptRow.session.in_(among(sessions)),
            ReceiptRow.project == project,
            ReceiptRow.tokens > 0,
        )
        .group_by(ReceiptRow.session)
    )


@tuples(tuple[str, int, int])
def told_memories(project: str, sessions: Sequence[str]) -> Query:
    """(session, memories it was told, how many of these its agent used), each memory once."""
    used = Case(None, [(ReceiptItemRow.used == 1, ReceiptItemRow.memory)])
    return (
        ReceiptItemRow.select(
            ReceiptRow.session,
            fn.count(ReceiptItemRow.memory.distinct()),
            fn.count(used.distinct()),
        )
        .join(ReceiptRow, on=ReceiptRow.id == ReceiptItemRow.receipt)
        .where(ReceiptRow.session.in_(among(sessions)), ReceiptRow.project == project)
        .group_by(ReceiptRow.session)
    )


# --- learned


def _live(sessions: Sequence[str]) -> Query:
    return MemoryRow.session.in_(among(sessions)) & MemoryRow.retired_at.is_null()


@tuples(tuple[str, int, int, int])
def learned(sessions: Sequence[str]) -> Query:
    """(session, memories from it that live, of these waiting in the Inbox, time of the last)."""
    waiting = Case(None, [(MemoryRow.status == "candidate", 1)], 0)
    return (
        MemoryRow.select(
            MemoryRow.session, fn.count(SQL("*")), fn.sum(waiting), fn.max(MemoryRow.created_at)
        )
        .where(_live(sessions), MemoryRow.type != "working")
        .group_by(MemoryRow.session)
    )


@column(int)
def kept(session: str) -> Query:
    """Row numbers of what lives of it, in the order in which it came up."""
    here = (MemoryRow.session == session) & MemoryRow.retired_at.is_null()
    return (
        MemoryRow.select(MemoryRow.num)
        .where(here, MemoryRow.type != "working")
        .order_by(MemoryRow.num)
    )


# --- left open


@tuples(tuple[str, int])
def todos(sessions: Sequence[str]) -> Query:
    """(session, row number) of what it left to be done, the most urgent first."""
    return (
        MemoryRow.select(MemoryRow.session, MemoryRow.num)
        .join(ProspectiveRow, on=ProspectiveRow.memory == MemoryRow.num)
        .where(_live(sessions), ProspectiveRow.status.in_(OPEN))
        .order_by(ProspectiveRow.priority.desc(), MemoryRow.num)
    )


@tuples(tuple[str, int, str])
def held(sessions: Sequence[str]) -> Query:
    """(session, row number, task) of the working memory that was not cleared."""
    return (
        MemoryRow.select(MemoryRow.session, MemoryRow.num, WorkingRow.todo_id)
        .join(WorkingRow, on=WorkingRow.memory == MemoryRow.num)
        .where(_live(sessions), WorkingRow.cleared_at.is_null(), WorkingRow.todo_id.is_null(False))
        .order_by(MemoryRow.num)
    )


def _sides(side: Query, sessions: Sequence[str]) -> Query:
    return (
        MemoryRow.select(
            MemoryRow.session, ConflictRow.id, ConflictRow.entry_a, ConflictRow.entry_b
        )
        .join(ConflictRow, on=side == MemoryRow.id)
        .where(_live(sessions), is_open())
    )


@tuples(tuple[str, str, str, str])
def undecided(sessions: Sequence[str]) -> Query:
    """(session, conflict, its two memories) of what was learned and waits for a verdict, once."""
    firsts, seconds = (
        _sides(side, sessions) for side in (ConflictRow.entry_a, ConflictRow.entry_b)
    )
    return firsts | seconds


# --- where its words stand, and what a model took to read them


@optional(str)
def transcript(session: str) -> Query:
    """The file that holds what was said; None when nobody noted it."""
    return ExtractionRow.select(ExtractionRow.transcript).where(ExtractionRow.session == session)


@single(tuple[str, int])
def last_line(session: str) -> Query:
    """(transcript, line) of what was learned last in the session's own transcript."""
    return (
        MemoryRow.select(MemoryRow.transcript, MemoryRow.line)
        .where(
            MemoryRow.session == session,
            MemoryRow.transcript.is_null(False),
            MemoryRow.line.is_null(False),
            MemoryRow.agent_id.is_null(),
        )
        .order_by(MemoryRow.line.desc())
        .limit(1)
    )


@row(tuple[int, int, float])
def read_by_models(session: str) -> Query:
    """(calls, tokens, dollars) of the models that read the session."""
    columns = (ExtractionCallRow.tokens, ExtractionCallRow.cost_usd)
    sums = (fn.coalesce(fn.sum(one), 0) for one in columns)
    return ExtractionCallRow.select(fn.count(SQL("*")), *sums).where(
        ExtractionCallRow.session == session
    )
