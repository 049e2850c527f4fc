"""When each project was maintained. Not journaled. Times are milliseconds since 1970."""

from __future__ import annotations

from typing import TypedDict

from .connection import Database, begin_immediate
from .derived import MaintenanceRow
from .queries import Query, first, statement


class StoredMaintenance(TypedDict):
    """The last maintain of a project."""

    project: str
    at: int
    held_at: int | None  # since when a leap of the clock keeps it from retiring


@first(StoredMaintenance)
def last(project: str) -> Query:
    """The project's last maintain."""
    return MaintenanceRow.select().where(MaintenanceRow.project == project)


@statement
def _note(project: str, at: int, held_at: int | None) -> Query:
    row = MaintenanceRow.insert(project=project, at=at, held_at=held_at)
    return row.on_conflict(
        conflict_target=[MaintenanceRow.project],
        preserve=[MaintenanceRow.at, MaintenanceRow.held_at],
    )


def note(database: Database, project: str, at: int, held_at: int | None) -> None:
    """Note a maintain of the project."""
    with begin_immediate(database):
        _note(database, project, at, held_at)
