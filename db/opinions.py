"""Which pairs of memories a model may be asked about, and which it was. Not journaled.

A pair is what is only listed in Conflicts. Times are milliseconds since 1970.
"""

import sqlite3
from collections.abc import Sequence

import peewee

from .connection import begin_immediate
from .images import Image, rows

MOST_TRIES = 2
"""Calls about one pair, where the first fails as a whole."""

_WAITING = (
    "FROM conflict c JOIN memory a ON a.id = c.entry_a JOIN memory b ON b.id = c.entry_b"
    " LEFT JOIN pair_asked p ON p.one = min(a.fingerprint, b.fingerprint)"
    " AND p.other = max(a.fingerprint, b.fingerprint)"
    " WHERE c.resolved_at IS NULL AND c.band = 'near' AND c.opinion IS NULL"
    " AND a.retired_at IS NULL AND b.retired_at IS NULL"
    " AND a.privacy != 'private' AND b.privacy != 'private'"
    f" AND (p.one IS NULL OR (p.is_answered = 0 AND p.tries < {MOST_TRIES} AND p.not_before <= ?))"
)
_PROJECT = "CASE b.project WHEN '' THEN a.project ELSE b.project END"


def waiting(connection: sqlite3.Connection, project: str, now: int, limit: int) -> list[Image]:
    """The conflicts of the project that may be put to a model now, the likeliest first.

    With `one` and `other`, the fingerprints of the two texts.
    """
    return rows(
        connection,
        "SELECT c.id, c.entry_a, c.entry_b, a.fingerprint AS one, b.fingerprint AS other"
        f" {_WAITING} AND {_PROJECT} = ?"
        " ORDER BY coalesce(c.same, 0) + coalesce(c.contradict, 0) DESC, c.id LIMIT ?",
        (now, project, limit),
    )


def by_project(connection: sqlite3.Connection, now: int) -> list[tuple[str, int, int]]:
    """(project, how many of its pairs may be put to a model now, since when the oldest waits)."""
    return connection.execute(
        f"SELECT {_PROJECT}, count(*), min(c.detected_at) {_WAITING} AND {_PROJECT} != ''"
        " GROUP BY 1 ORDER BY 3",
        (now,),
    ).fetchall()


def note_tries(
    database: peewee.SqliteDatabase, pairs: Sequence[tuple[str, str]], not_before: int
) -> None:
    """Count a try for each pair of fingerprints; `note_answered` when it was more than that."""
    _each(
        database,
        "INSERT INTO pair_asked (one, other, tries, not_before, is_answered) VALUES (?, ?, 1, ?, 0)"
        " ON CONFLICT (one, other) DO UPDATE SET tries = tries + 1,"
        " not_before = excluded.not_before",
        [(*sorted(pair), not_before) for pair in pairs],
    )


def note_answered(database: peewee.SqliteDatabase, pairs: Sequence[tuple[str, str]]) -> None:
    """Pairs of fingerprints that a model answered, however: never to be put to one again."""
    _each(
        database,
        "UPDATE pair_asked SET is_answered = 1 WHERE one = ? AND other = ?",
        [tuple(sorted(pair)) for pair in pairs],
    )


def _each(database: peewee.SqliteDatabase, sql: str, values: Sequence[tuple[object, ...]]) -> None:
    with begin_immediate(database):
        database.connection().executemany(sql, values)
