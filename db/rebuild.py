"""Verify that a store agrees with its journal, and make its database or its journal again.

All of it applies the journal to empty tables: `verify` compares them with the store's, a rebuild
puts them in place, and a journal that lost entries gets one with the database's further rows.
"""

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import Model

from . import connection as schema
from . import errors, index, journal
from .connection import (
    BUSY_TIMEOUT_MS,
    Database,
    begin_immediate,
    database_to_read,
    locked,
    map_error,
    mapped_errors,
)
from .fast_reader import connect_for_reading
from .home import (
    SCHEMA,
    UNCHANGING,
    Home,
    address_to_read,
    addresses_to_read,
    create_private,
    sync_folder,
)
from .images import BOOKKEEPING, CHUNK, Image, hash_of, memories, rows
from .journal import FIRST_HASH, Chain, JournalLine, Position, segment_path
from .keepers import MEMORY, TableKeeper, empty, keepers
from .store import Store
from .tables import DERIVED, JOURNALED, AuditRow

Record = dict[str, Any]

MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a check; the journal's problem first."""

    ok: bool
    problems: tuple[str, ...]
    records: int
    memories: int


def verify(store: Store) -> Verification:
    """Check journal, chain, rows and indexes; never raises for damage. Raises StoreBusy."""
    problems: list[str] = []
    total, last = 0, 0
    with _as_problem(problems, "the database cannot be read"), _empty_store(store.home) as made:
        connection = made.connection
        _attach(connection, store.home)
        connection.execute("BEGIN")  # concurrent writes are not seen
        text = "SELECT seq, hash, segment, offset, '' FROM kept.journal_state"
        applied = connection.execute(text).fetchone()
        position = Position(*applied) if applied else Position(0, FIRST_HASH, 0, 0)
        chain = Chain(store.home)
        last = chain.last
        if problem := chain.problem(position):
            problems.append(f"the journal is damaged: {problem}")
        for record, reached in _records(store.home, chain):
            if reached.seq <= position.seq:
                made.replay(record, reached)
        total = connection.execute("SELECT count(*) FROM memory").fetchone()[0]
        compared: tuple[type[Model], ...] = (*JOURNALED, AuditRow)
        for keeper in map(TableKeeper, compared):
            with _as_problem(problems, f"{keeper.table} cannot be read"):
                problems += _differences(connection, keeper)
        connection.execute("ROLLBACK")
    with _as_problem(problems, "the database cannot be read"):
        _read_derived(store.connection, problems)
        problems += _about_the_file(store.connection)
        if (seq := store.position().seq) < last:  # else another writer was just at it
            problems.append(f"the database has applied entry {seq}, the journal {last}")
    if trouble := index.problem(store.connection):
        if isinstance(map_error(sqlite3.DatabaseError(trouble)), errors.StoreBusy):
            raise errors.StoreBusy("The store is busy, so the search index could not be checked.")
        problems.append(f"search index: {trouble}")
    return Verification(not problems, tuple(problems[:MOST_PROBLEMS]), last, total)


@contextlib.contextmanager
def _as_problem(problems: list[str], what: str) -> Iterator[None]:
    try:
        yield
    except errors.ManagerError as error:
        problems.append(str(error))
    except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError) as error:
        problems.append(f"{what}: {error}")


@contextlib.contextmanager
def _empty_store(home: Home) -> Iterator[Store]:
    """A store beside a home's own, to apply its journal to: without a file, and without rows."""
    database = database_to_read("file:", home)  # private: no other connection can open it
    try:
        schema.create(database.connection())
        yield Store(home, past=database)
    finally:
        database.close()


def _attach(connection: sqlite3.Connection, home: Home) -> None:
    """Make the home's database readable as `kept`. Raises StoreUnusable."""
    for address in addresses_to_read(home.database):
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("ATTACH ? AS kept", (address,))
        try:
            connection.execute("SELECT 1 FROM kept.sqlite_master").fetchone()
            return
        except sqlite3.OperationalError:  # not attached, or of no use
            with contextlib.suppress(sqlite3.OperationalError):
                connection.execute("DETACH kept")
    raise errors.StoreUnusable("The database cannot be read from here.")


def _records(home: Home, chain: Chain) -> Iterator[tuple[Record, Position]]:
    """Yield the entries that count, in order, each with its place."""
    for seq in sorted(chain.entries):
        link = chain.entries[seq]
        record = journal.read_one(home, link.segment, link.end)
        yield record, Position(seq, link.hash, link.segment, link.end, record.get("clock", ""))


