"""What recall reads of receipts: what a session was told, and how long answers took.

Standard library only, as `fast_reader`, which hands it out.
"""

from .quick_sqlite import sqlite3

TELLINGS = 100
"""Injections of a session that are looked back at, the last ones."""

Telling = tuple[int, str, str | None, str | None, str | None]
"""(at, event, source, memory, mark) of one memory that a session was told."""

LATENCIES_KEPT = 100
"""The rolling window of latencies, per kind."""


class ReceiptReader:
    """Read-only questions about receipts and latencies over one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def tellings(self, project: str, session: str) -> list[Telling]:
        """What the session was told, newest first: (at, event, source, memory, mark).

        A row a memory; the start of a session without any has one row with neither. At most the
        last `TELLINGS` injections that told something are looked at.
        """
        return self.connection.execute(
            "SELECT r.at, r.event, r.source, json_extract(i.value, '$.id'),"
            " json_extract(i.value, '$.mark') FROM"
            " (SELECT id, at, event, source, items FROM receipt WHERE session = ? AND project = ?"
            " AND (tokens > 0 OR event IN ('SessionStart', 'PostCompact'))"
            " ORDER BY at DESC, id DESC LIMIT ?) r LEFT JOIN json_each(r.items) i"
            " ORDER BY r.at DESC",
            (session, project, TELLINGS),
        ).fetchall()

    def starts(self, project: str, session: str) -> list[Telling]:
        """When the session was last told what belongs to a start, as a row of `tellings`."""
        found: list[Telling] = self.connection.execute(
            "SELECT at, event, source, NULL, NULL FROM receipt WHERE session = ? AND project = ?"
            " AND event = 'SessionStart' ORDER BY at DESC, id DESC LIMIT 1",
            (session, project),
        ).fetchall()
        return found

    def latencies(self) -> tuple[list[float], bool]:
        """The last recalls' times in milliseconds, oldest first, and whether recall is degraded."""
        return latency_window(self.connection, "recall")

    def answer_latencies(self, host: str) -> list[float]:
        """How long the last answers to a host took, in milliseconds, newest first; at most 100."""
        found = self.connection.execute(
            "SELECT latency_ms FROM receipt WHERE host = ? ORDER BY at DESC LIMIT ?",
            (host, LATENCIES_KEPT),
        )
        return [value for (value,) in found]


def latency_window(connection: sqlite3.Connection, kind: str) -> tuple[list[float], bool]:
    """The last measurements of a kind in milliseconds, oldest first, and what the last decided."""
    found = connection.execute(
        "SELECT milliseconds, is_degraded FROM latency WHERE kind = ? ORDER BY id DESC LIMIT ?",
        (kind, LATENCIES_KEPT),
    ).fetchall()
    return [value for value, _ in reversed(found)], bool(found and found[0][1])
