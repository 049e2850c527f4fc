"""What is worth counting but is no change: receipts, latencies, use, refused captures, offsets.

None of this is journaled. Each function writes in one short immediate transaction of its own,
or inside the change that the caller has open.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

import peewee

from .connection import begin_immediate
from .images import Image, dumps, rows

LATENCIES_KEPT = 100
"""The rolling window of 002-34, per kind."""

FINDINGS_KEPT = 5_000
RECEIPTS_KEPT = 5_000


def keep_receipt(database: peewee.SqliteDatabase, receipt: Image) -> bool:
    """Store one receipt and count the uses it stands for; False when it was here already."""
    connection = database.connection()
    with begin_immediate(database):
        before = connection.total_changes
        connection.execute(
            "INSERT OR IGNORE INTO receipt (id, at, host, project, session, event,"
            " prompt_fingerprint, prompt, tokens, budget, per_tier, items, left_out, latency_ms)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                receipt["id"],
                receipt["at"],
                receipt["host"],
                receipt["project"],
                receipt["session"],
                receipt["event"],
                receipt["prompt_fingerprint"],
                receipt.get("prompt"),
                receipt["tokens"],
                receipt["budget"],
                dumps(receipt["per_tier"]),
                dumps(receipt["items"]),
                dumps(receipt["left_out"]),
                receipt["latency_ms"],
            ),
        )
        if connection.total_changes == before:
            return False
        ids = [item["id"] for item in receipt["items"]]
        connection.executemany(
            "INSERT OR IGNORE INTO receipt_item (receipt, memory) VALUES (?, ?)",
            [(receipt["id"], memory) for memory in ids],
        )
        _count_use(connection, ids, receipt["at"])
        _note_latency(connection, "recall", receipt["at"], receipt["latency_ms"])
        connection.execute(
            "DELETE FROM receipt WHERE id IN"
            " (SELECT id FROM receipt ORDER BY at DESC LIMIT -1 OFFSET ?)",
            (RECEIPTS_KEPT,),
        )
    return True


def count_use(database: peewee.SqliteDatabase, ids: Sequence[str], at: int) -> None:
    """One more access for each memory (000-47)."""
    with begin_immediate(database):
        _count_use(database.connection(), ids, at)


def _count_use(connection: sqlite3.Connection, ids: Sequence[str], at: int) -> None:
    connection.executemany(
        "INSERT INTO memory_use (memory, accesses, last_access, helpful, unhelpful)"
        " VALUES (?, 1, ?, 0, 0) ON CONFLICT (memory) DO UPDATE SET"
        " accesses = accesses + 1,"
        " last_access = max(coalesce(last_access, 0), excluded.last_access)",
        [(memory, at) for memory in ids],
    )


def _note_latency(connection: sqlite3.Connection, kind: str, at: int, milliseconds: float) -> None:
    connection.execute(
        "INSERT INTO latency (at, kind, milliseconds) VALUES (?, ?, ?)", (at, kind, milliseconds)
    )
    connection.execute(
        "DELETE FROM latency WHERE kind = ? AND id NOT IN"
        " (SELECT id FROM latency WHERE kind = ? ORDER BY id DESC LIMIT ?)",
        (kind, kind, LATENCIES_KEPT),
    )


def latencies(connection: sqlite3.Connection, kind: str) -> list[float]:
    """The last measurements of a kind in milliseconds, oldest first; at most 100."""
    found = connection.execute(
        "SELECT milliseconds FROM latency WHERE kind = ? ORDER BY id", (kind,)
    )
    return [value for (value,) in found]


def receipts(
    connection: sqlite3.Connection,
    *,
    memory: str | None = None,
    project: str | None = None,
    receipt: str | None = None,
    limit: int = 50,
) -> list[Image]:
    """Receipts, newest first."""
    where, values = ["1"], list[Any]()
    if memory is not None:
        where.append("id IN (SELECT receipt FROM receipt_item WHERE memory = ?)")
        values.append(memory)
    if project is not None:
        where.append("project = ?")
        values.append(project)
    if receipt is not None:
        where.append("substr(id, 1, length(?)) = ?")
        values += [receipt, receipt]
    return rows(
        connection,
        f"SELECT * FROM receipt WHERE {' AND '.join(where)} ORDER BY at DESC, id DESC LIMIT ?",
        [*values, limit],
    )


def note_finding(database: peewee.SqliteDatabase, finding: Image) -> None:
    """Record one capture and what became of it."""
    connection = database.connection()
    with begin_immediate(database):
        encoded = {**finding, "files": dumps(finding["files"]), "tags": dumps(finding["tags"])}
        columns = ", ".join(encoded)
        connection.execute(
            f"INSERT INTO finding ({columns}) VALUES ({', '.join('?' * len(encoded))})",
            list(encoded.values()),
        )
        connection.execute(
            "DELETE FROM finding WHERE id <= (SELECT max(id) FROM finding) - ?", (FINDINGS_KEPT,)
        )


def findings(
    connection: sqlite3.Connection, project: str, *, outcome: str | None = None, limit: int = 200
) -> list[Image]:
    """The project's captures and what became of them, newest first."""
    where, values = "project = ?", [project]
    if outcome is not None:
        where, values = f"{where} AND outcome = ?", [project, outcome]
    return rows(
        connection,
        f"SELECT * FROM finding WHERE {where} ORDER BY id DESC LIMIT ?",
        [*values, limit],
    )


def was_captured(connection: sqlite3.Connection, ref: str) -> bool:
    """Whether that very place of a transcript was dealt with before, whatever came of it."""
    for table in ("memory", "finding"):
        if connection.execute(f"SELECT 1 FROM {table} WHERE ref = ? LIMIT 1", (ref,)).fetchone():
            return True
    return False


def transcript_mark(connection: sqlite3.Connection, path: str) -> tuple[int, int]:
    """(byte offset, lines read) of a transcript; (0, 0) for one never seen."""
    found = connection.execute(
        "SELECT offset, line FROM transcript WHERE path = ?", (path,)
    ).fetchone()
    return tuple(found) if found else (0, 0)


def set_transcript_mark(
    database: peewee.SqliteDatabase, path: str, offset: int, line: int, at: int
) -> None:
    """Remember how far a transcript was read."""
    with begin_immediate(database):
        database.connection().execute(
            "INSERT OR REPLACE INTO transcript (path, offset, line, updated_at)"
            " VALUES (?, ?, ?, ?)",
            (path, offset, line, at),
        )
