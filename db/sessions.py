"""Sessions: who spoke where, what came of each, what they work on, how far they were read.

Tables `session`, `session_checkpoint`, `transcript`, `session_activity`, and what came of a session
in `receipt`, `receipt_item`, `memory`, `prospective`, `working`, `conflict`, `extraction`,
`extraction_call`. Times are milliseconds since 1970.
"""

from collections.abc import Sequence

from peewee import EXCLUDED, SQL, Case, fn

from ..frozen import TypedDict
from .activity import active_files
from .connection import Database, begin_immediate
from .derived import (
    ActivityRow,
    ExtractionCallRow,
    ExtractionRow,
    FindingRow,
    ReceiptItemRow,
    ReceiptRow,
    TranscriptRow,
)
from .queries import (
    Query,
    among,
    column,
    columns,
    first,
    listing,
    optional,
    row,
    single,
    starts_with,
    statement,
    tuples,
    value,
)
from .rows import StoredActivity, StoredCheckpoint, StoredSession
from .tables import CheckpointRow, ConflictRow, MemoryRow, ProjectRow, SessionRow
from .type_tables import ProspectiveRow, WorkingRow

ACTIVE_FILES = 30
"""Files of a session that count as being worked on, the last ones."""


class CountedSession(StoredSession):
    """A session with what came of it."""

    captures: int
    refused: int  # of these
    memories: int  # that live
    messages: int | None  # at its last checkpoint


class OpenSession(TypedDict):
    """A session that has not ended."""

    id: str
    goal: str | None
    incognito: int


def _counted() -> Query:
    captures = FindingRow.select(fn.count(SQL("*"))).where(FindingRow.session == SessionRow.id)
    memories = MemoryRow.select(fn.count(SQL("*"))).where(
        MemoryRow.session == SessionRow.id, MemoryRow.retired_at.is_null()
    )
    messages = CheckpointRow.select(fn.max(CheckpointRow.messages)).where(
        CheckpointRow.session == SessionRow.id
    )
    return SessionRow.select(
        SessionRow,
        captures.alias("captures"),
        captures.where(FindingRow.outcome == "refused").alias("refused"),
        memories.alias("memories"),
        messages.alias("messages"),
    )


@listing(CountedSession)
def sessions(project: str, limit: int) -> Query:
    """The project's sessions with their counts, newest first."""
    newest = (SessionRow.started_at.desc(), SessionRow.id.desc())
    return _counted().where(SessionRow.project == project).order_by(*newest).limit(limit)


@listing(OpenSession)
def going_on(project: str, limit: int) -> Query:
    """The project's sessions that have not ended, newest first."""
    return (
        SessionRow.select(SessionRow.id, SessionRow.goal, SessionRow.incognito)
        .where(SessionRow.project == project, SessionRow.ended_at.is_null())
        .order_by(SessionRow.started_at.desc(), SessionRow.id.desc())
        .limit(limit)
    )


@value(str)
def root_of(session: str) -> Query:
    """The folder of the project that a session is of; "" where it is not known."""
    root = SessionRow.select(fn.coalesce(fn.max(ProjectRow.root), ""))
    joined = root.join(ProjectRow, on=(ProjectRow.id == SessionRow.project))
    return joined.where(SessionRow.id == session)


def _is_called(ref: str) -> Query:
    """Whether the id begins with `ref`, or the goal does, words joined by `-`: one at least."""
    goal = fn.lower(fn.replace(SessionRow.goal, " ", "-"))
    by_goal = (fn.instr(ref, "-") > 0) & starts_with(goal, fn.lower(ref))
    return starts_with(SessionRow.id, ref) | by_goal


@listing(CountedSession)
def sessions_called(project: str, ref: str) -> Query:
    """The project's sessions whose id or goal begins with `ref`; the one with that very id first.

    Of a goal two words at least are named, joined by `-`: `make-the-release`.
    """
    return (
        _counted()
        .where(SessionRow.project == project, _is_called(ref))
        .order_by(SessionRow.id != ref, SessionRow.started_at.desc())
        .limit(10)
    )


@listing(StoredCheckpoint)
def checkpoints(session: str) -> Query:
    """A session's checkpoints, oldest first."""
    of_it = CheckpointRow.select().where(CheckpointRow.session == session)
    return of_it.order_by(CheckpointRow.messages)


# --- transcripts


