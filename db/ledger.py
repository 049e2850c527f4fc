"""What is worth counting but is no change: receipts, latencies, use, refused captures, offsets.

None of this is journaled. Each function writes in one short immediate transaction of its own,
or inside the change that the caller has open.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import peewee

from .activity import active_files
from .connection import begin_immediate
from .fast_reader import LATENCIES_KEPT, latency_window
from .images import CHUNK, JSON_COLUMNS, Image, dumps, marks, rows

FINDINGS_KEPT = 5_000
RECEIPTS_KEPT = 5_000

ACTIVE_FILES = 30
"""Files of a session that count as being worked on, the last ones."""


RECEIPT_COLUMNS = (
    "id",
    "at",
    "host",
    "project",
    "session",
    "event",
    "prompt_fingerprint",
    "prompt",
    "tokens",
    "budget",
    "per_tier",
    "items",
    "left_out",
    "latency_ms",
    "source",
    "policy",
    "profile",
    "context_left",
    "limits",
    "about",
)
"""Every column of `receipt`; what a receipt does not say is NULL."""


def keep_receipt(database: peewee.SqliteDatabase, receipt: Image) -> bool:
    """Store one receipt and count the uses it stands for; False when it was here already."""
    connection = database.connection()
    values = [
        dumps(receipt[name])
        if name in JSON_COLUMNS and receipt.get(name) is not None
        else receipt.get(name)
        for name in RECEIPT_COLUMNS
    ]
    with begin_immediate(database):
        before = connection.total_changes
        connection.execute(
            f"INSERT OR IGNORE INTO receipt ({', '.join(RECEIPT_COLUMNS)})"
            f" VALUES ({marks(len(values))})",
            values,
        )
        if connection.total_changes == before:
            return False
        ids = [item["id"] for item in receipt["items"]]
        connection.executemany(
            "INSERT OR IGNORE INTO receipt_item (receipt, memory, revision) VALUES (?, ?, ?)",
            [(receipt["id"], item["id"], item.get("revision")) for item in receipt["items"]],
        )
        _count_use(connection, ids, receipt["at"])
        connection.execute(
            "DELETE FROM receipt WHERE id IN"
            " (SELECT id FROM receipt ORDER BY at DESC LIMIT -1 OFFSET ?)",
            (RECEIPTS_KEPT,),
        )
    return True


def opinions(connection: sqlite3.Connection, receipts: Sequence[str]) -> dict[str, dict[str, bool]]:
    """By receipt, what was said of each memory it names: helpful, not helpful, or nothing."""
    said: dict[str, dict[str, bool]] = {}
    for start in range(0, len(receipts), CHUNK):
        part = receipts[start : start + CHUNK]
        for receipt, memory, helpful in connection.execute(
            "SELECT receipt, memory, helpful FROM receipt_item"
            f" WHERE receipt IN ({marks(len(part))}) AND helpful IS NOT NULL",
            part,
        ):
            said.setdefault(receipt, {})[memory] = bool(helpful)
    return said


def note_opinion(
    database: peewee.SqliteDatabase, receipt: str, memory: str, helpful: bool | None
) -> bool:
    """Set what is thought of one item of a receipt, and count it (000-56).

    One opinion an item: a new one takes the place of the old one, None takes it back. False when
    the receipt does not name the memory.
    """
    connection = database.connection()
    with begin_immediate(database):
        known = connection.execute(
            "SELECT helpful FROM receipt_item WHERE receipt = ? AND memory = ?", (receipt, memory)
        ).fetchone()
        if known is None:
            return False
        was = None if known[0] is None else bool(known[0])
        connection.execute(
            "UPDATE receipt_item SET helpful = ? WHERE receipt = ? AND memory = ?",
            (helpful, receipt, memory),
        )
        connection.execute(
            "INSERT INTO memory_use (memory, accesses, helpful, unhelpful) VALUES (?, 0, 0, 0)"
            " ON CONFLICT (memory) DO NOTHING",
            (memory,),
        )
        connection.execute(
            "UPDATE memory_use SET helpful = max(helpful + ?, 0),"
            " unhelpful = max(unhelpful + ?, 0) WHERE memory = ?",
            (
                (helpful is True) - (was is True),
                (helpful is False) - (was is False),
                memory,
            ),
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


def note_latency(
    database: peewee.SqliteDatabase,
    kind: str,
    at: int,
    milliseconds: float,
    decide: Callable[[Sequence[float], bool], bool],
) -> None:
    """Add a measurement to the window of its kind.

    `decide` gets the window with it (oldest first) and whether recall was degraded before, and
    says whether it is now; that is kept with the measurement.
    """
    with begin_immediate(database):
        connection = database.connection()
        window, was_degraded = latency_window(connection, kind)
        is_degraded = decide([*window, milliseconds][-LATENCIES_KEPT:], was_degraded)
        connection.execute(
            "INSERT INTO latency (at, kind, milliseconds, is_degraded) VALUES (?, ?, ?, ?)",
            (at, kind, milliseconds, is_degraded),
        )
        connection.execute(
            "DELETE FROM latency WHERE kind = ? AND id NOT IN"
            " (SELECT id FROM latency WHERE kind = ? ORDER BY id DESC LIMIT ?)",
            (kind, kind, LATENCIES_KEPT),
        )


def latencies(connection: sqlite3.Connection, kind: str) -> list[float]:
    """The last measurements of a kind in milliseconds, oldest first; at most 100."""
    return latency_window(connection, kind)[0]


def answer_latencies(connection: sqlite3.Connection, host: str) -> list[float]:
    """How long the last answers to one host took, in milliseconds, newest first; at most 100."""
    found = connection.execute(
        "SELECT latency_ms FROM receipt WHERE host = ? ORDER BY at DESC LIMIT ?",
        (host, LATENCIES_KEPT),
    )
    return [value for (value,) in found]


def receipts(
    connection: sqlite3.Connection,
    *,
    memory: str | None = None,
    project: str | None = None,
    receipt: str | None = None,
    session: str | None = None,
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
    if session is not None:
        where.append("substr(session, 1, length(?)) = ?")
        values += [session, session]
    return rows(
        connection,
        f"SELECT * FROM receipt WHERE {' AND '.join(where)} ORDER BY at DESC, id DESC LIMIT ?",
        [*values, limit],
    )


def note_finding(database: peewee.SqliteDatabase, finding: Image) -> int:
    """Record one capture and what became of it; its number."""
    connection = database.connection()
    with begin_immediate(database):
        encoded = {**finding, "files": dumps(finding["files"]), "tags": dumps(finding["tags"])}
        columns = ", ".join(encoded)
        number = connection.execute(
            f"INSERT INTO finding ({columns}) VALUES ({', '.join('?' * len(encoded))})",
            list(encoded.values()),
        ).lastrowid
        connection.execute(
            "DELETE FROM finding WHERE id <= (SELECT max(id) FROM finding) - ?", (FINDINGS_KEPT,)
        )
    return int(number or 0)


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
    database: peewee.SqliteDatabase,
    path: str,
    offset: int,
    line: int,
    at: int,
    *,
    messages: int = 0,
    is_incognito: bool = False,
) -> None:
    """Remember how far a transcript was read, and that it held so many more `messages`."""
    with begin_immediate(database):
        database.connection().execute(
            "INSERT INTO transcript (path, offset, line, updated_at, messages, incognito)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET offset = excluded.offset,"
            " line = excluded.line, updated_at = excluded.updated_at,"
            " messages = coalesce(messages, 0) + excluded.messages,"
            " incognito = excluded.incognito",
            (path, offset, line, at, messages, int(is_incognito)),
        )


def note_activity(
    database: peewee.SqliteDatabase,
    session: str,
    at: int,
    *,
    files: Sequence[str] = (),
    tools: int = 0,
    failures: int = 0,
    last_failure: str | None = None,
) -> None:
    """Add to what a session is at work on: its last files, tool calls and failures."""
    connection = database.connection()
    with begin_immediate(database):
        known = active_files(connection, session)
        kept = list(dict.fromkeys([*files, *known]))[:ACTIVE_FILES]
        connection.execute(
            "INSERT INTO session_activity (session, files, tools, failures, last_failure,"
            " updated_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (session) DO UPDATE SET"
            " files = excluded.files, tools = tools + excluded.tools,"
            " failures = failures + excluded.failures,"
            " last_failure = coalesce(excluded.last_failure, last_failure),"
            " updated_at = excluded.updated_at",
            (session, dumps(kept), tools, failures, last_failure, at),
        )


def activity(connection: sqlite3.Connection, session: str) -> Image | None:
    """What was noted of a session's work; None when nothing was."""
    found = rows(connection, "SELECT * FROM session_activity WHERE session = ?", (session,))
    return found[0] if found else None
