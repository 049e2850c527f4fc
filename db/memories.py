"""Queries of memories: by name, by session, by links, as lists.

Tables `memory` and the types' own, `memory_tag`, `memory_file`, `memory_link`, `tombstone`. Times
are milliseconds since 1970.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import index
from .connection import Database
from .fast_reader import FLAGGED
from .images import Image, column, execute, listing, tuples, value
from .receipts import LINE
from .sessions import IS_CALLED

START = 320  # characters of a text that a list row carries

_AMONG = "(SELECT value FROM json_each(?))"

IN_CONFLICT = (
    "m.id IN (SELECT entry_a FROM conflict WHERE resolved_at IS NULL"
    " UNION SELECT entry_b FROM conflict WHERE resolved_at IS NULL)"
)
"""A condition on `memory m`: an unresolved conflict names it."""

TO_VERIFY = f"m.id IN (SELECT s.memory FROM memory_staleness s WHERE {FLAGGED})"
"""A condition on `memory m`: it may be outdated, and the user has not confirmed it since."""


# --- by name


def by_ids(database: Database, ids: Sequence[str]) -> dict[str, int]:
    """Map each of these ids that exists to its row number."""
    return dict(tuples(database, f"SELECT id, num FROM memory WHERE id IN {_AMONG}", ids))


def by_name(database: Database, text: str, project: str, limit: int = 10) -> list[Image]:
    """Return the memories that `text` may name, best reading only.

    An id; else a key in the project or of a global memory, live ones first; else a prefix of ids.
    The case of an id, which is small letters and digits, does not count.
    """
    as_id, ids = text.lower(), "SELECT id, num FROM memory WHERE id {} LIMIT ?"
    if named := listing(database, ids.format("= ?"), as_id, 1):
        return named
    sql = """SELECT id, num, retired_at FROM memory WHERE key = ? AND +project IN (?, '')
        ORDER BY retired_at IS NULL DESC, num DESC LIMIT ?"""
    keyed = listing(database, sql, text, project, limit)
    if keyed:
        live = [row for row in keyed if row["retired_at"] is None]
        return [Image(id=row["id"], num=row["num"]) for row in live or keyed[:1]]
    return listing(database, ids.format(">= ? AND id < ?"), as_id, as_id + "\uffff", limit)


def with_fingerprint(
    database: Database, project: str, fingerprint: str, *, working: bool = False
) -> str | None:
    """Return the id of the live memory with this text in the project (or everywhere), or None.

    Working memory counts for itself only: it is cleared in minutes, and the text would go with it.
    """
    memory: str | None = value(  # by fingerprint, nothing else
        database,
        """SELECT id FROM memory WHERE fingerprint = ? AND (+project = ? OR +scope = 'global')
        AND +retired_at IS NULL AND (+type = 'working') = ? ORDER BY +num LIMIT 1""",
        *(fingerprint, project, working),
    )
    return memory


def with_key(database: Database, project: str, key: str) -> str | None:
    """Return the id of the live memory that the caller calls `key`, or None."""
    text = "SELECT id FROM memory WHERE key = ? AND +project = ? AND +retired_at IS NULL"
    memory: str | None = value(database, text, key, project)
    return memory


def is_buried(database: Database, project: str, fingerprint: str) -> bool:
    text = "SELECT 1 FROM tombstone WHERE fingerprint = ? AND project IN ('', ?)"
    return value(database, text, fingerprint, project) is not None


def exists(database: Database, memory: str) -> bool:
    """Return True if there is a memory with that id, live or retired."""
    return value(database, "SELECT 1 FROM memory WHERE id = ?", memory) is not None


def was_captured(database: Database, ref: str) -> bool:
    """Return True if this place of a transcript was processed before."""
    text = "SELECT 1 FROM memory WHERE ref = ?1 UNION ALL SELECT 1 FROM finding WHERE ref = ?1"
    return value(database, text, ref) is not None


# --- rows


class Row(NamedTuple):
    """One row of a list of memories, cheap to make."""

    num: int
    id: str = ""
    title: str = "(gone)"
    type: str = ""
    category: str = ""
    scope: str = ""
    status: str = ""
    importance: float = 0.0
    created_ms: int = 0
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    agent: str | None = None
    session: str | None = None
    retired_as: str | None = None
    expires_ms: int | None = None
    in_conflict: bool = False
    revision: int = 0
    session_name: str = ""  # the session in words; "" for none, and for an unknown one
    project: str = ""  # the name of another project than the current one; "" of this one
    excerpt: str = ""  # of the text: its beginning, or the part around the words of the query
    to_verify: bool = False  # it may be outdated, and the user has not confirmed it since

    @property
    def is_live(self) -> bool:
        return self.retired_as is None

    @property
    def is_gone(self) -> bool:
        """Return True if it was deleted between the list and the page."""
        return not self.id


_SHARED = "m.num, m.id, m.type, m.scope, m.project, m.status, m.retired_as"
_LISTED = (
    f"{_SHARED}, m.title, m.category, m.importance, m.created_at, m.tags, m.files, m.agent,"
    " m.session, m.expires, m.revision"
)


def page(database: Database, wanted: Sequence[int], length: int = START) -> dict[int, Image]:
    """Map numbers to list rows, with so many characters of the text; deleted ones are missing."""
    text = f"""SELECT {_LISTED}, substr(m.content, 1, ?) AS start, {IN_CONFLICT} AS in_conflict,
        {TO_VERIFY} AS to_verify FROM memory m WHERE m.num IN {_AMONG}"""
    listed = listing(database, text, length, wanted)
    return {row["num"]: row for row in listed}


def targets(database: Database, nums: Sequence[int]) -> list[Image]:
    """These memories, as an act on many looks at them; in no order."""
    text = f"SELECT {_SHARED}, {IN_CONFLICT} AS in_conflict FROM memory m WHERE m.num IN {_AMONG}"
    return listing(database, text, nums)


def global_nums(database: Database, nums: Sequence[int]) -> list[int]:
    """Return the global ones of these memories, in no order."""
    text = f"SELECT num FROM memory WHERE num IN {_AMONG} AND scope = 'global'"
    return column(database, text, nums)


def links(database: Database, memory: str) -> list[Image]:
    """Return the links from and to a memory, with the title at the other end."""
    text = f"""SELECT l.*, m.title AS other_title, substr(m.content, 1, {START}) AS other_start
        FROM memory_link l LEFT JOIN memory m ON m.id = iif(l.source = ?1, l.target, l.source)
        WHERE l.source = ?1 OR l.target = ?1 ORDER BY l.created_at"""
    return listing(database, text, memory)


# --- learned


def learned_in(database: Database, session: str) -> list[Image]:
    """Return the live memories of a session, in the order of capture."""
    text = """SELECT id, type, content FROM memory
        WHERE session = ? AND retired_at IS NULL AND type != 'working' ORDER BY num"""
    return listing(database, text, session)


def transcript_of(database: Database, session: str) -> tuple[str, str] | None:
    """Return (host, transcript) of a session by its memories, for sessions without a row."""
    text = """SELECT agent, transcript FROM memory WHERE session = ? AND transcript IS NOT NULL
        AND agent IS NOT NULL AND agent_id IS NULL ORDER BY num DESC LIMIT 1"""
    listed = tuples(database, text, session)
    return next(iter(listed), None)


def candidates_at(
    database: Database, project: str, session: str, lines: Sequence[int]
) -> list[Image]:
    """Return the candidates that were captured at these lines of a session."""
    text = f"""SELECT id, line, content, ref,
        EXISTS (SELECT 1 FROM memory_salience s WHERE s.memory = m.id AND s.is_person = 0)
        AND NOT EXISTS (SELECT 1 FROM recording r WHERE r.memory = m.id) AS is_agents_sentence
        FROM memory m WHERE session = ? AND project = ?
        AND status = 'candidate' AND retired_at IS NULL AND type != 'working'
        AND line IN {_AMONG} ORDER BY num"""
    return listing(database, text, session, project, lines)


# --- tasks and working memory


def working(database: Database, project: str, *, session: str | None = None) -> list[Image]:
    """Return the project's working memory that was not cleared; of one session, if it is named.

    The session "" selects memories of no session.
    """
    return listing(  # in this order: few are working memory
        database,
        """SELECT m.id, w.todo_id, w.expires_at FROM working w CROSS JOIN memory m
        WHERE m.num = w.memory AND m.project = ?1 AND m.retired_at IS NULL
        AND (?2 IS NULL OR coalesce(m.session, '') = ?2) ORDER BY m.num""",
        *(project, session),
    )


def intentions(database: Database, project: str) -> list[Image]:
    """Return the project's intentions that wait, oldest first."""
    text = """SELECT m.id, m.content, m.created_at
        FROM prospective p JOIN memory m ON m.num = p.memory
        WHERE p.status IN ('pending', 'active') AND m.project = ? AND m.retired_at IS NULL
        ORDER BY m.num"""
    return listing(database, text, project)