_VERDICTS = (
    "is missing from the database",
    "is in the database but not in the journal",
    "differs from its journal entry",
)


def _differences(connection: sqlite3.Connection, keeper: TableKeeper) -> Iterator[str]:
    """Yield the differences of `kept`'s table from the journal's, row by row.

    Of the history only entries that both still list, without titles. Titles and the index's parts
    of names are not compared, since another version may cut them differently.
    """
    names, where = [*keeper.columns], "1"
    if keeper.keys == ["seq"]:
        names = [name for name in names if name != "title"]
        oldest = "max((SELECT min(seq) FROM main.audit), (SELECT min(seq) FROM kept.audit))"
        where = f"a.seq >= {oldest}"
    ours, theirs = (f'{side}."{keeper.table}"' for side in ("main", "kept"))
    is_same = " AND ".join(f'b."{name}" = a."{name}"' for name in keeper.keys)
    named = " || '|' || ".join(f'CAST(a."{name}" AS TEXT)' for name in keeper.keys)
    if keeper.table == "memory":
        named = "a.id"
        names.remove("parts")
    values = [", ".join(f'{side}."{name}"' for name in names) for side in "ab"]
    lack = "SELECT {0}, {1} FROM {2} a WHERE {3} AND NOT EXISTS (SELECT 1 FROM {4} b WHERE {5})"
    for key, verdict in connection.execute(  # row by row: it keeps nothing in memory
        f"{lack.format(named, 0, ours, where, theirs, is_same)}"
        f" UNION ALL {lack.format(named, 1, theirs, where, ours, is_same)}"
        f" UNION ALL SELECT {named}, 2 FROM {ours} a CROSS JOIN {theirs} b ON {is_same}"
        f" WHERE {where} AND ({values[0]}) IS NOT ({values[1]})"
    ):
        yield f"{keeper.table} {key} {_VERDICTS[verdict]}"


def damage(home: Home) -> str:
    """Return the problem that makes the database file unusable, "" for none. It is only read.

    A store of another schema gets only SQLite's own check. Raises StoreBusy.
    """
    try:
        with contextlib.closing(connect_for_reading(home)) as connection:
            is_of_this = connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA
            problems = _about_the_file(connection, is_of_this=is_of_this)
            return problems[0].splitlines()[-1].removeprefix("SQLite: ") if problems else ""
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if isinstance(mapped := map_error(error), errors.StoreBusy):
            raise mapped from error
        return str(error)


def _about_the_file(connection: sqlite3.Connection, *, is_of_this: bool = True) -> list[str]:
    """Return the problems of the database file and of the names and types of its columns."""
    answers = connection.execute("PRAGMA integrity_check(5)").fetchall()
    problems = [f"SQLite: {answer}" for (answer,) in answers if answer != "ok"]
    altered = schema.altered(connection) if is_of_this else ()
    return problems + [f"SQLite: the {name} was altered" for name in altered]


def _read_derived(connection: sqlite3.Connection, problems: list[str]) -> None:
    """Add a problem for each derived table that cannot be read. Its contents are not checked."""
    for table in _DERIVED:
        with _as_problem(problems, f"{table} cannot be read"):
            rows(connection, f'SELECT * FROM "{table}"')


@dataclass(frozen=True, slots=True)
class Rebuilt:
    records: int
    memories: int
    skipped: tuple[str, ...]  # lines of the journal that were no records
    set_aside: str | None  # where the damaged database went
    restored: int = 0  # entries that the journal had lost, written again from the database
    lost: int = 0  # of these, entries whose contents are lost

    def __str__(self) -> str:
        parts = ["the database was made again from the journal"] if not self.restored else []
        if self.restored:
            parts = [f"{self.restored:,} damaged entries were written again from the database"]
        if self.lost:
            parts.append(f"{self.lost:,} entries could not be restored")
        if self.set_aside:
            parts.append(f"the old database is kept as {self.set_aside}")
        return "; ".join(parts)


def rebuild(home: Home) -> Rebuilt:
    """Restore every row from the journal, after the journal's lost entries from the database.

    Raises StoreUnusable.
    """
    if journal.is_read_only(home):
        raise errors.StoreReadOnly(home.path)
    home.prepare()
    with locked(home, "repair"), mapped_errors():
        return rebuild_locked(home)


