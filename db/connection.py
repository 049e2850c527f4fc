"""Opening the database, the schema, locking for a write, and the one mapping of Peewee's errors.

Readers and writers get the same pragmas. A writer always begins IMMEDIATE: a deferred transaction
that reads before it writes fails in nine of ten cases when others write too, and no waiting can
help it. The models of `tables` are the schema: an older store is converted to what they say.
"""

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import peewee

from . import index
from .errors import (
    BadInput,
    ManagerError,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreNewer,
    StoreReadOnly,
    StoreUnusable,
    of_the_system,
)
from .home import (
    SCHEMA,
    Home,
    addresses_to_read,
    create_private,
    has_room,
    is_shut,
    locked,
    queued,
    refuse_link,
)
from .images import detail_tables, hash_of, memories
from .tables import ALL, DETAILS

Database = peewee.SqliteDatabase
"""What the core hands back to the named queries, and knows nothing else of."""

MARK = 0x6D640000
"""With the schema's version added, the `application_id` of a store: a second witness of it."""

BUSY_TIMEOUT_MS = 5_000
WRITE_TRIES = 4

DAMAGE = (
    "malformed",
    "not a database",
    "corrupt",
    "could not decode to utf-8",
    "no such table",  # the schema's own page is what was hit: every table is made at the start
    "no such column",
    "file format",  # of the database, or of its search index
    "has no column named",
    "vtable constructor failed",
    "already exists",  # the schema's version, which the head holds, is not what it was
)
"""Pieces of SQLite's messages that mean: this file is not as it was written."""

READING: dict[str, Any] = {
    "busy_timeout": BUSY_TIMEOUT_MS,
    "temp_store": "memory",
    "cache_size": -16_000,
    "mmap_size": 256 * 1024 * 1024,
}

PRAGMAS: dict[str, Any] = {
    "journal_mode": "wal",
    "synchronous": "normal",  # the journal is synced; what a power cut takes, it gives back
    "secure_delete": "fast",  # forgotten text does not linger in freed pages it can reach cheaply
    **READING,
}


class DatabaseToRead(peewee.SqliteDatabase):
    """A database that SQLite may not write; so that no write begins which could not end well."""

    def __init__(self, address: str, home: Home) -> None:
        super().__init__(address, uri=True, pragmas=READING, autoconnect=False)
        has_space = has_room(home.database)
        self.refusal = StoreReadOnly(home.path) if has_space else StoreFull("The disk is full.")


def open_database(home: Home) -> peewee.SqliteDatabase:
    """The store's database, connected, at the newest schema.

    Raises StoreNewer, StoreDamaged, StoreUnusable.
    """
    for suffix in ("", "-wal", "-shm"):
        refuse_link(home.database + suffix)
    try:
        create_private(home.database)  # 0600 before SQLite sees it: -wal and -shm inherit that
    except OSError as error:
        raise of_the_system(error, home.database) from error
    database = peewee.SqliteDatabase(home.database, pragmas=PRAGMAS, autoconnect=False)
    with mapped_errors():
        # SQLite does not wait where two make a new file one with a write-ahead log at once.
        _when_free(database.connect)
        version = int(database.pragma("user_version"))
        if version > SCHEMA:
            if int(database.pragma("application_id")) != MARK + SCHEMA:
                database.close()
                raise StoreNewer(f"This store has schema {version}; this memdeck knows {SCHEMA}.")
            database.pragma("user_version", SCHEMA)  # both say so of a newer store: a flipped bit
        if version < SCHEMA:
            with locked(home, "upgrade"):
                if (version := int(database.pragma("user_version"))) < SCHEMA:
                    _upgrade(database, home, version)
    return database


def open_to_read(home: Home) -> peewee.SqliteDatabase:
    """The same where nothing may be written, not even the files that SQLite keeps beside it.

    Raises StoreReadOnly for a store that wants an upgrade first, else as `open_database`.
    """
    for suffix in ("", "-wal", "-shm"):
        refuse_link(home.database + suffix)
    with mapped_errors():
        database, version = _opened_to_read(home)
    if version > SCHEMA:
        database.close()
        raise StoreNewer(f"This store has schema {version}; this memdeck knows {SCHEMA}.")
    if version < SCHEMA:
        database.close()
        raise StoreReadOnly(
            home.path,
            hint="It is of an older memdeck: run `memdeck status` where it can be written.",
        )
    return database


