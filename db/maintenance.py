"""When each project was maintained, and compacted. Not journaled. Times are ms since 1970."""

from __future__ import annotations

from typing import TypedDict

from peewee import fn

from .connection import Database, begin_immediate
from .derived import LatencyRow, MaintenanceRow
from .queries import Query, first, insert, optional
from .receipts import note_latency


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
