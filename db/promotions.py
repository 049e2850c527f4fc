"""Who earned what: memories that came to hold for more, and those that might."""

from __future__ import annotations

from typing import TypedDict

from peewee import JOIN, SQL, Case, fn

from .derived import UseRow
from .queries import Query, among, column, listing, tuples
from .tables import CandidacyRow, MemoryRow


class Standing(TypedDict):
    """What a memory has earned so far."""

    id: str
    scope: str
    agent: str | None
    points: float | None
    signals: dict[str, float] | None
    promoted_at: int | None


class Earned(TypedDict):
    """What became of what one agent found."""

    agent: str  # "" where none is named
    found: int
    promoted: int  # to the project, by its points
    everywhere: int  # by a person


@listing(Standing)
def standing(ids: list[str]) -> Query:
    """What these memories have earned."""
    columns = (CandidacyRow.points, CandidacyRow.signals, CandidacyRow.promoted_at)
    return (
        MemoryRow.select(MemoryRow.id, MemoryRow.scope, MemoryRow.agent, *columns)
        .join(CandidacyRow, JOIN.LEFT_OUTER, on=CandidacyRow.memory == MemoryRow.id)
        .where(MemoryRow.id.in_(among(ids)))
    )


@column(int)
def nums(ids: list[str]) -> Query:
    """The row numbers of these memories."""
    return MemoryRow.select(MemoryRow.num).where(MemoryRow.id.in_(among(ids)))


@listing(Earned)
def earned(project: str) -> Query:
    """By agent: what it found in the project, and what that came to."""
    agent = fn.COALESCE(MemoryRow.agent, "")
    promoted = fn.SUM(Case(None, ((CandidacyRow.promoted_at > 0, 1),), 0))
    everywhere = fn.SUM(Case(None, ((MemoryRow.scope == "global", 1),), 0))
    return (
        CandidacyRow.select(
            agent.alias("agent"),
            fn.COUNT(SQL("*")).alias("found"),
            promoted.alias("promoted"),
            everywhere.alias("everywhere"),
        )
        .join(MemoryRow, on=MemoryRow.id == CandidacyRow.memory)
        .where(MemoryRow.project.in_((project, "")))
        .group_by(agent)
        .order_by(SQL("promoted DESC"), SQL("agent"))
    )


@tuples(tuple[int, int])
def known_elsewhere(project: str, least: int, limit: int) -> Query:
    """Row number and in how many projects: live memories of this one that others have too,
    word for word, in `least` projects or more. Candidates and working memory are not counted."""
    other = MemoryRow.alias("other")
    elsewhere = fn.COUNT(other.project.distinct()) + 1
    return (
        MemoryRow.select(MemoryRow.num, elsewhere.alias("projects"))
        .join(
            other,
            on=(other.fingerprint == MemoryRow.fingerprint)
            & (other.project != MemoryRow.project)
            & (other.project != "")
            & other.retired_at.is_null()
            & other.status.in_(("confirmed", "pinned")),
        )
        .where(
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
            MemoryRow.status.in_(("confirmed", "pinned")),
            MemoryRow.type != "working",
        )
        .group_by(MemoryRow.num)
        .having(elsewhere >= least)
        .order_by(SQL("projects DESC"), MemoryRow.num)
        .limit(limit)
    )


@tuples(tuple[int, int])
def much_used(project: str, kind: str, least: int, limit: int) -> Query:
    """Row number and uses of the project's live memories of a type, used so often or more."""
    return (
        UseRow.select(MemoryRow.num, UseRow.accesses)
        .join(MemoryRow, on=MemoryRow.id == UseRow.memory)
        .where(
            UseRow.accesses >= least,
            MemoryRow.project == project,
            MemoryRow.type == kind,
            MemoryRow.retired_at.is_null(),
        )
        .order_by(UseRow.accesses.desc(), MemoryRow.num)
        .limit(limit)
    )
