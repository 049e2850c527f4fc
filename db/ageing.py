"""What ages: live memories that no person said or stands for. Times are milliseconds since 1970.

Pinned and imported ones and both sides of an open conflict do not; nor does working memory, which
ends with its task. The SQL of trust is `trust`'s, of conflicts `lists`'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict, cast

from .connection import Database
from .images import rows
from .lists import IN_CONFLICT
from .receipts import USES
from .trust import DEGREE, IMPORTED, PROVENANCE

PAGE = 1_000

_LIVE = "m.project = ? AND m.retired_at IS NULL"
_IN_ORDER = "+m.project = ? AND +m.retired_at IS NULL"
"""The same in the order of the rows: an index would be sorted anew for each page."""

_AGES = (
    f"m.type != 'working' AND m.status != 'pinned' AND NOT {IMPORTED} AND ({DEGREE}) != 'person'"
    f" AND ({PROVENANCE}) != 'person'"
)
_UNTOUCHED = f"coalesce(u.last_use, 0) NOT BETWEEN ? AND ? AND NOT ({IN_CONFLICT})"
"""Not used between two moments: a use that is noted in the future, by a clock that was ahead, says
nothing of now."""

_COLUMNS = (
    "m.num, m.id, m.title, substr(m.content, 1, 320) AS content, m.category, m.status,"
    " coalesce(w.importance, m.importance) AS importance,"
    f" m.created_at, m.updated_at, {USES} AS accesses, u.last_use AS last_access"
)
_FROM = (
    "FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"
    " LEFT JOIN memory_worth w ON w.memory = m.num"
)


class AgeingMemory(TypedDict):
    """A memory that ages, and how it was used."""

    num: int
    id: str
    title: str
    content: str  # its start
    category: str
    status: str
    importance: float  # with what its life added and took, where it was weighed
    created_at: int
    updated_at: int
    accesses: int  # that a question brought, or that an answer followed
    last_access: int | None  # of these


class Due(NamedTuple):
    """A condition on a live memory of a project, with its values."""

    where: str
    values: tuple[object, ...]


def unused(project: str, now: int, since: int) -> Due:
    """Those that age and were not used after `since`."""
    return Due(f"{_IN_ORDER} AND {_AGES} AND {_UNTOUCHED}", (project, since + 1, now))


def outlived(project: str, now: int, since: int, lives: Mapping[str, int], uses: int) -> Due:
    """Of these, used fewer than `uses` times, what its category's life is over for.

    `lives` are milliseconds by category, from the last change on; an open task's from its date.
    """
    ends = " ".join(f"WHEN '{category}' THEN {int(life)}" for category, life in lives.items())
    due = (
        "coalesce((SELECT max(p.due_at, m.updated_at) FROM prospective p WHERE p.memory = m.num"
        " AND p.due_at IS NOT NULL), m.updated_at)"
    )
    over = f"{due} + CASE m.category {ends} END <= ? AND {USES} < ?"
    where = f"{_IN_ORDER} AND {_AGES} AND {_UNTOUCHED} AND {over}"
    return Due(where, (project, since + 1, now, now, uses))


def quiet(project: str, now: int, since: int, importance: float, uses: int) -> Due:
    """Of these, neither written nor used after `since`, used fewer than `uses` times, and less than
    so important; open tasks left out."""
    where = (
        f"{_IN_ORDER} AND {_AGES} AND {_UNTOUCHED} AND m.type != 'prospective'"
        f" AND max(m.created_at, m.updated_at) <= ? AND {USES} < ?"
        " AND coalesce(w.importance, m.importance) < ?"
    )
    return Due(where, (project, since + 1, now, since, uses, importance))


def dated(project: str, now: int) -> Due:
    """What has passed its own date, whoever said it; neither pinned nor in conflict."""
    where = f"{_LIVE} AND m.expires <= ? AND m.type != 'working' AND m.status != 'pinned'"
    return Due(f"{where} AND NOT ({IN_CONFLICT})", (project, now))


def held(project: str, now: int) -> Due:
    """Working memory that nobody cleared in its time."""
    ended = "m.num IN (SELECT w.memory FROM working w WHERE w.expires_at <= ?)"
    return Due(f"+m.project = ? AND {ended} AND +m.retired_at IS NULL", (project, now))


def ages(project: str) -> Due:
    """What no person said or stands for, pinned, imported or in conflict left out."""
    return Due(f"{_LIVE} AND {_AGES} AND NOT ({IN_CONFLICT})", (project,))


def episodes(project: str) -> Due:
    """What happened in a project and may recur: public, in no conflict, no evidence already."""
    is_evidence = (
        "EXISTS (SELECT 1 FROM memory_link l JOIN memory t ON t.id = l.target"
        " WHERE l.source = m.id AND l.kind = 'reinforces' AND t.retired_at IS NULL)"
    )
    where = f"{_LIVE} AND m.type = 'episodic' AND m.scope != 'global' AND m.privacy = 'public'"
    return Due(f"{where} AND NOT ({IN_CONFLICT}) AND NOT {is_evidence}", (project,))


def changed_since(database: Database, due: Due, since: int, most: int) -> list[int]:
    """Row numbers of those for whom it is true and that changed since then, the newest first."""
    found = database.connection().execute(
        f"SELECT m.num {_FROM} WHERE {due.where} AND m.updated_at >= ? ORDER BY m.num DESC LIMIT ?",
        (*due.values, since, most),
    )
    return [int(num) for (num,) in found.fetchall()]


def each(database: Database, due: Due) -> Iterator[AgeingMemory]:
    """Those for whom it is true, the oldest row first, a page at a time.

    What is written meanwhile is seen, or not; nothing comes twice.
    """
    after = -1
    asked = f"SELECT {_COLUMNS} {_FROM} WHERE {due.where} AND m.num > ? ORDER BY m.num LIMIT {PAGE}"
    while True:
        page = rows(database.connection(), asked, (*due.values, after))
        yield from cast("list[AgeingMemory]", page)
        if len(page) < PAGE:
            return
        after = page[-1]["num"]


def is_true(database: Database, due: Due, memory: str) -> bool:
    """Whether it is true of this memory at this moment."""
    asked = database.connection().execute(
        f"SELECT 1 {_FROM} WHERE m.id = ? AND {due.where}", (memory, *due.values)
    )
    return asked.fetchone() is not None


def with_nums(database: Database, nums: Sequence[int]) -> list[AgeingMemory]:
    """The memories of these row numbers, in the order of their rows."""
    marks = ", ".join("?" * len(nums))
    found = rows(
        database.connection(), f"SELECT {_COLUMNS} {_FROM} WHERE m.num IN ({marks})", tuple(nums)
    )
    return cast("list[AgeingMemory]", found)


def count(database: Database, project: str, most: int | None = None) -> int:
    """How many of a project's live memories age; no further than `most`."""
    asked = database.connection().execute(
        f"SELECT count(*) FROM (SELECT 1 FROM memory m WHERE {_LIVE} AND {_AGES} LIMIT ?)",
        (project, -1 if most is None else most),
    )
    (number,) = asked.fetchone()
    return int(number)


def left(database: Database, project: str, since: int) -> dict[str, int]:
    """How many memories were retired by age since then: folded, expired, evicted."""
    asked = database.connection().execute(
        "SELECT retired_as, count(*) FROM memory"
        " WHERE project = ? AND retired_at > ? AND type != 'working'"
        " AND retired_as IN ('folded', 'expired', 'evicted') GROUP BY retired_as",
        (project, since),
    )
    return {str(reason): int(number) for reason, number in asked.fetchall()}


def newest(database: Database, project: str) -> int | None:
    """When a memory of the project was last written; None in an empty one."""
    asked = database.connection().execute(
        "SELECT max(updated_at) FROM memory WHERE project = ?", (project,)
    )
    (moment,) = asked.fetchone()
    return int(moment) if moment is not None else None
