"""Memories by what they are called, where they were learned, and what they stand beside.

Tables `memory` and the types' own, `memory_tag`, `memory_file`, `memory_link`, `tombstone`. How
they are listed by what a person asks for is in `lists`. Times are milliseconds since 1970.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from peewee import JOIN, SQL, Case, Select, fn

from . import index
from .connection import Database
from .images import PRIVACY_UNTIL, Image, rows
from .queries import (
    Query,
    among,
    column,
    columns,
    is_there,
    listing,
    optional,
    single,
    tuples,
    unindexed,
    value,
)
from .receipts import LINE
from .tables import (
    ConflictRow,
    FileRow,
    FindingRow,
    LinkRow,
    MemoryRow,
    ProspectiveRow,
    SalienceRow,
    StalenessRow,
    TombstoneRow,
    TrustRow,
    WorkingRow,
)
from .trust import FLAGGED

START = 320
"""Characters of a text that a list row carries."""


class ListRow(TypedDict):
    """What a list shows of a memory."""

    num: int
    id: str
    title: str
    start: str  # of the text
    type: str
    category: str
    scope: str
    project: str
    status: str
    importance: float
    created_at: int
    tags: list[str]
    files: list[str]
    agent: str | None
    session: str | None
    retired_as: str | None
    expires: int | None
    revision: int
    in_conflict: int
    to_verify: int


class TargetMemory(TypedDict):
    """What an act on many looks at."""

    num: int
    id: str
    type: str
    scope: str
    project: str
    status: str
    retired_as: str | None
    in_conflict: int


class LearnedMemory(TypedDict):
    """What was learned, as far as a correction looks at it."""

    id: str
    num: int
    content: str
    type: str
    category: str
    status: str
    scope: str
    agent: str | None


# --- by name


@listing(Image)
def _with_id(text: str) -> Query:
    return MemoryRow.select(MemoryRow.id, MemoryRow.num).where(MemoryRow.id == text)


@listing(dict)
def _with_key(text: str, project: str, limit: int) -> Query:
    return (
        MemoryRow.select(MemoryRow.id, MemoryRow.num, MemoryRow.retired_at)
        .where(MemoryRow.key == text, unindexed(MemoryRow.project).in_((project, "")))
        .order_by(MemoryRow.retired_at.is_null().desc(), MemoryRow.num.desc())
        .limit(limit)
    )


@listing(Image)
def _with_prefix(text: str, end: str, limit: int) -> Query:
    named = MemoryRow.select(MemoryRow.id, MemoryRow.num)
    return named.where(MemoryRow.id >= text, MemoryRow.id < end).limit(limit)


@listing(Image)
def _with_ids(ids: Sequence[str]) -> Query:
    return MemoryRow.select(MemoryRow.id, MemoryRow.num).where(MemoryRow.id.in_(among(ids)))


def by_ids(database: Database, ids: Sequence[str]) -> dict[str, int]:
    """By id the num of those memories that are called exactly so."""
    return {row["id"]: row["num"] for row in _with_ids(database, ids)}


def by_name(database: Database, text: str, project: str, limit: int = 10) -> list[Image]:
    """The memories that `text` may mean, best reading only.

    An id; else a key in the project or of a global memory, live ones first; else a prefix of ids.
    The case of an id, which is small letters and digits, does not count.
    """
    as_id = text.lower()
    if named := _with_id(database, as_id):
        return named
    if keyed := _with_key(database, text, project, limit):
        live = [row for row in keyed if row["retired_at"] is None]
        return [Image(id=row["id"], num=row["num"]) for row in live or keyed[:1]]
    return _with_prefix(database, as_id, as_id + "\uffff", limit)


@optional(str)
def with_fingerprint(project: str, fingerprint: str, *, working: bool = False) -> Query:
    """The id of the live memory with this text in the project (or everywhere), or None.

    Working memory counts for itself only: it is cleared in minutes, and the text would go with it.
    """
    is_working = unindexed(MemoryRow.type)
    here = unindexed(MemoryRow.project) == project
    return (
        MemoryRow.select(MemoryRow.id)  # by fingerprint, nothing else
        .where(
            MemoryRow.fingerprint == fingerprint,
            here | (unindexed(MemoryRow.scope) == "global"),
            unindexed(MemoryRow.retired_at).is_null(),
            is_working == "working" if working else is_working != "working",
        )
        .order_by(unindexed(MemoryRow.num))
        .limit(1)
    )


@optional(str)
def with_key(project: str, key: str) -> Query:
    """The id of the live memory that the caller calls `key`, or None."""
    here = unindexed(MemoryRow.project) == project
    live = unindexed(MemoryRow.retired_at).is_null()
    return MemoryRow.select(MemoryRow.id).where(MemoryRow.key == key, here, live).limit(1)


@value(int)
def global_count() -> Query:
    """How many live memories every project is told."""
    live = MemoryRow.retired_at.is_null()
    return MemoryRow.select(fn.COUNT("*")).where(MemoryRow.project == "", live)


@is_there
def is_buried(project: str, fingerprint: str) -> Query:
    """Whether a tombstone stands for this text in the project."""
    return TombstoneRow.select(SQL("1")).where(
        TombstoneRow.fingerprint == fingerprint, TombstoneRow.project.in_(("", project))
    )


@is_there
def exists(memory: str) -> Query:
    """Whether there is a memory with that id, live or retired."""
    return MemoryRow.select(SQL("1")).where(MemoryRow.id == memory)


@is_there
def _was_learned(ref: str) -> Query:
    return MemoryRow.select(SQL("1")).where(MemoryRow.ref == ref).limit(1)


@is_there
def _was_found(ref: str) -> Query:
    return FindingRow.select(SQL("1")).where(FindingRow.ref == ref).limit(1)


def was_captured(database: Database, ref: str) -> bool:
    """Whether that very place of a transcript was dealt with before, whatever came of it."""
    return _was_learned(database, ref) or _was_found(database, ref)


# --- rows


def _flagged() -> Select:
    """The ids of memories that something speaks against, and no person has stood for since."""
    vouched = TrustRow.select(SQL("1")).where(
        TrustRow.memory == StalenessRow.memory, TrustRow.vouched_at >= StalenessRow.at
    )
    return StalenessRow.select(StalenessRow.memory).where(~fn.EXISTS(vouched))


def _in_conflict() -> Query:
    """Return True if an unresolved conflict names the memory."""
    sides = (ConflictRow.entry_a, ConflictRow.entry_b)
    first, second = (
        ConflictRow.select(side).where(ConflictRow.resolved_at.is_null()) for side in sides
    )
    return MemoryRow.id.in_(first | second).alias("in_conflict")


@listing(ListRow)
def _page(nums: Sequence[int], length: int) -> Query:
    return MemoryRow.select(
        *columns(MemoryRow, ListRow),
        fn.substr(MemoryRow.content, 1, length).alias("start"),
        _in_conflict(),
        MemoryRow.id.in_(_flagged()).alias("to_verify"),
    ).where(MemoryRow.num.in_(among(nums)))


@listing(TargetMemory)
def targets(nums: Sequence[int]) -> Query:
    """These memories, as an act on many looks at them; in no order."""
    select = MemoryRow.select(*columns(MemoryRow, TargetMemory), _in_conflict())
    return select.where(MemoryRow.num.in_(among(nums)))


@column(int)
def global_nums(nums: Sequence[int]) -> Query:
    """Those of these memories that hold for every project; in no order."""
    return MemoryRow.select(MemoryRow.num).where(
        MemoryRow.num.in_(among(nums)), MemoryRow.scope == "global"
    )


def page(database: Database, wanted: Sequence[int], length: int = START) -> dict[int, ListRow]:
    """List rows by number, with so many characters of the text; what vanished is missing."""
    return {row["num"]: row for row in _page(database, wanted, length)}


@listing(Image)
def links(memory: str) -> Query:
    """The links from and to a memory, with the title at the other end."""
    other = Case(None, ((LinkRow.source == memory, LinkRow.target),), LinkRow.source)
    return (
        LinkRow.select(
            LinkRow,
            MemoryRow.title.alias("other_title"),
            fn.substr(MemoryRow.content, 1, START).alias("other_start"),
        )
        .join(MemoryRow, JOIN.LEFT_OUTER, on=MemoryRow.id == other)
        .where((LinkRow.source == memory) | (LinkRow.target == memory))
        .order_by(LinkRow.created_at)
    )


@tuples(tuple[str, int])
def files(project: str) -> Query:
    """The files that the project's live memories name, the most common first; at most 200."""
    number = fn.count(SQL("*"))
    return (
        FileRow.select(FileRow.path, number)
        .join(MemoryRow, on=MemoryRow.num == FileRow.memory)
        .where(MemoryRow.project == project, MemoryRow.retired_at.is_null())
        .group_by(FileRow.path)
        .order_by(number.desc(), FileRow.path)
        .limit(200)
    )


