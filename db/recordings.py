"""What agents recorded themselves, as the core asks for it. Times are milliseconds since 1970."""

import sqlite3
from collections.abc import Sequence

from .images import Image, marks, rows

BEST_LAST = ("unchecked", "nobody", "quoted", "finding", "agent", "person")
"""What a session can say to a recording, the best last."""


def count(connection: sqlite3.Connection, session: str) -> int:
    """How many a session recorded."""
    found = connection.execute("SELECT count(*) FROM recording WHERE session = ?", (session,))
    return int(found.fetchone()[0])


def of_session(connection: sqlite3.Connection, session: str, project: str) -> list[Image]:
    """What a session recorded, oldest first, each with content, files, status, `memory_session`
    and `retired_at` of its memory; those whose memory is gone are left out."""
    return rows(
        connection,
        "SELECT r.*, m.content, m.status, m.session AS memory_session, m.retired_at"
        " FROM recording r JOIN memory m ON m.id = r.memory"
        " WHERE r.session = ? AND m.project IN (?, '') ORDER BY r.at, r.id",
        (session, project),
    )


def of_memory(connection: sqlite3.Connection, memory: str) -> list[Image]:
    """How often a memory was recorded by agents, oldest first."""
    return rows(connection, "SELECT * FROM recording WHERE memory = ? ORDER BY at, id", (memory,))


def sources(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, str]:
    """By memory that an agent recorded and nobody else said: the best evidence that there is."""
    ranks = " ".join(f"WHEN '{word}' THEN {rank}" for rank, word in enumerate(BEST_LAST))
    found = connection.execute(
        f"SELECT memory, evidence FROM recording r WHERE memory IN ({marks(len(ids))})"
        " AND EXISTS (SELECT 1 FROM recording o WHERE o.memory = r.memory AND o.is_new = 1)"
        f" ORDER BY CASE evidence {ranks} END",
        list(ids),
    )
    return dict(found.fetchall())
