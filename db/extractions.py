"""Which sessions a model is to read, and what its calls cost and gave. Not journaled.

Times are milliseconds since 1970.
"""

import sqlite3
from collections.abc import Sequence

import peewee

from .connection import begin_immediate
from .images import Image, dumps, marks, rows

CALLS_KEPT = 2_000


def note_session(
    database: peewee.SqliteDatabase, session: str, host: str, cwd: str, transcript: str
) -> None:
    """Note where a session's words stand."""
    known = of_session(database.connection(), session)
    if known and (known["host"], known["cwd"], known["transcript"]) == (host, cwd, transcript):
        return
    with begin_immediate(database):
        database.connection().execute(
            "INSERT INTO extraction (session, host, cwd, transcript, due_at, not_before, tries,"
            " line, hidden, kept) VALUES (?, ?, ?, ?, NULL, 0, 0, 0, 0, 0)"
            " ON CONFLICT (session) DO UPDATE SET host = excluded.host, cwd = excluded.cwd,"
            " transcript = excluded.transcript",
            (session, host, cwd, transcript),
        )


def set_state(database: peewee.SqliteDatabase, session: str, **values: int | None) -> None:
    """Change due_at, not_before, tries, line, hidden or kept of a session that was noted."""
    names = ", ".join(f"{name} = ?" for name in values)
    with begin_immediate(database):
        database.connection().execute(
            f"UPDATE extraction SET {names} WHERE session = ?", [*values.values(), session]
        )


def of_session(connection: sqlite3.Connection, session: str) -> Image | None:
    """What was noted of the session with this very id."""
    found = rows(connection, "SELECT * FROM extraction WHERE session = ?", (session,))
    return found[0] if found else None


def due(connection: sqlite3.Connection, now: int, limit: int) -> list[Image]:
    """The sessions that a model is to read now, those that wait longest first."""
    return rows(
        connection,
        "SELECT * FROM extraction WHERE due_at IS NOT NULL AND not_before <= ?"
        " ORDER BY due_at, session LIMIT ?",
        (now, limit),
    )


def count_due(connection: sqlite3.Connection) -> int:
    """How many sessions wait for a model."""
    found = connection.execute("SELECT count(*) FROM extraction WHERE due_at IS NOT NULL")
    return int(found.fetchone()[0])


def note_call(database: peewee.SqliteDatabase, call: Image) -> None:
    """Record one call."""
    connection = database.connection()
    values = [dumps(value) if name == "dropped" else value for name, value in call.items()]
    with begin_immediate(database):
        connection.execute(
            f"INSERT INTO extraction_call ({', '.join(call)}) VALUES ({marks(len(values))})",
            values,
        )
        connection.execute(
            "DELETE FROM extraction_call WHERE id <= (SELECT max(id) FROM extraction_call) - ?",
            (CALLS_KEPT,),
        )


def spent(connection: sqlite3.Connection, since: int) -> tuple[float, int, int]:
    """(dollars, calls, tokens) that reading sessions and judging pairs took since then."""
    usd, calls, tokens = connection.execute(
        "SELECT coalesce(sum(cost_usd), 0), count(*), coalesce(sum(tokens), 0)"
        " FROM extraction_call WHERE at >= ?",
        (since,),
    ).fetchone()
    return float(usd), int(calls), int(tokens)


def last_call(connection: sqlite3.Connection, *, of_pairs: bool = False) -> Image | None:
    """The newest call about a session, or about pairs; None before the first."""
    found = rows(
        connection,
        "SELECT * FROM extraction_call WHERE (pairs IS NOT NULL) = ? ORDER BY id DESC LIMIT 1",
        (of_pairs,),
    )
    return found[0] if found else None


def places(connection: sqlite3.Connection, limit: int) -> list[Image]:
    """Where the sessions stand that were noted, the newest first."""
    return rows(connection, "SELECT * FROM extraction ORDER BY rowid DESC LIMIT ?", (limit,))


def transcript_of(connection: sqlite3.Connection, session: str) -> tuple[str, str] | None:
    """(host, transcript) of a session that a memory tells of; for those never noted."""
    found = connection.execute(
        "SELECT agent, transcript FROM memory WHERE session = ? AND transcript IS NOT NULL"
        " AND agent IS NOT NULL AND agent_id IS NULL ORDER BY num DESC LIMIT 1",
        (session,),
    ).fetchone()
    return (str(found[0]), str(found[1])) if found else None


def candidates_at(
    connection: sqlite3.Connection, project: str, session: str, lines: Sequence[int]
) -> list[Image]:
    """id, line and content of what was captured at these lines of a session and waits there."""
    return rows(
        connection,
        "SELECT id, line, content, ref FROM memory WHERE session = ? AND project = ?"
        " AND status = 'candidate' AND retired_at IS NULL AND type != 'working'"
        f" AND line IN ({marks(len(lines))}) ORDER BY num",
        [session, project, *lines],
    )