# --- learned


def _learned(project: str) -> Query:
    here = MemoryRow.select(*columns(MemoryRow, LearnedMemory)).where(MemoryRow.project == project)
    return here.where(MemoryRow.retired_at.is_null()).order_by(MemoryRow.num)


@listing(LearnedMemory)
def scored_in(project: str, session: str) -> Query:
    """Live candidates that the score alone found in an agent's words, in this session only."""
    agents = SalienceRow.select(SalienceRow.memory).where(SalienceRow.is_person == 0)
    elsewhere = FindingRow.session.is_null() | (FindingRow.session != session)
    otherwise = FindingRow.select(SQL("1")).where(
        FindingRow.memory == MemoryRow.id, elsewhere | (FindingRow.rule != "agent.said")
    )
    return _learned(project).where(
        MemoryRow.session == session,
        MemoryRow.status == "candidate",
        MemoryRow.id.in_(agents),
        ~fn.EXISTS(otherwise),
    )


@optional(str)
def memory_from(project: str, ref: str) -> Query:
    """The live memory that the words at `ref` became, or that they repeated; None without one."""
    repeated = FindingRow.select(FindingRow.memory).where(FindingRow.ref == ref)
    return (
        MemoryRow.select(MemoryRow.id)
        .where(
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
            (MemoryRow.ref == ref) | MemoryRow.id.in_(repeated),
        )
        .order_by(MemoryRow.num.desc())
        .limit(1)
    )


