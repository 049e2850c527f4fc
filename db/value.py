"""What was told, what was used of it, and how known errors fared. Not journaled.

Tables `receipt`, `receipt_item`, `error_watch`. What follows a session back to those
that it was forked from is recursive SQL; Peewee makes the rest. Times are milliseconds since 1970.
"""

from collections.abc import Sequence
from typing import TypedDict

from peewee import SQL, fn

from .connection import Database, begin_immediate
from .derived import (
    ErrorWatchRow,
    ExtractionCallRow,
    ReceiptItemRow,
    ReceiptRow,
    ReviewRow,
)
from .images import rows
from .queries import Query, among, listing, optional, statement, tuples
from .receipts import LINE
from .tables import MemoryRow

DAY_MS = 24 * 3600 * 1000


class ToldLesson(TypedDict):
    """A memory that a session was told, which says how an error of another session was ended."""

    id: str
    steps: list[str]
    failure_patterns: list[str]
    told_at: int


class WatchedError(TypedDict):
    """How a known error fared in a session that was told its lesson."""

    session: str
    memory: str
    signature: str
    passed_at: int | None
    failed_at: int | None


# --- noted by the drain


def lessons_told(database: Database, session: str) -> list[ToldLesson]:
    """The lessons of errors in other sessions that this one was told, and when first."""
    return rows(  # type: ignore[return-value]  # a recursive question
        database.connection(),
        f"{LINE}SELECT m.id, p.steps, p.failure_patterns, min(r.at) AS told_at FROM receipt r"
        " JOIN receipt_item i ON i.receipt = r.id JOIN memory m ON m.id = i.memory"
        " JOIN procedural p ON p.memory = m.num"
        " WHERE r.session IN (SELECT id FROM line) AND p.failure_patterns != '[]'"
        " AND coalesce(m.session, '') NOT IN (SELECT id FROM line)"
        " GROUP BY m.id ORDER BY m.num",
        (session,),
    )


@statement
def _watch(
    session: str, memory: str, signature: str, passed_at: int | None, failed_at: int | None
) -> Query:
    row = ErrorWatchRow.insert(
        session=session,
        memory=memory,
        signature=signature,
        passed_at=passed_at,
        failed_at=failed_at,
    )
    first = {
        one: fn.coalesce(one, SQL(f'EXCLUDED."{one.name}"'))
        for one in (ErrorWatchRow.passed_at, ErrorWatchRow.failed_at)
    }
    key = [ErrorWatchRow.session, ErrorWatchRow.memory, ErrorWatchRow.signature]
    return row.on_conflict(conflict_target=key, update=first)


def note_errors(database: Database, watched: Sequence[WatchedError]) -> None:
    """Note how known errors fared; what was noted first stays."""
    if watched:
        with begin_immediate(database):
            _watch.each(database, [tuple(row.values()) for row in watched])


# --- asked


@tuples(tuple[str, int, str, str | None, int])
def receipts(project: str, since: int) -> Query:
    """(receipt, time, host, session, tokens) of what was told, the oldest first."""
    columns = (ReceiptRow.id, ReceiptRow.at, ReceiptRow.host, ReceiptRow.session, ReceiptRow.tokens)
    return (
        ReceiptRow.select(*columns)
        .where(ReceiptRow.project == project, ReceiptRow.at >= since, ReceiptRow.tokens > 0)
        .order_by(ReceiptRow.at, ReceiptRow.id)
    )


@tuples(tuple[str, str, int | None])
def items(project: str, since: int) -> Query:
    """(receipt, memory, whether it helped: 1, 0, None) of the same."""
    columns = (ReceiptItemRow.receipt, ReceiptItemRow.memory, ReceiptItemRow.helpful)
    return (
        ReceiptItemRow.select(*columns)
        .join(ReceiptRow, on=ReceiptRow.id == ReceiptItemRow.receipt)
        .where(ReceiptRow.project == project, ReceiptRow.at >= since)
    )


