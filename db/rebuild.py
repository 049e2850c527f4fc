"""The tables made anew from the journal, in one transaction.

A sound database is rebuilt in place: readers see the old rows until the new ones stand. One that
SQLite cannot read any more is set aside, never deleted, and a new one takes its place.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import index, journal, schema
from .connection import begin_immediate, mapped_errors
from .derived import DERIVED
from .errors import Refused, StoreDamaged, StoreReadOnly, StoreUnusable
from .home import Home
from .images import Image
from .journal import FIRST_HASH, Position
from .keepers import TableKeeper, empty
from .store import Store
from .verify import compare_rows, read_derived, read_journal


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
    skipped = list(store.skipped)
    with begin_immediate(store.database):
        empty(connection)
        position = Position(0, FIRST_HASH, 0, 0)
        for found in journal.read(home):
            record = found.record
            if record is None:
                skipped.append(f"{found.problem} line in segment {found.segment}, {found.start}")
                continue
            if record["seq"] <= position.seq:
                skipped.append(f"record {record['seq']} stands twice")
                continue
            position = found.position
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
