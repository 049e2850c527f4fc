"""When each project was maintained. Not journaled. Times are milliseconds since 1970."""

from __future__ import annotations

from typing import TypedDict

from .connection import Database, begin_immediate
from .derived import MaintenanceRow
from .queries import Query, first, statement


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


@statement
def _note(project: str, at: int | None, held_at: int | None, unfinished: str) -> Query:
    row = MaintenanceRow.insert(project=project, at=at, held_at=held_at, unfinished=unfinished)
    return row.on_conflict(
        conflict_target=[MaintenanceRow.project],
        preserve=[MaintenanceRow.at, MaintenanceRow.held_at, MaintenanceRow.unfinished],
    )


def note(
    database: Database, project: str, at: int | None, held_at: int | None, unfinished: str = ""
) -> None:
    """Note how far the maintain of a project came."""
    with begin_immediate(database):
        _note(database, project, at, held_at, unfinished)
