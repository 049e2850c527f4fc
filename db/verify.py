"""Is everything still what the journal says?

Four questions: does the journal's chain hold, has the database applied all of it, does every
row equal its last image, and do SQLite's and FTS5's own checks pass? Nothing is changed. Others
may write meanwhile: the rows are read as of one moment, and compared with the journal up to it.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from . import audit as trail
from . import index, journal, schema
from .connection import map_error
from .derived import DERIVED
from .errors import ManagerError, StoreBusy
from .fast_reader import connect_for_reading
from .home import SCHEMA, Home
from .images import Image, hash_of, memories, rows
from .journal import FIRST_HASH, Position
from .keepers import KEEPERS, LISTS, MEMORY, current
from .store import Store

MOST_PROBLEMS = 50

MANY_TORN = 1_000
"""Torn lines are harmless, but so many have another cause than a crash now and then."""

CHUNK = 500


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
    told = Told()
    position = Position(0, FIRST_HASH, 0, 0)
    with _as_problem(problems, "the database cannot be read"), _one_moment(store.connection):
        position = store.position()
        oldest = store.connection.execute("SELECT min(seq) FROM audit").fetchone()[0] or 0
        told = read_journal(store.home, position, problems, trail_from=oldest)
        if position.seq and (position.seq > told.last or told.hash_there != position.hash):
            problems.append(f"the journal does not hold the database's last entry, {position.seq}")
        compare_rows(store.connection, told, problems)
        _compare_trail(store.connection, told, problems)
        read_derived(store.connection, problems)
        problems += _about_the_file(store.connection)
    with _as_problem(problems, "the database cannot be read"):
        if (applied := store.position().seq) < told.last:  # else another writer was just at it
            problems.append(
                f"the database has applied entry {applied}, the journal ends at {told.last}"
            )
    if trouble := index.problem(store.connection):
        if isinstance(map_error(sqlite3.DatabaseError(trouble)), StoreBusy):
            raise StoreBusy("The store is busy; the search index could not be checked.")
        problems.append(f"search index: {trouble}")
    known = sum(1 for table, _ in told.rows if table == "memory")
    return Verification(not problems, tuple(problems[:MOST_PROBLEMS]), told.last, known)


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
            found = [answer.splitlines()[-1] for (answer,) in answers if answer != "ok"]
            if not found and connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA:
                found = [f"the {name} was altered" for name in schema.altered(connection)]
            return found[0] if found else ""
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
    found = [f"SQLite: {answer}" for (answer,) in answers if answer != "ok"]
    return found + [f"SQLite: the {name} was altered" for name in schema.altered(connection)]


def read_journal(
    home: Home, position: Position, problems: list[str], *, trail_from: int | None = None
) -> Told:
    """Check the chain, and note what the records up to `position` say of the rows.

    With `trail_from`, also what the audit view must hold from that entry on.
    """
    told = Told()
    prev = FIRST_HASH
    altered: list[str] = []  # since the last whole record: no harm where the chain passes them by
    for found in journal.read(home):
        place = f"segment {found.segment}, byte {found.start}"
        record = found.record
        if record is None:
            told.torn += 1  # a crash in the middle of a write leaves one
            if found.problem != "torn":
                altered.append(f"the journal's line after entry {told.last} is altered ({place})")
            continue
        seq = record["seq"]
        follows = seq == told.last + 1 and record["prev"] == prev
        if not follows:
            problems += altered
        altered.clear()
        if not follows:
            problems.append(
                f"entry {seq} does not follow entry {told.last}:"
                f" something was altered or dropped ({place})"
            )
        told.last, prev = seq, record["hash"]
        if seq > position.seq:
            continue
        if seq == position.seq:
            told.hash_there = record["hash"]
        for change in current(record["changes"]):
            key = (change["table"], change["key"])
            if change["after"] is None:
                told.rows.pop(key, None)
            else:
                told.rows[key] = hash_of(change["after"]), seq
        if trail_from is not None and seq >= trail_from:
            row = {**trail.row_of(record), "segment": found.segment, "offset": found.end}
            group = record.get("group")
            told.trail[seq] = {**row, "title": "", "undone_by": None, "grouped": group}
        if (undoes := record.get("undoes")) in told.trail:
            told.trail[undoes]["undone_by"] = seq
    if position.seq > told.last:
        problems += altered
    if told.torn > MANY_TORN:
        problems.append(f"the journal holds {told.torn} torn lines")
    return told


def compare_rows(connection: sqlite3.Connection, told: Told, problems: list[str]) -> None:
    """Note every row that is not what the journal says, or that it does not know."""
    _compare_memories(connection, told, problems)
    _compare_tables(connection, told, problems)


def _compare_memories(connection: sqlite3.Connection, told: Told, problems: list[str]) -> None:
    missing = {key for table, key in told.rows if table == "memory"}
    expected = [0] * len(LISTS)
    nums = [num for (num,) in connection.execute("SELECT num FROM memory ORDER BY num")]
    for start in range(0, len(nums), CHUNK):
        for image in _readable(connection, nums[start : start + CHUNK], problems):
            if len(problems) >= MOST_PROBLEMS:
                return
            missing.discard(image["id"])
            if wrong := _about_memory(image, told):
                problems += wrong
                continue
            for number, (_, _, name) in enumerate(LISTS):
                expected[number] += sum(hash((image["num"], text)) for text in set(image[name]))
    problems += [f"memory {key} is missing from the database" for key in sorted(missing)]
    for (table, column, _), wanted in zip(LISTS, expected, strict=True):
        found = connection.execute(f"SELECT memory, {column} FROM {table}")
        if sum(hash(pair) for pair in found) != wanted:
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
    found = list[Image]()
    for num in nums:
        found += _readable(connection, [num], problems)
    return found


def _about_memory(image: Image, told: Told) -> list[str]:
    """What is wrong with one memory's row."""
    name = f"memory {image['id']}"
    revision, row_hash, terms = (image.pop(key) for key in ("revision", "row_hash", "terms"))
    if ("memory", image["id"]) not in told.rows:
        return [f"{name} is in the database but not in the journal"]
    expected, entry = told.rows["memory", image["id"]]
    if _hash(image) != expected:
        return [f"{name} differs from its journal entry"]
    if (revision, row_hash, terms) != (entry, expected, index.terms_of(image)):
        return [f"{name} differs from its journal entry in what follows from it"]
    return []


