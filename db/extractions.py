"""Which sessions a model is to read, and what its calls cost and gave. Not journaled.

Tables `extraction`, `extraction_call`. Times are milliseconds since 1970.
"""

from collections.abc import Mapping
from typing import Any

from peewee import SQL, fn

from .connection import Database, begin_immediate
from .derived import ExtractionCallRow, ExtractionRow
from .queries import Query, first, insert, listing, row, run, statement, value
from .rows import StoredExtraction, StoredExtractionCall

CALLS_KEPT = 2_000


@first(StoredExtraction)
def of_session(session: str) -> Query:
    """What was noted of the session with this very id."""
    return ExtractionRow.select().where(ExtractionRow.session == session)


@statement
def _note(session: str, host: str, cwd: str, transcript: str) -> Query:
    noted = ExtractionRow.insert(session=session, host=host, cwd=cwd, transcript=transcript)
    return noted.on_conflict(
        conflict_target=[ExtractionRow.session],
        preserve=[ExtractionRow.host, ExtractionRow.cwd, ExtractionRow.transcript],
    )


def note_session(database: Database, session: str, host: str, cwd: str, transcript: str) -> None:
    """Note where a session's words stand."""
    known = of_session(database, session)
    if known and (known["host"], known["cwd"], known["transcript"]) == (host, cwd, transcript):
        return
    with begin_immediate(database):
        _note(database, session, host, cwd, transcript)


def set_state(database: Database, session: str, **values: int | None) -> None:
    """Change due_at, not_before, tries, line, hidden or kept of a session that was noted."""
    with begin_immediate(database):
        run(database, ExtractionRow.update(values).where(ExtractionRow.session == session))


@listing(StoredExtraction)
def due(now: int, limit: int) -> Query:
    """The sessions that a model is to read now, those that wait longest first."""
    return (
        ExtractionRow.select()
        .where(ExtractionRow.due_at.is_null(False), ExtractionRow.not_before <= now)
        .order_by(ExtractionRow.due_at, ExtractionRow.session)
        .limit(limit)
    )


@value(int)
def count_due() -> Query:
    """How many sessions wait for a model."""
    waiting = ExtractionRow.due_at.is_null(False)
    return ExtractionRow.select(fn.count(SQL("*"))).where(waiting)


@listing(StoredExtraction)
def places(limit: int) -> Query:
    """Where the sessions stand that were noted, the newest first."""
    return ExtractionRow.select().order_by(SQL("rowid DESC")).limit(limit)


# --- calls


@statement
def _cut() -> Query:
    newest = ExtractionCallRow.select(fn.max(ExtractionCallRow.id) - CALLS_KEPT)
    return ExtractionCallRow.delete().where(ExtractionCallRow.id <= newest)


def note_call(database: Database, call: Mapping[str, Any]) -> None:
    """Record one call."""
    with begin_immediate(database):
        insert(database, ExtractionCallRow, call)
        _cut(database)


@row(tuple[float, int, int])
def spent(since: int) -> Query:
    """(dollars, calls, tokens) that sessions and pairs took since then."""
    return ExtractionCallRow.select(
        fn.coalesce(fn.sum(ExtractionCallRow.cost_usd), 0.0),
        fn.count(SQL("*")),
        fn.coalesce(fn.sum(ExtractionCallRow.tokens), 0),
    ).where(ExtractionCallRow.at >= since)


@first(StoredExtractionCall)
def last_call(*, of_pairs: bool = False) -> Query:
    """The newest call about a session, or about pairs; None before the first."""
    calls = ExtractionCallRow.select().where(ExtractionCallRow.pairs.is_null(not of_pairs))
    return calls.order_by(ExtractionCallRow.id.desc()).limit(1)
