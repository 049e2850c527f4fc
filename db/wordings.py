"""Summaries as a model worded them, each with a fingerprint of the lines it was made of.

Table `wording`. Not journaled: it can be made anew. Times are milliseconds since 1970.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypedDict

from peewee import JOIN

from .connection import Database, begin_immediate
from .derived import WordingRow
from .queries import Query, insert, listing, statement
from .rows import StoredSummary
from .tables import SummaryRow


class Wording(TypedDict):
    """A row of `wording`."""

    id: str  # of the summary
    fingerprint: str  # of the lines that were worded
    engine: str
    content: str  # "" while there is no answer, and of one that was refused
    tries: int
    not_before: int
    is_answered: int


class WordableSummary(StoredSummary):
    """A summary that may be worded, and what is known of its wording; None: nothing."""

    fingerprint: str | None
    tries: int | None
    not_before: int | None
    is_answered: int | None


def fingerprint_of(lines: str) -> str:
    """What is kept of the lines that a wording was made of."""
    return sha256(lines.encode("utf-8", "replace")).hexdigest()


@listing(WordableSummary)
def wordable(now: int, since: int) -> Query:
    """The days, weeks and months of every project that ended after `since`, or were worded before,
    the newest first."""
    return (
        SummaryRow.select(
            SummaryRow,
            WordingRow.fingerprint,
            WordingRow.tries,
            WordingRow.not_before,
            WordingRow.is_answered,
        )
        .join(WordingRow, JOIN.LEFT_OUTER, on=WordingRow.id == SummaryRow.id)
        .where(
            SummaryRow.level.in_(("day", "week", "month")),
            SummaryRow.ends_at <= now,
            (SummaryRow.ends_at >= since) | WordingRow.id.is_null(False),
        )
        .order_by(SummaryRow.ends_at.desc(), SummaryRow.id)
    )


@listing(Wording)
def wordings(project: str) -> Query:
    """What models answered about the summaries of a project."""
    return (
        WordingRow.select()
        .join(SummaryRow, on=SummaryRow.id == WordingRow.id)
        .where(SummaryRow.project == project, WordingRow.content != "")
    )


@statement
def _drop(summary: str, fingerprint: str) -> Query:
    return WordingRow.delete().where(
        WordingRow.id == summary, WordingRow.fingerprint != fingerprint
    )


def drop_others(database: Database, summary: str, fingerprint: str) -> None:
    """Forget how a summary was worded, unless it was made of these lines. Within a change."""
    _drop(database, summary, fingerprint)


def note(database: Database, wording: Mapping[str, Any]) -> None:
    """Keep what is known of a wording in place of what was."""
    with begin_immediate(database):
        insert(database, WordingRow, wording, "REPLACE")
