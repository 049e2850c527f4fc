"""The tables as they were after an earlier entry.

A private copy of the tables, in which the later entries are undone. The journal holds no uses,
worth and doubts, so these are left out.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence

from . import audit as trail
from . import journal
from .connection import database_to_read
from .errors import NotFound
from .images import Image, memories
from .journal import JournalLine
from .keepers import current, keepers
from .store import Progress, Store

COPIED_PAGES = 2_000  # pages of the database between two looks at whether to go on
BREATH = 64  # records of the journal after which other threads get their turn
TOGETHER = 500  # rows that are looked up at once

UNDATED = (
    *("memory_use", "memory_worth", "memory_staleness"),
    *("memory_duplicate", "memory_vector"),
)
"""Tables whose rows have no time, so that only their present state is known."""


def entry_at(store: Store, at: int) -> int:
    """The number of the last entry before the first that is later than `at` (milliseconds); 0."""
    newest = trail.newest_seq(store.database)
    oldest = trail.oldest(store.database)
    if oldest is None:
        return 0
    if oldest[0] > 1 and oldest[1] > at:  # older than the entries of the view
        return _entry_in_journal(store, at)
    later = trail.first_later(store.database, at)
    return newest if later is None else later - 1


def _entry_in_journal(store: Store, at: int) -> int:
    reached = 0
    for matches in _watched(store, 0, 0):
        assert matches.record is not None
        if matches.record["at"] > at:
            break
        reached = matches.position.seq
    return reached


def moment_of(store: Store, seq: int) -> int:
    """Return the time of an entry in milliseconds; 0 before the first.

    Raises NotFound.
    """
    newest = trail.newest_seq(store.database)
    if seq == 0:
        return 0
    if not 0 < seq <= newest:
        raise NotFound(f"There is no entry {seq}.", hint="`memdeck history` lists the entries.")
    return int(store.record(seq)["at"])


def _between(store: Store, after: int, upto: int | None) -> Iterator[JournalLine]:
    row = trail.entry(store.database, after)  # else the segment that holds the entry, or its end
    start = (row["segment"], row["offset"]) if row else (journal.segment_of(store.home, after), 0)
    for matches in _watched(store, *start):
        seq = matches.position.seq
        if upto is not None and seq > upto:
            return
        if seq > after:
            yield matches


def _watched(store: Store, segment: int, offset: int) -> Iterator[JournalLine]:
    """Yield the records of the journal from a segment and offset on, each once."""
    before, seq = store.interrupts, 0
    for count, matches in enumerate(journal.read(store.home, segment, offset)):
        if count % BREATH == 0:
            time.sleep(0)  # decoding holds the interpreter's lock: let the app's thread run
        if store.interrupts != before:
            raise sqlite3.OperationalError("interrupted")
        if matches.record is not None and matches.record["seq"] > seq:  # a torn line never counted
            seq = matches.record["seq"]
            yield matches


def open_past(store: Store, seq: int, progress: Progress | None = None) -> Store:
    """Return the tables after entry `seq` as a read-only store of this thread, to be closed.

    `progress` gets the number of entries read since. Raises sqlite3's "interrupted".
    """
    database = database_to_read("file:", store.home)  # private: no other connection can open it
    try:
        past = Store(store.home, past=database)
        _copy(store, past.connection)
        past.connection.execute("PRAGMA synchronous = off")  # the disk may lose a copy
        for table in UNDATED:
            past.connection.execute(f'DELETE FROM "{table}"')
        here = past.position().seq
        if seq < here:
            database.begin_immediate()
            _take_back(past, store, here, seq, progress)
            database.commit()
        return past
    except BaseException:
        database.close()
        raise


def _copy(store: Store, target: sqlite3.Connection) -> None:
    source, before = store.connection, store.interrupts

    def look(*_: int) -> None:
        if store.interrupts != before:
            raise sqlite3.OperationalError("interrupted")

    source.execute("BEGIN")  # one snapshot: else a writer makes the copy begin again
    try:
        source.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
        source.backup(target, pages=COPIED_PAGES, progress=look, sleep=0)
    finally:
        source.execute("COMMIT")


def _take_back(past: Store, store: Store, here: int, to: int, progress: Progress | None) -> None:
    """Set each row to its image before the first entry since `to`."""
    rows: dict[tuple[str, str], Image | None] = {}
    for count, entry in enumerate(_between(store, to, here)):
        assert entry.record is not None
        if progress is not None and count % BREATH == 0 and progress(count, here - to) is False:
            raise sqlite3.OperationalError("interrupted")
        for change in current(entry.record["changes"]):
            row, before = (change["table"], change["key"]), change["before"]
            if row not in rows:
                rows[row] = before
            elif before and (earlier := rows[row]) is not None:  # which may be some fields of it
                rows[row] = {**before, **earlier}
    listed = [(*row, before) for row, before in rows.items()]
    for start in range(0, len(listed), TOGETHER):
        _make(past, listed[start : start + TOGETHER], to)
    trail.go_back(past.database, to)


def _make(past: Store, rows: Sequence[tuple[str, str, Image | None]], seq: int) -> None:
    """Set each row to the image beside its name; delete it if that is None."""
    connection = past.connection
    ids = [key for table, key, _ in rows if table == "memory"]
    there = {image["id"]: image for image in memories(connection, "id", ids)}
    for table, key, before in rows:
        keeper = keepers()[table]
        now = there.get(key) if table == "memory" else keeper.read(connection, key)
        if before is not None:
            keeper.write(connection, [(now, {**(now or {}), **before})], seq)
        elif now is not None:
            keeper.remove(connection, now)
