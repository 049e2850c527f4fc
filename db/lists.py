"""Lists, pages, facets and counts: the questions that the app and the CLI ask.

Filters arrive as `Conditions`, which carry values only; the SQL is made here. Every answer is
plain data.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import index
from .images import Image, marks, rows

NEWEST_HITS = 200
FOREMOST = 500
"""Answers that are ranked where all matches are listed."""

RANKED_OVER = 2_000
"""The quick ranking looks at so many of the newest matches."""

_TITLE = "coalesce(nullif(m.title, ''), m.content)"

ORDERS = {
    "created": "m.created_at DESC, m.num DESC",
    "-created": "m.created_at ASC, m.num ASC",
    "updated": "m.updated_at DESC, m.num DESC",
    "-updated": "m.updated_at ASC, m.num ASC",
    "importance": "m.importance DESC, m.num DESC",
    "-importance": "m.importance ASC, m.num ASC",
    "title": f"{_TITLE} COLLATE NOCASE ASC, m.num DESC",
    "-title": f"{_TITLE} COLLATE NOCASE DESC, m.num DESC",
}
"""The orders a list can have; nothing a person types reaches ORDER BY."""

COLUMN_OF = {
    "type": "m.type",
    "status": "m.status",
    "category": "m.category",
    "scope": "m.scope",
    "session": "m.session",
    "agent": "m.agent",
    "project": "m.project",
    "importance": "m.importance",
    "created": "m.created_at",
    "updated": "m.updated_at",
}
"""The columns that a filter may compare."""

OPERATORS = {"=": "=", "!=": "IS NOT", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison: `field` as in COLUMN_OF, or tag, file, is."""

    field: str
    value: Any
    operator: str = "="
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: words for the index, conditions for the rest."""

    project: str | None  # None looks into every project
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    conditions: tuple[tuple[Condition, ...], ...] = ()  # one of each group must hold
    prefix_last: bool = False
    retired: bool | None = False  # None: both
    now: int = 0  # milliseconds

    @property
    def expression(self) -> str | None:
        """The index expression, or None when no word is asked for."""
        return index.match(
            self.words,
            project=self.project,
            phrases=self.phrases,
            excluded=self.excluded,
            prefix_last=self.prefix_last,
            retired=self.retired,
        )


SOON_MS = 7 * 24 * 3600 * 1000
STALE_MS = 60 * 24 * 3600 * 1000
"""`is:expiring` looks a week ahead; `is:stale` means 60 days old and not used in that time."""

IN_CONFLICT = (
    "m.id IN (SELECT entry_a FROM conflict WHERE resolved_at IS NULL AND band IS NOT 'near'"
    " UNION SELECT entry_b FROM conflict WHERE resolved_at IS NULL AND band IS NOT 'near')"
)


def where_of(asked: Asked) -> tuple[str, list[Any]]:
    """The WHERE clause over `memory m` for everything but the words, and its parameters."""
    parts, values = list[str](), list[Any]()
    if asked.project is not None:
        parts.append("m.project IN (?, '')")
        values.append(asked.project)
    if asked.retired is not None:
        parts.append(f"m.retired_at IS {'NOT ' if asked.retired else ''}NULL")
    for group in asked.conditions:
        alternatives = list[str]()
        for condition in group:
            text, parameters = _clause(condition, asked.now)
            alternatives.append(f"NOT coalesce(({text}), 0)" if condition.negated else f"({text})")
            values += parameters
        parts.append(f"({' OR '.join(alternatives)})")
    if asked.expression is None:
        for text in asked.excluded:  # without other words the index cannot say "not this one"
            if index.has_token(text):
                parts.append("m.num NOT IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)")
                values.append(f"{index.TEXT_COLUMNS} : {index.quote(text)}")
    return " AND ".join(parts) or "1", values


def _clause(condition: Condition, now: int) -> tuple[str, list[Any]]:
    field, value = condition.field, condition.value
    if field == "tag":
        return "m.num IN (SELECT memory FROM memory_tag WHERE tag = ?)", [value]
    if field == "file":
        return (
            "m.num IN (SELECT memory FROM memory_file WHERE instr(lower(path), lower(?)) > 0)",
            [value],
        )
    if field == "is":
        return {
            "conflict": (IN_CONFLICT, []),
            "pinned": ("m.status = 'pinned'", []),
            "candidate": ("m.status = 'candidate'", []),
            "retired": ("m.retired_at IS NOT NULL", []),
            "live": ("m.retired_at IS NULL", []),
            "expiring": ("m.expires IS NOT NULL AND m.expires < ?", [now + SOON_MS]),
            "stale": (
                "m.status != 'pinned' AND m.updated_at < ? AND m.id NOT IN"
                " (SELECT memory FROM memory_use WHERE last_access >= ?)",
                [now - STALE_MS, now - STALE_MS],
            ),
        }[value]
    if field == "session":
        return "substr(m.session, 1, length(?)) = ?", [value, value]
    return f"{COLUMN_OF[field]} {OPERATORS[condition.operator]} ?", [value]


def nums(
    connection: sqlite3.Connection, asked: Asked, *, sort: str = "created", limit: int = -1
) -> array[int]:
    """Row numbers of everything that fits, in order, without ranking. 8 bytes a row."""
    where, values = where_of(asked)
    sql = f"SELECT m.num FROM memory m WHERE {where}"
    if (expression := asked.expression) is not None:
        sql += " AND m.num IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)"
        values.append(expression)
    cursor = connection.execute(f"{sql} ORDER BY {ORDERS[sort]} LIMIT ?", [*values, limit])
    found = array("q")
    while part := cursor.fetchmany(20_000):  # in slices: a long fetch would hold other threads
        found.extend(row[0] for row in part)
    return found


def newest_hits(connection: sqlite3.Connection, asked: Asked, limit: int) -> array[int]:
    """The newest memories that match, unranked: the quickest first answer to a word."""
    where, values = where_of(asked)
    found = connection.execute(
        "SELECT f.rowid FROM memory_fts f JOIN memory m ON m.num = f.rowid"
        f" WHERE f.memory_fts MATCH ? AND {where} ORDER BY f.rowid DESC LIMIT ?",
        [asked.expression, *values, limit],
    )
    return array("q", [row[0] for row in found])


def ranked_hits(
    connection: sqlite3.Connection, asked: Asked, *, limit: int = -1, over: int | None = None
) -> list[tuple[int, float]]:
    """(num, BM25 turned positive) of what matches, best first; nothing without a word.

    `over` ranks only so many of the newest matches, which bounds the cost of common words.
    """
    inner = f"SELECT rowid AS num, -{index.RANK} AS score FROM memory_fts WHERE memory_fts MATCH ?"
    if (expression := asked.expression) is None:
        return []
    inner_values: list[Any] = [expression]
    if over is not None:
        inner += " ORDER BY rowid DESC LIMIT ?"
        inner_values.append(over)
    if _is_covered(asked):  # the index's own terms said all there is to say: no join
        sql = f"SELECT num, score FROM ({inner}) ORDER BY score DESC, num DESC LIMIT ?"
        found = connection.execute(sql, [*inner_values, limit])
    else:
        where, values = where_of(asked)
        sql = (
            f"SELECT h.num, h.score FROM ({inner}) h JOIN memory m ON m.num = h.num"
            f" WHERE {where} ORDER BY h.score DESC, h.num DESC LIMIT ?"
        )
        found = connection.execute(sql, [*inner_values, *values, limit])
    return found.fetchall()


def telling(connection: sqlite3.Connection, words: Sequence[str]) -> list[str]:
    """The words that a ranked question can afford, rarest first; see `index.telling`."""
    return index.telling(connection, words)


def foremost_first(connection: sqlite3.Connection, asked: Asked) -> array[int]:
    """Everything that matches: the best answers by rank, then the rest, newest first."""
    told = replace(asked, words=tuple(telling(connection, asked.words)), prefix_last=False)
    best = ranked_hits(connection, told, limit=FOREMOST) if told.expression else []
    found = array("q", [num for num, _ in best])
    foremost = set(found)
    found.extend(num for num in newest_hits(connection, asked, -1) if num not in foremost)
    return found


def _is_covered(asked: Asked) -> bool:
    """Whether the index's own words say all there is to say."""
    return not asked.conditions and asked.project is not None


