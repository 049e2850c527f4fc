"""What a memory's worth follows from, row by row, and what came of it.

Table `memory_worth`, which is derived: made anew of tables `memory`, `memory_use`, `memory_weight`,
`finding`, `receipt` and `receipt_item`. Each function that writes does so in one short transaction
of its own. The questions share conditions with `trust`, so they are SQL. Times are milliseconds
since 1970.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

from peewee import EXCLUDED, fn

from .connection import Database, begin_immediate
from .derived import ReceiptItemRow, ReceiptRow, UseRow, WorthRow
from .images import rows
from .queries import Query, statement, tuples
from .receipts import LINE, UNASKED, USES, later, proven_at
from .rows import StoredWorth
from .trust import DEGREE

BATCH = 500
"""Memories that are read, weighed and written at a time."""


class StoredLife(TypedDict):
    """What a memory's worth follows from."""

    num: int
    id: str
    importance: float
    status: str
    created_at: int
    accesses: int  # that a question brought, or that an answer followed
    last_access: int | None  # of these
    used: int
    helpful: int
    unhelpful: int
    outcome: float | None  # these three as they were when it was learned; NULL: never weighed
    novelty: float | None
    cost_savings: float | None
    is_persons: int
    is_open_task: int
    is_dated: int  # of a task: it has a day, or waits for an event
    agents: int  # that found or used it
    sessions: int


_LIVES = (
    "SELECT m.num, m.id, m.importance, m.status, m.created_at,"
    f" {USES} AS accesses, u.last_use AS last_access, coalesce(u.used, 0) AS used,"
    " coalesce(u.helpful, 0) AS helpful, coalesce(u.unhelpful, 0) AS unhelpful,"
    " w.outcome, w.novelty, w.cost_savings,"
    f" ({DEGREE}) = 'person' AS is_persons,"
    " p.memory IS NOT NULL AS is_open_task,"
    " coalesce(p.due_at, m.due) IS NOT NULL OR p.trigger_type IS 'event' AS is_dated"
    " FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"
    " LEFT JOIN memory_weight w ON w.memory = m.id"
    " LEFT JOIN prospective p ON p.memory = m.num AND p.status IN ('pending', 'active')"
)

_SEEN = (
    "WITH ids AS (SELECT value AS id FROM json_each(?)), seen AS ("
    " SELECT m.id AS memory, coalesce(s.parent, m.session) AS session, m.agent AS agent"
    " FROM ids JOIN memory m ON m.id = ids.id LEFT JOIN session s ON s.id = m.session"
    " UNION SELECT f.memory, coalesce(s.parent, f.session), s.agent"
    " FROM ids JOIN finding f ON f.memory = ids.id LEFT JOIN session s ON s.id = f.session"
    " UNION SELECT i.memory, coalesce(s.parent, r.session), r.host"
    " FROM ids JOIN receipt_item i ON i.memory = ids.id AND i.used = 1"
    " JOIN receipt r ON r.id = i.receipt LEFT JOIN session s ON s.id = r.session)"
    " SELECT memory, count(DISTINCT session), count(DISTINCT agent) FROM seen GROUP BY memory"
)
"""In how many conversations, and by how many agents, each memory was found or used."""


def _with_company(database: Database, found: Sequence[dict[str, object]]) -> list[StoredLife]:
    ids = json.dumps([row["id"] for row in found])
    seen = {
        memory: (sessions, agents)
        for memory, sessions, agents in database.connection().execute(_SEEN, (ids,))
    }
    for row in found:
        sessions, agents = seen.get(row["id"], (1, 1))
        row["sessions"], row["agents"] = max(1, sessions), max(1, agents)
    return found  # type: ignore[return-value]


def lives(database: Database, project: str) -> Iterator[list[StoredLife]]:
    """A project's live memories, and those of everywhere, at most `BATCH` at a time."""
    last = -1
    asked = (
        f"{_LIVES} WHERE m.num > ? AND +m.project IN (?, '') AND m.retired_at IS NULL"
        f" ORDER BY m.num LIMIT {BATCH}"  # in the order of the table, without an index
    )
    while found := rows(database.connection(), asked, (last, project)):
        last = found[-1]["num"]
        yield _with_company(database, found)


