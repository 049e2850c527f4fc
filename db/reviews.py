"""What judging a capture asks of the store: what waits, captures, votes, what people made of it.

Tables `finding`, `review`, `memory_candidacy`, `memory_salience`, `memory_verdict` and what else
stands beside a memory under its id. Times are milliseconds since 1970.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from peewee import JOIN, SQL, Case, Value, fn

from .connection import Database, begin_immediate
from .derived import AuditMemoryRow, AuditRow, FindingRow, ReviewRow, UseRow
from .images import Image
from .queries import (
    Query,
    column,
    first,
    insert,
    is_there,
    listing,
    row,
    statement,
    tuples,
    unindexed,
    value,
)
from .rows import (
    StoredCandidacy,
    StoredEnvelope,
    StoredFinding,
    StoredSalience,
    StoredVote,
    StoredWeight,
)
from .tables import (
    CandidacyRow,
    EnvelopeRow,
    MemoryRow,
    RecordingRow,
    SalienceRow,
    SessionRow,
    VerdictRow,
    WeightRow,
)

RECORDED_POINTS = 5
"""What it counts in the order of what waits that an agent recorded it itself, beside the points
towards promotion. Of 167 that a strong model recorded in 22 real sessions .96 were at least
borderline, of what the score established in the same sessions .23 (docs/measured.md)."""

VOTES_KEPT = 20_000
FINDINGS_KEPT = 5_000


class Trial(StoredCandidacy):
    """A candidacy with when its memory was last used and told (ms, 0 for never); what it says."""

    last_use: int
    last_access: int
    title: str
    content: str  # its start


class JudgedCandidate(TypedDict):
    """What a person made of a candidate."""

    score: float
    is_kept: int
    is_person: int
    at: int


# --- candidates


def _waiting(project: str, now: int, snoozed: bool, *columns: Query) -> Query:
    """The candidates that wait. Few are: an index of their own has them."""
    asked = (
        MemoryRow.select(*columns)
        .join(CandidacyRow, JOIN.LEFT_OUTER, on=CandidacyRow.memory == MemoryRow.id)
        .where(
            MemoryRow.status == "candidate",
            MemoryRow.project.in_((project, "")),
            unindexed(MemoryRow.retired_at).is_null(),
            MemoryRow.type != "working",
        )
    )
    return asked if snoozed else asked.where(fn.coalesce(CandidacyRow.snoozed_until, 0) <= now)


@column(int)
def _worthiest(project: str, now: int, *, snoozed: bool) -> Query:
    """A candidate's worth, 0-1: importance, and up to five points (`RECORDED_POINTS`)."""
    its = (RecordingRow.memory == MemoryRow.id) & (RecordingRow.is_new == 1)
    recorded = fn.EXISTS(RecordingRow.select(SQL("1")).where(its))
    points = fn.max(fn.coalesce(CandidacyRow.points, 0), 0) + RECORDED_POINTS * recorded
    worth = 0.6 * MemoryRow.importance + 0.08 * fn.min(points, 5)
    return _waiting(project, now, snoozed, MemoryRow.num).order_by(
        worth.desc(), MemoryRow.num.desc()
    )


def waiting(database: Database, project: str, now: int, *, snoozed: bool = False) -> array[int]:
    """Row numbers of the candidates, the most valuable first; without those put off, unless
    `snoozed`."""
    return array("q", _worthiest(database, project, now, snoozed=snoozed))


@value(int)
def count_waiting(project: str, now: int) -> Query:
    """How many candidates wait for a person."""
    return _waiting(project, now, False, fn.count(SQL("*")))


@listing(Trial)
def quarantined(project: str, now: int, latest: int) -> Query:
    """The candidacies of the project whose quarantine is over, or would last beyond `latest`."""
    used = fn.coalesce(UseRow.last_use, 0).alias("last_use")
    told = fn.coalesce(UseRow.last_access, 0).alias("last_access")
    return (
        CandidacyRow.select(
            CandidacyRow,
            used,
            told,
            MemoryRow.title,
            fn.substr(MemoryRow.content, 1, 320).alias("content"),
        )
        .join(MemoryRow, on=MemoryRow.id == CandidacyRow.memory)
        .join(UseRow, JOIN.LEFT_OUTER, on=UseRow.memory == CandidacyRow.memory)
        .where(
            (CandidacyRow.quarantined_until <= now) | (CandidacyRow.quarantined_until > latest),
            MemoryRow.project == project,
        )
        .order_by(CandidacyRow.memory)
    )