def count(connection: sqlite3.Connection, asked: Asked) -> int:
    """How many memories fit."""
    where, values = where_of(asked)
    expression = asked.expression
    if expression is not None and _is_covered(asked):
        sql = "SELECT count(*) FROM memory_fts WHERE memory_fts MATCH ?"
        return int(connection.execute(sql, (expression,)).fetchone()[0])
    sql = f"SELECT count(*) FROM memory m WHERE {where}"
    if expression is not None:
        sql += " AND m.num IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)"
        values.append(expression)
    return int(connection.execute(sql, values).fetchone()[0])


ROW_COLUMNS = (
    "num, id, title, substr(content, 1, 320) AS start, type, category, scope, status, importance,"
    " created_at, tags, files, agent, session, retired_as, expires, revision"
)


def page(connection: sqlite3.Connection, wanted: Sequence[int]) -> dict[int, Image]:
    """List rows by number, each with `in_conflict`; what vanished is missing."""
    found: dict[int, Image] = {}
    for start in range(0, len(wanted), 500):
        part = list(wanted[start : start + 500])
        for row in rows(
            connection,
            f"SELECT {ROW_COLUMNS}, {IN_CONFLICT} AS in_conflict FROM memory m"
            f" WHERE num IN ({marks(len(part))})",
            part,
        ):
            found[row["num"]] = row
    return found


