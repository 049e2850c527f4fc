"""Pairs of memories that cannot both hold, and who was asked about them.

Tables `conflict` (journaled) and `pair_asked` (not). Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence

from peewee import JOIN, SQL, Case, fn

from ..frozen import TypedDict
from .connection import Database, begin_immediate
from .derived import PairAskedRow
from .queries import Query, first, is_there, listing, starts_with, statement, tuples, value
from .rows import StoredConflict
from .tables import ConflictRow, LinkRow, MemoryRow

MOST_TRIES = 2
"""Calls about one pair, where the first fails as a whole."""

A, B = MemoryRow.alias(), MemoryRow.alias()
"""The two sides of a conflict."""


class AskablePair(TypedDict):
    """A conflict that a model may be asked about."""

    id: str
    entry_a: str
    entry_b: str
    one: str  # the fingerprints of the two texts
    other: str


def _here(project: str) -> Query:
    """Of the project or of everywhere, by its first side."""
    return (A.project == project) | (A.scope == "global")


@listing(StoredConflict)
def conflicts(
    project: str,
    *,
    resolved: bool | None = False,
    ref: str | None = None,
    memory: str | None = None,
) -> Query:
    """Conflicts of the project or of everywhere, oldest first.

    `resolved` None: both kinds. `ref` is the beginning of an id, `memory` one of the two sides.
    """
    asked = ConflictRow.select().join(A, on=A.id == ConflictRow.entry_a).where(_here(project))
    if resolved is not None:
        asked = asked.where(ConflictRow.resolved_at.is_null(not resolved))
    if ref is not None:
        asked = asked.where(starts_with(ConflictRow.id, fn.lower(ref)))
    if memory is not None:
        asked = asked.where((ConflictRow.entry_a == memory) | (ConflictRow.entry_b == memory))
    return asked.order_by(ConflictRow.detected_at, ConflictRow.id)


@value(int)
def open_conflicts(project: str) -> Query:
    """Unresolved conflicts of the project or of everywhere."""
    counted = ConflictRow.select(fn.count(SQL("*")))
    joined = counted.join(A, on=A.id == ConflictRow.entry_a)
    return joined.where(ConflictRow.resolved_at.is_null(), _here(project))


@first(StoredConflict)
def conflict_between(one: str, other: str) -> Query:
    """The newest conflict of two memories, resolved or not."""
    return (
        ConflictRow.select()
        .where(
            ((ConflictRow.entry_a == one) & (ConflictRow.entry_b == other))
            | ((ConflictRow.entry_a == other) & (ConflictRow.entry_b == one))
        )
        .order_by(ConflictRow.detected_at.desc(), ConflictRow.id.desc())
        .limit(1)
    )


@listing(StoredConflict)
def conflicts_of(memory: str) -> Query:
    """The conflicts of one memory that wait for a verdict."""
    return ConflictRow.select().where(
        ConflictRow.resolved_at.is_null(),
        (ConflictRow.entry_a == memory) | (ConflictRow.entry_b == memory),
    )


@is_there
def is_beside(memory: str) -> Query:
    """Whether a conflict or a link names a memory, resolved or not."""
    sides = (ConflictRow.entry_a == memory) | (ConflictRow.entry_b == memory)
    ends = (LinkRow.source == memory) | (LinkRow.target == memory)
    return ConflictRow.select(SQL("1")).where(sides) | LinkRow.select(SQL("1")).where(ends)


# --- what a model may be asked about

_PLACE = Case(B.project, (("", A.project),), B.project)


def _unasked(now: int, *columns: Query) -> Query:
    """The open conflicts, live and public on both sides, that no model answered yet."""
    lesser, greater = fn.min(A.fingerprint, B.fingerprint), fn.max(A.fingerprint, B.fingerprint)
    is_new = PairAskedRow.one.is_null()
    is_due = (PairAskedRow.is_answered == 0) & (PairAskedRow.tries < MOST_TRIES)
    return (
        ConflictRow.select(*columns)
        .join(A, on=A.id == ConflictRow.entry_a)
        .join(B, on=B.id == ConflictRow.entry_b)
        .join(
            PairAskedRow,
            JOIN.LEFT_OUTER,
            on=(PairAskedRow.one == lesser) & (PairAskedRow.other == greater),
        )
        .where(
            ConflictRow.resolved_at.is_null(),
            ConflictRow.opinion.is_null(),
            A.retired_at.is_null(),
            B.retired_at.is_null(),
            A.privacy == "public",
            B.privacy == "public",
            is_new | (is_due & (PairAskedRow.not_before <= now)),
        )
    )


@listing(AskablePair)
def unasked(project: str, now: int, limit: int) -> Query:
    """The conflicts of the project that may be put to a model now, oldest first."""
    columns = (ConflictRow.id, ConflictRow.entry_a, ConflictRow.entry_b)
    sides = (A.fingerprint.alias("one"), B.fingerprint.alias("other"))
    return (
        _unasked(now, *columns, *sides)
        .where(project == _PLACE)
        .order_by(ConflictRow.detected_at, ConflictRow.id)
        .limit(limit)
    )


@tuples(tuple[str, int, int])
def unasked_by_project(now: int) -> Query:
    """(project, how many of its pairs may be put to a model now, since when the oldest waits)."""
    oldest = fn.min(ConflictRow.detected_at)
    pairs = _unasked(now, _PLACE.alias("place"), fn.count(SQL("*")), oldest)
    return pairs.where(_PLACE != "").group_by(_PLACE).order_by(oldest)


@statement
def _try(one: str, other: str, not_before: int) -> Query:
    pair = PairAskedRow.insert(one=one, other=other, tries=1, not_before=not_before, is_answered=0)
    return pair.on_conflict(
        conflict_target=[PairAskedRow.one, PairAskedRow.other],
        preserve=[PairAskedRow.not_before],
        update={PairAskedRow.tries: PairAskedRow.tries + 1},
    )


def note_tries(database: Database, pairs: Sequence[tuple[str, str]], not_before: int) -> None:
    """Count a try for each pair of fingerprints; `note_answered` when it was more than that."""
    with begin_immediate(database):
        _try.each(database, [(*sorted(pair), not_before) for pair in pairs])


@statement
def _answer(one: str, other: str) -> Query:
    pair = (PairAskedRow.one == one) & (PairAskedRow.other == other)
    return PairAskedRow.update(is_answered=1).where(pair)


def note_answered(database: Database, pairs: Sequence[tuple[str, str]]) -> None:
    """Pairs of fingerprints that a model answered, however: never to be put to one again."""
    with begin_immediate(database):
        _answer.each(database, [sorted(pair) for pair in pairs])