@listing(Image)
def learned_in(session: str) -> Query:
    """What was learned in a session and still holds, in the order in which it came up."""
    return (
        MemoryRow.select(MemoryRow.id, MemoryRow.type, MemoryRow.content)
        .where(
            MemoryRow.session == session,
            MemoryRow.retired_at.is_null(),
            MemoryRow.type != "working",
        )
        .order_by(MemoryRow.num)
    )


@single(tuple[str, str])
def transcript_of(session: str) -> Query:
    """(host, transcript) of a session that a memory tells of; for those never noted."""
    return (
        MemoryRow.select(MemoryRow.agent, MemoryRow.transcript)
        .where(
            MemoryRow.session == session,
            MemoryRow.transcript.is_null(False),
            MemoryRow.agent.is_null(False),
            MemoryRow.agent_id.is_null(),
        )
        .order_by(MemoryRow.num.desc())
        .limit(1)
    )


@listing(Image)
def candidates_at(project: str, session: str, lines: Sequence[int]) -> Query:
    """What was captured at these lines of a session and waits there."""
    return (
        MemoryRow.select(MemoryRow.id, MemoryRow.line, MemoryRow.content, MemoryRow.ref)
        .where(
            MemoryRow.session == session,
            MemoryRow.project == project,
            MemoryRow.status == "candidate",
            MemoryRow.retired_at.is_null(),
            MemoryRow.type != "working",
            MemoryRow.line.in_(among(lines)),
        )
        .order_by(MemoryRow.num)
    )


# --- what is to be done, and what the task at hand needs


@listing(Image)
def working(project: str, *, session: str | None = None) -> Query:
    """The project's working memory that was not cleared; of one session, if it is named."""
    order_by = (
        WorkingRow.select(MemoryRow.id, WorkingRow.todo_id, WorkingRow.expires_at)
        .join(MemoryRow, JOIN.CROSS)  # in this order: few are working memory
        .where(
            MemoryRow.num == WorkingRow.memory,
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
        )
        .order_by(MemoryRow.num)
    )
    if session is not None:  # "" is what belongs to none
        order_by = order_by.where(fn.coalesce(MemoryRow.session, "") == session)
    return order_by


@listing(Image)
def intentions(project: str) -> Query:
    """The project's intentions that wait, oldest first."""
    return (
        ProspectiveRow.select(MemoryRow.id, MemoryRow.content, MemoryRow.created_at)
        .join(MemoryRow, on=MemoryRow.num == ProspectiveRow.memory)
        .where(
            ProspectiveRow.status.in_(("pending", "active")),
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
        )
        .order_by(MemoryRow.num)
    )


@tuples(tuple[str, str, str])
def titles(ids: Sequence[str]) -> Query:
    """(id, title, beginning of the text) of these memories."""
    start = fn.substr(MemoryRow.content, 1, 200)
    return MemoryRow.select(MemoryRow.id, MemoryRow.title, start).where(
        MemoryRow.id.in_(among(ids))
    )


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


def named(database: Database, details: Sequence[tuple[str, int]]) -> list[ToldNeighbour]:
    """The memories of these ids as neighbours, with the time beside each as `told_at`."""
    when = dict(reversed(details))  # the first time, of several
    return [{**row, "told_at": when[row["id"]]} for row in _compared(database, list(when))]


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
    """One comparison: `field` as in COLUMN_OF, or tag, file, source, is."""

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


def foremost_first(database: Database, request: Asked) -> array[int]:
    """Everything that matches: the best answers by rank, then the rest, newest first."""
    words = index.telling(database.connection(), request.words)
    details = replace(request, words=tuple(words), prefix_last=False)
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
        for name, word in zip(FACETS, matches, strict=True):
            if word:
                counts[name][word] = counts[name].get(word, 0) + number
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
