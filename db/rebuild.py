"""Is everything still what the journal says, and how to make the tables anew from it."""

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import audit as trail
from . import connection as schema
from . import index, journal
from .connection import BUSY_TIMEOUT_MS, Database, begin_immediate, map_error, mapped_errors
from .errors import (
    ManagerError,
    Refused,
    StoreBusy,
    StoreDamaged,
    StoreReadOnly,
    StoreUnusable,
    of_the_system,
)
from .fast_reader import connect_for_reading
from .home import SCHEMA, UNCHANGING, Home, address_to_read, create_private, sync_folder
from .images import BOOKKEEPING, CHUNK, Image, hash_of, memories, rows
from .journal import FIRST_HASH, Found, Position, segment_path
from .keepers import KEEPERS, LISTS, MEMORY, TableKeeper, current, empty
from .store import Store
from .tables import DERIVED

MOST_PROBLEMS = 50

MANY_TORN = 1_000
"""Torn lines are harmless, but so many have another cause than a crash now and then."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome, the first problem of each kind first."""

    ok: bool
    problems: tuple[str, ...]
    records: int
    memories: int


@dataclass(slots=True)
class Told:
    """What the journal says up to a place."""

    last: int = 0  # the number of the last whole record, even beyond that place
    torn: int = 0
    hash_there: str = FIRST_HASH  # of the record at that place
    rows: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)  # -> hash, entry
    trail: dict[int, Image] = field(default_factory=dict)


def verify(store: Store) -> Verification:
    """Check journal, chain, rows and indexes; never raises for damage. Raises StoreBusy."""
    problems: list[str] = []
    details = Told()
    position = Position(0, FIRST_HASH, 0, 0)
    with _as_problem(problems, "the database cannot be read"), _one_moment(store.connection):
        position = store.position()
        oldest = store.connection.execute("SELECT min(seq) FROM audit").fetchone()[0] or 0
        details = read_journal(store.home, position, problems, trail_from=oldest)
        if position.seq and (position.seq > details.last or details.hash_there != position.hash):
            problems.append(f"the journal does not hold the database's last entry, {position.seq}")
        compare_rows(store.connection, details, problems)
        _compare_trail(store.connection, details, problems)
        read_derived(store.connection, problems)
        problems += _about_the_file(store.connection)
    with _as_problem(problems, "the database cannot be read"):
        if (applied := store.position().seq) < details.last:  # else another writer was just at it
            problems.append(
                f"the database has applied entry {applied}, the journal ends at {details.last}"
            )
    if trouble := index.problem(store.connection):
        if isinstance(map_error(sqlite3.DatabaseError(trouble)), StoreBusy):
            raise StoreBusy("The store is busy; the search index could not be checked.")
        problems.append(f"search index: {trouble}")
    total = sum(1 for table, _ in details.rows if table == "memory")
    return Verification(not problems, tuple(problems[:MOST_PROBLEMS]), details.last, total)


@contextlib.contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """A read transaction: what others commit meanwhile is not seen."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextlib.contextmanager
def _as_problem(problems: list[str], what: str) -> Iterator[None]:
    try:
        yield
    except ManagerError as error:
        problems.append(str(error))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        problems.append(f"{what}: {error}")


def damage(home: Home) -> str:
    """What makes the database file unusable, "" for nothing. It is only read.

    A store of another schema is looked at as far as SQLite's own check goes. Raises StoreBusy.
    """
    try:
        reader = connect_for_reading(home)
        with contextlib.closing(reader) as connection:
            answers = connection.execute("PRAGMA integrity_check(1)").fetchall()
            matches = [answer.splitlines()[-1] for (answer,) in answers if answer != "ok"]
            if not matches and connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA:
                matches = [f"the {name} was altered" for name in schema.altered(connection)]
            return matches[0] if matches else ""
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if isinstance(mapped := map_error(error), StoreBusy):
            raise mapped from error
        return str(error)


def read_derived(connection: sqlite3.Connection, problems: list[str]) -> None:
    """Note each table of counters and records that cannot be read: nothing says what they hold."""
    for model in DERIVED:
        table = model._meta.table_name
        with _as_problem(problems, f"{table} cannot be read"):
            rows(connection, f'SELECT * FROM "{table}"')


def _about_the_file(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with the database file itself, and with the names and kinds of its columns."""
    answers = connection.execute("PRAGMA integrity_check(5)").fetchall()
    matches = [f"SQLite: {answer}" for (answer,) in answers if answer != "ok"]
    return matches + [f"SQLite: the {name} was altered" for name in schema.altered(connection)]