FACETS = ("type", "status", "category", "scope", "agent")
TAGS_SHOWN = 40


def facets(connection: sqlite3.Connection, asked: Asked) -> dict[str, dict[str, int]]:
    """For each facet, how many memories that fit have each value. Tags: the 40 most common."""
    where, values = where_of(asked)
    hits = ""
    if (expression := asked.expression) is not None:
        hits = " AND m.num IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)"
        values.append(expression)
    columns = ", ".join(f"m.{name}" for name in FACETS)
    counts: dict[str, dict[str, int]] = {name: {} for name in (*FACETS, "tag")}
    grouped = connection.execute(
        f"SELECT {columns}, count(*) FROM memory m WHERE {where}{hits} GROUP BY {columns}", values
    )
    for *found, number in grouped:
        for name, value in zip(FACETS, found, strict=True):
            if value:
                counts[name][value] = counts[name].get(value, 0) + number
    counts["tag"] = dict(
        connection.execute(
            "SELECT t.tag, count(*) AS number FROM memory_tag t JOIN memory m ON m.num = t.memory"
            f" WHERE {where}{hits} GROUP BY t.tag ORDER BY number DESC, t.tag LIMIT ?",
            [*values, TAGS_SHOWN],
        ).fetchall()
    )
    return counts


def by_project(connection: sqlite3.Connection, asked: Asked) -> dict[str, int]:
    """How many memories that fit each project has, by its id."""
    where, values = where_of(asked)
    hits = ""
    if (expression := asked.expression) is not None:
        hits = " AND m.num IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)"
        values.append(expression)
    return dict(
        connection.execute(
            f"SELECT m.project, count(*) FROM memory m WHERE {where}{hits} AND m.project != ''"
            " GROUP BY m.project",
            values,
        ).fetchall()
    )


def by_name(
    connection: sqlite3.Connection, text: str, project: str, limit: int = 10
) -> list[Image]:
    """id and num of the memories that `text` may mean, best reading only.

    An id; else a key in the project or of a global memory, live ones first; else a prefix of ids.
    """
    named = rows(connection, "SELECT id, num FROM memory WHERE id = ?", (text,))
    if not named:
        keyed = rows(
            connection,
            "SELECT id, num, retired_at FROM memory WHERE key = ? AND +project IN (?, '')"
            " ORDER BY retired_at IS NULL DESC, num DESC LIMIT ?",
            (text, project, limit),
        )
        live = [row for row in keyed if row["retired_at"] is None]
        named = live or keyed[:1]
    return named or rows(
        connection,
        "SELECT id, num FROM memory WHERE id >= ? AND id < ? || '\uffff' LIMIT ?",
        (text, text, limit),
    )


