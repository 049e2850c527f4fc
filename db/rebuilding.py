"""The tables made anew from the journal, in one transaction.

A sound database is rebuilt in place: readers see the old rows until the new ones stand. One that
SQLite cannot read any more is set aside, never deleted, and a new one takes its place.
"""

import os
import sqlite3
from dataclasses import dataclass

from . import index, journal
from .connection import altered_schema, begin_immediate, mapped_errors
from .derived import DERIVED, VIEWS
from .errors import Refused, StoreDamaged, StoreUnusable
from .home import Home
from .images import rows
from .journal import FIRST_HASH, Position
from .keepers import TableKeeper
from .store import Store
from .tables import JOURNALED
from .verifying import compare_rows, read_journal


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
            if check != "ok" or altered_schema(store.connection):
                raise StoreDamaged("The database is damaged.")
            _refuse_a_loss(store)
            return _replay(home, store)
    finally:
        store.close()


def _refuse_a_loss(store: Store) -> None:
    """Raise Refused when the journal has a gap, and the database something that fell into it."""
    position = store.position()
    problems = list[str]()
    told = read_journal(store.home, position, problems)
    if position.seq > told.last or told.hash_there != position.hash:
        problems.append(f"it does not hold the database's last entry, {position.seq}")
    lost = list[str]()
    if problems:
        compare_rows(store.connection, told, lost)
    if lost:
        raise Refused(
            f"The journal is not whole: {problems[0]}.",
            hint="A rebuild would lose what the database still holds, so nothing was done."
            f" To make do with the journal nevertheless, move {store.home.database} away first.",
        )


def _replay(home: Home, store: Store) -> Rebuilt:
    connection = store.connection
    skipped: list[str] = []
    with begin_immediate(store.database):
        for model in (*JOURNALED, *VIEWS):
            connection.execute(f'DELETE FROM "{model._meta.table_name}"')
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES('delete-all')")
        position = Position(0, FIRST_HASH, 0, 0)
        for found in journal.read(home):
            record = found.record
            if record is None:
                skipped.append(f"{found.problem} line in segment {found.segment}, {found.start}")
                continue
            if record["seq"] <= position.seq:
                skipped.append(f"record {record['seq']} stands twice")
                continue
            store.replay(record, Position(record["seq"], record["hash"], found.segment, found.end))
            position = Position(record["seq"], record["hash"], found.segment, found.end)
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
    """Take over counters and records, which the journal does not have, as far as they are sound.

    A table that cannot be read, or holds a value of another kind than its column, stays behind.
    """
    old = sqlite3.connect(damaged)
    try:
        for model in DERIVED:
            keeper = TableKeeper(model)
            try:
                found = rows(old, f'SELECT * FROM "{keeper.table}"')
                with begin_immediate(store.database):
                    for row in found:
                        keeper.write(store.connection, None, row, 0)
            except (sqlite3.Error, StoreUnusable, KeyError, TypeError, ValueError):
                continue
    finally:
        old.close()