def read_journal(
    home: Home, position: Position, problems: list[str], *, trail_from: int | None = None
) -> Told:
    """Check the chain, and note what the records up to `position` say of the rows.

    With `trail_from`, also what the audit view must hold from that entry on.
    """
    details = Told()
    prev = FIRST_HASH
    altered: list[str] = []  # since the last whole record: no harm where the chain passes them by
    for matches in journal.read(home):
        text = f"segment {matches.segment}, byte {matches.start}"
        record = matches.record
        if record is None:
            details.torn += 1  # a crash in the middle of a write leaves one
            if matches.problem != "torn":
                altered.append(f"the journal's line after entry {details.last} is altered ({text})")
            continue
        seq = record["seq"]
        follows = seq == details.last + 1 and record["prev"] == prev
        if not follows:
            problems += altered
        altered.clear()
        if not follows:
            problems.append(
                f"entry {seq} does not follow entry {details.last}:"
                f" something was altered or dropped ({text})"
            )
        details.last, prev = seq, record["hash"]
        if seq > position.seq:
            continue
        if seq == position.seq:
            details.hash_there = record["hash"]
        for change in current(record["changes"]):
            key = (change["table"], change["key"])
            if change["after"] is None:
                details.rows.pop(key, None)
            else:
                details.rows[key] = hash_of(change["after"]), seq
        if trail_from is not None and seq >= trail_from:
            row = {**trail.row_of(record), "segment": matches.segment, "offset": matches.end}
            group = record.get("group")
            details.trail[seq] = {**row, "title": "", "undone_by": None, "grouped": group}
        if (undoes := record.get("undoes")) in details.trail:
            details.trail[undoes]["undone_by"] = seq
    if position.seq > details.last:
        problems += altered
    if details.torn > MANY_TORN:
        problems.append(f"the journal holds {details.torn} torn lines")
    return details


def compare_rows(connection: sqlite3.Connection, details: Told, problems: list[str]) -> None:
    """Note every row that is not what the journal says, or that it does not know."""
    _compare_memories(connection, details, problems)
    _compare_tables(connection, details, problems)


def _compare_memories(connection: sqlite3.Connection, details: Told, problems: list[str]) -> None:
    missing = {key for table, key in details.rows if table == "memory"}
    expected = [0] * len(LISTS)
    nums = [num for (num,) in connection.execute("SELECT num FROM memory ORDER BY num")]
    for start in range(0, len(nums), CHUNK):
        for image in _readable(connection, nums[start : start + CHUNK], problems):
            if len(problems) >= MOST_PROBLEMS:
                return
            missing.discard(image["id"])
            if wrong := _about_memory(image, details):
                problems += wrong
                continue
            for number, (_, _, name) in enumerate(LISTS):
                expected[number] += sum(hash((image["num"], text)) for text in set(image[name]))
    problems += [f"memory {key} is missing from the database" for key in sorted(missing)]
    for (table, column, _), wanted in zip(LISTS, expected, strict=True):
        matches = connection.execute(f"SELECT memory, {column} FROM {table}")
        if sum(hash(pair) for pair in matches) != wanted:
            problems.append(f"{table} differs from the memories")


def _readable(
    connection: sqlite3.Connection, nums: Sequence[int], problems: list[str]
) -> list[Image]:
    """The memories' whole images; what cannot be read becomes a problem of its own."""
    try:
        return memories(connection, "num", nums, full=True)
    except sqlite3.DatabaseError as error:
        if len(nums) == 1:
            problems.append(f"memory number {nums[0]} cannot be read: {error}")
            return []
    images = list[Image]()
    for num in nums:
        images += _readable(connection, [num], problems)
    return images


def _about_memory(image: Image, details: Told) -> list[str]:
    """What is wrong with one memory's row."""
    name = f"memory {image['id']}"
    bookkeeping = tuple(image.pop(key) for key in BOOKKEEPING)
    if ("memory", image["id"]) not in details.rows:
        return [f"{name} is in the database but not in the journal"]
    expected, entry = details.rows["memory", image["id"]]
    if _hash(image) != expected:
        return [f"{name} differs from its journal entry"]
    if bookkeeping != (entry, expected, index.terms_of(image), index.parts_in(image)):
        return [f"{name} differs from its journal entry in what follows from it"]
    return []


def _hash(image: Image) -> str:
    """The hash of an image; "" for one that holds what no image can."""
    try:
        return hash_of(image)
    except TypeError:  # a column of texts that holds bytes now
        return ""


def _compare_tables(connection: sqlite3.Connection, details: Told, problems: list[str]) -> None:
    for table, keeper in KEEPERS.items():
        if keeper is MEMORY:
            continue
        missing = {key for name, key in details.rows if name == table}
        for row in rows(connection, f'SELECT * FROM "{table}"'):
            key = keeper.key_of(row)
            if key not in missing:
                problems.append(f"{table} {key} is in the database but not in the journal")
            elif _hash(row) != details.rows[table, key][0]:
                problems.append(f"{table} {key} differs from its journal entry")
            missing.discard(key)
        problems += [f"{table} {key} is missing from the database" for key in sorted(missing)]


