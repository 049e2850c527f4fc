"""When each project was maintained, and compacted. Not journaled. Times are ms since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from peewee import SQL, fn

from .connection import Database, begin_immediate
from .derived import LatencyRow, MaintenanceRow
from .queries import Query, among, first, insert, optional, tuples
from .receipts import note_latency
from .tables import MemoryRow

DAY_MS = 24 * 3600 * 1000


class StoredMaintenance(TypedDict):
    """The last maintain of a project."""

    project: str
    at: int | None  # None: the first one did not come to its end
    held_at: int | None  # since when a leap of the clock keeps it from retiring
    unfinished: str  # the duty that was begun last, "" when it came to its end


@first(StoredMaintenance)
def last(project: str) -> Query:
    """The project's last maintain."""
    return MaintenanceRow.select().where(MaintenanceRow.project == project)


def changed_since(database: Database, project: str, now: int) -> int | None:
    """From when on what was written is new to the next maintain; None for from the beginning.

    A maintain noted in the future tells of a clock that was turned back since: nobody knows then
    what it saw.
    """
    known = last(database, project)
    at = known["at"] if known is not None else None
    return at if at is not None and at <= now else None


def note(
    database: Database, project: str, at: int | None, held_at: int | None, unfinished: str = ""
) -> None:
    """Note how far the maintain of a project came."""
    row = {"project": project, "at": at, "held_at": held_at, "unfinished": unfinished}
    with begin_immediate(database):
        insert(database, MaintenanceRow, row, "REPLACE")


@optional(int)
def _noted(kind: str) -> Query:
    return LatencyRow.select(fn.max(LatencyRow.at)).where(LatencyRow.kind == kind)


def compacted_at(database: Database, project: str) -> int | None:
    """When a project was compacted last, beside its maintains; None for never."""
    return _noted(database, _kind(project))


def note_compaction(database: Database, project: str, at: int, milliseconds: float) -> None:
    """Note a compaction of a project, and how long it took."""
    note_latency(database, _kind(project), at, milliseconds, lambda *_: False)


def _kind(project: str) -> str:
    return f"compaction of {project}"


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
