"""Queries of the review queue, and of what a capture is judged by.

The queue: candidates, duplicates, tasks that may be done, memories that may hold everywhere.
Conflicts are in `conflicts`, memories whose files changed in `staleness`. Times are milliseconds
since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from peewee import JOIN, SQL, Case, Value, fn

from .connection import Database, begin_immediate
from .images import Image, decoded
from .queries import (
    Query,
    column,
    first,
    insert,
    is_there,
    listing,
    row,
    starts_with,
    statement,
    tuples,
    unindexed,
    value,
)
from .tables import (
    AuditMemoryRow,
    AuditRow,
    CandidacyRow,
    ConflictRow,
    DuplicateRow,
    EnvelopeRow,
    FindingRow,
    LinkRow,
    MemoryRow,
    PairAskedRow,
    ProspectiveRow,
    RecordingRow,
    ReviewRow,
    SalienceRow,
    SessionRow,
    SettingRow,
    TrustRow,
    UseRow,
    WeightRow,
)
from .trust import recorded_sources

VOTES_KEPT = 20_000
FINDINGS_KEPT = 5_000


# --- candidates


def _waiting(project: str, now: int, snoozed: bool, *columns: Query) -> Query:
    """The candidates that wait. Few are: an index of their own has them."""
    where = (
        MemoryRow.select(*columns)
        .join(CandidacyRow, JOIN.LEFT_OUTER, on=CandidacyRow.memory == MemoryRow.id)
        .where(
            MemoryRow.status == "candidate",
            MemoryRow.project.in_((project, "")),
            unindexed(MemoryRow.retired_at).is_null(),
            MemoryRow.type != "working",
        )
    )
    return where if snoozed else where.where(fn.coalesce(CandidacyRow.snoozed_until, 0) <= now)


_RECORDED = fn.EXISTS(
    RecordingRow.select(SQL("1")).where(
        RecordingRow.memory == MemoryRow.id, RecordingRow.is_new == 1
    )
)


# --- the queue


class QueuedMemory(TypedDict):
    """A memory in the queue, as far as a list shows it."""

    num: int
    id: str
    title: str
    content: str  # its start
    is_junk: int
    due: int | None
    since: int  # when it came into the queue


class QueuedPair(TypedDict):
    """Two memories that want one verdict."""

    conflict: str  # id; "" for duplicates
    first: int  # row numbers
    second: int
    first_id: str
    second_id: str
    title: str
    content: str  # the start of the first text
    other_title: str
    other_content: str
    reason: str
    since: int


QUEUED_CHARACTERS = 320
LEAST_IMPORTANT = 0.5
"""Importance, 0-1, below which a candidate without any point is likely junk."""

_START = fn.substr(MemoryRow.content, 1, QUEUED_CHARACTERS).alias("content")


@listing(QueuedMemory)
def queued_candidates(project: str, now: int, *, snoozed: bool = False) -> Query:
    """The candidates by session, the newest first and in it the user's words; likely junk last.

    Likely junk has no point towards promotion, no agent recorded it, and it is not the user's
    sentence. Either the fitted score put it below its upper threshold, or it is unimportant.
    """
    is_weak = (SalienceRow.is_established == 0) | (
        SalienceRow.memory.is_null() & (MemoryRow.importance < LEAST_IMPORTANT)
    )
    is_junk = (
        (fn.coalesce(CandidacyRow.points, 0) <= 0)
        & ~_RECORDED
        & (fn.coalesce(SalienceRow.is_person, 0) == 0)
        & is_weak
    )
    newest = fn.max(MemoryRow.num).over(partition_by=[MemoryRow.session])
    is_users = (fn.coalesce(SalienceRow.is_person, 0) == 1) | (
        fn.coalesce(CandidacyRow.signals, "").contains("user-intent")
    )
    columns = (
        MemoryRow.num,
        MemoryRow.id,
        MemoryRow.title,
        _START,
        fn.coalesce(is_junk, 0).alias("is_junk"),
        MemoryRow.due,
        MemoryRow.created_at.alias("since"),
    )
    return (
        _waiting(project, now, snoozed, *columns)
        .join(SalienceRow, JOIN.LEFT_OUTER, on=SalienceRow.memory == MemoryRow.id)
        .order_by(SQL("is_junk"), newest.desc(), is_users.desc(), MemoryRow.num)
    )


def _queued_pairs(pairs: Any, a: Any, b: Any, first: Any, second: Any, *columns: Query) -> Query:
    """Pairs with both sides alive; looked up from the table of pairs, which has fewer rows."""
    sides = (
        a.num.alias("first"),
        b.num.alias("second"),
        a.id.alias("first_id"),
        b.id.alias("second_id"),
        a.title,
        fn.substr(a.content, 1, QUEUED_CHARACTERS).alias("content"),
        b.title.alias("other_title"),
        fn.substr(b.content, 1, QUEUED_CHARACTERS).alias("other_content"),
    )
    return (
        pairs.select(*sides, *columns)
        .join(a, JOIN.CROSS)
        .join(b, JOIN.CROSS)
        .where(first == a.id, second == b.id, a.retired_at.is_null(), b.retired_at.is_null())
    )


@listing(QueuedPair)
def queued_conflicts(project: str) -> Query:
    """The open conflicts of live memories that agents receive marked, oldest first."""
    a, b = MemoryRow.alias("a"), MemoryRow.alias("b")
    columns = (
        ConflictRow.id.alias("conflict"),
        fn.coalesce(ConflictRow.reason, "").alias("reason"),
        ConflictRow.detected_at.alias("since"),
    )
    return (
        _queued_pairs(ConflictRow, a, b, ConflictRow.entry_a, ConflictRow.entry_b, *columns)
        .where(
            ConflictRow.resolved_at.is_null(),
            (a.project == project) | (a.scope == "global"),
        )
        .order_by(ConflictRow.detected_at, ConflictRow.id)
    )


@listing(QueuedPair)
def queued_duplicates(project: str) -> Query:
    """Pairs that say the same, both live, on which no verdict was given; the newest first."""
    a, b = MemoryRow.alias("a"), MemoryRow.alias("b")
    decided = ConflictRow.select(SQL("1")).where(
        ((ConflictRow.entry_a == a.id) & (ConflictRow.entry_b == b.id))
        | ((ConflictRow.entry_a == b.id) & (ConflictRow.entry_b == a.id))
    )
    columns = (
        Value("").alias("conflict"),
        Value("").alias("reason"),
        DuplicateRow.at.alias("since"),
    )
    return (
        _queued_pairs(DuplicateRow, a, b, DuplicateRow.first, DuplicateRow.second, *columns)
        .where(DuplicateRow.project == project, ~fn.EXISTS(decided))
        .order_by(DuplicateRow.at.desc(), a.num.desc())
    )


@listing(QueuedMemory)
def queued_tasks(project: str, now: int, opened: int, vouched: int) -> Query:
    """Open tasks that are past their date, or without one and older than `opened`.

    Not those that a person stood for since `vouched`.
    """
    columns = (
        MemoryRow.num,
        MemoryRow.id,
        MemoryRow.title,
        _START,
        Value(0).alias("is_junk"),
        MemoryRow.due,
        fn.coalesce(MemoryRow.due, MemoryRow.created_at).alias("since"),
    )
    is_over = MemoryRow.due.is_null(False) & (MemoryRow.due < now)
    is_old = MemoryRow.due.is_null() & (MemoryRow.created_at < opened)
    return (
        ProspectiveRow.select(*columns)
        .join(MemoryRow, JOIN.CROSS)  # from the fewer rows
        .join(TrustRow, JOIN.LEFT_OUTER, on=TrustRow.memory == MemoryRow.id)
        .where(
            MemoryRow.num == ProspectiveRow.memory,
            MemoryRow.project == project,
            MemoryRow.type == "prospective",
            MemoryRow.status != "candidate",
            MemoryRow.retired_at.is_null(),
            is_over | is_old,
            fn.coalesce(TrustRow.vouched_at, 0) < vouched,
        )
        .order_by(SQL("since"), MemoryRow.num)
    )


@tuples(tuple[int, int])
def known_elsewhere(project: str, least: int, limit: int) -> Query:
    """Row number and number of projects: live memories that other projects have word for word.

    In `least` projects or more. Candidates and working memory do not count.
    """
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


@column(int)
def wanted_everywhere(project: str, limit: int) -> Query:
    """Memories that the user asked to be remembered in all projects, newest first."""
    return (
        MemoryRow.select(MemoryRow.num)
        .where(
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
            MemoryRow.scope == "project",
            fn.instr(MemoryRow.tags, '"everywhere"') > 0,
        )
        .order_by(MemoryRow.num.desc())
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


@tuples(tuple[str, Any])
def _settings(kind: str) -> Query:
    return SettingRow.select(SettingRow.key, SettingRow.value).where(
        starts_with(SettingRow.key, kind)
    )


def chosen(database: Database, kind: str) -> dict[str, Any]:
    """What the user chose under keys that begin with `kind`, by the rest of the key."""
    return {key[len(kind) :]: decoded(value) for key, value in _settings(database, kind)}


# --- duplicates


@column(int)
def comparable(project: str, since: int, limit: int) -> Query:
    """The numbers of the statements of fact that changed since then, the newest first.

    Of the candidates only those that the user asked for.
    """
    asked = fn.coalesce(CandidacyRow.signals, "").contains("user-intent")
    return (
        MemoryRow.select(MemoryRow.num)
        .join(CandidacyRow, JOIN.LEFT_OUTER, on=CandidacyRow.memory == MemoryRow.id)
        .where(
            MemoryRow.project == project,
            MemoryRow.retired_at.is_null(),
            (MemoryRow.status != "candidate") | asked,
            MemoryRow.type.not_in(("working", "prospective")),
            MemoryRow.updated_at >= since,
        )
        .order_by(MemoryRow.num.desc())
        .limit(limit)
    )


@tuples(tuple[str, str])
def duplicates(project: str) -> Query:
    """The ids of the pairs that are noted as duplicates."""
    return DuplicateRow.select(DuplicateRow.first, DuplicateRow.second).where(
        DuplicateRow.project == project
    )


def note_duplicate(database: Database, project: str, first: str, second: str, at: int) -> None:
    """Note that two memories say the same."""
    pair = {"first": first, "second": second, "project": project, "at": at}
    insert(database, DuplicateRow, pair, "REPLACE")


@statement
def drop_duplicate(first: str, second: str) -> Query:
    """Note no more that two memories say the same."""
    return DuplicateRow.delete().where(DuplicateRow.first == first, DuplicateRow.second == second)


# --- trials, verdicts, captures


def _trials() -> Query:
    used = fn.coalesce(UseRow.last_use, 0).alias("last_use")
    accessed = fn.coalesce(UseRow.last_access, 0).alias("last_access")
    return (
        CandidacyRow.select(CandidacyRow, used, accessed, MemoryRow.title, _START)
        .join(MemoryRow, on=MemoryRow.id == CandidacyRow.memory)
        .join(UseRow, JOIN.LEFT_OUTER, on=UseRow.memory == CandidacyRow.memory)
    )


@listing(Image)
def quarantined(project: str, now: int, latest: int) -> Query:
    """The candidacies of the project whose quarantine is over, or would last beyond `latest`."""
    return (
        _trials()
        .where(
            (CandidacyRow.quarantined_until <= now) | (CandidacyRow.quarantined_until > latest),
            MemoryRow.project == project,
        )
        .order_by(CandidacyRow.memory)
    )


@first(Image)
def trial(memory: str) -> Query:
    """The candidacy of a memory that is on trial; None of any other."""
    return _trials().where(
        CandidacyRow.memory == memory, CandidacyRow.quarantined_until.is_null(False)
    )


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


@tuples(tuple[str, str])
def captured_in(session: str) -> Query:
    """The places that a session's captures stood at, each with the memory that it became."""
    return FindingRow.select(fn.coalesce(FindingRow.ref, ""), FindingRow.memory).where(
        FindingRow.memory.in_(
            FindingRow.select(FindingRow.memory).where(FindingRow.session == session)
        )
    )