def rebuild_locked(home: Home) -> Rebuilt:
    if not os.path.exists(home.database) or _is_unusable(home):
        with _salvage(home) as old:
            restored = _restore(home, Chain(home), old)
        set_aside = _set_aside(home) if os.path.exists(home.database) else None
        store = Store(home)
        if set_aside:
            _save_derived(set_aside, store)
    else:
        set_aside, store = None, Store(home, is_examined=False)
        _refuse_foreign(store, Chain(home))
        _forget_position(store)
        with begin_immediate(store.database):
            restored = _restore(home, Chain(home), store.connection, store)
            _replay(store)
        store.is_altered = False
    with contextlib.closing(store):
        count = store.connection.execute("SELECT count(*) FROM memory").fetchone()[0]
        return Rebuilt(store.position().seq, count, tuple(store.skipped), set_aside, *restored)


def _is_unusable(home: Home) -> bool:
    """Return True if SQLite cannot read the database, or its derived rows, as they should be."""
    with open(home.database, "rb") as file:
        if file.read(20)[18:] != b"\2\2":  # else SQLite takes it for one that it may only read
            return True
    if damage(home):
        return True
    unreadable = list[str]()
    with contextlib.closing(connect_for_reading(home)) as connection:
        if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            return True
        _read_derived(connection, unreadable)
    return bool(unreadable)


def _replay(store: Store) -> None:
    """Make the tables as the journal has them; the caller holds the transaction."""
    empty(store.connection)
    store._examine(store._catch_up())
    if trouble := index.problem(store.connection):
        raise errors.StoreUnusable(f"The rebuilt search index is not sound: {trouble}.")


def _newest(connection: sqlite3.Connection) -> int:
    """Return the newest entry that a database lists, with all before it that it still lists."""
    reached = 0
    for (seq,) in connection.execute("SELECT seq FROM audit ORDER BY seq"):
        if reached and seq != reached + 1:
            break
        reached = seq
    return reached


def _refuse_foreign(store: Store, chain: Chain) -> None:
    """Raise StoreUnusable where journal and sound database are of different stores.

    Then they have no entry in common; a damaged place in the journal is no sign of it.
    """
    with contextlib.suppress(errors.StoreDamaged):
        applied = store.position()
        if applied.seq in chain.entries and chain.entries[applied.seq].hash == applied.hash:
            return
    views = store.connection.execute("SELECT seq, at FROM audit ORDER BY seq DESC").fetchall()
    both = [(chain.entries[seq], at) for seq, at in views if seq in chain.entries]
    times = (journal.read_one(store.home, link.segment, link.end)["at"] != at for link, at in both)
    if both and all(times):
        raise errors.StoreUnusable(
            f"The journal in {store.home.journal} belongs to another store than the database.",
            hint="Put the right journal back. To go on with the database, move"
            f" {store.home.journal} away; with the journal, move {store.home.database} away.",
        )


@contextlib.contextmanager
def _salvage(home: Home) -> Iterator[sqlite3.Connection]:
    """A connection to a damaged database, or to none, from which rows may be read."""
    try:
        connection = connect_for_reading(home)
    except (sqlite3.Error, UnicodeDecodeError):
        connection = sqlite3.connect(":memory:")
    with contextlib.closing(connection):
        yield connection


LOST = "the journal's line was damaged"

_UNREADABLE = (sqlite3.Error, ValueError, TypeError, KeyError)