@listing(JudgedCandidate)
def _verdicts(project: str, since: int, is_person: int, limit: int) -> Query:
    return (
        VerdictRow.select(VerdictRow.score, VerdictRow.is_kept, VerdictRow.is_person, VerdictRow.at)
        .where(
            VerdictRow.project == project, VerdictRow.at > since, VerdictRow.is_person == is_person
        )
        .order_by(VerdictRow.at.desc(), VerdictRow.memory)
        .limit(limit)
    )


def candidate_verdicts(
    database: Database, project: str, since: int, limit: int
) -> list[JudgedCandidate]:
    """What a person made of the project's candidates after `since`, newest first.

    At most `limit` of an agent's sentences, and as many of a person's.
    """
    agents = _verdicts(database, project, since, 0, limit)
    return agents + _verdicts(database, project, since, 1, limit)


@column(str)
def _rules(memory: str) -> Query:
    return FindingRow.select(FindingRow.rule).where(FindingRow.memory == memory)


@is_there
def is_touched(memory: str) -> Query:
    """Whether a person ever decided about it."""
    return (
        AuditMemoryRow.select(SQL("1"))
        .join(AuditRow, on=AuditRow.seq == AuditMemoryRow.seq)
        .where(AuditMemoryRow.memory == memory, AuditRow.actor == "person")
        .limit(1)
    )


def is_agents_alone(database: Database, memory: str) -> bool:
    """Whether only agents said it, as far as captures tell, and no person ever touched it."""
    rules = _rules(database, memory)
    is_agents = bool(rules) and all(rule.startswith("agent.") for rule in rules)
    return is_agents and not is_touched(database, memory)


@first(StoredCandidacy)
def candidacy(memory: str) -> Query:
    """How far a captured memory is on its way into the project's memory."""
    return CandidacyRow.select().where(CandidacyRow.memory == memory)


@first(StoredEnvelope)
def envelope(memory: str) -> Query:
    """The work that a memory was learned at, and how it went."""
    return EnvelopeRow.select().where(EnvelopeRow.memory == memory)


@first(StoredSalience)
def salience(memory: str) -> Query:
    """What the fitted score said of a captured sentence."""
    return SalienceRow.select().where(SalienceRow.memory == memory)


@is_there
def is_persons_sentence(memory: str) -> Query:
    """Whether the fitted score admitted it as a person's sentence."""
    return SalienceRow.select().where(SalienceRow.memory == memory, SalienceRow.is_person == 1)


@first(StoredWeight)
def weight(memory: str) -> Query:
    """The factors of a memory's importance."""
    return WeightRow.select().where(WeightRow.memory == memory)


@tuples(tuple[str, str | None])
def _witnesses(memory: str) -> Query:
    persons = SalienceRow.select(SalienceRow.memory).where(SalienceRow.is_person == 1)
    is_another = ~FindingRow.rule.startswith("person.") | FindingRow.score.is_null()
    named = FindingRow.select(FindingRow.session.alias("session")).where(
        FindingRow.memory == memory, is_another | FindingRow.memory.not_in(persons)
    )
    own = MemoryRow.select(MemoryRow.session).where(MemoryRow.id == memory)
    seen = (named | own).alias("seen")
    agent = Case(
        None,
        (
            (
                SessionRow.agent.is_null() & (seen.c.session == MemoryRow.session),
                MemoryRow.agent,
            ),
        ),
        SessionRow.agent,
    )
    return (
        SessionRow.select(fn.coalesce(SessionRow.parent, seen.c.session), agent)
        .from_(seen)
        .join(SessionRow, JOIN.LEFT_OUTER, on=SessionRow.id == seen.c.session)
        .join(MemoryRow, JOIN.LEFT_OUTER, on=MemoryRow.id == memory)
        .where(seen.c.session.is_null(False))
    )


def witnesses(database: Database, memory: str) -> tuple[set[str], set[str]]:
    """(sessions, agents) in which a memory came up. A fork and its parent are one session.

    A sentence that the score admitted as a person's is not borne out by its like from persons.
    """
    seen = _witnesses(database, memory)
    return {session for session, _ in seen}, {agent for _, agent in seen if agent}