def is_agents_alone(database: Database, memory: str) -> bool:
    """Whether only agents said it, as far as captures tell, and no person ever touched it."""
    rules = _rules(database, memory)
    is_agents = bool(rules) and all(rule.startswith("agent.") for rule in rules)
    return is_agents and not is_touched(database, memory)


@first(Image)
def candidacy(memory: str) -> Query:
    """How far a captured memory is on its way into the project's memory."""
    return CandidacyRow.select().where(CandidacyRow.memory == memory)


@first(Image)
def envelope(memory: str) -> Query:
    """The work that a memory was learned at, and how it went."""
    return EnvelopeRow.select().where(EnvelopeRow.memory == memory)


@first(Image)
def salience(memory: str) -> Query:
    """What the fitted score said of a captured sentence."""
    return SalienceRow.select().where(SalienceRow.memory == memory)


@is_there
def is_persons_sentence(memory: str) -> Query:
    """Whether the fitted score admitted it as a person's sentence."""
    return SalienceRow.select().where(SalienceRow.memory == memory, SalienceRow.is_person == 1)


@first(Image)
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


@listing(Image)
def filtered_captures(project: str, limit: int = 200, *, session: str | None = None) -> Query:
    """Captures that a check dropped and that nobody rescued, newest first."""
    is_gone = FindingRow.memory.not_in(MemoryRow.select(MemoryRow.id))
    where = (
        (FindingRow.project == project)
        & (FindingRow.outcome == "refused")
        & (FindingRow.memory.is_null() | is_gone)
    )
    if session is not None:
        where &= FindingRow.session == session
    return FindingRow.select().where(where).order_by(FindingRow.id.desc()).limit(limit)


