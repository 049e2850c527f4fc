"""What judging a capture asks of the store: its neighbours, what waits, votes, conflicts.

Every answer is plain data; times are milliseconds since 1970.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from typing import Any

import peewee

from . import index
from .connection import begin_immediate
from .images import Image, marks, rows

VOTES_KEPT = 20_000

NEIGHBOUR_COLUMNS = (
    "m.num, m.id, m.title, m.content, m.type, m.category, m.status, m.files, m.tags, m.session,"
    " m.agent, m.privacy, m.created_at"
)


def neighbours(
    connection: sqlite3.Connection, words: Sequence[str], project: str, limit: int = 30
) -> list[Image]:
    """Live memories of the project, or of everywhere, that share the rarest of `words`.

    The best by BM25 first. Working memory is nobody's neighbour.
    """
    expression = index.match(index.telling(connection, words), project=project)
    if expression is None:
        return []
    return rows(
        connection,
        f"SELECT {NEIGHBOUR_COLUMNS} FROM (SELECT rowid AS num, -{index.RANK} AS score"
        " FROM memory_fts WHERE memory_fts MATCH ? ORDER BY score DESC LIMIT ?) h"
        " JOIN memory m ON m.num = h.num WHERE m.type != 'working' ORDER BY h.score DESC",
        (expression, limit),
    )


def told(connection: sqlite3.Connection, session: str) -> list[Image]:
    """What a session, and those that it was forked from, was told: each memory once, as it is now,
    with `told_at`, the first time. Retired ones are among them; working memory is not."""
    return rows(
        connection,
        "WITH RECURSIVE line(id) AS (SELECT ?1 UNION SELECT s.parent FROM session s"
        " JOIN line ON s.id = line.id WHERE s.parent IS NOT NULL)"
        f" SELECT {NEIGHBOUR_COLUMNS}, min(r.at) AS told_at FROM receipt r"
        " JOIN receipt_item i ON i.receipt = r.id JOIN memory m ON m.id = i.memory"
        " WHERE r.session IN (SELECT id FROM line) AND m.type != 'working'"
        " GROUP BY m.id ORDER BY told_at, m.num",
        (session,),
    )


def named(connection: sqlite3.Connection, told: Sequence[tuple[str, int]]) -> list[Image]:
    """The memories of these ids as neighbours, with the time beside each as `told_at`."""
    when = dict(reversed(told))  # the first time, of several
    found = rows(
        connection,
        f"SELECT {NEIGHBOUR_COLUMNS} FROM memory m WHERE m.id IN ({marks(len(when))})"
        " AND m.type != 'working'",
        list(when),
    )
    return [{**row, "told_at": when[row["id"]]} for row in found]


# --- candidates

_WAITING = (
    "FROM memory m INDEXED BY memory_candidate LEFT JOIN memory_candidacy c ON c.memory = m.id"
    " WHERE m.status = 'candidate' AND m.project IN (?, '') AND m.retired_at IS NULL"
    " AND m.type != 'working' AND ({snoozed} coalesce(c.snoozed_until, 0) <= ?)"
)

VALUE = "0.6 * m.importance + 0.08 * min(max(coalesce(c.points, 0), 0), 5)"
"""A candidate's worth, 0-1: importance, and up to five points towards promotion."""


def waiting(
    connection: sqlite3.Connection, project: str, now: int, *, snoozed: bool = False
) -> array[int]:
    """Row numbers of the candidates, the most valuable first; without those put off, unless
    `snoozed`."""
    found = connection.execute(
        f"SELECT m.num {_waiting(snoozed)} ORDER BY {VALUE} DESC, m.num DESC", (project, now)
    )
    return array("q", [num for (num,) in found])


def count_waiting(connection: sqlite3.Connection, project: str, now: int) -> int:
    """How many candidates wait for a person."""
    found = connection.execute(f"SELECT count(*) {_waiting(False)}", (project, now))
    return int(found.fetchone()[0])


def _waiting(snoozed: bool) -> str:
    return _WAITING.format(snoozed="1 OR" if snoozed else "")


def quarantined(connection: sqlite3.Connection, project: str, now: int) -> list[Image]:
    """The candidacies of the project whose quarantine is over."""
    return rows(
        connection,
        "SELECT c.*, coalesce(u.last_access, 0) AS last_access FROM memory_candidacy c"
        " JOIN memory m ON m.id = c.memory LEFT JOIN memory_use u ON u.memory = c.memory"
        " WHERE c.quarantined_until <= ? AND m.project = ? ORDER BY c.memory",
        (now, project),
    )


def much_used(connection: sqlite3.Connection, project: str, kind: str, least: int) -> array[int]:
    """Row numbers of the project's live memories of a type that were used `least` times or more."""
    found = connection.execute(
        "SELECT m.num FROM memory_use u JOIN memory m ON m.id = u.memory WHERE u.accesses >= ?"
        " AND m.project = ? AND m.type = ? AND m.retired_at IS NULL"
        " ORDER BY u.accesses DESC, m.num",
        (least, project, kind),
    )
    return array("q", [num for (num,) in found])


