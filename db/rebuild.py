"""Is everything still what the journal says, and how to make the tables anew from it."""

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
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
from .home import (
    SCHEMA,
    UNCHANGING,
    Home,
    address_to_read,
    create_private,
    locked,
    sync_folder,
)
from .images import BOOKKEEPING, CHUNK, Image, hash_of, memories, rows
from .journal import FIRST_HASH, Found, Link, Position, segment_path
from .keepers import KEEPERS, LISTS, MEMORY, TableKeeper, current, empty
from .store import Store
from .tables import DERIVED

Record = dict[str, Any]

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
    restored: int = 0  # entries that the journal had lost, written again from the database
    lost: int = 0  # of these, entries of which nothing is known any more

    def __str__(self) -> str:
        """Return one line for the user."""
        parts = ["the database was made again from the journal"] if not self.restored else []
        if self.restored:
            parts = [f"{self.restored:,} damaged entries were written again from the database"]
        if self.lost:
            parts.append(f"{self.lost:,} entries could not be restored")
        if self.set_aside:
            parts.append(f"the damaged database is kept as {self.set_aside}")
        return "; ".join(parts)


def opened(home: Home) -> Store:
    """Open a store. What is damaged is repaired first: the database from the journal, the journal
    from the database. `skipped` of the store says so.

    Raises StoreUnusable, also where both are whole and not of one store.
    """
    with contextlib.suppress(StoreDamaged):
        return _examined(home)
    with locked(home, "repair"):
        try:
            return _examined(home)  # another process may have been quicker
        except StoreDamaged as error:
            why = str(error).rstrip(".")
        with mapped_errors():
            report = _rebuild(home)
        store = Store(home)
        store.skipped[:0] = [f"{why}. Repaired: {report}"]
        return store


def _examined(home: Home) -> Store:
    """Open a store that nobody altered meanwhile, or that is whole nevertheless."""
    store = Store(home)
    if store.is_altered and not store.is_read_only:
        try:
            if not (outcome := verify(store)).ok:
                raise StoreDamaged(f"The database was altered: {outcome.problems[0]}.")
            store.is_altered = False
        except BaseException:
            store.close()
            raise
    return store


def rebuild(home: Home) -> Rebuilt:
    """Bring every row back from the journal, and what the journal lacks from the database first.

    Raises StoreUnusable.
    """
    if journal.is_read_only(home):
        raise StoreReadOnly(home.path)
    home.prepare()
    with locked(home, "repair"), mapped_errors():
        return _rebuild(home)


def _rebuild(home: Home) -> Rebuilt:
    chain = Chain(home)
    if not os.path.exists(home.database) or _is_unusable(home):
        with _salvage(home) as old:
            restored = _write_again(home, chain, old, is_sound=False)
        return _anew(home, *restored)
    store = Store(home, is_examined=False)
    try:
        chain.anchor(store.position() if _has_position(store) else None)
        connection = store.connection
        _refuse_foreign(store, chain)
        if chain.is_whole(_newest(connection)):
            restored = 0, 0
            with begin_immediate(store.database):
                _replay(store)
        else:
            _forget_position(store)
            with begin_immediate(store.database):
                restored = _write_again(home, Chain(home), connection, is_sound=True)
                _replay(store)
        return _report(store, store.skipped, None, *restored)
    finally:
        store.is_altered = False
        store.close()


def _is_unusable(home: Home) -> bool:
    """Return True if SQLite cannot read the database, or its derived rows, as they should be."""
    with open(home.database, "rb") as file:
        if file.read(20)[18:] != b"\2\2":  # else SQLite takes it for one that it may only read
            return True
    if damage(home):
        return True
    unreadable = list[str]()
    with contextlib.closing(connect_for_reading(home)) as connection:
        read_derived(connection, unreadable)
    return bool(unreadable)


def _has_position(store: Store) -> bool:
    with contextlib.suppress(StoreDamaged):
        return store.position().seq > 0
    return False


