"""Vectors of memories, for search by meaning: which lack one, and those there are."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from .connection import Database, begin_immediate
from .images import column, each, tuples, value
from .memories import Request, where_of

_HERE = "m.project IN (?, '') AND m.retired_at IS NULL AND m.type != 'working'"


def unencoded(
    database: Database, project: str, encoder: str, most: int
) -> list[tuple[int, int, str, str]]:
    """Return (number, revision, title, content) of memories without a vector, the newest first."""
    sql = f"""
        SELECT m.num, m.revision, m.title, m.content FROM memory m
        LEFT JOIN memory_vector v ON v.memory = m.num AND v.encoder = ?
        WHERE v.memory IS NULL AND {_HERE} ORDER BY m.num DESC LIMIT ?
        """
    return tuples(database, sql, encoder, project, most)


def put(database: Database, encoder: str, encoded: Iterable[tuple[int, int, bytes]]) -> None:
    """Store vectors: (number, revision, signed bytes). Memories that changed since get none."""
    with begin_immediate(database):
        latest = value(database, "SELECT max(stamp) FROM memory_vector") or 0
        stamp = max(time.time_ns() // 1_000, latest + 1)
        each(
            database,
            """INSERT OR REPLACE INTO memory_vector (memory, encoder, vector, stamp)
            SELECT num, ?, ?, ? FROM memory
            WHERE num = ? AND revision = ? AND retired_at IS NULL""",
            ((encoder, vector, stamp, num, revision) for num, revision, vector in encoded),
        )


def since(
    database: Database, project: str | None, encoder: str, size: int, stamp: int
) -> list[tuple[int, bytes, int]]:
    """Return (number, vector, stamp) of the vectors after `stamp`, of a project or of all.

    Vectors of another size than `size` bytes are left out.
    """
    here = "" if project is None else "AND m.project IN (?, '')"
    sql = f"""
        SELECT v.memory, v.vector, v.stamp FROM memory_vector v
        CROSS JOIN memory m ON m.num = v.memory
        WHERE v.stamp > ? AND v.encoder = ? AND length(v.vector) = ? {here}
        """
    return tuples(database, sql, stamp, encoder, size, *(() if project is None else (project,)))


def fitting(database: Database, request: Request, nums: Sequence[int]) -> list[int]:
    """Return those of `nums` that still have a vector and pass the filters of a request."""
    where, values = where_of(request)
    sql = f"""
        SELECT m.num FROM json_each(?) j CROSS JOIN memory m ON m.num = j.value
        JOIN memory_vector v ON v.memory = m.num WHERE {where}
        """
    return column(database, sql, list(nums), *values)