class StoredTranscript(TypedDict):
    """How far a transcript was read, and what is known of it."""

    offset: int
    line: int
    messages: int | None  # of person and agent, so far
    incognito: int | None  # a place in a list of markers: older than the others, 1 is incognito
    clear: bytes | None  # marks of turns without secrets


@first(StoredTranscript)
def transcript(path: str) -> Query:
    """How far a transcript was read; None of one never seen."""
    asked = TranscriptRow.select(*columns(TranscriptRow, StoredTranscript))
    return asked.where(TranscriptRow.path == path)


@statement
def _mark_transcript(
    path: str, offset: int, line: int, at: int, messages: int, incognito: int, clear: bytes | None
) -> Query:
    return TranscriptRow.insert(
        path=path,
        offset=offset,
        line=line,
        updated_at=at,
        messages=messages,
        incognito=incognito,
        clear=clear,
    ).on_conflict(
        conflict_target=[TranscriptRow.path],
        preserve=[
            TranscriptRow.offset,
            TranscriptRow.line,
            TranscriptRow.updated_at,
            TranscriptRow.incognito,
            TranscriptRow.clear,
        ],
        update={TranscriptRow.messages: fn.coalesce(TranscriptRow.messages, 0) + EXCLUDED.messages},
    )


def set_transcript_mark(
    database: Database,
    path: str,
    offset: int,
    line: int,
    at: int,
    *,
    messages: int = 0,
    marker: int = 0,
    clear: bytes | None = None,
) -> None:
    """Remember how far a transcript was read, and that it held so many more `messages`."""
    with begin_immediate(database):
        _mark_transcript(database, path, offset, line, at, messages, marker, clear)


# --- what a session works on


@first(StoredActivity)
def activity(session: str) -> Query:
    """What was noted of a session's work; None when nothing was."""
    return ActivityRow.select().where(ActivityRow.session == session)


@statement
def _add_activity(
    session: str, files: Sequence[str], tools: int, failures: int, last: str | None, at: int
) -> Query:
    return ActivityRow.insert(
        session=session,
        files=files,
        tools=tools,
        failures=failures,
        last_failure=last,
        updated_at=at,
    ).on_conflict(
        conflict_target=[ActivityRow.session],
        preserve=[ActivityRow.files, ActivityRow.updated_at],
        update={
            ActivityRow.tools: ActivityRow.tools + EXCLUDED.tools,
            ActivityRow.failures: ActivityRow.failures + EXCLUDED.failures,
            ActivityRow.last_failure: fn.coalesce(EXCLUDED.last_failure, ActivityRow.last_failure),
        },
    )


def note_activity(
    database: Database,
    session: str,
    at: int,
    *,
    files: Sequence[str] = (),
    tools: int = 0,
    failures: int = 0,
    last_failure: str | None = None,
) -> None:
    """Add to what a session is at work on: its last files, tool calls and failures."""
    with begin_immediate(database):
        known = active_files(database.connection(), session)
        kept = list(dict.fromkeys([*files, *known]))[:ACTIVE_FILES]
        _add_activity(database, session, kept, tools, failures, last_failure, at)


# --- what came of a session

OPEN = ("pending", "active")
"""States of an intention that is not done."""


class NamedSession(TypedDict):
    """A session with what it can be called by."""

    id: str
    agent: str
    goal: str | None
    parent: str | None
    started_at: int


def _names() -> Query:
    return SessionRow.select(*columns(SessionRow, NamedSession))


@listing(NamedSession)
def named(ids: Sequence[str]) -> Query:
    """What these sessions can be called by."""
    return _names().where(SessionRow.id.in_(among(ids)))


@listing(NamedSession)
def forks_of(session: str) -> Query:
    """The sessions that were forked from this one, the oldest first."""
    return _names().where(SessionRow.parent == session).order_by(SessionRow.started_at)


# --- injected


@tuples(tuple[str, int, int, int, int])
def injected(project: str, sessions: Sequence[str]) -> Query:
    """(session, injections, tokens, time of the first and of the last one)."""
    sums = (fn.count(SQL("*")), fn.sum(ReceiptRow.tokens))
    times = (fn.min(ReceiptRow.at), fn.max(ReceiptRow.at))
    return (
        ReceiptRow.select(ReceiptRow.session, *sums, *times)
        .where(
            ReceiptRow.session.in_(among(sessions)),
            ReceiptRow.project == project,
            ReceiptRow.tokens > 0,
        )
        .group_by(ReceiptRow.session)
    )


