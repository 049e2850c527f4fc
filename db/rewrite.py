"""The journal written anew, for text that must be erased from it: the one exception to append-only.

Every record is kept, in its order and under its number; only what `change` makes of it differs.
Hashes and chain are made again, the tables follow from the new journal, and what the database
file still held of the old one goes. Redaction after a rule update erases so, and a purge may.

A crash at any moment leaves a whole journal. First the database forgets, durably, how far it has
applied the journal, so that any opening from then on replays what it finds. Then the new journal
is written beside the old one, synced, and takes its place by one rename; older segments, which it
repeats, go after that, and where they stayed behind (`is_unfinished`) a second run takes them away.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from . import index, journal
from .connection import BUSY_TIMEOUT_MS, Database, begin_immediate, mapped_errors
from .errors import Refused, StoreBusy, StoreDamaged, StoreUnusable, of_the_system
from .home import UNCHANGING, Home, address_to_read, create_private, sync_folder
from .images import CHUNK, Image, memories, rows
from .journal import FIRST_HASH, Found, segment_path
from .keepers import KEEPERS, MEMORY, TableKeeper, empty
from .store import Store
from .tables import DERIVED

Record = dict[str, Any]

TRIES = 5
"""Times that others may write in between before we give up."""

READERS_WAIT_MS = 1_000
"""How long a reader may hold on to old rows before we say so."""

_FRESH = "resealed.tmp"
_MARK = "resealing"  # stands in the journal's folder while older segments may still be there


@dataclass(frozen=True, slots=True)
class Resealed:
    """What became of the journal."""

    records: int
    altered: int  # records that differ now
    is_clean: bool  # False: another program still reads the database as it was


def reseal(store: Store, change: Callable[[Record], Record]) -> Resealed:
    """Write the journal anew, each record as `change` returns it, and the tables after it.

    `change` gets a record without `hash` and `prev`, and must leave `seq` alone; for the same
    record it must always return the same. Raises Refused for a journal that is not whole,
    StoreBusy when others keep writing, StoreFull.
    """
    with mapped_errors():
        for _ in range(TRIES):
            end = _forget_position(store)
            with begin_immediate(store.database):
                if store.position().seq or journal.last(store.home) != end:
                    continue  # somebody opened the store or wrote in between
                records, altered = _exchange(store, change)
                _replay(store)
            return Resealed(records, altered, scrub(store))
    raise StoreBusy("Others keep writing; the journal was left as it was.")


def is_unfinished(home: Home) -> bool:
    """Whether a run was interrupted, so that segments may be left which the first one repeats."""
    return os.path.exists(os.path.join(home.journal, _MARK))


def scrub(store: Store) -> bool:
    """Take out of the database file what its rows no longer hold; False while others read it."""
    connection = store.connection
    with mapped_errors():
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES('rebuild')")
        connection.execute("VACUUM")
        connection.execute(f"PRAGMA busy_timeout = {READERS_WAIT_MS}")
        try:
            return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")


def _forget_position(store: Store) -> tuple[int, int]:
    """Catch up, then make the tables' place in the journal unknown; where the journal ends."""
    connection = store.connection
    with _surely(connection), begin_immediate(store.database):
        reached = store._catch_up()
        if reached.seq and not journal.holds(store.home, reached):
            raise _not_whole(f"it does not hold the database's last entry, {reached.seq}")
        connection.execute("DELETE FROM journal_state")
        return journal.last(store.home)


@contextlib.contextmanager
def _surely(connection: sqlite3.Connection) -> Iterator[None]:
    """A commit in here outlasts a power cut: what follows relies on it."""
    before = connection.execute("PRAGMA synchronous").fetchone()[0]
    connection.execute("PRAGMA synchronous = full")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA synchronous = {int(before)}")