def life_of(database: Database, memory: str) -> StoredLife | None:
    """The same of one memory, live or retired; None when there is none."""
    found = rows(database.connection(), f"{_LIVES} WHERE m.id = ?", (memory,))
    return _with_company(database, found)[0] if found else None


@tuples(tuple[int, int | None])
def tellings(memory: str, since: int) -> Query:
    """(at, used) of each time since then that a question brought a memory, or that an answer
    followed, the earliest first."""
    return (
        ReceiptRow.select(ReceiptRow.at, ReceiptItemRow.used)
        .join(ReceiptItemRow, on=ReceiptItemRow.receipt == ReceiptRow.id)
        .where(
            ReceiptItemRow.memory == memory,
            ReceiptRow.at >= since,
            ReceiptRow.event.not_in(UNASKED) | (ReceiptItemRow.used == 1),
        )
        .order_by(ReceiptRow.at)
    )


# --- what came of it


@statement
def _put(memory: int, worth: float, importance: float, tier: str, as_of: int) -> Query:
    row = WorthRow.insert(memory=memory, worth=worth, importance=importance, tier=tier, as_of=as_of)
    return row.on_conflict("REPLACE")


def put(database: Database, weighed: Iterable[StoredWorth]) -> None:
    """Store what these memories are worth."""
    with begin_immediate(database):
        _put.each(
            database,
            [(w["memory"], w["worth"], w["importance"], w["tier"], w["as_of"]) for w in weighed],
        )


_RETIRED = (
    "SELECT w.memory FROM memory_worth w LEFT JOIN memory m"
    " ON m.num = w.memory AND m.retired_at IS NULL WHERE m.num IS NULL"
)


@statement
def _drop(memory: int) -> Query:
    return WorthRow.delete().where(WorthRow.memory == memory)


def drop_retired(database: Database) -> None:
    """Forget the worth of what lives no longer, which is looked up before anybody has to wait."""
    found = database.connection().execute(_RETIRED).fetchall()
    if found:
        with begin_immediate(database):
            _drop.each(database, found)


# --- uses


_TOLD = (  # the last telling, in the session or in one that it was forked from
    f"{LINE}SELECT r.id, r.event FROM receipt_item i JOIN receipt r ON r.id = i.receipt"
    " WHERE i.memory = ?2 AND r.session IN (SELECT id FROM line) AND r.at <= ?3"
    " ORDER BY r.at DESC, r.id DESC LIMIT 1"
)


@statement
def _mark(memory: str, receipt: str) -> Query:
    return ReceiptItemRow.update(used=1).where(
        ReceiptItemRow.memory == memory,
        ReceiptItemRow.receipt == receipt,
        fn.coalesce(ReceiptItemRow.used, 0) == 0,
    )


@statement
def _not_so_far(session: str, at: int) -> Query:
    told = ReceiptRow.select(ReceiptRow.id).where(
        ReceiptRow.session == session, ReceiptRow.at <= at
    )
    return ReceiptItemRow.update(used=0).where(
        ReceiptItemRow.receipt.in_(told), ReceiptItemRow.used.is_null()
    )


def note_read(database: Database, session: str, at: int) -> None:
    """Note that what a session said until `at` was read: what it was told is unused so far."""
    with begin_immediate(database):
        _not_so_far(database, session, at)


@statement
def _count(memory: str, at: int, unasked: int, session: str) -> Query:
    proven = proven_at(memory, at, session)
    row = UseRow.insert(memory=memory, accesses=0, helpful=0, unhelpful=0, used=1, last_use=proven)
    return row.on_conflict(
        conflict_target=[UseRow.memory],
        update={
            UseRow.used: fn.coalesce(UseRow.used, 0) + 1,
            UseRow.unasked: fn.max(0, fn.coalesce(UseRow.unasked, 0) - unasked),
            UseRow.last_use: later(UseRow.last_use, EXCLUDED.last_use),
        },
    )


def note_uses(database: Database, session: str, uses: Iterable[tuple[str, int]]) -> int:
    """Mark the last telling of each (memory, at) before that time as used; how many are new.

    A telling counts once, however often its words are read.
    """
    new = 0
    with begin_immediate(database):
        for memory, at in uses:
            told = database.connection().execute(_TOLD, (session, memory, at)).fetchone()
            if told and _mark(database, memory, told[0]):
                _count(database, memory, at, int(told[1] in UNASKED), session)
                new += 1
    return new
