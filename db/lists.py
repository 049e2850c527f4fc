"""Lists, pages, facets and counts: the questions that the app and the CLI ask.

Filters arrive as `Conditions`, which carry values only; the SQL is made here. Every answer is
plain data.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import index
from .connection import Database
from .images import PRIVACY_UNTIL
from .trust import FLAGGED

NEWEST_HITS = 200
FOREMOST = 500
"""Answers that are ranked where all matches are listed."""

RANKED_OVER = 2_000
"""The quick ranking looks at so many of the newest matches."""

_TITLE = "coalesce(nullif(m.title, ''), m.content)"

_USED = (
    "(SELECT 1000000 * coalesce(u.used, 0) + u.accesses FROM memory_use u WHERE u.memory = m.id)"
)
"""Answers that followed it first, then how often it was told."""

ORDERS = {
    "created": "m.created_at DESC, m.num DESC",
    "-created": "m.created_at ASC, m.num ASC",
    "updated": "m.updated_at DESC, m.num DESC",
    "-updated": "m.updated_at ASC, m.num ASC",
    "importance": "m.importance DESC, m.num DESC",
    "-importance": "m.importance ASC, m.num ASC",
    "title": f"{_TITLE} COLLATE NOCASE ASC, m.num DESC",
    "used": f"{_USED} DESC, m.num DESC",
    "-used": f"{_USED} ASC, m.num DESC",
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
    "own": "m.session",  # whole, where "session" is the beginning of one
    "role": "coalesce(m.role, 'orchestrator')",
    "privacy": "m.privacy",
    "until": PRIVACY_UNTIL,
    "project": "m.project",
    "num": "m.num",
    "importance": "m.importance",
    "created": "m.created_at",
    "updated": "m.updated_at",
    "tier": "coalesce((SELECT w.tier FROM memory_worth w WHERE w.memory = m.num), 'hot')",
}
"""The columns that a filter may compare."""

_IN_SESSION = (
    "substr(m.session, 1, length(?)) = ? OR m.session IN (SELECT id FROM session"
    " WHERE instr(?, '-') > 0 AND substr(lower(replace(goal, ' ', '-')), 1, length(?)) = lower(?))"
)
"""By the beginning of its id or of its goal, as `sessions.sessions_called` has it."""

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
"""`is:expiring` looks a week ahead; `is:stale` means 60 days old and not used in that time, or
that something speaks against it; `is:verify` only the latter. `is:untold` is older than a week."""

_TOLD = "m.id IN (SELECT memory FROM memory_use WHERE accesses > 0)"

TO_VERIFY = f"m.id IN (SELECT s.memory FROM memory_staleness s WHERE {FLAGGED})"

IN_CONFLICT = (
    "m.id IN (SELECT entry_a FROM conflict WHERE resolved_at IS NULL"
    " UNION SELECT entry_b FROM conflict WHERE resolved_at IS NULL)"
)

OFFERED_USES = 3  # of a task, from which on it may hold for every project
OFFERED_PROJECTS = 3  # that know the same, word for word

_SHARED = "{0}.project != '' AND {0}.retired_at IS NULL AND {0}.status IN ('confirmed', 'pinned')"

OFFERED = (
    "m.retired_at IS NULL AND m.project != ''"
    " AND (m.type = 'prospective'"
    " AND m.id IN (SELECT memory FROM memory_use WHERE accesses >= ?)"
    f" OR m.type != 'working' AND {_SHARED.format('m')}"
    " AND m.fingerprint IN (SELECT o.fingerprint FROM memory o"
    " WHERE o.fingerprint IN (SELECT fingerprint FROM memory GROUP BY fingerprint"
    f" HAVING count(*) >= {OFFERED_PROJECTS}) AND {_SHARED.format('o')}"
    " GROUP BY o.fingerprint HAVING count(DISTINCT o.project) >= ?))"
    " AND NOT EXISTS (SELECT 1 FROM setting s WHERE s.key = 'offer|' || m.id)"
)
"""What a person may make global and did not decline: what `promotions` offers, as a condition.