def with_fingerprint(
    connection: sqlite3.Connection, project: str, fingerprint: str, *, working: bool = False
) -> str | None:
    """The id of the live memory with this text in the project (or everywhere), or None.

    Working memory counts for itself only: it is cleared in minutes, and the text would go with it.
    """
    found = connection.execute(
        "SELECT id FROM memory WHERE fingerprint = ? AND (+project = ? OR +scope = 'global')"
        " AND +retired_at IS NULL AND (+type = 'working') = ? ORDER BY +num"
        " LIMIT 1",  # plus: by fingerprint, nothing else
        (fingerprint, project, working),
    ).fetchone()
    return found[0] if found else None


def with_key(connection: sqlite3.Connection, project: str, key: str) -> str | None:
    """The id of the live memory that the caller calls `key`, or None."""
    found = connection.execute(
        "SELECT id FROM memory WHERE key = ? AND +project = ? AND +retired_at IS NULL LIMIT 1",
        (key, project),
    ).fetchone()
    return found[0] if found else None


def is_buried(connection: sqlite3.Connection, project: str, fingerprint: str) -> bool:
    """Whether a tombstone stands for this text in the project."""
    return (
        connection.execute(
            "SELECT 1 FROM tombstone WHERE fingerprint = ? AND project IN ('', ?)",
            (fingerprint, project),
        ).fetchone()
        is not None
    )


def links(connection: sqlite3.Connection, memory: str) -> list[Image]:
    """The links from and to a memory, with the title at the other end."""
    return rows(
        connection,
        "SELECT l.*, m.title AS other_title, substr(m.content, 1, 320) AS other_start"
        " FROM memory_link l LEFT JOIN memory m"
        " ON m.id = CASE WHEN l.source = ? THEN l.target ELSE l.source END"
        " WHERE l.source = ? OR l.target = ? ORDER BY l.created_at",
        (memory, memory, memory),
    )


def name_of(connection: sqlite3.Connection, project: str) -> str:
    """The name of a project by its id; "" for one that the store does not know."""
    found = connection.execute("SELECT name FROM project WHERE id = ?", (project,)).fetchone()
    return found[0] if found else ""


def projects(connection: sqlite3.Connection) -> list[Image]:
    """All projects with the number of their live memories, the fullest first."""
    return rows(
        connection,
        "SELECT p.*, (SELECT count(*) FROM memory m WHERE m.project = p.id"
        " AND m.retired_at IS NULL) AS memories FROM project p ORDER BY memories DESC, p.name",
    )


def projects_called(connection: sqlite3.Connection, name: str) -> list[Image]:
    """The projects with this id or this name."""
    return rows(connection, "SELECT * FROM project WHERE id = ?1 OR name = ?1 ORDER BY id", (name,))


def files(connection: sqlite3.Connection, project: str) -> list[tuple[str, int]]:
    """The files that the project's live memories name, the most common first; at most 200."""
    found = connection.execute(
        "SELECT f.path, count(*) AS number FROM memory_file f JOIN memory m ON m.num = f.memory"
        " WHERE m.project = ? AND m.retired_at IS NULL"
        " GROUP BY f.path ORDER BY number DESC, f.path LIMIT 200",
        (project,),
    )
    return [(path, number) for path, number in found]


def open_conflicts(connection: sqlite3.Connection, project: str) -> int:
    """Unresolved conflicts that agents are told of, of the project or of everywhere."""
    found = connection.execute(
        "SELECT count(*) FROM conflict c JOIN memory m ON m.id = c.entry_a"
        " WHERE c.resolved_at IS NULL AND c.band IS NOT 'near'"
        " AND (m.project = ? OR m.scope = 'global')",
        (project,),
    ).fetchone()
    return int(found[0])


def size_of(path: str) -> int:
    """Bytes of a file, its write-ahead log included, or of the files in a folder."""
    if os.path.isdir(path):
        return sum(entry.stat().st_size for entry in os.scandir(path) if entry.is_file())
    return sum(
        os.stat(path + suffix).st_size for suffix in ("", "-wal") if os.path.exists(path + suffix)
    )


def words_near(connection: sqlite3.Connection, length: int, first: str) -> list[str]:
    """Words of the index that begin with `first` and are about `length` characters long."""
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, memory_fts, row)"
    )
    found = connection.execute(
        "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? || '￿'"
        " AND length(term) BETWEEN ? AND ? ORDER BY doc DESC LIMIT 2000",
        (first, first, length - 2, length + 2),
    )
    return [term for (term,) in found]