# --- captures


@listing(StoredFinding)
def captures(
    project: str,
    limit: int = 200,
    *,
    outcome: str | None = None,
    session: str | None = None,
    rescued: bool = False,
) -> Query:
    """The project's captures and what became of them, newest first; `rescued` ones if told so."""
    asked = FindingRow.select().where(FindingRow.project == project)
    if not rescued:
        is_gone = FindingRow.memory.not_in(MemoryRow.select(MemoryRow.id))
        is_refused = FindingRow.memory.is_null() | is_gone
        asked = asked.where((FindingRow.outcome != "refused") | is_refused)
    if outcome is not None:
        asked = asked.where(FindingRow.outcome == outcome)
    if session is not None:
        asked = asked.where(FindingRow.session == session)
    return asked.order_by(FindingRow.id.desc()).limit(limit)


@first(StoredFinding)
def capture(number: int) -> Query:
    """One capture by its number."""
    return FindingRow.select().where(FindingRow.id == number)


@statement
def _cut_captures() -> Query:
    newest = FindingRow.select(fn.max(FindingRow.id) - FINDINGS_KEPT)
    return FindingRow.delete().where(FindingRow.id <= newest)


def note_capture(database: Database, capture: Mapping[str, Any]) -> int:
    """Record one capture and what became of it; its number."""
    with begin_immediate(database):
        number = insert(database, FindingRow, capture)
        _cut_captures(database)
    return number


@statement
def _rescue(number: int, memory: str) -> Query:
    return FindingRow.update(memory=memory).where(FindingRow.id == number)


def rescue_capture(database: Database, number: int, memory: str) -> None:
    """A refused capture became a memory after all; while that one exists it is not listed."""
    with begin_immediate(database):
        _rescue(database, number, memory)


@statement
def _copy(parent: str, fork: str, at: int) -> Query:
    new = {"session": fork, "ref": None, "created_at": at}
    fields = [
        field for name, field in FindingRow._meta.fields.items() if name not in ("id", "score")
    ]
    copied = [
        Value(None) if field.name == "ref" else new.get(field.name, field) for field in fields
    ]
    rows = FindingRow.select(*copied).where(FindingRow.session == parent).order_by(FindingRow.id)
    return FindingRow.insert_from(rows, fields)


def copy_captures(database: Database, parent: str, fork: str, at: int) -> int:
    """Give a fork the captures of its parent, all but their places; how many."""
    with begin_immediate(database):
        return _copy(database, parent, fork, at)


# --- votes

_LATE_VOTES = 60  # the newest votes that tell how each reviewer does of late


@listing(StoredVote)
def votes(*, memory: str | None = None, capture: int | None = None) -> Query:
    """The votes on a memory, or on a refused capture, oldest first."""
    of_memory = ReviewRow.memory == memory
    which = of_memory if memory is not None else ReviewRow.finding == capture
    return ReviewRow.select().where(which).order_by(ReviewRow.id)


@listing(StoredVote)
def late_votes(since: int) -> Query:
    """The newest votes since then, newest first, but for those that the day's money forbade."""
    which = ReviewRow.created_at >= since, ReviewRow.status != "over_budget"
    return ReviewRow.select().where(*which).order_by(ReviewRow.id.desc()).limit(_LATE_VOTES)


@statement
def _cut_votes() -> Query:
    newest = ReviewRow.select(fn.max(ReviewRow.id) - VOTES_KEPT)
    return ReviewRow.delete().where(ReviewRow.id <= newest)


def note_votes(database: Database, votes: Sequence[Image]) -> None:
    """Record the votes on one capture."""
    if votes:
        with begin_immediate(database):
            for vote in votes:
                insert(database, ReviewRow, vote)
            _cut_votes(database)


@row(tuple[float, int])
def spent(since: int) -> Query:
    """(dollars, calls) that reviewers other than the built-in ones took since then."""
    cost = fn.coalesce(fn.sum(ReviewRow.cost_usd), 0.0)
    return ReviewRow.select(cost, fn.count(SQL("*"))).where(
        ReviewRow.created_at >= since,
        ReviewRow.engine != "built-in",
        ReviewRow.status != "over_budget",
    )
