"""What ages: live memories that no person stands for. Times are milliseconds since 1970.

Pinned ones, a person's, imported ones and both sides of an open conflict do not; nor does working
memory, which ends with its task. The SQL of trust is `trust`'s, of conflicts `lists`'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict, cast

from .connection import Database
from .images import dumps, rows
from .lists import IN_CONFLICT
from .trust import DEGREE, IMPORTED

PAGE = 1_000

_AGES = (  # the pluses keep the order of the rows: an index would be sorted anew for each page
    "+m.project = ? AND +m.retired_at IS NULL AND m.type != 'working' AND m.status != 'pinned'"
    f" AND NOT {IMPORTED} AND ({DEGREE}) != 'person'"
)
_UNTOUCHED = f"coalesce(u.last_access, 0) <= ? AND NOT ({IN_CONFLICT})"
_COLUMNS = (
    "m.num, m.id, m.title, substr(m.content, 1, 320) AS content, m.category, m.status,"
    " m.importance, m.created_at, m.updated_at, coalesce(u.accesses, 0) AS accesses, u.last_access"
)
_FROM = "FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"


class AgeingMemory(TypedDict):
    """A memory that ages, and how it was used."""

    num: int
    id: str
    title: str
    content: str  # its start
    category: str
    status: str
    importance: float
    created_at: int
    updated_at: int
    accesses: int
    last_access: int | None


def count(database: Database, project: str) -> int:
    """How many of a project's live memories age."""
    asked = database.connection().execute(
        f"SELECT count(*) FROM memory m WHERE {_AGES}", (project,)
    )
    (number,) = asked.fetchone()
    return int(number)


def titles(database: Database, nums: Sequence[int]) -> list[tuple[int, str, str, str]]:
    """Of each memory its num, id, title and the start of its text, in this order."""
    found = database.connection().execute(
        "SELECT m.num, m.id, m.title, substr(m.content, 1, 320) FROM memory m"
        " WHERE m.num IN (SELECT value FROM json_each(?))",
        (dumps(list(nums)),),
    )
    by_num = {row[0]: row for row in found}
    return [by_num[num] for num in nums if num in by_num]


def unused(database: Database, project: str, since: int) -> Iterator[AgeingMemory]:
    """Those that age and were not used since then, the oldest row first, a page at a time.

    What is written meanwhile is seen, or not; nothing comes twice.
    """
    yield from _paged(database, f"{_AGES} AND {_UNTOUCHED}", (project, since))


def outlived(
    database: Database, project: str, now: int, since: int, lives: Mapping[str, int], uses: int
) -> Iterator[AgeingMemory]:
    """Of these, used fewer than `uses` times, what its category's life is over for.

    `lives` are milliseconds by category, from the last change on; an open task's from its date.
    """
    ends = " ".join(f"WHEN '{category}' THEN {int(life)}" for category, life in lives.items())
    due = (
        "coalesce((SELECT max(p.due_at, m.updated_at) FROM prospective p WHERE p.memory = m.num"
        " AND p.due_at IS NOT NULL), m.updated_at)"
    )
    over = f"{due} + CASE m.category {ends} END <= ? AND coalesce(u.accesses, 0) < ?"
    yield from _paged(database, f"{_AGES} AND {_UNTOUCHED} AND {over}", (project, since, now, uses))


def _paged(database: Database, where: str, values: tuple[object, ...]) -> Iterator[AgeingMemory]:
    after = -1
    while True:
        page = rows(
            database.connection(),
            f"SELECT {_COLUMNS} {_FROM} WHERE {where} AND m.num > ? ORDER BY m.num LIMIT {PAGE}",
            (*values, after),
        )
        yield from cast("list[AgeingMemory]", page)
        if len(page) < PAGE:
            return
        after = page[-1]["num"]