def _hash(image: Image) -> str:
    """The hash of an image; "" for one that holds what no image can."""
    try:
        return hash_of(image)
    except TypeError:  # a column of texts that holds bytes now
        return ""


def _compare_tables(connection: sqlite3.Connection, told: Told, problems: list[str]) -> None:
    for table, keeper in KEEPERS.items():
        if keeper is MEMORY:
            continue
        missing = {key for name, key in told.rows if name == table}
        for row in rows(connection, f'SELECT * FROM "{table}"'):
            key = keeper.key_of(row)
            if key not in missing:
                problems.append(f"{table} {key} is in the database but not in the journal")
            elif _hash(row) != told.rows[table, key][0]:
                problems.append(f"{table} {key} differs from its journal entry")
            missing.discard(key)
        problems += [f"{table} {key} is missing from the database" for key in sorted(missing)]


def _compare_trail(connection: sqlite3.Connection, told: Told, problems: list[str]) -> None:
    """Titles are left out: how one is cut may change, and old entries keep theirs."""
    listed = "SELECT * FROM audit LEFT JOIN audit_group USING (seq) ORDER BY seq"
    for row in rows(connection, listed):
        if {**row, "title": ""} != told.trail.pop(row["seq"], None):
            problems.append(f"the audit trail's entry {row['seq']} differs from the journal")
    problems += [f"the audit trail lacks entry {seq}" for seq in told.trail]