@tuples(tuple[str, int])
def injected_memories(project: str, sessions: Sequence[str]) -> Query:
    """(session, memories that were injected into it, each once)."""
    return (
        ReceiptItemRow.select(ReceiptRow.session, fn.count(ReceiptItemRow.memory.distinct()))
        .join(ReceiptRow, on=ReceiptRow.id == ReceiptItemRow.receipt)
        .where(ReceiptRow.session.in_(among(sessions)), ReceiptRow.project == project)
        .group_by(ReceiptRow.session)
    )


# --- learned


def _live(sessions: Sequence[str]) -> Query:
    return MemoryRow.session.in_(among(sessions)) & MemoryRow.retired_at.is_null()


@tuples(tuple[str, int, int, int])
def learned(sessions: Sequence[str]) -> Query:
    """(session, memories from it that live, of these waiting in the Inbox, time of the last)."""
    waiting = Case(None, [(MemoryRow.status == "candidate", 1)], 0)
    return (
        MemoryRow.select(
            MemoryRow.session, fn.count(SQL("*")), fn.sum(waiting), fn.max(MemoryRow.created_at)
        )
        .where(_live(sessions), MemoryRow.type != "working")
        .group_by(MemoryRow.session)
    )


@column(int)
def learned_nums(session: str) -> Query:
    """Row numbers of what lives of it, in the order in which it came up."""
    here = (MemoryRow.session == session) & MemoryRow.retired_at.is_null()
    return (
        MemoryRow.select(MemoryRow.num)
        .where(here, MemoryRow.type != "working")
        .order_by(MemoryRow.num)
    )


# --- left open


@tuples(tuple[str, int])
def todos(sessions: Sequence[str]) -> Query:
    """(session, row number) of what it left to be done, the most urgent first."""
    return (
        MemoryRow.select(MemoryRow.session, MemoryRow.num)
        .join(ProspectiveRow, on=ProspectiveRow.memory == MemoryRow.num)
        .where(_live(sessions), ProspectiveRow.status.in_(OPEN))
        .order_by(ProspectiveRow.priority.desc(), MemoryRow.num)
    )


@tuples(tuple[str, int, str])
def held(sessions: Sequence[str]) -> Query:
    """(session, row number, task) of the working memory that was not cleared."""
    return (
        MemoryRow.select(MemoryRow.session, MemoryRow.num, WorkingRow.todo_id)
        .join(WorkingRow, on=WorkingRow.memory == MemoryRow.num)
        .where(_live(sessions), WorkingRow.cleared_at.is_null(), WorkingRow.todo_id.is_null(False))
        .order_by(MemoryRow.num)
    )


def _sides(side: Query, sessions: Sequence[str]) -> Query:
    return (
        MemoryRow.select(
            MemoryRow.session, ConflictRow.id, ConflictRow.entry_a, ConflictRow.entry_b
        )
        .join(ConflictRow, on=side == MemoryRow.id)
        .where(_live(sessions), ConflictRow.resolved_at.is_null())
    )


@tuples(tuple[str, str, str, str])
def undecided(sessions: Sequence[str]) -> Query:
    """(session, conflict, its two memories) of what was learned and waits for a verdict, once."""
    firsts, seconds = (
        _sides(side, sessions) for side in (ConflictRow.entry_a, ConflictRow.entry_b)
    )
    return firsts | seconds


# --- where its words stand, and what a model took to read them


@optional(str)
def transcript_of(session: str) -> Query:
    """The file that holds what was said; None when nobody noted it."""
    return ExtractionRow.select(ExtractionRow.transcript).where(ExtractionRow.session == session)


@single(tuple[str, int])
def last_line(session: str) -> Query:
    """(transcript, line) of what was learned last in the session's own transcript."""
    return (
        MemoryRow.select(MemoryRow.transcript, MemoryRow.line)
        .where(
            MemoryRow.session == session,
            MemoryRow.transcript.is_null(False),
            MemoryRow.line.is_null(False),
            MemoryRow.agent_id.is_null(),
        )
        .order_by(MemoryRow.line.desc())
        .limit(1)
    )


@row(tuple[int, int, float])
def read_by_models(session: str) -> Query:
    """(calls, tokens, dollars) of the models that read the session."""
    columns = (ExtractionCallRow.tokens, ExtractionCallRow.cost_usd)
    sums = (fn.coalesce(fn.sum(one), 0) for one in columns)
    return ExtractionCallRow.select(fn.count(SQL("*")), *sums).where(
        ExtractionCallRow.session == session
    )