def _compare_trail(connection: sqlite3.Connection, details: Told, problems: list[str]) -> None:
    """Titles are left out: how one is cut may change, and old entries keep theirs."""
    listed = "SELECT * FROM audit LEFT JOIN audit_group USING (seq) ORDER BY seq"
    for row in rows(connection, listed):
        if {**row, "title": ""} != details.trail.pop(row["seq"], None):
            problems.append(f"the audit trail's entry {row['seq']} differs from the journal")
    problems += [f"the audit trail lacks entry {seq}" for seq in details.trail]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild found."""

    records: int
    memories: int
    skipped: tuple[str, ...]  # lines of the journal that were no records
    set_aside: str | None  # where the damaged database went


def rebuild(home: Home) -> Rebuilt:
    """Bring every row back from the journal.

    Raises StoreUnusable, and Refused when the journal lacks what a sound database still holds.
    """
    if journal.is_read_only(home):
        raise StoreReadOnly(home.path)
    with mapped_errors():
        try:
            return _in_place(home)
        except StoreDamaged:
            return _anew(home)
        except StoreUnusable as error:  # a damaged head can forbid SQLite to write
            if "readonly" in str(error) and os.access(home.database, os.W_OK):
                return _anew(home)
            raise


def _in_place(home: Home) -> Rebuilt:
    """Rebuild a database that SQLite can read. Raises StoreDamaged for any other."""
    store = Store(home)
    try:
        with mapped_errors():
            check = store.connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            unreadable = list[str]()
            read_derived(store.connection, unreadable)
            if check != "ok" or unreadable or schema.altered(store.connection):
                raise StoreDamaged("The database is damaged.")
            _refuse_a_loss(store)
            return _replay(home, store)
    finally:
        store.close()


def _refuse_a_loss(store: Store) -> None:
    """Raise Refused when the journal has a gap, and the database something that fell into it."""
    position = store.position()
    problems = list[str]()
    details = read_journal(store.home, position, problems)
    if position.seq > details.last or details.hash_there != position.hash:
        problems.append(f"it does not hold the database's last entry, {position.seq}")
    lost = list[str]()
    if problems:
        compare_rows(store.connection, details, lost)
    if lost:
        raise Refused(
            f"The journal is not whole: {problems[0]}.",
            hint="A rebuild would lose what the database still holds, so nothing was done."
            f" To make do with the journal nevertheless, move {store.home.database} away first.",
        )


def _replay(home: Home, store: Store) -> Rebuilt:
    connection = store.connection
    skipped = list(store.skipped)
    with begin_immediate(store.database):
        empty(connection)
        position = Position(0, FIRST_HASH, 0, 0)
        for matches in journal.read(home):
            record = matches.record
            if record is None:
                skipped.append(
                    f"{matches.problem} line in segment {matches.segment}, {matches.start}"
                )
                continue
            if record["seq"] <= position.seq:
                skipped.append(f"record {record['seq']} stands twice")
                continue
            position = matches.position
            store.replay(record, position)
        if trouble := index.problem(connection):
            raise StoreUnusable(f"The rebuilt search index is not sound: {trouble}.")
        return _report(store, skipped, None)


def _anew(home: Home) -> Rebuilt:
    """Set the database aside; opening a new one replays the journal from its beginning."""
    set_aside = _set_aside(home)
    store = Store(home)
    try:
        _save_derived(set_aside, store)
        return _report(store, store.skipped, set_aside)
    finally:
        store.close()


def _report(store: Store, skipped: list[str], set_aside: str | None) -> Rebuilt:
    memories = store.connection.execute("SELECT count(*) FROM memory").fetchone()[0]
    return Rebuilt(store.position().seq, memories, tuple(skipped), set_aside)


def _set_aside(home: Home) -> str:
    number = 1
    while os.path.exists(target := os.path.join(home.backups, f"damaged-{number}.db")):
        number += 1
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(home.database + suffix):
            os.replace(home.database + suffix, target + suffix)
    return target


def _save_derived(damaged: str, store: Store) -> None:
    """Take over counters and records, which the journal does not have, as far as they are sound."""
    old = sqlite3.connect(damaged)
    old.text_factory = bytes  # one text that is none must not cost the others
    try:
        for model in DERIVED:
            keeper = TableKeeper(model)
            with begin_immediate(store.database):
                for row in _sound_rows(old, keeper):
                    with contextlib.suppress(sqlite3.Error):  # what the new table refuses
                        keeper.write(store.connection, [(None, row)], 0)
    finally:
        old.close()


def _sound_rows(old: sqlite3.Connection, keeper: TableKeeper) -> Iterator[Image]:
    """The rows of a table that can be read, up to where SQLite gives up."""
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        for values in old.execute(f'SELECT {keeper.listed} FROM "{keeper.table}"'):
            with contextlib.suppress(ValueError):  # no UTF-8, or no JSON
                row = dict(zip(keeper.columns, map(_as_text, values), strict=True))
                for name in keeper.json:
                    row[name] = json.loads(row[name])
                yield row


def _as_text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


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
                _replay_resealed(store)
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


def _replay_resealed(store: Store) -> None:
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
