"""Memories by what they are called, where they were learned, and what they stand beside.

Tables `memory` and the types' own, `memory_tag`, `memory_file`, `memory_link`, `tombstone`. How
they are listed by what a person asks for is in `lists`. Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from peewee import JOIN, SQL, Case, Select, fn

from . import index
from .connection import Database
from .images import Image, rows
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