def _restore(
    home: Home, chain: Chain, source: sqlite3.Connection, store: Store | None = None
) -> tuple[int, int]:
    """Write a journal that lacks entries again; how many, and of how many nothing is known.

    Each is replaced by the database's history of it. One more entry at the end brings the
    rows that only the database `source` has. If that is not `store`'s, only memories are
    taken whose hash fits.
    """
    views: dict[int, Image] = {}
    newest = 0
    with contextlib.suppress(*_UNREADABLE):
        newest = _newest(source)
        views = {row["seq"]: {**row, "memories": []} for row in rows(source, "SELECT * FROM audit")}
        for seq, memory in source.execute("SELECT seq, memory FROM audit_memory"):
            views[seq]["memories"].append(memory)
    last = max(newest, chain.last)
    missing = {seq for seq in range(1, last + 1) if seq not in chain.entries}
    if not missing and chain.is_in_order:
        return 0, 0

    def records() -> Iterator[Record]:
        head: Record = {"at": 0, "writer": journal.writer_of(home), "clock": ""}
        for seq in range(1, last + 1):
            if (link := chain.entries.get(seq)) is not None:
                record = journal.read_one(home, link.segment, link.end)
                head = {**head, "at": record["at"], "clock": record.get("clock", "")}
            else:
                view = views.get(seq, {"at": head["at"], "memories": [], "title": LOST, "count": 0})
                head = _later(head, view["at"])
                record = {"seq": seq, **head, **_about(view), "changes": []}
            made.replay(record, Position(seq, "", 0, 0))
            if store is not None and seq > newest:  # it has not applied that one
                store.replay(record, Position(seq, "", 0, 0))
            yield record
        changes = list(_more(made.connection, source, missing, is_sound=store is not None))
        for number, start in enumerate(range(0, max(len(changes), 1), CHUNK), last + 1):
            head = _later(head, max(head["at"], int(time.time() * 1000)))
            part = changes[start : start + CHUNK]
            view = {"title": f"{len(missing):,} damaged entries", "count": len(part)}
            about = {**_about({**view, "memories": []}), "action": "repair"}
            yield {"seq": number, **head, **about, "changes": part}

    journal.keep_aside(home, chain.bad)
    with _empty_store(home) as made:
        made.database.begin_immediate()
        _exchange(home, records())
    return len(missing), sum(seq not in views for seq in missing)


def _more(
    made: sqlite3.Connection, source: sqlite3.Connection, missing: set[int], *, is_sound: bool
) -> Iterator[dict[str, Any]]:
    """Yield the rows that the database has and its journal lacks or differs in, as changes."""
    journaled = {(table, key): image for table, key, image in _images(made)}
    if is_sound:
        there = {(table, key): image for table, key, image in _images(source)}
    else:
        there = {
            ("memory", image["id"]): MEMORY.whole(image)
            for image in _sound_memories(source)
            if image["revision"] in missing or ("memory", image["id"]) not in journaled
        }
    for row in [*there, *(journaled.keys() - there.keys() if is_sound else ())]:
        if (before := journaled.get(row)) != (after := there.get(row)):
            yield {"table": row[0], "key": row[1], "before": before, "after": after}


def _sound_memories(source: sqlite3.Connection) -> Iterator[Image]:
    """Yield the memories of a database whose hash fits."""
    nums = list[int]()
    with contextlib.suppress(*_UNREADABLE):
        nums = [num for (num,) in source.execute("SELECT num FROM memory ORDER BY num")]
    for num in nums:
        with contextlib.suppress(*_UNREADABLE):
            [image] = memories(source, "num", [num], full=True)
            plain = {name: value for name, value in image.items() if name not in BOOKKEEPING}
            if hash_of(plain) == image["row_hash"]:
                yield image


def _later(head: Record, at: int) -> Record:
    return {**head, "at": at, "clock": journal.tick(head["clock"], at)}


def _about(view: Image) -> Record:
    """Return the fields of an entry that the journal lost, as far as the history lists them."""
    record = {
        "actor": view.get("actor", "rule"),
        "project": view.get("project", ""),
        "session": view.get("session"),
        "action": view.get("action", "lost"),
        "reason": view.get("reason", LOST),
        "view": {name: view[name] for name in ("title", "count", "memories")},
    }
    more = {"undoes": view.get("undoes"), "group": view.get("grouped")}
    return record | {name: value for name, value in more.items() if value is not None}


def _set_aside(home: Home) -> str:
    number = 1
    while os.path.exists(target := os.path.join(home.backups, f"replaced-{number}.db")):
        number += 1
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(home.database + suffix):
            os.replace(home.database + suffix, target + suffix)
    return target


def _save_derived(damaged: str, store: Store) -> None:
    """Keep counters and records, which the journal does not have, as far as they are sound."""
    with contextlib.closing(sqlite3.connect(damaged)) as old:
        old.text_factory = bytes  # one text that is none must not cost the others
        for keeper in _DERIVED.values():
            with begin_immediate(store.database), contextlib.suppress(*_UNREADABLE):
                cursor = old.execute(f'SELECT * FROM "{keeper.table}"')
                names = [column[0] for column in cursor.description]
                for values in cursor:  # up to where SQLite gives up
                    with contextlib.suppress(*_UNREADABLE):  # no UTF-8, no JSON, or refused
                        row = dict(zip(names, map(_as_text, values), strict=True))
                        for name in keeper.json & row.keys():
                            row[name] = json.loads(row[name])
                        keeper.write(store.connection, [(None, {**keeper.defaults, **row})], 0)


def _as_text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


