"""The tables as the models make them: a new store's, and what an older one is converted to."""

import re
import sqlite3
from functools import cache

import peewee

from . import index
from .derived import ALL
from .images import detail_tables, hash_of, memories
from .type_tables import DETAILS

CHUNK = 500


def create(database: peewee.SqliteDatabase) -> None:
    """Make every table, index and the full-text index in an empty database."""
    run = database.connection().execute
    for statement in (*_statements(_models()), index.CREATE):
        run(statement)


def convert(database: peewee.SqliteDatabase) -> None:
    """Bring the tables of an older store to what the models say; the caller holds the transaction.

    A table keeps the columns that both have. Tables that no model names go, except those of a type
    that another package adds.
    """
    connection = database.connection()
    columns = connection.execute("SELECT name FROM pragma_table_info('conflict')").fetchall()
    if ("band",) in columns:  # pairs that were only listed as near each other are no conflicts
        connection.execute("DELETE FROM conflict WHERE band = 'near' AND resolved_at IS NULL")
    own, there = _own(), definitions(connection)
    spared = {*detail_tables(connection), *(table for table, _ in own)}
    for table, name in list(there):
        if table not in spared and name == f"table {table}":
            connection.execute(f'DROP TABLE "{table}"')
    are_memories_altered = False
    for model in _models():
        table = model._meta.table_name
        if _of_table(own, table) != _of_table(there, table):
            are_memories_altered |= table == "memory" or table in DETAILS
            _remake(connection, model, is_there=(table, f"table {table}") in there)
    index.make_terms_anew(connection)
    if are_memories_altered:
        _hash_anew(connection)
        index.rebuild(connection)


def _remake(connection: sqlite3.Connection, model: type[peewee.Model], *, is_there: bool) -> None:
    table, old = model._meta.table_name, f"old_{model._meta.table_name}"
    if is_there:
        named = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL AND tbl_name = ?",
            (table,),
        )
        for (name,) in named.fetchall():
            connection.execute(f'DROP INDEX "{name}"')
        connection.execute(f'ALTER TABLE "{table}" RENAME TO "{old}"')
    for statement in _statements((model,)):
        connection.execute(statement)
    if is_there:
        before = {row[1] for row in connection.execute(f'PRAGMA table_info("{old}")')}
        shared = ", ".join(f'"{name}"' for name in model._meta.sorted_field_names if name in before)
        connection.execute(f'INSERT INTO "{table}" ({shared}) SELECT {shared} FROM "{old}"')
        connection.execute(f'DROP TABLE "{old}"')


def _hash_anew(connection: sqlite3.Connection) -> None:
    nums = [num for (num,) in connection.execute("SELECT num FROM memory")]
    for start in range(0, len(nums), CHUNK):
        images = memories(connection, "num", nums[start : start + CHUNK])
        connection.executemany(
            "UPDATE memory SET row_hash = ? WHERE num = ?",
            [(hash_of(image), image["num"]) for image in images],
        )


def _models() -> tuple[type[peewee.Model], ...]:
    return tuple(dict.fromkeys((*ALL, *DETAILS.values())))  # a type may have been added since


class _Recorder(peewee.SqliteDatabase):
    """A database without a file that keeps the statements it is given."""

    def __init__(self) -> None:
        super().__init__(None)
        self.statements: list[str] = []

    def execute_sql(self, sql: str, *_values: object) -> None:
        self.statements.append(sql)


@cache
def _statements(models: tuple[type[peewee.Model], ...]) -> tuple[str, ...]:
    """The SQL that makes these tables and their indexes.

    Peewee takes longer to write it than SQLite to run it, so it is written once in a process.
    """
    recorder = _Recorder()
    for model in models:
        peewee.SchemaManager(model, recorder).create_all(safe=False)
    return tuple(recorder.statements)


def altered(connection: sqlite3.Connection) -> list[str]:
    """The tables and indexes that are not as the models make them.

    A flipped bit can do that, and SQLite's own check would not mind.
    """
    differing = set(_own().items()) ^ set(definitions(connection).items())
    return sorted({name for (_, name), _ in differing})


Definitions = dict[tuple[str, str], str | None]
"""By table, kind and name what made each table and index, spacing and quotes apart."""


def definitions(connection: sqlite3.Connection) -> Definitions:
    """The definitions in an open database."""
    return {
        (table, name): sql and re.sub('[ \n"]+', "", sql)
        for table, name, sql in connection.execute(
            "SELECT tbl_name, type || ' ' || name, sql FROM sqlite_master"
        )
    }


def _of_table(found: Definitions, table: str) -> Definitions:
    return {key: sql for key, sql in found.items() if key[0] == table}


@cache
def _own() -> Definitions:
    own = peewee.SqliteDatabase(":memory:")
    try:
        own.connect()
        create(own)
        return definitions(own.connection())
    finally:
        own.close()
