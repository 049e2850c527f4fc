"""Running SQL: a function for each kind of answer.

Values are bound, by position or by name. A list is bound as JSON, for
`IN (SELECT value FROM json_each(?))`, so that SQLite's statement is used again.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from peewee import Model

from .connection import Database
from .images import Image, dumps, rows


def execute(database: Database, sql: str, *values: Any, **named: Any) -> sqlite3.Cursor:
    """Run a statement in the caller's transaction."""
    bound: Any = {name: _stored(value) for name, value in named.items()} or _bound(values)
    connection: sqlite3.Connection = database.connection()
    return connection.execute(sql, bound)


def each(database: Database, sql: str, many: Iterable[Sequence[Any]]) -> None:
    """Run a statement once for each of `many`."""
    database.connection().executemany(sql, map(_bound, many))


def listing(database: Database, sql: str, *values: Any, **named: Any) -> list[Any]:
    """Rows as mappings, JSON columns decoded."""
    bound: Any = {name: _stored(value) for name, value in named.items()} or _bound(values)
    return rows(database.connection(), sql, bound)


def first(database: Database, sql: str, *values: Any) -> Image | None:
    """The first row as a mapping; None without one."""
    return next(iter(listing(database, sql, *values)), None)


def tuples(database: Database, sql: str, *values: Any) -> list[Any]:
    """Rows as plain tuples."""
    return execute(database, sql, *values).fetchall()


def column(database: Database, sql: str, *values: Any) -> list[Any]:
    """The values of the only column."""
    return [value for (value,) in execute(database, sql, *values)]


def value(database: Database, sql: str, *values: Any) -> Any:
    """The first value of the first row; None without one."""
    row = execute(database, sql, *values).fetchone()
    return None if row is None else row[0]


def insert(database: Database, model: type[Model], row: Mapping[str, Any], action: str = "") -> int:
    """Add a row; its row number. Columns that it lacks get their defaults.

    `action`: IGNORE or REPLACE a row that is there.
    """
    whole = {**model._meta.get_default_dict(), **row}
    names = ", ".join(f'"{name}"' for name in whole)
    marks = ", ".join("?" * len(whole))
    verb = f"INSERT OR {action}" if action else "INSERT"
    sql = f'{verb} INTO "{model._meta.table_name}" ({names}) VALUES ({marks})'
    return execute(database, sql, *whole.values()).lastrowid or 0


def _bound(values: Iterable[Any]) -> list[Any]:
    return [_stored(value) for value in values]


def _stored(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    return dumps(value if isinstance(value, dict) else list(value))
