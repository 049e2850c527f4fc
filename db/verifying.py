"""Is everything still what the journal says?

Four questions: does the journal's chain hold, has the database applied all of it, does every
row equal its last image, and do SQLite's and FTS5's own checks pass? Nothing is changed.
"""

import json
import sqlite3
from dataclasses import dataclass

from . import index, journal
from .home import Home
from .images import hash_of, rows
from .journal import FIRST_HASH
from .keepers import KEEPERS
from .store import Store

MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome, the first problem of each kind first."""

    ok: bool
    problems: tuple[str, ...]
    records: int
    memories: int


def verify(store: Store) -> Verification:
    """Check journal, chain, rows and indexes; never raises for what it finds."""
    problems: list[str] = []
    last: dict[tuple[str, str], str] = {}
    records = _walk_journal(store.home, last, problems)
    position = store.position()
    if position.seq != records:
        problems.append(
            f"the database has applied entry {position.seq}, the journal ends at {records}"
        )
    _compare_rows(store.connection, last, problems)
    try:
        for (answer,) in store.connection.execute("PRAGMA integrity_check(5)"):
            if answer != "ok":
                problems.append(f"SQLite: {answer}")
    except sqlite3.DatabaseError as error:
        problems.append(f"SQLite: {error}")
    if trouble := index.problem(store.connection):
        problems.append(f"search index: {trouble}")
    memories = sum(1 for table, _ in last if table == "memory")
    return Verification(not problems, tuple(problems[:MOST_PROBLEMS]), records, memories)


def _walk_journal(home: Home, last: dict[tuple[str, str], str], problems: list[str]) -> int:
    """Check the chain and note each row's last image's hash; the number of the last record."""
    seq, prev, torn = 0, FIRST_HASH, 0
    for found in journal.read(home):
        place = f"segment {found.segment}, byte {found.start}"
        record = found.record
        if record is None:
            if found.problem == "torn":
                torn += 1  # never acknowledged: a crash in the middle of a write leaves one
            else:
                problems.append(f"the journal's line after entry {seq} is altered ({place})")
            continue
        if record["seq"] != seq + 1 or record["prev"] != prev:
            problems.append(
                f"entry {record['seq']} does not follow entry {seq}:"
                f" something was altered or dropped ({place})"
            )
        seq, prev = record["seq"], record["hash"]
        for change in record["changes"]:
            key = (change["table"], change["key"])
            if change["after"] is None:
                last.pop(key, None)
            else:
                last[key] = hash_of(change["after"])
    if torn and torn > 1_000:
        problems.append(f"the journal holds {torn} torn lines")
    return seq


def _compare_rows(
    connection: sqlite3.Connection, last: dict[tuple[str, str], str], problems: list[str]
) -> None:
    for (table, key), expected in last.items():
        if len(problems) >= MOST_PROBLEMS:
            return
        try:
            image = KEEPERS[table].read(connection, key)
        except (sqlite3.DatabaseError, json.JSONDecodeError) as error:
            problems.append(f"{table} {key} cannot be read: {error}")
            continue
        if image is None:
            problems.append(f"{table} {key} is missing from the database")
        elif hash_of(image) != expected:
            problems.append(f"{table} {key} differs from its journal entry")
    for row in rows(connection, "SELECT id FROM memory"):
        if ("memory", row["id"]) not in last:
            problems.append(f"memory {row['id']} is in the database but not in the journal")