@first(Image)
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


@listing(Image)
def votes(*, memory: str | None = None, capture: int | None = None) -> Query:
    """The votes on a memory, or on a refused capture, oldest first."""
    of_memory = ReviewRow.memory == memory
    which = of_memory if memory is not None else ReviewRow.finding == capture
    return ReviewRow.select().where(which).order_by(ReviewRow.id)


@listing(Image)
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


@value(int)
def count(session: str) -> Query:
    """How many a session recorded."""
    return RecordingRow.select(fn.count(SQL("*"))).where(RecordingRow.session == session)


@listing(Image)
def of_session(session: str, project: str) -> Query:
    """What a session recorded, oldest first; those whose memory is gone are left out."""
    return (
        RecordingRow.select(
            RecordingRow,
            MemoryRow.content,
            MemoryRow.status,
            MemoryRow.session.alias("memory_session"),
            MemoryRow.retired_at,
        )
        .join(MemoryRow, on=MemoryRow.id == RecordingRow.memory)
        .where(RecordingRow.session == session, MemoryRow.project.in_((project, "")))
        .order_by(RecordingRow.at, RecordingRow.id)
    )


@listing(Image)
def of_memory(memory: str) -> Query:
    """How often a memory was recorded by agents, oldest first."""
    recorded = RecordingRow.select().where(RecordingRow.memory == memory)
    return recorded.order_by(RecordingRow.at, RecordingRow.id)


