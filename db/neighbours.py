"""What a memory is compared with: what shares its words, and what its session was told.

The question to the full-text index and the recursive one are SQL; Peewee makes the third.
"""

from collections.abc import Sequence
from typing import TypedDict

from . import index
from .connection import Database
from .images import rows
from .queries import Query, among, columns, listing
from .receipts import LINE
from .tables import MemoryRow


class StoredNeighbour(TypedDict):
    """What is compared of a memory that may speak of the same thing."""

    num: int
    id: str
    title: str
    content: str
    type: str
    category: str
    status: str
    files: list[str]
    tags: list[str]
    session: str | None
    agent: str | None
    privacy: str
    created_at: int


class ToldNeighbour(StoredNeighbour):
    """One that a session was told, and when first."""

    told_at: int


_COMPARED = ", ".join(f"m.{name}" for name in StoredNeighbour.__annotations__)


def neighbours(
    database: Database, words: Sequence[str], project: str, limit: int = 30
) -> list[StoredNeighbour]:
    """Live memories of the project, or of everywhere, that share the rarest of `words`.

    The best by BM25 first. Working memory is nobody's neighbour.
    """
    connection = database.connection()
    expression = index.match(index.telling(connection, words), project=project)
    if expression is None:
        return []
    return rows(  # type: ignore[return-value]  # a question to the full-text index
        connection,
        f"SELECT {_COMPARED} FROM (SELECT rowid AS num, -{index.RANK} AS score"
        " FROM memory_fts WHERE memory_fts MATCH ? ORDER BY score DESC LIMIT ?) h"
        " JOIN memory m ON m.num = h.num WHERE m.type != 'working' ORDER BY h.score DESC",
        (expression, limit),
    )


def told_to(database: Database, session: str) -> list[ToldNeighbour]:
    """What a session, and those that it was forked from, was told: each memory once, as it is now,
    with the first time. Retired ones are among them; working memory is not."""
    return rows(  # type: ignore[return-value]  # a recursive question
        database.connection(),
        f"{LINE}SELECT {_COMPARED}, min(r.at) AS told_at FROM receipt r"
        " JOIN receipt_item i ON i.receipt = r.id JOIN memory m ON m.id = i.memory"
        " WHERE r.session IN (SELECT id FROM line) AND m.type != 'working'"
        " GROUP BY m.id ORDER BY told_at, m.num",
        (session,),
    )


@listing(StoredNeighbour)
def _compared(ids: Sequence[str]) -> Query:
    compared = MemoryRow.select(*columns(MemoryRow, StoredNeighbour))
    return compared.where(MemoryRow.id.in_(among(ids)), MemoryRow.type != "working")


def named(database: Database, told: Sequence[tuple[str, int]]) -> list[ToldNeighbour]:
    """The memories of these ids as neighbours, with the time beside each as `told_at`."""
    when = dict(reversed(told))  # the first time, of several
    return [{**row, "told_at": when[row["id"]]} for row in _compared(database, list(when))]
