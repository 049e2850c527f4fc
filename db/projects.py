"""Projects, and what a person chose in them. Tables `project`, `setting`."""

from typing import Any

from peewee import SQL, fn

from .connection import Database
from .images import decoded
from .queries import Query, listing, single, value
from .rows import StoredProject
from .tables import MemoryRow, ProjectRow, SettingRow


class CountedProject(StoredProject):
    """A project with the number of its live memories."""

    memories: int


@value(str)
def name_of(project: str) -> Query:
    """The name of a project by its id; "" for one that the store does not know."""
    return ProjectRow.select(fn.coalesce(fn.max(ProjectRow.name), "")).where(
        ProjectRow.id == project
    )


@listing(CountedProject)
def projects() -> Query:
    """All projects, the fullest first."""
    live = MemoryRow.select(fn.count(SQL("*"))).where(
        MemoryRow.project == ProjectRow.id, MemoryRow.retired_at.is_null()
    )
    counted = ProjectRow.select(ProjectRow, live.alias("memories"))
    return counted.order_by(SQL("memories DESC"), ProjectRow.name)


@listing(StoredProject)
def projects_called(name: str) -> Query:
    """The projects with this id or this name."""
    called = (ProjectRow.id == name) | (ProjectRow.name == name)
    return ProjectRow.select().where(called).order_by(ProjectRow.id)


@single(tuple[str])
def _setting(key: str) -> Query:
    return SettingRow.select(SettingRow.value).where(SettingRow.key == key)


def setting(database: Database, key: str) -> Any:
    """What a person chose under `key`; None when nothing was chosen."""
    chosen = _setting(database, key)
    return None if chosen is None else decoded(chosen[0])