def _replay(store: Store) -> None:
    """Make the tables as the journal has them; the caller holds the transaction."""
    empty(store.connection)
    store._examine(store._catch_up())
    if trouble := index.problem(store.connection):
        raise StoreUnusable(f"The rebuilt search index is not sound: {trouble}.")


class Chain:
    """The entries of a journal that count, by their numbers, and the lines that are none."""

    def __init__(self, home: Home) -> None:
        self.entries: dict[int, Link] = {}
        self.bad: list[Link] = []
        self.is_in_order = True
        self.is_anchored = True
        newest = 0
        for link in journal.links(home):
            if link.seq and link.seq not in self.entries:
                self.entries[link.seq] = link
                self.is_in_order &= link.seq == newest + 1
                newest = link.seq
            elif link.seq == 0 or link.hash != self.entries[link.seq].hash:
                self.bad.append(link)  # an interrupted reseal leaves entries twice
        self._check(max(self.entries, default=0), None)

    def _check(self, seq: int, expected: str | None) -> None:
        """Pass over entries that their successors do not build upon, from `seq` down."""
        while seq:
            link = self.entries.get(seq)
            if link and expected not in (None, link.hash):
                self.bad.append(self.entries.pop(seq))
                link = None
            expected = link.prev if link else None
            seq -= 1

    def anchor(self, position: Position | None) -> None:
        """Compare with the entry that the database applied last."""
        there = position and self.entries.get(position.seq)
        self.is_anchored = not position or (there is not None and there.hash == position.hash)

    def is_whole(self, newest: int) -> bool:
        """Return True if no entry is missing up to `newest`."""
        last = max(self.entries, default=0)
        return self.is_in_order and last >= newest and len(self.entries) == last


def _newest(connection: sqlite3.Connection) -> int:
    """The newest entry that a database lists, with all before it that it still lists."""
    seqs = [seq for (seq,) in connection.execute("SELECT seq FROM audit ORDER BY seq")]
    reached = 0
    for seq in seqs:
        if reached and seq != reached + 1:
            break
        reached = seq
    return reached


