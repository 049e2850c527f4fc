"""Queries about ageing: expiry, worth, changed files, and the times of maintenance."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .connection import Database, begin_immediate
from .fast_reader import DEGREE, FLAGGED, IMPORTED, IN_VAIN, PROVENANCE, RECORDED
from .images import (
    CHUNK,
    Image,
    column,
    execute,
    first,
    insert,
    listing,
    memories,
    rows,
    tuples,
    value,
)
from .images import each as run_each
from .keepers import MEMORY
from .memories import IN_CONFLICT
from .receipts import LINE, PROVEN, USES, WITHOUT_QUERY, later, note_latency

PAGE = 1_000

_LIVE = "m.project = ? AND m.retired_at IS NULL"
_IN_ORDER = "+m.project = ? AND +m.retired_at IS NULL"
"""The same in the order of the rows: an index would be sorted again for each page."""

_AGES = (
    f"m.type != 'working' AND m.status != 'pinned' AND NOT {IMPORTED} AND ({DEGREE}) != 'person'"
    f" AND ({PROVENANCE}) != 'person'"
)
_UNTOUCHED = f"coalesce(u.last_use, 0) NOT BETWEEN ? AND ? AND NOT ({IN_CONFLICT})"
"""Not used between two moments. A use in the future, by a clock that was ahead, does not count."""

_MAY_END = f"m.status != 'candidate' OR NOT {RECORDED} OR {IN_VAIN}"

_COLUMNS = (
    "m.num, m.id, m.title, substr(m.content, 1, 320) AS content, m.category, m.status,"
    " coalesce(w.importance, m.importance) AS importance,"
    f" m.created_at, m.updated_at, {USES} AS accesses, u.last_use AS last_access"
)
_FROM = (
    "FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"
    " LEFT JOIN memory_worth w ON w.memory = m.num"
)


class Due(NamedTuple):
    """A condition on a live memory of a project, with its values."""

    where: str
    values: tuple[object, ...]


def unused(project: str, now: int, since: int) -> Due:
    """Select memories that age and were not used after `since`."""
    return Due(f"{_IN_ORDER} AND {_AGES} AND {_UNTOUCHED}", (project, since + 1, now))


def outlived(project: str, now: int, since: int, lives: Mapping[str, int], uses: int) -> Due:
    """Select those that outlived their category, with fewer than `uses` uses.

    A record that starts receive stays until a month of them went by without a use. `lives` are
    milliseconds by category since the last change, or since an open task's date.
    """
    ends = " ".join(f"WHEN '{category}' THEN {int(life)}" for category, life in lives.items())
    due = (
        "coalesce((SELECT max(p.due_at, m.updated_at) FROM prospective p WHERE p.memory = m.num"
        " AND p.due_at IS NOT NULL), m.updated_at)"
    )
    over = f"{due} + CASE m.category {ends} END <= ? AND {USES} < ?"
    where = f"{_IN_ORDER} AND {_AGES} AND {_UNTOUCHED} AND {over} AND ({_MAY_END})"
    return Due(where, (project, since + 1, now, now, uses))


def quiet(project: str, now: int, since: int, importance: float, uses: int) -> Due:
    """Select those below this importance, not written after `since`, with fewer than `uses` uses;
    no open tasks."""
    where = (
        f"{_IN_ORDER} AND {_AGES} AND {_UNTOUCHED} AND m.type != 'prospective'"
        f" AND max(m.created_at, m.updated_at) <= ? AND {USES} < ?"
        " AND coalesce(w.importance, m.importance) < ?"
    )
    return Due(where, (project, since + 1, now, since, uses, importance))


def dated(project: str, now: int) -> Due:
    """Select memories past their own date, neither pinned nor in conflict."""
    where = f"{_LIVE} AND m.expires <= ? AND m.type != 'working' AND m.status != 'pinned'"
    return Due(f"{where} AND NOT ({IN_CONFLICT})", (project, now))


def held(project: str, now: int) -> Due:
    """Select working memory past its time."""
    ended = "m.num IN (SELECT w.memory FROM working w WHERE w.expires_at <= ?)"
    return Due(f"+m.project = ? AND {ended} AND +m.retired_at IS NULL", (project, now))


def ages(project: str) -> Due:
    """Select memories that no user stated or confirmed; none pinned, imported or in conflict."""
    return Due(f"{_LIVE} AND {_AGES} AND NOT ({IN_CONFLICT}) AND ({_MAY_END})", (project,))


def each(database: Database, due: Due) -> Iterator[Image]:
    """Yield matching memories, the oldest row first, a page at a time.

    Changes meanwhile may be seen or not. No memory comes twice.
    """
    after = -1
    text = f"SELECT {_COLUMNS} {_FROM} WHERE {due.where} AND m.num > ? ORDER BY m.num LIMIT {PAGE}"
    while True:
        page = listing(database, text, *due.values, after)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1]["num"]


def is_true(database: Database, due: Due, memory: str) -> bool:
    text = f"SELECT 1 {_FROM} WHERE m.id = ? AND {due.where}"
    return value(database, text, memory, *due.values) is not None


def with_nums(database: Database, nums: Sequence[int]) -> list[Image]:
    """Return the memories of these row numbers, in order of rows."""
    text = f"SELECT {_COLUMNS} {_FROM} WHERE m.num IN (SELECT value FROM json_each(?))"
    return listing(database, text, nums)


def count(database: Database, project: str, most: int | None = None) -> int:
    """Return the number of a project's live memories that age, at most `most`."""
    text = f"SELECT count(*) FROM (SELECT 1 FROM memory m WHERE {_LIVE} AND {_AGES} LIMIT ?)"
    return int(value(database, text, project, -1 if most is None else most))