def _sessions(project: str, since: int) -> Query:
    return ReceiptRow.select(ReceiptRow.session).where(
        ReceiptRow.project == project, ReceiptRow.at >= since, ReceiptRow.session.is_null(False)
    )


@tuples(tuple[str, str])
def uses(project: str, since: int) -> Query:
    """(session, memory) of what was used after it was told."""
    return (
        ReceiptItemRow.select(ReceiptRow.session, ReceiptItemRow.memory)
        .join(ReceiptRow, on=ReceiptRow.id == ReceiptItemRow.receipt)
        .where(
            ReceiptRow.project == project,
            ReceiptRow.at >= since,
            ReceiptRow.session.is_null(False),
            ReceiptItemRow.used == 1,
        )
        .distinct()
    )


@listing(WatchedError)
def watched(project: str, since: int) -> Query:
    """How known errors fared in the project's sessions, by time."""
    return (
        ErrorWatchRow.select()
        .where(ErrorWatchRow.session.in_(_sessions(project, since)))
        .order_by(ErrorWatchRow.passed_at, ErrorWatchRow.memory)
    )


@optional(int)
def known_since() -> Query:
    """Since when uses are noted, in a store that is older than that; else None."""
    return ErrorWatchRow.select(ErrorWatchRow.passed_at).where(ErrorWatchRow.session == "")


@optional(int)
def oldest(project: str) -> Query:
    """The time of the oldest receipt that is kept of a project; None without any."""
    return ReceiptRow.select(fn.min(ReceiptRow.at)).where(ReceiptRow.project == project)


@tuples(tuple[str, str, str])
def titles(ids: Sequence[str]) -> Query:
    """(id, title, beginning of the text) of these memories."""
    start = fn.substr(MemoryRow.content, 1, 200)
    return MemoryRow.select(MemoryRow.id, MemoryRow.title, start).where(
        MemoryRow.id.in_(among(ids))
    )


@tuples(tuple[int, float])
def reviews(since: int) -> Query:
    """(time, dollars) of every call of a reviewer that is not built in, in the whole store."""
    return ReviewRow.select(ReviewRow.created_at, ReviewRow.cost_usd).where(
        ReviewRow.created_at >= since,
        ReviewRow.engine != "built-in",
        ReviewRow.status != "over_budget",
    )


@tuples(tuple[int, float, int])
def extractions(since: int) -> Query:
    """(time, dollars, tokens) of every call of the model that reads sessions, in all projects."""
    columns = (ExtractionCallRow.at, ExtractionCallRow.cost_usd, ExtractionCallRow.tokens)
    return ExtractionCallRow.select(*columns).where(ExtractionCallRow.at >= since)


# --- growth


@tuples(tuple[int, int])
def born(project: str) -> Query:
    """(day since 1970, memories made on it) of the project, working memory left out."""
    day = MemoryRow.created_at / DAY_MS
    asked = MemoryRow.select(day, fn.count(SQL("*")))
    return asked.where(MemoryRow.project == project, MemoryRow.type != "working").group_by(day)


@tuples(tuple[int, int])
def left(project: str) -> Query:
    """(day since 1970, memories that left recall on it)."""
    day = MemoryRow.retired_at / DAY_MS
    asked = MemoryRow.select(day, fn.count(SQL("*")))
    return asked.where(
        MemoryRow.project == project,
        MemoryRow.type != "working",
        MemoryRow.retired_at.is_null(False),
    ).group_by(day)


# --- what the Health screen asks beside it


@tuples(tuple[str, int, str])
def named(ids: Sequence[str]) -> Query:
    """(id, num, type) of these memories."""
    columns = (MemoryRow.id, MemoryRow.num, MemoryRow.type)
    return MemoryRow.select(*columns).where(MemoryRow.id.in_(among(ids)))


def indexed(database: Database) -> tuple[int, int]:
    """How many texts the search index has, and how many memories there are, retired ones too."""
    connection = database.connection()
    (texts,) = connection.execute("SELECT count(*) FROM memory_fts_docsize").fetchone()
    (memories,) = connection.execute("SELECT count(*) FROM memory").fetchone()
    return texts, memories