A look at the index of fingerprints tells the few that several may know, and only these are read.
"""


def where_of(request: Asked) -> tuple[str, list[Any]]:
    """The WHERE clause over `memory m` for everything but the words, and its parameters."""
    parts, values = list[str](), list[Any]()
    if request.project is not None:
        parts.append("m.project IN (?, '')")
        values.append(request.project)
    if request.retired is not None:
        parts.append(f"m.retired_at IS {'NOT ' if request.retired else ''}NULL")
    for group in request.conditions:
        alternatives = list[str]()
        for condition in group:
            text, parameters = _clause(condition, request.now)
            alternatives.append(f"NOT coalesce(({text}), 0)" if condition.negated else f"({text})")
            values += parameters
        parts.append(f"({' OR '.join(alternatives)})")
    if request.expression is None:
        for text in request.excluded:  # without other words the index cannot say "not this one"
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
            "verify": (TO_VERIFY, []),
            "told": (_TOLD, []),
            "untold": (f"NOT {_TOLD} AND m.created_at < ?", [now - SOON_MS]),
            "offered": (OFFERED, [OFFERED_USES, OFFERED_PROJECTS]),
            "me": ("m.scope = 'global' AND m.category IN ('preference', 'pattern')", []),
            "expiring": ("m.expires IS NOT NULL AND m.expires < ?", [now + SOON_MS]),
            "stale": (
                "m.status != 'pinned' AND m.updated_at < ? AND m.id NOT IN"
                " (SELECT memory FROM memory_use WHERE last_access >= ?)"
                f" OR {TO_VERIFY}",
                [now - STALE_MS, now - STALE_MS],
            ),
        }[value]
    if field == "session":
        return _IN_SESSION, [value] * 5
    return f"{COLUMN_OF[field]} {OPERATORS[condition.operator]} ?", [value]


def _fits(request: Asked) -> tuple[str, list[Any]]:
    """The condition that a memory `m` fits, its words included, and its values."""
    where, values = where_of(request)
    if (expression := request.expression) is not None:
        where += " AND m.num IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)"
        values.append(expression)
    return where, values


def nums(
    database: Database, request: Asked, *, sort: str = "created", limit: int = -1
) -> array[int]:
    """Row numbers of everything that fits, in order, without ranking. 8 bytes a row."""
    where, values = _fits(request)
    cursor = database.connection().execute(
        f"SELECT m.num FROM memory m WHERE {where} ORDER BY {ORDERS[sort]} LIMIT ?",
        [*values, limit],
    )
    matches = array("q")
    while part := cursor.fetchmany(20_000):  # in slices: a long fetch would hold other threads
        matches.extend(row[0] for row in part)
    return matches


def newest_hits(database: Database, request: Asked, limit: int) -> array[int]:
    """The newest memories that match, unranked: the quickest first answer to a word."""
    join, where, values = "", "1", list[Any]()
    if not _is_covered(request):
        join = "JOIN memory m ON m.num = f.rowid"
        where, values = where_of(request)
    matches = database.connection().execute(
        f"SELECT f.rowid FROM memory_fts f {join}"
        f" WHERE f.memory_fts MATCH ? AND {where} ORDER BY f.rowid DESC LIMIT ?",
        [request.expression, *values, limit],
    )
    return array("q", [row[0] for row in matches])


def ranked_hits(
    database: Database, request: Asked, *, limit: int = -1, over: int | None = None
) -> list[tuple[int, float]]:
    """(num, BM25 turned positive) of what matches, best first; nothing without a word.

    `over` ranks only so many of the newest matches, which bounds the cost of common words.
    """
    inner = f"SELECT rowid AS num, -{index.RANK} AS score FROM memory_fts WHERE memory_fts MATCH ?"
    if (expression := request.expression) is None:
        return []
    inner_values: list[Any] = [expression]
    if over is not None:
        inner += " ORDER BY rowid DESC LIMIT ?"
        inner_values.append(over)
    if _is_covered(request):  # the index's own terms said all there is to say: no join
        sql = f"SELECT num, score FROM ({inner}) ORDER BY score DESC, num DESC LIMIT ?"
        matches = database.connection().execute(sql, [*inner_values, limit])
    else:
        where, values = where_of(request)
        sql = (
            f"SELECT h.num, h.score FROM ({inner}) h JOIN memory m ON m.num = h.num"
            f" WHERE {where} ORDER BY h.score DESC, h.num DESC LIMIT ?"
        )
        matches = database.connection().execute(sql, [*inner_values, *values, limit])
    ranked: list[tuple[int, float]] = matches.fetchall()
    return ranked


def telling(database: Database, words: Sequence[str]) -> list[str]:
    """The words that a ranked question can afford, rarest first; see `index.telling`."""
    return index.telling(database.connection(), words)


def foremost_first(database: Database, request: Asked) -> array[int]:
    """Everything that matches: the best answers by rank, then the rest, newest first."""
    details = replace(request, words=tuple(telling(database, request.words)), prefix_last=False)
    best = ranked_hits(database, details, limit=FOREMOST) if details.expression else []
    matches = array("q", [num for num, _ in best])
    foremost = set(matches)
    matches.extend(num for num in newest_hits(database, request, -1) if num not in foremost)
    return matches


def _is_covered(request: Asked) -> bool:
    """Whether the index's own words say all there is to say."""
    return not request.conditions and request.project is not None