def retired_by_reason(database: Database, project: str, since: int) -> dict[str, int]:
    """Return the number of memories retired by age since then: folded, expired, evicted."""
    text = """SELECT retired_as, count(*) FROM memory
        WHERE project = ? AND retired_at > ? AND type != 'working'
        AND retired_as IN ('folded', 'expired', 'evicted') GROUP BY retired_as"""
    return dict(tuples(database, text, project, since))


def totals(database: Database, project: str) -> dict[str, int]:
    """Return how often memories of a project were promoted, evicted and accessed, since ever.

    Retired memories count, permanently deleted ones do not.
    """
    text = """SELECT
        (SELECT count(*) FROM memory m JOIN memory_candidacy c ON c.memory = m.id
            WHERE m.project = ?1 AND c.promoted_at > 0),
        (SELECT count(*) FROM memory WHERE project = ?1 AND retired_as = 'evicted'),
        (SELECT coalesce(sum(u.accesses), 0) FROM memory m JOIN memory_use u ON u.memory = m.id
            WHERE m.project = ?1)"""
    [row] = tuples(database, text, project)
    return dict(zip(("promotions", "evictions", "accesses"), row, strict=True))


def newest(database: Database, project: str) -> int | None:
    """Return when a memory of the project was last written; None without one."""
    text = "SELECT max(updated_at) FROM memory WHERE project = ?"
    moment: int | None = value(database, text, project)
    return moment


BATCH = 500  # memories that are read, weighed and written at a time