def _exchange(store: Store, change: Callable[[Record], Record]) -> tuple[int, int]:
    """Put the new journal into the place of the old one; its records, and how many differ."""
    home = store.home
    numbers = journal.segments(home)
    if not numbers:
        return 0, 0
    path, mark = os.path.join(home.journal, _FRESH), os.path.join(home.journal, _MARK)
    try:
        beside = os.path.join(home.journal, journal.BESIDE)
        for remaining in (path, beside, *journal.torn_files(home)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(remaining)  # a crash left it, and nobody looks for secrets in there later
        create_private(path)
        with open(path, "wb") as file:
            records = altered = 0
            prev = FIRST_HASH
            for record in _whole(store):
                body = {key: value for key, value in record.items() if key not in ("hash", "prev")}
                made = change(body)
                if made["seq"] != record["seq"]:
                    raise ValueError(f"record {record['seq']} lost its number")
                altered += made != body
                line, prev = journal.seal({**made, "prev": prev})
                file.write(b"\n" + line + b"\n")
                records += 1
            file.flush()
            os.fsync(file.fileno())
        create_private(mark)
        sync_folder(home.journal)
        os.replace(path, journal.segment_path(home, numbers[0]))
        sync_folder(home.journal)
        for number in numbers[1:]:
            os.unlink(journal.segment_path(home, number))
        sync_folder(home.journal)
        os.unlink(mark)
    except OSError as error:
        raise of_the_system(error, "The journal") from error
    return records, altered


def _whole(store: Store) -> Iterator[Record]:
    """The records in order, each once. Raises Refused where one was altered or is missing.

    Sealing such a journal again would hide what happened to it.
    """
    seq, prev = 0, FIRST_HASH
    for matches in journal.read(store.home):
        record = matches.record
        if record is None:
            continue  # never acknowledged, or the next record does not follow
        if record["seq"] <= seq:
            continue  # of an older segment that an interrupted run left behind
        if record["seq"] != seq + 1 or record["prev"] != prev:
            raise _not_whole(f"entry {record['seq']} does not follow entry {seq}")
        seq, prev = record["seq"], record["hash"]
        yield record


def _not_whole(why: str) -> Refused:
    return Refused(
        f"The journal is not whole, so it was not written anew: {why}.",
        hint="`memdeck verify` says more. Bring the journal back from a copy, then try again.",
    )


def _replay(store: Store) -> None:
    """The tables as the new journal has them; the caller holds the transaction."""
    connection = store.connection
    empty(connection)
    store._catch_up()
    if trouble := index.problem(connection):
        raise StoreUnusable(f"The search index is not sound: {trouble}.")


_DERIVED = {model._meta.table_name: TableKeeper(model) for model in DERIVED}


def journaled_rows(database: Database) -> Iterator[tuple[str, str, Image]]:
    """(table, key, image) of every row that the journal brings back, retired ones too."""
    connection = database.connection()
    for table, keeper in KEEPERS.items():
        if keeper is MEMORY:
            nums = [num for (num,) in connection.execute("SELECT num FROM memory ORDER BY num")]
            for image in _memories(connection, nums):
                yield table, image["id"], image
            continue
        for row in rows(connection, f'SELECT * FROM "{table}"'):
            key = keeper.key_of(row)
            if (matches := keeper.read(connection, key)) is not None:
                yield table, key, matches


def _memories(connection: sqlite3.Connection, nums: Sequence[int]) -> Iterator[Image]:
    for start in range(0, len(nums), CHUNK):
        yield from memories(connection, "num", nums[start : start + CHUNK])


def derived_rows(database: Database) -> Iterator[tuple[str, str, Image]]:
    """(table, key, row) of the counters and records that the journal does not bring back."""
    connection = database.connection()
    for table, keeper in _DERIVED.items():
        for row in rows(connection, f'SELECT * FROM "{table}"'):
            yield table, keeper.key_of(row), row


def add_derived(database: Database, rows_of: Sequence[tuple[str, Image]]) -> None:
    """Add such rows, (table, row) each; those of tables that there are no more are passed over."""
    with begin_immediate(database):
        for table, row in rows_of:
            if (keeper := _DERIVED.get(table)) is not None:
                keeper.write(database.connection(), [(None, row)], 0)


def rewrite_derived(database: Database, changed: Sequence[tuple[str, Image, Image]]) -> None:
    """Put other rows, (table, before, after), into the place of those there are."""
    connection = database.connection()
    with begin_immediate(database):
        for table, before, after in changed:
            keeper = _DERIVED[table]
            keeper.remove(connection, before)
            keeper.write(connection, [(before, after)], 0)


def line_of(home: Home, matches: Found) -> str:
    """What stands in a line of the journal that is no record."""
    with open(segment_path(home, matches.segment), "rb") as file:
        file.seek(matches.start)
        return file.read(matches.end - matches.start).decode("utf-8", "replace")


def rows_of_file(path: str) -> Iterator[tuple[str, Image]]:
    """(table, row) of every text in another database file, a backup; nothing in it is changed.

    Raises StoreDamaged for a file that cannot be read.
    """
    uri = address_to_read(path) + UNCHANGING
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                " AND name NOT LIKE 'memory_fts%'"
            ).fetchall()
            for (table,) in tables:
                for row in rows(connection, f'SELECT * FROM "{table}"'):
                    yield table, row
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreDamaged(f"{path} cannot be read.") from error
