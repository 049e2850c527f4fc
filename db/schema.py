"""The tables as the models make them: a new store's, and what every other one is compared with.

Stores of older versions come to the same by the frozen steps in `migrations`; a test holds that
both ends are one. Spacing and quotes apart: the steps are laid out for reading.
"""

import re
import sqlite3
from functools import cache

import peewee

from . import index
from .derived import ALL
from .type_tables import DETAILS


def create(database: peewee.SqliteDatabase) -> None:
    """Make every table, index and the full-text index in an empty database."""
    models = tuple(dict.fromkeys((*ALL, *DETAILS.values())))  # a type may have been added since
    run = database.connection().execute
    for statement in (*_statements(models), index.CREATE):
        run(statement)


class _Told(peewee.SqliteDatabase):
    """A database that is nowhere and keeps what it is told to do."""

    def __init__(self) -> None:
        super().__init__(None)
        self.statements: list[str] = []

    def execute_sql(self, sql: str, *_values: object) -> None:
        self.statements.append(sql)


@cache
def _statements(models: tuple[type[peewee.Model], ...]) -> tuple[str, ...]:
    """The SQL that makes these tables and their indexes: Peewee takes longer to write it than
    SQLite to do it, so it is written once in a process.
    """
    told = _Told()
    for model in models:
        peewee.SchemaManager(model, told).create_all(safe=False)
    return tuple(told.statements)


def altered(connection: sqlite3.Connection) -> list[str]:
    """The tables and indexes that are not as the models make them.

    A flipped bit can do that, and SQLite's own check would not mind.
    """
    differing = set(_own().items()) ^ set(definitions(connection).items())
    return sorted({name for name, _ in differing})


def definitions(connection: sqlite3.Connection) -> dict[str, str | None]:
    """By kind and name what made each table and index, spacing and quotes apart.

    Without the list of steps that were taken.
    """
    return {
        name: sql and re.sub('[ \n"]+', "", sql)
        for name, sql in connection.execute(
            "SELECT type || ' ' || name, sql FROM sqlite_master"
            " WHERE tbl_name != 'schema_migration'"
        )
    }


@cache
def _own() -> dict[str, str | None]:
    own = peewee.SqliteDatabase(":memory:")
    try:
        own.connect()
        create(own)
        return definitions(own.connection())
    finally:
        own.close()