_LEARNED = (
    "SELECT id, num, content, type, category, status, scope, agent FROM memory"
    " WHERE project = ? AND retired_at IS NULL"
)


def learned_at(connection: sqlite3.Connection, project: str, place: str) -> list[Image]:
    """Live memories of the project whose reference begins with `place`, oldest first."""
    return rows(
        connection,
        f"{_LEARNED} AND ref >= ? AND ref < ? ORDER BY num",
        (project, place, place + "\U0010ffff"),
    )


def learned(connection: sqlite3.Connection, project: str, ids: Sequence[str]) -> list[Image]:
    """Of these memories those that live and are of the project, oldest first."""
    return rows(
        connection, f"{_LEARNED} AND id IN ({marks(len(ids))}) ORDER BY num", [project, *ids]
    )


def memory_from(connection: sqlite3.Connection, project: str, ref: str) -> str | None:
    """The live memory that the words at `ref` became, or that they repeated; None without one."""
    found = connection.execute(
        "SELECT m.id FROM memory m WHERE m.project = ?1 AND m.retired_at IS NULL AND (m.ref = ?2"
        " OR m.id IN (SELECT memory FROM finding WHERE ref = ?2)) ORDER BY m.num DESC LIMIT 1",
        (project, ref),
    ).fetchone()
    return found[0] if found else None


def scored_in(connection: sqlite3.Connection, project: str, session: str) -> list[Image]:
    """Live candidates that the score alone found in an agent's words, in this session only."""
    return rows(
        connection,
        f"{_LEARNED} AND session = ? AND status = 'candidate' AND id IN"
        " (SELECT memory FROM memory_salience WHERE is_person = 0) AND NOT EXISTS"
        " (SELECT 1 FROM finding f WHERE f.memory = memory.id"
        "  AND (f.session IS NOT ?2 OR f.rule <> 'agent.said')) ORDER BY num",
        (project, session),
    )


def is_agents_alone(connection: sqlite3.Connection, memory: str) -> bool:
    """Whether only agents said it, as far as captures tell, and no person ever touched it."""
    rules = [
        rule
        for (rule,) in connection.execute("SELECT rule FROM finding WHERE memory = ?", (memory,))
    ]
    touched = connection.execute(
        "SELECT 1 FROM audit a JOIN audit_memory m ON m.seq = a.seq"
        " WHERE m.memory = ? AND a.actor = 'person' LIMIT 1",
        (memory,),
    ).fetchone()
    return bool(rules) and all(rule.startswith("agent.") for rule in rules) and not touched


def one(connection: sqlite3.Connection, table: str, memory: str) -> Image | None:
    """The row that `table` holds for a memory."""
    assert table.startswith("memory_"), table
    found = rows(connection, f"SELECT * FROM {table} WHERE memory = ?", (memory,))
    return found[0] if found else None


def candidate_verdicts(
    connection: sqlite3.Connection, project: str, since: int, limit: int
) -> list[Image]:
    """What a person made of the project's candidates after `since`, newest first.

    At most `limit` of an agent's sentences, and as many of a person's.
    """
    return [
        row
        for is_person in (0, 1)
        for row in rows(
            connection,
            "SELECT score, is_kept, is_person, at FROM memory_verdict WHERE project = ?"
            " AND at > ? AND is_person = ? ORDER BY at DESC, memory LIMIT ?",
            (project, since, is_person, limit),
        )
    ]


def witnesses(connection: sqlite3.Connection, memory: str) -> tuple[set[str], set[str]]:
    """(sessions, agents) in which a memory came up. A fork and its parent are one session."""
    found = connection.execute(
        "WITH seen(session) AS (SELECT session FROM finding WHERE memory = ?1"
        " UNION SELECT session FROM memory WHERE id = ?1)"
        " SELECT coalesce(s.parent, seen.session), CASE WHEN s.agent IS NULL"
        " AND seen.session = m.session THEN m.agent ELSE s.agent END FROM seen"
        " LEFT JOIN session s ON s.id = seen.session LEFT JOIN memory m ON m.id = ?1"
        " WHERE seen.session IS NOT NULL",
        (memory,),
    ).fetchall()
    return {session for session, _ in found}, {agent for _, agent in found if agent}


# --- captures and votes


def captures(
    connection: sqlite3.Connection,
    project: str,
    *,
    outcome: str | None = None,
    session: str | None = None,
    limit: int = 200,
) -> list[Image]:
    """The project's captures and what became of them, newest first; without rescued ones."""
    where, values = ["project = ?"], list[Any]([project])
    where.append(
        "(outcome != 'refused' OR memory IS NULL OR memory NOT IN (SELECT id FROM memory))"
    )
    for name, value in (("outcome", outcome), ("session", session)):
        if value is not None:
            where.append(f"{name} = ?")
            values.append(value)
    return rows(
        connection,
        f"SELECT * FROM finding WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?",
        [*values, limit],
    )