def sources(database: Database, ids: Sequence[str]) -> dict[str, str]:
    """By memory that an agent recorded and nobody else said: the best evidence that there is."""
    return recorded_sources(database.connection(), ids)


MOST_TRIES = 2
"""Calls about one pair, where the first fails as a whole."""

A, B = MemoryRow.alias(), MemoryRow.alias()
"""The two sides of a conflict."""


def _here(project: str) -> Query:
    """Of the project or of everywhere, by its first side."""
    return (A.project == project) | (A.scope == "global")


@listing(Image)
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
    where = ConflictRow.select().join(A, on=A.id == ConflictRow.entry_a).where(_here(project))
    if resolved is not None:
        where = where.where(ConflictRow.resolved_at.is_null(not resolved))
    if ref is not None:
        where = where.where(starts_with(ConflictRow.id, fn.lower(ref)))
    if memory is not None:
        where = where.where((ConflictRow.entry_a == memory) | (ConflictRow.entry_b == memory))
    return where.order_by(ConflictRow.detected_at, ConflictRow.id)


@value(int)
def open_conflicts(project: str) -> Query:
    """Unresolved conflicts of the project or of everywhere."""
    counted = ConflictRow.select(fn.count(SQL("*")))
    joined = counted.join(A, on=A.id == ConflictRow.entry_a)
    return joined.where(ConflictRow.resolved_at.is_null(), _here(project))


@first(Image)
def conflict_between(item: str, other: str) -> Query:
    """The newest conflict of two memories, resolved or not."""
    return (
        ConflictRow.select()
        .where(
            ((ConflictRow.entry_a == item) & (ConflictRow.entry_b == other))
            | ((ConflictRow.entry_a == other) & (ConflictRow.entry_b == item))
        )
        .order_by(ConflictRow.detected_at.desc(), ConflictRow.id.desc())
        .limit(1)
    )


@listing(Image)
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


@listing(Image)
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
def _try(item: str, other: str, not_before: int) -> Query:
    pair = PairAskedRow.insert(one=item, other=other, tries=1, not_before=not_before, is_answered=0)
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
def _answer(item: str, other: str) -> Query:
    pair = (PairAskedRow.one == item) & (PairAskedRow.other == other)
    return PairAskedRow.update(is_answered=1).where(pair)


def note_answered(database: Database, pairs: Sequence[tuple[str, str]]) -> None:
    """Pairs of fingerprints that a model answered, however: never to be put to one again."""
    with begin_immediate(database):
        _answer.each(database, [sorted(pair) for pair in pairs])
