"""The tables made anew from the journal, in place, in one transaction.

Readers see the old rows until the new ones stand. A database that SQLite cannot open any more
is set aside, never deleted, and a new one takes its place.
"""

import os
import sqlite3
from dataclasses import dataclass

from . import index, journal
from .connection import begin_immediate, mapped_errors
from .derived import VIEWS
from .errors import StoreDamaged, StoreUnusable
from .home import Home
from .journal import FIRST_HASH, Position
from .store import Store
from .tables import JOURNALED


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild found."""

    records: int
    memories: int
    skipped: tuple[str, ...]  # lines of the journal that were no records
    set_aside: str | None  # where the damaged database went


def rebuild(home: Home) -> Rebuilt:
    """Bring every row back from the journal. Raises StoreUnusable."""
    set_aside = None
    try:
        store = Store(home)
        store.connection.execute("SELECT count(*) FROM memory").fetchone()
    except (StoreDamaged, sqlite3.DatabaseError):
        set_aside = _set_aside(home)
        store = Store(home)
    try:
        with mapped_errors():
            return _replay(home, store, set_aside)
    finally:
        store.close()


def _replay(home: Home, store: Store, set_aside: str | None) -> Rebuilt:
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
        memories = connection.execute("SELECT count(*) FROM memory").fetchone()[0]
        records = position.seq
    return Rebuilt(records, memories, tuple(skipped), set_aside)


def _set_aside(home: Home) -> str:
    number = 1
    while os.path.exists(target := os.path.join(home.backups, f"damaged-{number}.db")):
        number += 1
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(home.database + suffix):
            os.replace(home.database + suffix, target + suffix)
    return target
