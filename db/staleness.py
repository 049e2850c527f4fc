"""What speaks against memories. Derived: the next maintain finds it again. Times in milliseconds.

What a person has stood for since is shown no more; it is kept, so that only what is new is told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict, cast

from . import quick_json
from .connection import Database
from .derived import SightingRow, StalenessRow
from .images import rows
from .queries import Query, insert, statement
from .trust import DEGREE, FLAGGED, PROVENANCE

PAGE = 500


class StoredStaleness(TypedDict):
    """A row of `memory_staleness`; lists are JSON."""

    memory: str
    at: int
    reason: str
    evidence: str
    moves: str  # pairs of paths: where it was, where it is
    is_gone: int  # 1: every file that it names left for good


class Examined(TypedDict):
    """A live memory, as far as evidence concerns it."""

    num: int
    id: str
    title: str
    content: str
    category: str
    files: list[str]
    created_at: int
    vouched_at: int | None
    at: int | None  # of what stands in `memory_staleness`
    evidence: str | None
    names: str | None  # what was seen, JSON
    artifacts: list[str] | None  # the files that were changed by the work it was learned at
    is_persons: int


def examined(database: Database, project: str) -> Iterator[Examined]:
    """The project's live memories but for working memory, in order of their rows."""
    after = -1
    while True:
        page = rows(
            database.connection(),
            "SELECT m.num, m.id, m.title, substr(m.content, 1, 4000) AS content, m.category,"
            " m.files, m.created_at, t.vouched_at, s.at, s.evidence, g.names, e.artifacts,"
            f" ({DEGREE}) = 'person' OR ({PROVENANCE}) = 'person' AS is_persons FROM memory m"
            " LEFT JOIN memory_envelope e ON e.memory = m.id"
            " LEFT JOIN memory_trust t ON t.memory = m.id"
            " LEFT JOIN memory_staleness s ON s.memory = m.id"
            " LEFT JOIN memory_sighting g ON g.memory = m.id"
            " WHERE +m.project = ? AND +m.retired_at IS NULL AND m.type != 'working'"
            f" AND m.num > ? ORDER BY m.num LIMIT {PAGE}",
            (project, after),
        )
        yield from cast("list[Examined]", page)
        if len(page) < PAGE:
            return
        after = page[-1]["num"]


def flagged(database: Database, project: str) -> list[tuple[int, StoredStaleness]]:
    """(num, what speaks against it) of the project's live flagged memories, the newest first."""
    found = rows(
        database.connection(),
        "SELECT m.num, s.* FROM memory_staleness s CROSS JOIN memory m ON m.id = s.memory"
        f" WHERE m.project = ? AND m.retired_at IS NULL AND {FLAGGED} ORDER BY s.at DESC, m.num",
        (project,),
    )
    return [(row.pop("num"), cast("StoredStaleness", row)) for row in found]


def of_memory(connection: sqlite3.Connection, memory: str) -> StoredStaleness | None:
    """What speaks against one memory and no person has answered."""
    found = rows(
        connection,
        f"SELECT s.* FROM memory_staleness s WHERE s.memory = ? AND {FLAGGED}",
        (memory,),
    )
    return cast("StoredStaleness", found[0]) if found else None


def put(database: Database, row: Mapping[str, Any]) -> None:
    """Note what speaks against a memory, in place of what did."""
    insert(database, StalenessRow, row, "REPLACE")


@statement
def drop(memory: str) -> Query:
    """Nothing speaks against it any more."""
    return StalenessRow.delete().where(StalenessRow.memory == memory)


def see(database: Database, memory: str, names: Sequence[str]) -> None:
    """Note what of a memory was seen to stand."""
    seen = {"memory": memory, "names": quick_json.dumps(list(names))}
    insert(database, SightingRow, seen, "REPLACE")