def count(database: Database, request: Asked, most: int = -1) -> int:
    """How many memories fit, counted up to `most`; -1 counts all."""
    where, values = _fits(request)
    sql = f"SELECT 1 FROM memory m WHERE {where}"
    if request.expression is not None and _is_covered(request):
        sql, values = "SELECT 1 FROM memory_fts WHERE memory_fts MATCH ?", [request.expression]
    counted = f"SELECT count(*) FROM ({sql} LIMIT ?)"
    return int(database.connection().execute(counted, [*values, most]).fetchone()[0])


def counts(database: Database, request: Asked, flags: Sequence[str]) -> list[int]:
    """How many memories fit, and how many of these are each of `flags`, as `is:` has them.

    In one pass over the memories; without words.
    """
    where, values = where_of(request)
    sums, arguments = ["count(*)"], list[Any]()
    for flag in flags:
        text, parameters = _clause(Condition("is", flag), request.now)
        sums.append(f"coalesce(sum(({text})), 0)")
        arguments += parameters
    sql = f"SELECT {', '.join(sums)} FROM memory m WHERE {where}"
    return list(database.connection().execute(sql, [*arguments, *values]).fetchone())


FACETS = ("type", "status", "category", "scope", "agent", "tier")
_FACET_COLUMNS = (*(f"m.{name}" for name in FACETS if name != "tier"), "coalesce(w.tier, 'hot')")
TAGS_SHOWN = 40


def facets(database: Database, request: Asked) -> dict[str, dict[str, int]]:
    """For each facet, how many memories that fit have each value. Tags: the 40 most common."""
    where, values = _fits(request)
    columns = ", ".join(_FACET_COLUMNS)
    counts: dict[str, dict[str, int]] = {name: {} for name in (*FACETS, "tag")}
    grouped = database.connection().execute(
        f"SELECT {columns}, count(*) FROM memory m LEFT JOIN memory_worth w ON w.memory = m.num"
        f" WHERE {where} GROUP BY {columns}",
        values,
    )
    for *matches, number in grouped:
        for name, value in zip(FACETS, matches, strict=True):
            if value:
                counts[name][value] = counts[name].get(value, 0) + number
    counts["tag"] = dict(
        database.connection()
        .execute(
            "SELECT t.tag, count(*) AS number FROM memory_tag t JOIN memory m ON m.num = t.memory"
            f" WHERE {where} GROUP BY t.tag ORDER BY number DESC, t.tag LIMIT ?",
            [*values, TAGS_SHOWN],
        )
        .fetchall()
    )
    return counts


def by_project(database: Database, request: Asked) -> dict[str, int]:
    """How many memories that fit each project has, by its id."""
    where, values = _fits(request)
    return dict(
        database.connection()
        .execute(
            f"SELECT m.project, count(*) FROM memory m WHERE {where} AND m.project != ''"
            " GROUP BY m.project",
            values,
        )
        .fetchall()
    )


def size_of(path: str) -> int:
    """Bytes of a file, its write-ahead log included, or of the files in a folder."""
    if os.path.isdir(path):
        return sum(entry.stat().st_size for entry in os.scandir(path) if entry.is_file())
    return sum(
        os.stat(path + suffix).st_size for suffix in ("", "-wal") if os.path.exists(path + suffix)
    )


def words_near(database: Database, length: int, first: str) -> list[str]:
    """Words of the index that begin with `first` and are about `length` characters long."""
    index.make_vocabulary(database.connection())
    matches = database.connection().execute(
        "SELECT term FROM temp.near_words WHERE term >= ? AND term < ? || '￿'"
        " AND length(term) BETWEEN ? AND ? ORDER BY doc DESC LIMIT 2000",
        (first, first, length - 2, length + 2),
    )
    return [term for (term,) in matches]
