"""Opening the database, the schema, locking for a write, and the one mapping of SQLite's errors.

Peewee's models make the tables. Queries are SQL and need no Peewee, whose import takes longer than
most commands. A writer begins IMMEDIATE: a deferred transaction fails when others write too.
"""

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

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
    SCHEMA,
    Home,
    addresses_to_read,
    create_private,
    has_room,
    is_shut,
    refuse_link,
    try_lock,
)

T = TypeVar("T")

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


LOCK_WAIT_S = 60.0
QUEUE_S = 20.0
"""Time that a writer waits in the queue, which a stopped program may block for ever."""

READING_S = 1.5  # what only reads, or a receipt, waits so long for other writers

LONG_S = 2.0  # a longer wait is announced to the user


class Patience:
    """The time that this process waits for other writers: as often as `db.connection` tries, else
    for `seconds`. A long wait calls the functions of `announce` and removes them."""

    seconds: float | None = None
    announce: list[Callable[[], None]] = []

    @contextlib.contextmanager
    def of(self, seconds: float, *announce: Callable[[], None]) -> Iterator[None]:
        """Wait at most so long in this block."""
        self.seconds, self.announce = seconds, [*announce]
        try:
            yield
        finally:
            self.seconds, self.announce = None, []

    def notify(self) -> None:
        while self.announce:
            self.announce.pop()()


PATIENCE = Patience()


_LOCK_PAUSE_S = 0.002
"""First come, first served would take three times as long on busy processors, since each waiter
must run before the next one can. A retry is as likely to be next as any other."""


@contextlib.contextmanager
def _holding(path: str, seconds: float) -> Iterator[bool]:
    """Hold the lock of a file, which is made if need be; False if others held it for so long."""
    create_private(path)
    handle = os.open(path, os.O_RDWR)
    try:
        began = now = time.monotonic()
        while not (is_held := try_lock(handle)) and now < began + seconds:
            if now > began + LONG_S:
                PATIENCE.notify()
            time.sleep(_LOCK_PAUSE_S)
            now = time.monotonic()
        yield is_held
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(home: Home, name: str) -> Iterator[None]:
    """Hold a lock of the home while others wait for it. Raises StoreBusy after LOCK_WAIT_S."""
    path = os.path.join(home.path, f"{name}.lock")
    with _holding(path, LOCK_WAIT_S) as is_held:
        if not is_held:
            raise StoreBusy(f"Another process has held {path} for a minute.")
        yield


@contextlib.contextmanager
def queued(database: str) -> Iterator[None]:
    """Give each writer of a database the same chance, as SQLite's growing pauses do not.

    A writer that waits for too long, or cannot have the lock's file, goes on without it.
    """
    folder, name = os.path.split(database)
    with contextlib.ExitStack() as stack:
        if name == "memory.db":
            with contextlib.suppress(OSError, StoreUnusable):
                seconds = min(QUEUE_S, PATIENCE.seconds or QUEUE_S)
                stack.enter_context(_holding(os.path.join(folder, "queue.lock"), seconds))
        yield


def _busy_timeout() -> int:
    """Milliseconds that SQLite waits for a lock, which are never more than this process may."""
    seconds = PATIENCE.seconds
    return BUSY_TIMEOUT_MS if seconds is None else min(BUSY_TIMEOUT_MS, int(1000 * seconds))


class Database:
    """A connection to SQLite, in autocommit: the handle that core passes to the named queries."""

    def __init__(self, address: str, pragmas: dict[str, Any], *, is_uri: bool = False) -> None:
        """Raises sqlite3.Error."""
        self.address = address
        self.refusal: ManagerError | None = None  # why no write may begin
        self._connection: sqlite3.Connection | None = sqlite3.connect(
            address, uri=is_uri, timeout=_busy_timeout() / 1000, isolation_level=None
        )
        try:
            for name, value in pragmas.items():
                self.pragma(name, value)
            self.schema = int(self.pragma("user_version"))  # when it was opened
        except BaseException:
            self.close()
            raise

    def connection(self) -> sqlite3.Connection:
        """Return the connection. Raises sqlite3.ProgrammingError once it is closed."""
        if self._connection is None:
            raise sqlite3.ProgrammingError("the database is closed")
        return self._connection

    def pragma(self, name: str, value: object = None) -> Any:
        """Set a pragma unless `value` is None; return what SQLite answers, or None."""
        sql = f"PRAGMA {name}" if value is None else f"PRAGMA {name} = {value}"
        row = self.connection().execute(sql).fetchone()
        return None if row is None else row[0]

    def begin_immediate(self) -> None:
        self.connection().execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.connection().execute("COMMIT")

    def rollback(self) -> None:
        self.connection().execute("ROLLBACK")

    def is_closed(self) -> bool:
        return self._connection is None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def database_to_read(address: str, home: Home) -> Database:
    """A database that SQLite may not write; so that no write begins that could not finish."""
    database = Database(address, READING, is_uri=True)
    has_space = has_room(home.database)
    database.refusal = StoreReadOnly(home.path) if has_space else StoreFull("The disk is full.")
    return database