def titles(database: Database, ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """(id, title, beginning of the text) of these memories."""
    text = f"SELECT id, title, substr(content, 1, 200) FROM memory WHERE id IN {_AMONG}"
    return tuples(database, text, ids)


_COMPARED = (
    "m.num, m.id, m.title, m.content, m.type, m.category, m.status, m.files, m.tags, m.session,"
    " m.agent, m.privacy, m.created_at"
)


def neighbours(
    database: Database,
    project: str,
    words: Sequence[str],
    limit: int = -1,
    *,
    among: Sequence[str] = (),
) -> list[Image]:
    """Return live memories of the project, or of everywhere, that share the rarest of `words`.

    The best by BM25 first. Working memory is never a neighbour. `among` are the ids of few: these
    need only share any of the words.
    """
    connection, least = database.connection(), 0
    if among:
        oldest = f"SELECT coalesce(min(num), 0) FROM memory WHERE id IN {_AMONG}"
        least = value(database, oldest, among)
    rare = words if among else index.ranked_words(connection, words)
    if (expression := index.match(rare, project=project)) is None:
        return []
    text = f"""SELECT {_COMPARED} FROM (SELECT rowid AS num, -{index.RANK} AS score
        FROM memory_fts WHERE memory_fts MATCH ? AND rowid >= ? ORDER BY score DESC LIMIT ?) h
        JOIN memory m ON m.num = h.num WHERE m.type != 'working'
        {f"AND m.id IN {_AMONG}" if among else ""} ORDER BY h.score DESC"""
    return listing(database, text, expression, least, limit, *((among,) if among else ()))


def written_since(database: Database, seq: int) -> list[str]:
    """Return the memories that entries after `seq` wrote."""
    return column(database, "SELECT DISTINCT memory FROM audit_memory WHERE seq > ?", seq)


def injected_into(database: Database, session: str) -> list[Image]:
    """Return memories injected into a session and those that it was forked from, each once, with
    the first time as `injected_at`. Retired ones are included, working memory is not."""
    text = f"""{LINE}SELECT {_COMPARED}, min(r.at) AS injected_at FROM receipt r
        JOIN receipt_item i ON i.receipt = r.id JOIN memory m ON m.id = i.memory
        WHERE r.session IN (SELECT id FROM line) AND m.type != 'working'
        GROUP BY m.id ORDER BY injected_at, m.num"""
    return listing(database, text, session)


def named(database: Database, details: Sequence[tuple[str, int]]) -> list[Image]:
    """The memories of these ids as neighbours, with the time beside each as `injected_at`."""
    when = dict(reversed(details))  # the first time, of several
    text = f"SELECT {_COMPARED} FROM memory m WHERE m.id IN {_AMONG} AND m.type != 'working'"
    rows = listing(database, text, [*when])
    for row in rows:
        row["injected_at"] = when[row["id"]]
    return rows


# --- lists

NEWEST_HITS = 200
FOREMOST = 500  # answers that are ranked where all matches are listed
RANKED_OVER = 2_000  # the quick ranking looks at so many of the newest matches

_TITLE = "coalesce(nullif(m.title, ''), m.content)"

_USED = (
    "(SELECT 1000000 * coalesce(u.used, 0) + u.accesses FROM memory_use u WHERE u.memory = m.id)"
)
"""Most used first, then most injected."""

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
"""The orders a list can have; nothing the user types reaches ORDER BY."""

COLUMN_OF = {
    **{name: f"m.{name}" for name in "type status category scope session agent privacy".split()},
    **{name: f"m.{name}" for name in "project num importance".split()},
    "own": "m.session",  # whole, where "session" is the beginning of one
    "role": "coalesce(m.role, 'orchestrator')",
    "created": "m.created_at",
    "updated": "m.updated_at",
    "tier": "coalesce((SELECT w.tier FROM memory_worth w WHERE w.memory = m.num), 'hot')",
}
"""The columns that a filter may compare."""

OPERATORS = {"=": "=", "!=": "IS NOT", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Condition(NamedTuple):
    """One comparison: `field` as in COLUMN_OF, or tag, file, source, is."""

    field: str
    value: Any
    operator: str = "="
    negated: bool = False


class Request(NamedTuple):
    """A query: words for the index, conditions for the rest."""

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
        """Return the index expression, or None without words."""
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
"""`is:expiring` looks a week ahead. `is:stale` means 60 days old and not used in that time, or
perhaps outdated; `is:verify` only the latter. `is:untold` is older than a week."""

_INJECTED = "m.id IN (SELECT memory FROM memory_use WHERE accesses > 0)"

OFFERED_USES = 3  # of a task, from which on it may hold for every project
OFFERED_PROJECTS = 3  # that know the same, word for word

_CONFIRMED = (
    "{0}.project != '' AND {0}.retired_at IS NULL AND {0}.status IN ('confirmed', 'pinned')"
)

OFFERED = (
    "m.retired_at IS NULL AND m.project != ''"
    """ AND (m.scope = 'project' AND instr(m.tags, '"everywhere"') > 0 OR m.type = 'prospective'"""
    " AND m.id IN (SELECT memory FROM memory_use WHERE accesses >= ?)"
    f" OR m.type != 'working' AND {_CONFIRMED.format('m')}"
    " AND m.fingerprint IN (SELECT o.fingerprint FROM memory o"
    " WHERE o.fingerprint IN (SELECT fingerprint FROM memory GROUP BY fingerprint"
    f" HAVING count(*) >= {OFFERED_PROJECTS}) AND {_CONFIRMED.format('o')}"
    " GROUP BY o.fingerprint HAVING count(DISTINCT o.project) >= ?))"
    " AND NOT EXISTS (SELECT 1 FROM setting s WHERE s.key = 'offer|' || m.id)"
)
"""A condition on `memory m`: it is suggested as global and was not declined.

The index of fingerprints finds the few that several projects may have, and only these are read.
"""


def where_of(request: Request) -> tuple[str, list[Any]]:
    """Return the WHERE clause over `memory m` for everything but the words, and its parameters."""
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
    if field == "source":
        return "substr(m.key, 1, length(?) + 1) = lower(?) || ':'", [value, value]
    if field == "file":
        return (
            "m.num IN (SELECT memory FROM memory_file WHERE instr(lower(path), lower(?)) > 0)",
            [value],
        )
    if field == "text":
        return "instr(lower(m.title || ' ' || m.content), ?)", [value]
    if field == "is":
        return {
            "conflict": (IN_CONFLICT, []),
            "pinned": ("m.status = 'pinned'", []),
            "candidate": ("m.status = 'candidate'", []),
            "retired": ("m.retired_at IS NOT NULL", []),
            "live": ("m.retired_at IS NULL", []),
            "verify": (TO_VERIFY, []),
            "told": (_INJECTED, []),
            "untold": (f"NOT {_INJECTED} AND m.created_at < ?", [now - SOON_MS]),
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
        by_name = IS_CALLED.format("", "?")
        ids = f"SELECT id FROM session WHERE {by_name}"
        text = f"substr(m.session, 1, length(?)) = ? OR m.session IN ({ids})"
        return text, [value] * (2 + by_name.count("?"))
    return f"{COLUMN_OF[field]} {OPERATORS[condition.operator]} ?", [value]


def _fits(request: Request) -> tuple[str, list[Any]]:
    """Return the condition that a memory `m` matches, its words included, and its values."""
    where, values = where_of(request)
    if (expression := request.expression) is not None:
        where += " AND m.num IN (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?)"
        values.append(expression)
    return where, values


def nums(
    database: Database, request: Request, *, sort: str = "created", limit: int = -1
) -> array[int]:
    """Return the row numbers of all matches, in order, without ranking. 8 bytes a row."""
    where, values = _fits(request)
    text = f"SELECT m.num FROM memory m WHERE {where} ORDER BY {ORDERS[sort]} LIMIT ?"
    cursor = execute(database, text, *values, limit)
    matches = array("q")
    while part := cursor.fetchmany(20_000):  # in slices: a long fetch would hold other threads
        matches.extend(row[0] for row in part)
    return matches


def newest_hits(database: Database, request: Request, limit: int) -> array[int]:
    """Return the newest memories that match, unranked: the quickest first answer to a word."""
    join, where, values = "", "1", list[Any]()
    if not _is_covered(request):
        join = "JOIN memory m ON m.num = f.rowid"
        where, values = where_of(request)
    matches = column(
        database,
        f"SELECT f.rowid FROM memory_fts f {join}"
        f" WHERE f.memory_fts MATCH ? AND {where} ORDER BY f.rowid DESC LIMIT ?",
        *(request.expression, *values, limit),
    )
    return array("q", matches)


def ranked_hits(
    database: Database, request: Request, *, limit: int = -1, over: int | None = None
) -> list[tuple[int, float]]:
    """Return (num, BM25 turned positive) of the matches, best first; none without a word.

    `over` ranks only so many of the newest matches, which bounds the cost of common words.
    """
    inner = f"SELECT rowid AS num, -{index.RANK} AS score FROM memory_fts WHERE memory_fts MATCH ?"
    if (expression := request.expression) is None:
        return []
    inner_values: list[Any] = [expression]
    if over is not None:
        inner += " ORDER BY rowid DESC LIMIT ?"
        inner_values.append(over)
    if _is_covered(request):  # the index holds every condition: no join
        sql = f"SELECT num, score FROM ({inner}) ORDER BY score DESC, num DESC LIMIT ?"
        return tuples(database, sql, *inner_values, limit)
    where, values = where_of(request)
    sql = (
        f"SELECT h.num, h.score FROM ({inner}) h JOIN memory m ON m.num = h.num"
        f" WHERE {where} ORDER BY h.score DESC, h.num DESC LIMIT ?"
    )
    return tuples(database, sql, *inner_values, *values, limit)


def foremost_first(database: Database, request: Request) -> array[int]:
    """Return all matches: the best by rank, then the rest, newest first."""
    words = index.ranked_words(database.connection(), request.words)
    details = request._replace(words=tuple(words), prefix_last=False)
    best = ranked_hits(database, details, limit=FOREMOST) if details.expression else []
    matches = array("q", [num for num, _ in best])
    foremost = set(matches)
    matches.extend(num for num in newest_hits(database, request, -1) if num not in foremost)
    return matches


def _is_covered(request: Request) -> bool:
    """Return True if the index alone can answer the request."""
    return not request.conditions and request.project is not None


def count(database: Database, request: Request, most: int = -1) -> int:
    """Return the number of memories that match, counted up to `most`; -1 counts all."""
    where, values = _fits(request)
    sql = f"SELECT 1 FROM memory m WHERE {where}"
    if request.expression is not None and _is_covered(request):
        sql, values = "SELECT 1 FROM memory_fts WHERE memory_fts MATCH ?", [request.expression]
    return int(value(database, f"SELECT count(*) FROM ({sql} LIMIT ?)", *values, most))


def counts(database: Database, request: Request, flags: Sequence[str]) -> list[int]:
    """Return the number of matches, then the number of those with each of `flags`, as in `is:`.

    In one pass over the memories. Words of the request are ignored.
    """
    where, values = where_of(request)
    sums, arguments = ["count(*)"], list[Any]()
    for flag in flags:
        text, parameters = _clause(Condition("is", flag), request.now)
        sums.append(f"coalesce(sum(({text})), 0)")
        arguments += parameters
    sql = f"SELECT {', '.join(sums)} FROM memory m WHERE {where}"
    [row] = tuples(database, sql, *arguments, *values)
    return list(row)


FACETS = ("type", "status", "category", "scope", "agent", "tier")
_FACET_COLUMNS = (*(f"m.{name}" for name in FACETS if name != "tier"), "coalesce(w.tier, 'hot')")
TAGS_SHOWN = 40


def facets(database: Database, request: Request) -> dict[str, dict[str, int]]:
    """Map facet to the number of matches by value. Tags: the 40 most common."""
    where, values = _fits(request)
    columns = ", ".join(_FACET_COLUMNS)
    counts: dict[str, dict[str, int]] = {name: {} for name in (*FACETS, "tag")}
    grouped = tuples(
        database,
        f"SELECT {columns}, count(*) FROM memory m LEFT JOIN memory_worth w ON w.memory = m.num"
        f" WHERE {where} GROUP BY {columns}",
        *values,
    )
    for *matches, number in grouped:
        for name, word in zip(FACETS, matches, strict=True):
            if word:
                counts[name][word] = counts[name].get(word, 0) + number
    tags = tuples(
        database,
        "SELECT t.tag, count(*) AS number FROM memory_tag t JOIN memory m ON m.num = t.memory"
        f" WHERE {where} GROUP BY t.tag ORDER BY number DESC, t.tag LIMIT {TAGS_SHOWN}",
        *values,
    )
    counts["tag"] = dict(tags)
    return counts


def by_project(database: Database, request: Request) -> dict[str, int]:
    """Map project id to its number of matches."""
    where, values = _fits(request)
    text = f"SELECT m.project, count(*) FROM memory m WHERE {where} AND m.project != ''"
    return dict(tuples(database, f"{text} GROUP BY m.project", *values))


def size_of(path: str) -> int:
    """Bytes of a file, its write-ahead log included, or of the files in a folder."""
    if os.path.isdir(path):
        return sum(entry.stat().st_size for entry in os.scandir(path) if entry.is_file())
    return sum(
        os.stat(path + suffix).st_size for suffix in ("", "-wal") if os.path.exists(path + suffix)
    )