def capture(connection: sqlite3.Connection, number: int) -> Image | None:
    """One capture by its number."""
    found = rows(connection, "SELECT * FROM finding WHERE id = ?", (number,))
    return found[0] if found else None


def exists(connection: sqlite3.Connection, memory: str) -> bool:
    """Whether there is a memory with that id, live or retired."""
    found = connection.execute("SELECT 1 FROM memory WHERE id = ?", (memory,)).fetchone()
    return found is not None


def rescue_capture(database: peewee.SqliteDatabase, number: int, memory: str) -> None:
    """A refused capture became a memory after all; while that one exists it is not listed."""
    with begin_immediate(database):
        database.connection().execute(
            "UPDATE finding SET memory = ? WHERE id = ?", (memory, number)
        )


def note_votes(database: peewee.SqliteDatabase, votes: Sequence[Image]) -> None:
    """Record the votes on one capture."""
    if not votes:
        return
    connection = database.connection()
    columns = list(votes[0])
    with begin_immediate(database):
        connection.executemany(
            f"INSERT INTO review ({', '.join(columns)}) VALUES ({marks(len(columns))})",
            [[vote[name] for name in columns] for vote in votes],
        )
        connection.execute(
            "DELETE FROM review WHERE id <= (SELECT max(id) FROM review) - ?", (VOTES_KEPT,)
        )


def votes(
    connection: sqlite3.Connection, *, memory: str | None = None, capture: int | None = None
) -> list[Image]:
    """The votes on a memory, or on a refused capture, oldest first."""
    column, value = ("memory", memory) if memory is not None else ("finding", capture)
    return rows(connection, f"SELECT * FROM review WHERE {column} = ? ORDER BY id", (value,))


def spent(connection: sqlite3.Connection, since: int) -> tuple[float, int]:
    """(dollars, calls) that reviewers other than the built-in ones took since then."""
    usd, calls = connection.execute(
        "SELECT coalesce(sum(cost_usd), 0), count(*) FROM review"
        " WHERE created_at >= ? AND engine != 'built-in' AND status != 'over_budget'",
        (since,),
    ).fetchone()
    return float(usd), int(calls)


# --- conflicts


def conflicts(
    connection: sqlite3.Connection,
    project: str,
    *,
    resolved: bool | None = False,
    ref: str | None = None,
    memory: str | None = None,
) -> list[Image]:
    """Conflicts of the project or of everywhere, marked or only listed, oldest first.

    `resolved` None: both kinds. `ref` is the beginning of an id, `memory` one of the two sides.
    """
    where = ["(m.project = ? OR m.scope = 'global')"]
    values: list[Any] = [project]
    if resolved is not None:
        where.append(f"c.resolved_at IS {'NOT ' if resolved else ''}NULL")
    if ref is not None:
        where.append("substr(c.id, 1, length(?)) = ?")
        values += [ref, ref]
    if memory is not None:
        where.append("? IN (c.entry_a, c.entry_b)")
        values.append(memory)
    return rows(
        connection,
        "SELECT c.* FROM conflict c JOIN memory m ON m.id = c.entry_a"
        f" WHERE {' AND '.join(where)} ORDER BY c.detected_at, c.id",
        values,
    )


def conflict_between(connection: sqlite3.Connection, one: str, other: str) -> Image | None:
    """The newest conflict of two memories, resolved or not."""
    found = rows(
        connection,
        "SELECT * FROM conflict WHERE (entry_a = ?1 AND entry_b = ?2)"
        " OR (entry_a = ?2 AND entry_b = ?1) ORDER BY detected_at DESC, id DESC LIMIT 1",
        (one, other),
    )
    return found[0] if found else None


def conflict_verdicts(
    connection: sqlite3.Connection, project: str, limit: int = 500
) -> list[tuple[float, float, str]]:
    """(same, contradict, verdict) of the pairs that were judged and then decided, newest first.

    Where a side left recall for another reason than the verdict, nothing was decided; and what a
    model took off the list no person did.
    """
    found = connection.execute(
        "SELECT c.same, c.contradict, c.verdict FROM conflict c JOIN memory a ON a.id = c.entry_a"
        " JOIN memory b ON b.id = c.entry_b WHERE c.verdict IS NOT NULL AND c.same IS NOT NULL"
        " AND c.contradict IS NOT NULL AND coalesce(c.opinion, '') NOT IN ('both', 'unrelated')"
        " AND a.project = ? AND CASE c.verdict"
        " WHEN 'a' THEN b.retired_as = 'superseded' WHEN 'b' THEN a.retired_as = 'superseded'"
        " ELSE 1 END ORDER BY c.resolved_at DESC LIMIT ?",
        (project, limit),
    )
    return found.fetchall()


def conflicts_of(connection: sqlite3.Connection, memory: str) -> list[Image]:
    """The conflicts of one memory that wait for a verdict."""
    return rows(
        connection,
        "SELECT * FROM conflict WHERE resolved_at IS NULL AND (entry_a = ?1 OR entry_b = ?1)",
        (memory,),
    )