def _opened_to_read(home: Home) -> tuple[peewee.SqliteDatabase, int]:
    for address in addresses_to_read(home.database):
        database = DatabaseToRead(address, home)
        try:
            database.connect()
            return database, int(database.pragma("user_version"))
        except peewee.OperationalError as error:
            database.close()
            if not is_shut(error):
                raise
    raise StoreReadOnly(
        home.path, hint="What was written last can only be read where SQLite may write: outside."
    )


def _upgrade(database: peewee.SqliteDatabase, home: Home, version: int) -> None:
    """Bring the schema to SCHEMA: on a copy first when there is something to lose."""
    if version:
        retained = os.path.join(home.backups, f"before-schema-{SCHEMA}.db")
        trial = retained + ".trial"
        for path in (retained, trial):
            create_private(path)
            with contextlib.closing(sqlite3.connect(path)) as target:
                database.connection().backup(target)
        rehearsal = peewee.SqliteDatabase(trial)
        try:
            _bring_up_to_date(rehearsal)  # what fails here has touched nothing
        finally:
            rehearsal.close()
            os.remove(trial)
    _bring_up_to_date(database)


def _bring_up_to_date(database: peewee.SqliteDatabase) -> None:
    with begin_immediate(database):
        version = int(database.pragma("user_version"))  # another process may have been quicker
        if version == SCHEMA:
            return
        if version == 0 and not database.get_tables():
            create(database)
        else:
            convert(database)
        database.pragma("user_version", SCHEMA)
        database.pragma("application_id", MARK + SCHEMA)


@contextlib.contextmanager
def begin_immediate(database: peewee.SqliteDatabase) -> Iterator[None]:
    """One write transaction; retried with jitter when others hold the lock for long.

    Raises StoreReadOnly, StoreBusy, StoreFull, StoreDamaged.
    """
    if isinstance(database, DatabaseToRead):
        raise database.refusal
    with mapped_errors(), queued(str(database.database)):
        _when_free(lambda: database.begin("IMMEDIATE"))
        try:
            yield
            database.commit()
        except BaseException:
            if database.connection().in_transaction:  # a full disk has rolled back by itself
                database.rollback()
            raise


def _when_free(begin: Callable[[], object]) -> None:
    """Begin, and again with jitter while others hold the lock. Raises peewee.OperationalError."""
    for attempt in range(WRITE_TRIES):
        try:
            begin()
            return
        except peewee.OperationalError as error:
            if "locked" not in str(error) or attempt == WRITE_TRIES - 1:
                raise
            import random  # seldom wanted

            time.sleep(random.uniform(0.02, 0.2) * (attempt + 1))


@contextlib.contextmanager
def mapped_errors() -> Iterator[None]:
    """Turn Peewee's and SQLite's errors into ours, in one place.

    "interrupted" passes through: it is an answer to our own `interrupt()`.
    """
    try:
        yield
    except ManagerError:
        raise
    except (peewee.DatabaseError, sqlite3.Error) as error:
        mapped = map_error(error)
        if mapped is None:
            raise
        raise mapped from error
    except UnicodeDecodeError as error:  # not even SQLite's message can be read
        raise StoreDamaged("The database is damaged.") from error
    except (UnicodeEncodeError, OverflowError) as error:  # met where a value is bound
        kind = (
            "text with half a character" if isinstance(error, UnicodeError) else "number so large"
        )
        raise BadInput(f"The store can neither keep nor look for a {kind}.") from error


def map_error(error: Exception) -> ManagerError | None:
    """The ManagerError that tells a person what `error` means; None for a bug of ours."""
    text = str(error).lower()
    if "constraint failed" in text:
        return BadInput(
            f"A value lies outside what the store takes: {error}.",
            hint="docs/reference/import-export.md lists the words and ranges of each field.",
        )
    if "locked" in text or "busy" in text:
        return StoreBusy("The store is busy.")
    if "is full" in text or "disk i/o" in text:
        return StoreFull("The disk took no more.")
    if any(sign in text for sign in DAMAGE):
        return StoreDamaged("The database is damaged.")
    if "readonly" in text or "unable to open" in text:
        return StoreUnusable(
            f"The store cannot be used: {error}.", hint="Check the permissions of MEMDECK_HOME."
        )
    return None


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
    if are_memories_altered:
        _hash_anew(connection)
    index.fill(connection)


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


def _of_table(matches: Definitions, table: str) -> Definitions:
    return {key: sql for key, sql in matches.items() if key[0] == table}


@cache
def _own() -> Definitions:
    own = peewee.SqliteDatabase(":memory:")
    try:
        own.connect()
        create(own)
        return definitions(own.connection())
    finally:
        own.close()
