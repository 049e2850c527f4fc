"""Which live memories of a project one might look at again, by what is stored of them.

What an agent captured and nobody accepted is the Inbox's, and what is held for a task ends with it.
Times are milliseconds since 1970.
"""

from __future__ import annotations

from typing import Any

from peewee import JOIN

from .queries import Query, column
from .tables import MemoryRow, TrustRow


def _known(project: str) -> Any:
    return (
        (MemoryRow.project == project)
        & MemoryRow.retired_at.is_null()
        & (MemoryRow.status != "candidate")
        & (MemoryRow.type != "working")
    )


@column(int)
def long_texts(project: str, least: int, limit: int) -> Query:
    """The numbers of memories of at least so many tokens, not pinned, longest first."""
    return (
        MemoryRow.select(MemoryRow.num)
        .where(_known(project), MemoryRow.status != "pinned", MemoryRow.tokens >= least)
        .order_by(MemoryRow.tokens.desc(), MemoryRow.num)
        .limit(limit)
    )


@column(int)
def comparable(project: str, limit: int) -> Query:
    """The numbers of the newest memories that say what is so, the newest first."""
    return (
        MemoryRow.select(MemoryRow.num)
        .where(_known(project), MemoryRow.type != "prospective")
        .order_by(MemoryRow.num.desc())
        .limit(limit)
    )


@column(str)
def vouched(project: str, since: int) -> Query:
    """The ids of live memories that a person stood for since then."""
    return (
        TrustRow.select(TrustRow.memory)
        .join(MemoryRow, JOIN.CROSS)  # from the fewer rows
        .where(
            MemoryRow.id == TrustRow.memory,
            TrustRow.vouched_at >= since,
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
        )
    )