TRIES = 5  # times that others may write in between before we give up
READERS_WAIT_MS = 1_000  # how long a reader may hold on to old rows before we say so

_FRESH = "resealed.tmp"


@dataclass(frozen=True, slots=True)
class Resealed:
    records: int
    altered: int  # records that differ now
    is_clean: bool  # False: another program still reads the database as it was


def reseal(store: Store, change: Callable[[Record], Record]) -> Resealed:
    """Rewrite the journal, each record as `change` returns it, and the tables after it.

    `change` gets a record without `hash` and `prev`, and must leave `seq` alone; for the same
    record it must always return the same. Raises Refused for a journal that is not whole,
    StoreBusy when others keep writing, StoreFull.
    """
    altered = 0

    def changed() -> Iterator[Record]:
        nonlocal altered
        for record, _ in _records(store.home, chain):
            body = {key: value for key, value in record.items() if key not in ("hash", "prev")}
            made = change(body)
            if made["seq"] != record["seq"]:
                raise ValueError(f"record {record['seq']} lost its number")
            altered += made != body
            yield made

    with mapped_errors():
        for _ in range(TRIES):
            with begin_immediate(store.database):
                reached = store._catch_up()
            end = _forget_position(store)
            with begin_immediate(store.database):
                if store.position().seq or journal.last(store.home) != end:
                    continue  # another program opened or wrote the store in between
                chain = Chain(store.home)
                if chain.problem(reached):
                    raise errors.Refused(
                        "The journal was damaged just now, so it was not written again.",
                        hint="Start memdeck again, which repairs it, then try again.",
                    )
                records = _exchange(store.home, changed(), is_clean=True) if end[0] else 0
                _replay(store)
            return Resealed(records, altered, scrub(store))
    raise errors.StoreBusy("Others keep writing. The journal was left as it was.")


def scrub(store: Store) -> bool:
    """Erase deleted rows from the database file; return False while others read it."""
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
    """Make the tables' place in the journal unknown, so that a crash later has it applied whole;
    where the journal ends."""
    with _surely(store.connection), begin_immediate(store.database):
        store.connection.execute("DELETE FROM journal_state")
        return journal.last(store.home)


@contextlib.contextmanager
def _surely(connection: sqlite3.Connection) -> Iterator[None]:
    """Make commits in this block survive a power cut, since the next step relies on it."""
    before = connection.execute("PRAGMA synchronous").fetchone()[0]
    connection.execute("PRAGMA synchronous = full")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA synchronous = {int(before)}")


def _exchange(home: Home, records: Iterable[Record], *, is_clean: bool = False) -> int:
    """Replace the journal by a new one; return the number of its records.

    With `is_clean` nothing of the old one remains, torn lines included.
    """
    numbers = journal.segments(home) or [1]
    path, mark = os.path.join(home.journal, _FRESH), os.path.join(home.journal, journal.RESEALING)
    try:
        beside = os.path.join(home.journal, journal.BESIDE)
        for remaining in (path, beside, *(journal.torn_files(home) if is_clean else ())):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(remaining)  # a crash left it, and no later reseal checks it
        create_private(path)
        count, prev = 0, FIRST_HASH
        with open(path, "wb") as file:
            for record in records:
                body = {key: value for key, value in record.items() if key not in ("hash", "prev")}
                line, prev = journal.seal({**body, "prev": prev})
                file.write(b"\n" + line + b"\n")
                count += 1
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
        raise errors.of_the_system(error, "The journal") from error
    return count


_DERIVED = {model._meta.table_name: TableKeeper(model) for model in DERIVED}


def journaled_rows(database: Database) -> Iterator[tuple[str, str, Image]]:
    """(table, key, image) of every row that the journal brings back, retired ones too."""
    return _images(database.connection())


def _images(connection: sqlite3.Connection) -> Iterator[tuple[str, str, Image]]:
    for table, keeper in keepers().items():
        if keeper is MEMORY:
            nums = [num for (num,) in connection.execute("SELECT num FROM memory ORDER BY num")]
            for start in range(0, len(nums), CHUNK):
                for image in memories(connection, "num", nums[start : start + CHUNK]):
                    yield table, image["id"], image
        else:
            for row in rows(connection, f'SELECT * FROM "{table}"'):
                yield table, keeper.key_of(row), row


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


def line_of(home: Home, matches: JournalLine) -> str:
    """Return the text of a journal line that is no record."""
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
        raise errors.StoreDamaged(f"{path} cannot be read.") from error
