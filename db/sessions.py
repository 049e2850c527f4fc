"""Sessions as the core asks for them: who spoke where, what came of it, how far it was kept.

Times are milliseconds since 1970.
"""

import sqlite3
from typing import Any

import peewee

from .connection import begin_immediate
from .images import Image, rows

_COUNTED = (
    "SELECT s.*,"
    " (SELECT count(*) FROM finding f WHERE f.session = s.id) AS captures,"
    " (SELECT count(*) FROM finding f WHERE f.session = s.id AND f.outcome = 'refused') AS refused,"
    " (SELECT count(*) FROM memory m WHERE m.session = s.id AND m.retired_at IS NULL) AS memories,"
    " (SELECT max(messages) FROM session_checkpoint c WHERE c.session = s.id) AS messages"
    " FROM session s"
)


def sessions(connection: sqlite3.Connection, project: str, limit: int) -> list[Image]:
    """The project's sessions with their counts, newest first."""
    return rows(
        connection,
        f"{_COUNTED} WHERE s.project = ? ORDER BY s.started_at DESC, s.id DESC LIMIT ?",
        (project, limit),
    )


def going_on(connection: sqlite3.Connection, project: str, limit: int) -> list[Image]:
    """id, goal and incognito of the project's sessions that have not ended, newest first."""
    return rows(
        connection,
        "SELECT id, goal, incognito FROM session WHERE project = ? AND ended_at IS NULL"
        " ORDER BY started_at DESC, id DESC LIMIT ?",
        (project, limit),
    )


def sessions_called(connection: sqlite3.Connection, project: str, ref: str) -> list[Image]:
    """The project's sessions whose id begins with `ref`; the one with that very id first."""
    return rows(
        connection,
        f"{_COUNTED} WHERE s.project = ? AND substr(s.id, 1, length(?)) = ?"
        " ORDER BY s.id != ?, s.started_at DESC LIMIT 10",
        (project, ref, ref, ref),
    )


def checkpoints(connection: sqlite3.Connection, session: str) -> list[Image]:
    """A session's checkpoints, oldest first."""
    return rows(
        connection,
        "SELECT * FROM session_checkpoint WHERE session = ? ORDER BY messages",
        (session,),
    )


def learned(connection: sqlite3.Connection, session: str) -> list[Image]:
    """What was learned in a session and still holds: id, type, category, title, content, files,
    importance, status, privacy; in the order in which it came up."""
    return rows(
        connection,
        "SELECT m.id, m.type, m.category, m.title, m.content, m.files, m.importance, m.status,"
        " m.scope, m.privacy, p.status AS intention"
        " FROM memory m LEFT JOIN prospective p ON p.memory = m.num"
        " WHERE m.session = ? AND m.retired_at IS NULL AND m.type != 'working' ORDER BY m.num",
        (session,),
    )


def copy_findings(database: peewee.SqliteDatabase, parent: str, fork: str, at: int) -> int:
    """Give a fork the captures of its parent, all but their places; how many."""
    connection: sqlite3.Connection = database.connection()
    with begin_immediate(database):
        copied = connection.execute(
            "INSERT INTO finding (project, session, ref, fingerprint, content, category,"
            " importance, confidence, files, tags, rule, outcome, reason, memory, points,"
            " created_at) SELECT project, ?, NULL, fingerprint, content, category, importance,"
            " confidence, files, tags, rule, outcome, reason, memory, points, ?"
            " FROM finding WHERE session = ? ORDER BY id",
            (fork, at, parent),
        )
    return copied.rowcount


def transcript_messages(connection: sqlite3.Connection, path: str) -> int:
    """Messages that were counted in a transcript so far."""
    found = connection.execute(
        "SELECT coalesce(messages, 0) FROM transcript WHERE path = ?", (path,)
    ).fetchone()
    return int(found[0]) if found else 0


def is_incognito_at_mark(connection: sqlite3.Connection, path: str) -> bool:
    """Whether a transcript was read up to the middle of an incognito turn."""
    found = connection.execute(
        "SELECT 1 FROM transcript WHERE path = ? AND incognito = 1", (path,)
    ).fetchone()
    return found is not None


def setting(connection: sqlite3.Connection, key: str) -> Any:
    """What a person chose under `key`; None when nothing was chosen."""
    found = rows(connection, "SELECT value FROM setting WHERE key = ?", (key,))
    return found[0]["value"] if found else None


def working(
    connection: sqlite3.Connection,
    project: str,
    *,
    session: str | None = None,
    until: int | None = None,
) -> list[Image]:
    """id, todo_id and expires_at of the project's working memory that was not cleared.

    Of one session, "" being what belongs to none; with `until`, what has expired by then.
    """
    where, values = ["m.project = ?", "m.retired_at IS NULL"], list[Any]([project])
    if session == "":
        where.append("(m.session IS NULL OR m.session = '')")
    for condition, value in (("m.session = ?", session or None), ("w.expires_at <= ?", until)):
        if value is not None:
            where.append(condition)
            values.append(value)
    return rows(
        connection,
        "SELECT m.id, w.todo_id, w.expires_at FROM working w CROSS JOIN memory m"
        f" ON m.num = w.memory WHERE {' AND '.join(where)} ORDER BY m.num",
        values,
    )


def intentions(connection: sqlite3.Connection, project: str) -> list[Image]:
    """id, content and created_at of the project's intentions that wait, oldest first."""
    return rows(
        connection,
        "SELECT m.id, m.content, m.created_at FROM prospective p JOIN memory m ON m.num = p.memory"
        " WHERE p.status IN ('pending', 'active') AND m.project = ? AND m.retired_at IS NULL"
        " ORDER BY m.num",
        (project,),
    )