def open_database(home: Home) -> Database:
    """Return the store's database, connected, at the newest schema.

    Raises StoreNewer, StoreOutdated, StoreDamaged, StoreUnusable.
    """
    for suffix in ("", "-wal", "-shm"):
        refuse_link(home.database + suffix)
    try:
        create_private(home.database)  # 0600 before SQLite sees it: -wal and -shm inherit that
    except OSError as error:
        raise of_the_system(error, home.database) from error
    with mapped_errors():
        # SQLite does not wait where two make a new file one with a write-ahead log at once.
        database = _when_free(lambda: Database(home.database, PRAGMAS))
        if (version := database.schema) == SCHEMA:
            return database
        if version == 0:
            with begin_immediate(database):
                if not int(database.pragma("user_version")) and not definitions(
                    database.connection()
                ):
                    create(database.connection())
                    database.pragma("user_version", SCHEMA)
                    database.pragma("application_id", MARK + SCHEMA)
        elif version > SCHEMA and int(database.pragma("application_id")) == MARK + SCHEMA:
            database.pragma("user_version", SCHEMA)  # both say so of a newer store: a flipped bit
        version = int(database.pragma("user_version"))
        older = StoreOutdated(f"The database has schema {version}, not {SCHEMA}.")
        return _of_this_schema(database, version, older)


def _of_this_schema(database: Database, version: int, older: ManagerError) -> Database:
    """Return the database, unless it is of another schema. Raises StoreNewer, `older`."""
    if version == SCHEMA:
        return database
    database.close()
    if version > SCHEMA:
        raise StoreNewer(f"This store has schema {version}; this memdeck knows {SCHEMA}.")
    raise older


def open_to_read(home: Home) -> Database:
    """Return the same where nothing may be written, not even the files that SQLite keeps beside it.

    Raises StoreReadOnly for a store that wants an upgrade first, else as `open_database`.
    """
    for suffix in ("", "-wal", "-shm"):
        refuse_link(home.database + suffix)
    with mapped_errors():
        for address in addresses_to_read(home.database):
            try:
                database = database_to_read(address, home)
                break
            except sqlite3.OperationalError as error:
                if not is_shut(error):
                    raise
        else:
            raise StoreReadOnly(
                home.path,
                hint="What was written last can only be read where SQLite may write: outside.",
            )
    hint = "It is of an older memdeck: run `memdeck status` where it can be written."
    return _of_this_schema(database, database.schema, StoreReadOnly(home.path, hint=hint))


@contextlib.contextmanager
def begin_immediate(database: Database) -> Iterator[None]:
    """One write transaction; retried with jitter when others hold the lock for long.

    Raises StoreReadOnly, StoreBusy, StoreFull, StoreDamaged.
    """
    if database.refusal is not None:
        raise database.refusal
    with mapped_errors(), queued(database.address):
        _when_free(database.begin_immediate)
        try:
            yield
            database.commit()
        except BaseException:
            if database.connection().in_transaction:  # a full disk has rolled back by itself
                database.rollback()
            raise


def _when_free(begin: Callable[[], T]) -> T:
    """Begin, and again with jitter while others hold the lock. Raises sqlite3.OperationalError."""
    began, attempt = time.monotonic(), 1
    while True:
        try:
            return begin()
        except sqlite3.OperationalError as error:
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
    """Turn SQLite's errors into ours, in one place.

    "interrupted" passes through: it is an answer to our own `interrupt()`.
    """
    try:
        yield
    except ManagerError:
        raise
    except sqlite3.Error as error:
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


def create(connection: sqlite3.Connection) -> None:
    """Make every table, index and the full-text index in an empty database."""
    from .tables import ALL, DETAILS, statements

    models = dict.fromkeys((*ALL, *DETAILS.values()))  # a type may have been added since
    for statement in (*statements(tuple(models)), index.CREATE):
        connection.execute(statement)


def altered(connection: sqlite3.Connection) -> list[str]:
    """Return the tables and indexes that are not as the models make them.

    A flipped bit can do that, and SQLite's own check would not mind.
    """
    differing = set(_own().items()) ^ set(definitions(connection).items())
    return sorted({name for (_, name), _ in differing})


Definitions = dict[tuple[str, str], str | None]
"""The statement of each table and index by table, kind and name, spacing and quotes apart."""


def definitions(connection: sqlite3.Connection) -> Definitions:
    """Return the definitions in an open database."""
    return {
        (table, name): sql and re.sub('[ \n"]+', "", sql)
        for table, name, sql in connection.execute(
            "SELECT tbl_name, type || ' ' || name, sql FROM sqlite_master"
        )
    }


@cache
def _own() -> Definitions:
    with contextlib.closing(sqlite3.connect(":memory:")) as own:
        create(own)
        return definitions(own)
