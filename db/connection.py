"""Opening the database, the schema, locking for a write, and the one mapping of Peewee's errors.

A writer always begins IMMEDIATE: a deferred transaction fails when others write too.
"""

import contextlib
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
    StoreOutdated,
    StoreReadOnly,
    StoreUnusable,
    of_the_system,
)
from .home import (
    PATIENCE,
    SCHEMA,
    Home,
    addresses_to_read,
    create_private,
    has_room,
    is_shut,
    queued,
    refuse_link,
)
from .tables import ALL, DETAILS

Database = peewee.SqliteDatabase
"""The handle that core passes to the named queries, and never uses itself."""

MARK = 0x6D640000
"""With the schema's version added, the `application_id` of a store: a second witness of it."""

BUSY_TIMEOUT_MS = 5_000
WRITE_TRIES = 4

DAMAGE = (
    "malformed",
    "not a database",
    "corrupt",
    "could not decode to utf-8",
    "no such table",  # the schema's own page was damaged: every table is made at the start
    "no such column",
    "file format",  # of the database, or of its search index
    "has no column named",
    "vtable constructor failed",
    "already exists",  # the schema's version in the head was altered
)
"""Pieces of SQLite's messages that mean: this file is not as it was written."""

READING: dict[str, Any] = {
    "temp_store": "memory",
    "cache_size": -16_000,
    "mmap_size": 16 << 20,  # a connection: the app has several, and all count as its memory
}

PRAGMAS: dict[str, Any] = {
    "journal_mode": "wal",
    "synchronous": "normal",  # the journal is synced, and restores rows after a power cut
    "secure_delete": "fast",  # forgotten text does not linger in freed pages it can reach cheaply
    **READING,
}


def _busy_timeout() -> int:
    """Milliseconds that SQLite waits for a lock, which are never more than this process may."""
    seconds = PATIENCE.seconds
    return BUSY_TIMEOUT_MS if seconds is None else min(BUSY_TIMEOUT_MS, int(1000 * seconds))


class DatabaseToRead(peewee.SqliteDatabase):
    """A database that SQLite may not write, so that no write begins that could not finish."""

    def __init__(self, address: str, home: Home) -> None:
        pragmas = {"busy_timeout": _busy_timeout(), **READING}
        super().__init__(address, uri=True, pragmas=pragmas, autoconnect=False)
        has_space = has_room(home.database)
        self.refusal = StoreReadOnly(home.path) if has_space else StoreFull("The disk is full.")


def open_database(home: Home) -> peewee.SqliteDatabase:
    """The store's database, connected, at the newest schema.

    Raises StoreNewer, StoreOutdated, StoreDamaged, StoreUnusable.
    """
    for suffix in ("", "-wal", "-shm"):
        refuse_link(home.database + suffix)
    try:
        create_private(home.database)  # 0600 before SQLite sees it: -wal and -shm inherit that
    except OSError as error:
        raise of_the_system(error, home.database) from error
    pragmas = {"busy_timeout": _busy_timeout(), **PRAGMAS}  # first: the next ones may wait
    database = peewee.SqliteDatabase(home.database, pragmas=pragmas, autoconnect=False)
    with mapped_errors():
        # SQLite does not wait where two make a new file one with a write-ahead log at once.
        _when_free(database.connect)
        version = int(database.pragma("user_version"))
        if version == SCHEMA:
            return database
        if version == 0:
            with begin_immediate(database):
                if not int(database.pragma("user_version")) and not database.get_tables():
                    create(database)
                    database.pragma("user_version", SCHEMA)
                    database.pragma("application_id", MARK + SCHEMA)
        elif version > SCHEMA and int(database.pragma("application_id")) == MARK + SCHEMA:
            database.pragma("user_version", SCHEMA)  # both say so of a newer store: a flipped bit
        if (version := int(database.pragma("user_version"))) == SCHEMA:
            return database
        database.close()
        if version > SCHEMA:
            raise StoreNewer(f"This store has schema {version}; this memdeck knows {SCHEMA}.")
        raise StoreOutdated(f"The database has schema {version}, not {SCHEMA}.")


def open_to_read(home: Home) -> peewee.SqliteDatabase:
    """The same where nothing may be written, not even the files that SQLite keeps beside it.

    Raises StoreReadOnly for a store that wants an upgrade first, else as `open_database`.
    """
    for suffix in ("", "-wal", "-shm"):
        refuse_link(home.database + suffix)
    with mapped_errors():
        for address in addresses_to_read(home.database):
            database = DatabaseToRead(address, home)
            try:
                database.connect()
                version = int(database.pragma("user_version"))
                break
            except peewee.OperationalError as error:
                database.close()
                if not is_shut(error):
                    raise
        else:
            raise StoreReadOnly(
                home.path,
                hint="What was written last can only be read where SQLite may write: outside.",
            )
    if version == SCHEMA:
        return database
    database.close()
    if version > SCHEMA:
        raise StoreNewer(f"This store has schema {version}; this memdeck knows {SCHEMA}.")
    hint = "It is of an older memdeck: run `memdeck status` where it can be written."
    raise StoreReadOnly(home.path, hint=hint)


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
    began, attempt = time.monotonic(), 1
    while True:
        try:
            begin()
            return
        except peewee.OperationalError as error:
            if "locked" not in str(error):
                raise
            waited, limit = time.monotonic() - began, PATIENCE.seconds
            if attempt >= WRITE_TRIES if limit is None else waited >= limit:
                raise
        import random  # seldom wanted

        PATIENCE.notify()
        time.sleep(random.uniform(0.02, 0.2) * min(attempt, WRITE_TRIES))
        attempt += 1


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
    """Return the ManagerError that explains `error` to the user; None for a bug of ours."""
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


def create(database: peewee.SqliteDatabase) -> None:
    """Make every table, index and the full-text index in an empty database."""
    run = database.connection().execute
    models = dict.fromkeys((*ALL, *DETAILS.values()))  # a type may have been added since
    for statement in (*_statements(tuple(models)), index.CREATE):
        run(statement)


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
"""The statement of each table and index by table, kind and name, spacing and quotes apart."""


def definitions(connection: sqlite3.Connection) -> Definitions:
    """The definitions in an open database."""
    return {
        (table, name): sql and re.sub('[ \n"]+', "", sql)
        for table, name, sql in connection.execute(
            "SELECT tbl_name, type || ' ' || name, sql FROM sqlite_master"
        )
    }


@cache
def _own() -> Definitions:
    own = peewee.SqliteDatabase(":memory:")
    try:
        own.connect()
        create(own)
        return definitions(own.connection())
    finally:
        own.close()