_LIVES = (
    "SELECT m.num, m.id, m.importance, m.status, m.created_at,"
    f" {USES} AS accesses, u.last_use AS last_access, coalesce(u.used, 0) AS used,"
    " coalesce(u.helpful, 0) AS helpful, coalesce(u.unhelpful, 0) AS unhelpful,"
    " w.outcome, w.novelty, w.cost_savings,"
    f" ({DEGREE}) = 'person' AS is_users,"
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
"""By memory, the number of sessions and agents that found or used it."""


def _with_company(database: Database, page: list[Image]) -> list[Image]:
    listed = tuples(database, _SEEN, [row["id"] for row in page])
    seen = {memory: (sessions, agents) for memory, sessions, agents in listed}
    for row in page:
        sessions, agents = seen.get(row["id"], (1, 1))
        row["sessions"], row["agents"] = max(1, sessions), max(1, agents)
    return page


def lives(database: Database, project: str) -> Iterator[list[Image]]:
    """Yield the live memories of a project and the global ones, at most `BATCH` at a time."""
    last = -1
    text = (
        f"{_LIVES} WHERE m.num > ? AND +m.project IN (?, '') AND m.retired_at IS NULL"
        f" ORDER BY m.num LIMIT {BATCH}"  # in the order of the table, without an index
    )
    while page := listing(database, text, last, project):
        last = page[-1]["num"]
        yield _with_company(database, page)


def life_of(database: Database, memory: str) -> Image | None:
    """Return the same for one memory, live or retired; None without one."""
    page = listing(database, f"{_LIVES} WHERE m.id = ?", memory)
    return _with_company(database, page)[0] if page else None


# --- results


def put_worth(database: Database, weighed: Iterable[Image]) -> None:
    text = """INSERT OR REPLACE INTO memory_worth (memory, worth, importance, tier, as_of)
        VALUES (?, ?, ?, ?, ?)"""
    names = ("memory", "worth", "importance", "tier", "as_of")
    with begin_immediate(database):
        run_each(database, text, [[row[name] for name in names] for row in weighed])


_RETIRED = (
    "SELECT w.memory FROM memory_worth w LEFT JOIN memory m"
    " ON m.num = w.memory AND m.retired_at IS NULL WHERE m.num IS NULL"
)


def drop_retired(database: Database) -> None:
    """Delete the worth of retired memories. They are looked up before the write lock."""
    if retired := tuples(database, _RETIRED):
        with begin_immediate(database):
            run_each(database, "DELETE FROM memory_worth WHERE memory = ?", retired)


# --- uses


_INJECTED = (  # the last injection, in the session or in one that it was forked from
    f"{LINE}SELECT r.id, r.event FROM receipt_item i JOIN receipt r ON r.id = i.receipt"
    " WHERE i.memory = ?2 AND r.session IN (SELECT id FROM line) AND r.at <= ?3"
    " ORDER BY r.at DESC, r.id DESC LIMIT 1"
)


def note_read(database: Database, session: str, at: int) -> None:
    """Note that a session was read until `at`: its injected memories are unused so far."""
    with begin_immediate(database):
        text = """UPDATE receipt_item SET used = 0 WHERE used IS NULL
            AND receipt IN (SELECT id FROM receipt WHERE session = ? AND at <= ?)"""
        execute(database, text, session, at)


_MARK = """UPDATE receipt_item SET used = 1
    WHERE memory = ? AND receipt = ? AND coalesce(used, 0) = 0"""

_COUNT = f"""INSERT INTO memory_use (memory, accesses, helpful, unhelpful, used, last_use)
    VALUES (?1, 0, 0, 0, 1, {PROVEN}) ON CONFLICT (memory) DO UPDATE SET
    used = coalesce(used, 0) + 1, unasked = max(0, coalesce(unasked, 0) - ?4),
    last_use = {later("excluded.last_use")}"""


def note_uses(database: Database, session: str, uses: Iterable[tuple[str, int]]) -> int:
    """Mark the last injection of each (memory, at) before that time as used; return how many are
    new.

    An injection counts once.
    """
    new = 0
    with begin_immediate(database):
        for memory, at in uses:
            for receipt, event in tuples(database, _INJECTED, session, memory, at):
                if execute(database, _MARK, memory, receipt).rowcount:
                    execute(database, _COUNT, memory, at, session, int(event in WITHOUT_QUERY))
                    new += 1
    return new


EXAMINED_AT_ONCE = 500


def examined(database: Database, project: str) -> Iterator[Image]:
    """Yield the project's live memories except working memory, in order of rows."""
    after = -1
    while True:
        page = listing(
            database,
            "SELECT m.num, m.id, m.title, substr(m.content, 1, 4000) AS content, m.category,"
            " m.files, m.created_at, t.vouched_at, s.at, s.evidence FROM memory m"
            " LEFT JOIN memory_trust t ON t.memory = m.id"
            " LEFT JOIN memory_staleness s ON s.memory = m.id"
            " WHERE +m.project = ? AND +m.retired_at IS NULL AND m.type != 'working'"
            f" AND m.num > ? ORDER BY m.num LIMIT {EXAMINED_AT_ONCE}",
            *(project, after),
        )
        yield from page
        if len(page) < EXAMINED_AT_ONCE:
            return
        after = page[-1]["num"]


def flagged(database: Database, project: str) -> list[tuple[int, Image]]:
    """Return (num, evidence) of the project's live memories to verify, the newest first."""
    flagged = listing(
        database,
        "SELECT m.num, s.* FROM memory_staleness s CROSS JOIN memory m ON m.id = s.memory"
        f" WHERE m.project = ? AND m.retired_at IS NULL AND {FLAGGED} ORDER BY s.at DESC, m.num",
        project,
    )
    return [(row.pop("num"), row) for row in flagged]


def of_memory(connection: sqlite3.Connection, memory: str) -> Image | None:
    """Return the evidence against one memory that no user has answered."""
    text = f"SELECT s.* FROM memory_staleness s WHERE s.memory = ? AND {FLAGGED}"
    return next(iter(rows(connection, text, (memory,))), None)


def put_staleness(database: Database, row: Mapping[str, Any]) -> None:
    """Store the evidence against a memory, in place of the last."""
    insert(database, "memory_staleness", row, "REPLACE")


def drop_staleness(database: Database, memory: str) -> None:
    execute(database, "DELETE FROM memory_staleness WHERE memory = ?", memory)


def last_maintenance(database: Database, project: str) -> Image | None:
    return first(database, "SELECT * FROM maintenance WHERE project = ?", project)


def new_since(database: Database, project: str, now: int) -> int | None:
    """Return the time since when memories are new to the next maintenance; None for all.

    A maintenance in the future is ignored, since the clock was turned back.
    """
    last = last_maintenance(database, project)
    at = last["at"] if last is not None else None
    return at if at is not None and at <= now else None


def note_maintenance(
    database: Database, project: str, at: int | None, held_at: int | None, unfinished: str = ""
) -> None:
    row = {"project": project, "at": at, "held_at": held_at, "unfinished": unfinished}
    with begin_immediate(database):
        insert(database, "maintenance", row, "REPLACE")


def compacted_at(database: Database, project: str) -> int | None:
    """Return when a project was last compacted between maintenances; None for never."""
    text = "SELECT max(at) FROM latency WHERE kind = ?"
    moment: int | None = value(database, text, f"compaction of {project}")
    return moment


def note_compaction(database: Database, project: str, at: int, milliseconds: float) -> None:
    """Note a compaction of a project, and how long it took."""
    note_latency(database, f"compaction of {project}", at, milliseconds, lambda *_: False)


LOOKED_AT = 2_000  # memories of a run; all of them where one is out of date


def reindex(database: Database, start: int) -> int:
    """Index again the memories whose words another version made; return how many.

    `start` is any number: of a large store each run looks at another part.
    """
    most = value(database, "SELECT coalesce(max(num), 0) FROM memory")
    renewed = looked_at = 0
    for last, end in ((start % (most + 1) - 1, most), (-1, start % (most + 1) - 1)):
        while renewed or looked_at < LOOKED_AT:
            with begin_immediate(database):
                page = "SELECT num FROM memory WHERE num > ? AND num <= ? ORDER BY num LIMIT ?"
                nums = column(database, page, last, end, CHUNK)
                images = memories(database.connection(), "num", nums, full=True)
                renewed += MEMORY.reindex(database.connection(), images)
            if not nums:
                break
            last, looked_at = nums[-1], looked_at + len(nums)
    return renewed


def indexed(database: Database) -> tuple[int, int]:
    """Return the number of indexed texts, and of memories, retired ones included."""
    texts = value(database, "SELECT count(*) FROM memory_fts_docsize")
    return texts, value(database, "SELECT count(*) FROM memory")