def _refuse_foreign(store: Store, chain: Chain) -> None:
    """Raise StoreUnusable where journal and sound database are of different stores.

    Then they have no entry in common; a damaged place in the journal is no sign of it.
    """
    views = store.connection.execute("SELECT seq, at FROM audit ORDER BY seq DESC").fetchall()
    both = [(chain.entries[seq], at) for seq, at in views if seq in chain.entries]
    if chain.is_anchored or not both:
        return
    if all(journal.read_one(store.home, link.segment, link.end)["at"] != at for link, at in both):
        raise StoreUnusable(
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


def _write_again(
    home: Home, chain: Chain, source: sqlite3.Connection, *, is_sound: bool
) -> tuple[int, int]:
    """Write a journal that lacks entries again; how many, and of how many nothing is images_by_row.

    Rows are taken from the database `source`. Of one that is not sound only memories are, whose
    hash says that they are whole.
    """
    views: dict[int, Image] = {}
    newest = 0
    with contextlib.suppress(*_UNREADABLE):
        newest = _newest(source)
        listing = "SELECT * FROM audit LEFT JOIN audit_group USING (seq)"
        views = {row["seq"]: {**row, "memories": []} for row in rows(source, listing)}
        for seq, memory in source.execute("SELECT seq, memory FROM audit_memory"):
            views[seq]["memories"].append(memory)
    if chain.is_whole(newest):
        return 0, 0
    last = max(newest, *chain.entries, 0)
    missing = {seq for seq in range(1, last + 1) if seq not in chain.entries}
    images = {image["id"]: image for image in _sound_memories(source)}
    by_entry: dict[int, list[Image]] = {}
    for image in images.values():
        if image["revision"] in missing:
            by_entry.setdefault(image["revision"], []).append(image)
    wanted = {image["id"] for listed in by_entry.values() for image in listed}
    images_by_row = dict[tuple[str, str], Image]()  # what the entries so far say of the rows

    def records() -> Iterator[Record]:
        head: Record = {"at": 0, "writer": journal.writer_of(home), "clock": ""}
        for seq in range(1, last + 1):
            if (link := chain.entries.get(seq)) is not None:
                record = journal.read_one(home, link.segment, link.end)
                head = {**head, "at": record["at"], "clock": record.get("clock", "")}
                for change in current(record["changes"]):
                    _note(images_by_row, wanted, change)
                yield record
                continue
            view = views.get(seq, {"at": head["at"], "memories": [], "title": LOST, "count": 0})
            head = _later(head, view["at"])
            changes = [
                _change("memory", images_by_row.get(("memory", image["id"])), _plain_image(image))
                for image in by_entry.get(seq, ())
            ]
            for change in changes:
                _note(images_by_row, wanted, change)
            yield {"seq": seq, **head, **_about(view), "changes": changes}
        differing = list(
            _differing(source, images_by_row, images, missing, views, is_sound=is_sound)
        )
        for number, start in enumerate(range(0, max(len(differing), 1), CHUNK), last + 1):
            head = _later(head, max(head["at"], int(time.time() * 1000)))
            changes = differing[start : start + CHUNK]
            view = {"title": f"{len(missing):,} damaged entries", "count": len(changes)}
            about = {**_about({**view, "memories": []}), "action": "repair"}
            yield {"seq": number, **head, **about, "changes": changes}

    journal.keep_aside(home, chain.bad)
    _exchange(home, records())
    return len(missing), sum(seq not in views and seq not in by_entry for seq in missing)


def _later(head: Record, at: int) -> Record:
    return {**head, "at": at, "clock": journal.tick(head["clock"], at)}


def _about(view: Image) -> Record:
    """The fields of an entry that the journal lost, as far as the history lists them."""
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


def _note(
    images_by_row: dict[tuple[str, str], Image], wanted: Container[str], change: dict[str, Any]
) -> None:
    """Note what a change makes of a row: of a memory that is not wanted only its hash."""
    key = change["table"], change["key"]
    if change["after"] is None:
        images_by_row.pop(key, None)
    elif key[0] == "memory" and key[1] not in wanted:
        images_by_row[key] = {"id": key[1]}
    else:
        images_by_row[key] = change["after"]


def _change(table: str, before: Image | None, after: Image | None) -> dict[str, Any]:
    image = after or before
    assert image is not None
    return {
        "table": table,
        "key": KEEPERS[table].key_of(image),
        "before": before,
        "after": after,
    }


def _plain_image(image: Image) -> Image:
    return {name: value for name, value in image.items() if name not in BOOKKEEPING}


def _sound_memories(source: sqlite3.Connection) -> Iterator[Image]:
    """The memories of a database that are what their hash says."""
    nums = list[int]()
    with contextlib.suppress(*_UNREADABLE):
        nums = [num for (num,) in source.execute("SELECT num FROM memory ORDER BY num")]
    for start in range(0, len(nums), CHUNK):
        for image in _readable(source, nums[start : start + CHUNK], []):
            if _hash(_plain_image(image)) == image["row_hash"]:
                yield image


def _differing(
    source: sqlite3.Connection,
    images_by_row: dict[tuple[str, str], Image],
    images: dict[str, Image],
    missing: Container[int],
    views: dict[int, Image],
    *,
    is_sound: bool,
) -> Iterator[dict[str, Any]]:
    """The rows that a database has and the journal lacks, or has otherwise, as changes."""
    dropped = {
        memory for seq, view in views.items() if seq in missing for memory in view["memories"]
    }
    for memory, image in images.items():
        if ("memory", memory) not in images_by_row:
            yield _change("memory", None, _plain_image(image))
    if not is_sound:
        return
    for table, key in [key for key in images_by_row if key[0] == "memory" and key[1] in dropped]:
        if source.execute("SELECT 1 FROM memory WHERE id = ?", (key,)).fetchone() is None:
            yield {"table": table, "key": key, "before": images_by_row[table, key], "after": None}
    for table, keeper in KEEPERS.items():
        if keeper is MEMORY:
            continue
        there = {keeper.key_of(row): row for row in rows(source, f'SELECT * FROM "{table}"')}
        for key, row in there.items():
            if (before := images_by_row.get((table, key))) != row:
                yield _change(table, before, row)
        for name, key in list(images_by_row):
            if name == table and key not in there:
                yield _change(table, images_by_row[name, key], None)


def _anew(home: Home, restored: int, lost: int) -> Rebuilt:
    """Set the database aside; opening a new one replays the journal from its beginning."""
    set_aside = _set_aside(home) if os.path.exists(home.database) else None
    store = Store(home)
    try:
        if set_aside:
            _save_derived(set_aside, store)
        return _report(store, store.skipped, set_aside, restored, lost)
    finally:
        store.close()


def _report(
    store: Store, skipped: list[str], set_aside: str | None, restored: int, lost: int
) -> Rebuilt:
    memories = store.connection.execute("SELECT count(*) FROM memory").fetchone()[0]
    seq = store.position().seq
    return Rebuilt(seq, memories, tuple(skipped), set_aside, restored, lost)


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


TRIES = 5
"""Times that others may write in between before we give up."""

READERS_WAIT_MS = 1_000
"""How long a reader may hold on to old rows before we say so."""

_FRESH = "resealed.tmp"


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
    altered = 0

    def changed() -> Iterator[Record]:
        nonlocal altered
        for seq in sorted(chain.entries):
            link = chain.entries[seq]
            record = journal.read_one(store.home, link.segment, link.end)
            body = {key: value for key, value in record.items() if key not in ("hash", "prev")}
            made = change(body)
            if made["seq"] != seq:
                raise ValueError(f"record {seq} lost its number")
            altered += made != body
            yield made

    with mapped_errors():
        for _ in range(TRIES):
            with begin_immediate(store.database):
                reached = store._catch_up()
            end = _forget_position(store)
            with begin_immediate(store.database):
                if store.position().seq or journal.last(store.home) != end:
                    continue  # somebody opened the store or wrote in between
                chain = Chain(store.home)
                chain.anchor(reached if reached.seq else None)
                if not (chain.is_whole(reached.seq) and chain.is_anchored):
                    raise Refused(
                        "The journal was damaged just now, so it was not written again.",
                        hint="Start memdeck again, which repairs it, then try again.",
                    )
                records = _exchange(store.home, changed(), is_clean=True) if end[0] else 0
                _replay(store)
            return Resealed(records, altered, scrub(store))
    raise StoreBusy("Others keep writing; the journal was left as it was.")


def is_unfinished(home: Home) -> bool:
    """Whether a run was interrupted, so that segments may be left which the first one repeats."""
    return os.path.exists(os.path.join(home.journal, journal.RESEALING))


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
    """Make the tables' place in the journal unknown, so that a crash later has it applied whole;
    where the journal ends."""
    with _surely(store.connection), begin_immediate(store.database):
        store.connection.execute("DELETE FROM journal_state")
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


def _exchange(home: Home, records: Iterable[Record], *, is_clean: bool = False) -> int:
    """Put a new journal into the place of the old one; its records.

    With `is_clean` nothing of the old one stays, torn lines included.
    """
    numbers = journal.segments(home) or [1]
    path, mark = os.path.join(home.journal, _FRESH), os.path.join(home.journal, journal.RESEALING)
    try:
        beside = os.path.join(home.journal, journal.BESIDE)
        for remaining in (path, beside, *(journal.torn_files(home) if is_clean else ())):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(remaining)  # a crash left it, and nobody looks for secrets in there later
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
        raise of_the_system(error, "The journal") from error
    return count


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
