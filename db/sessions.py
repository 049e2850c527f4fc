"""Sessions: who spoke where, what came of each, what they work on, how far they were read.

Tables `session`, `session_checkpoint`, `transcript`, `session_activity`, and what came of a session
in `receipt`, `receipt_item`, `memory`, `prospective`, `working`, `conflict`, `extraction`,
`extraction_call`. Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from peewee import EXCLUDED, JOIN, SQL, Case, fn

from .activity import active_files
from .connection import Database, begin_immediate
from .images import EARLIEST_MS, LATEST_MS, Image, decoded
from .queries import (
    Query,
    among,
    column,
    columns,
    first,
    insert,
    listing,
    optional,
    row,
    run,
    single,
    starts_with,
    statement,
    tuples,
    value,
)
from .receipts import listed
from .tables import (
    ActivityRow,
    CheckpointRow,
    ConflictRow,
    ExtractionCallRow,
    ExtractionRow,
    FindingRow,
    MemoryRow,
    ProjectRow,
    ProspectiveRow,
    ReceiptItemRow,
    ReceiptRow,
    SessionRow,
    SettingRow,
    SummaryRow,
    TranscriptRow,
    WorkingRow,
)

ACTIVE_FILES = 30
"""Files of a session that count as being worked on, the last ones."""


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


@listing(Image)
def sessions(project: str, limit: int) -> Query:
    """The project's sessions with their counts, newest first."""
    newest = (SessionRow.started_at.desc(), SessionRow.id.desc())
    return _counted().where(SessionRow.project == project).order_by(*newest).limit(limit)


@listing(Image)
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


@listing(Image)
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


@listing(Image)
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


@first(StoredTranscript)
def transcript(path: str) -> Query:
    """How far a transcript was read; None of one never seen."""
    select = TranscriptRow.select(*columns(TranscriptRow, StoredTranscript))
    return select.where(TranscriptRow.path == path)


@statement
def _mark_transcript(
    path: str, offset: int, line: int, at: int, messages: int, incognito: int
) -> Query:
    return TranscriptRow.insert(
        path=path,
        offset=offset,
        line=line,
        updated_at=at,
        messages=messages,
        incognito=incognito,
    ).on_conflict(
        conflict_target=[TranscriptRow.path],
        preserve=[
            TranscriptRow.offset,
            TranscriptRow.line,
            TranscriptRow.updated_at,
            TranscriptRow.incognito,
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
) -> None:
    """Remember how far a transcript was read, and that it held so many more `messages`."""
    with begin_immediate(database):
        _mark_transcript(database, path, offset, line, at, messages, marker)


# --- what a session works on


@first(Image)
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
        existing = active_files(database.connection(), session)
        retained = list(dict.fromkeys([*files, *existing]))[:ACTIVE_FILES]
        _add_activity(database, session, retained, tools, failures, last_failure, at)


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
            listed(),
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
    """(session, memories from it that live, of these waiting in Review, time of the last)."""
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
    sums = (fn.coalesce(fn.sum(item), 0) for item in columns)
    return ExtractionCallRow.select(fn.count(SQL("*")), *sums).where(
        ExtractionCallRow.session == session
    )


@value(str)
def name_of(project: str) -> Query:
    """The name of a project by its id; "" for one that the store does not know."""
    return ProjectRow.select(fn.coalesce(fn.max(ProjectRow.name), "")).where(
        ProjectRow.id == project
    )


@listing(Image)
def projects() -> Query:
    """All projects, the fullest first."""
    live = MemoryRow.select(fn.count(SQL("*"))).where(
        MemoryRow.project == ProjectRow.id, MemoryRow.retired_at.is_null()
    )
    counted = ProjectRow.select(ProjectRow, live.alias("memories"))
    return counted.order_by(SQL("memories DESC"), ProjectRow.name)


@listing(Image)
def projects_called(name: str) -> Query:
    """The projects with this id or this name."""
    called = (ProjectRow.id == name) | (ProjectRow.name == name)
    return ProjectRow.select().where(called).order_by(ProjectRow.id)


@single(tuple[str])
def _setting(key: str) -> Query:
    return SettingRow.select(SettingRow.value).where(SettingRow.key == key)


def setting(database: Database, key: str) -> Any:
    """What a person chose under `key`; None when nothing was chosen."""
    chosen = _setting(database, key)
    return None if chosen is None else decoded(chosen[0])


CALLS_KEPT = 2_000


@first(Image)
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
    existing = of_session(database, session)
    if existing and (existing["host"], existing["cwd"], existing["transcript"]) == (
        host,
        cwd,
        transcript,
    ):
        return
    with begin_immediate(database):
        _note(database, session, host, cwd, transcript)


def set_state(database: Database, session: str, **values: int | None) -> None:
    """Change due_at, not_before, tries, line, hidden or kept of a session that was noted."""
    with begin_immediate(database):
        run(database, ExtractionRow.update(values).where(ExtractionRow.session == session))


@listing(Image)
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
    """(dollars, calls, tokens) that sessions took since then."""
    return ExtractionCallRow.select(
        fn.coalesce(fn.sum(ExtractionCallRow.cost_usd), 0.0),
        fn.count(SQL("*")),
        fn.coalesce(fn.sum(ExtractionCallRow.tokens), 0),
    ).where(ExtractionCallRow.at >= since)


@first(Image)
def last_call() -> Query:
    """The newest call about a session; None before the first."""
    calls = ExtractionCallRow.select().where(ExtractionCallRow.pairs.is_null())
    return calls.order_by(ExtractionCallRow.id.desc()).limit(1)


DAY_MS = 24 * 60 * 60 * 1_000

_LONG_AGO_MS = 1_000_000 * DAY_MS

MOST = 2_000
"""Memories of one stretch that are read, the most important first."""

_TURNED_DOWN = ("forgotten", "rejected", "cleared")


class DigestMemory(TypedDict):
    """What a summary tells of a memory."""

    id: str
    num: int
    type: str
    category: str
    title: str
    content: str
    importance: float
    session: str | None
    retired_as: str | None
    intention: str | None  # the status of what is to be done


def _told(project: str) -> Query:
    return (MemoryRow.project == project) & _open()


def _open() -> Query:
    return (MemoryRow.type != "working") & (MemoryRow.privacy == "public")


@column(int)
def worked_days(project: str) -> Query:
    """Return when the days began in which something was learned, the first one first."""
    since = MemoryRow.created_at + _LONG_AGO_MS  # to round down, of what is before 1970 as well
    day = since / DAY_MS * DAY_MS - _LONG_AGO_MS  # `%` is LIKE to Peewee
    return MemoryRow.select(day).where(_told(project)).distinct().order_by(day)


def _learned(query: Query, start: int, end: int, *more: Query) -> Query:
    return (
        MemoryRow.select(
            *columns(MemoryRow, DigestMemory), ProspectiveRow.status.alias("intention")
        )
        .join(ProspectiveRow, JOIN.LEFT_OUTER, on=ProspectiveRow.memory == MemoryRow.num)
        .where(
            query,
            MemoryRow.created_at >= start,
            MemoryRow.created_at < end,
            MemoryRow.retired_as.is_null() | MemoryRow.retired_as.not_in(_TURNED_DOWN),
            *more,
        )
        .order_by(MemoryRow.importance.desc(), MemoryRow.num)
        .limit(MOST)
    )


@listing(DigestMemory)
def learned_between(project: str, start: int, end: int) -> Query:
    """What was learned from `start` to before `end` and nobody turned down, aged ones with them."""
    return _learned(_told(project), start, end)


@optional(str)
def goal_of(session: str) -> Query:
    """What a session was asked first."""
    return SessionRow.select(SessionRow.goal).where(SessionRow.id == session)


@listing(DigestMemory)
def learned_in(session: str) -> Query:
    """What a session learned and nobody turned down or overturned, aged ones with them."""
    holds = MemoryRow.retired_as.is_null() | (MemoryRow.retired_as != "superseded")
    return _learned(_open(), EARLIEST_MS, LATEST_MS, MemoryRow.session == session, holds)


@column(int)
def nums_of(session: str) -> Query:
    """Row numbers of what a session learned and nobody turned down, aged ones with them."""
    return (
        MemoryRow.select(MemoryRow.num)
        .where(
            MemoryRow.session == session,
            MemoryRow.type != "working",
            MemoryRow.retired_as.is_null() | MemoryRow.retired_as.not_in(_TURNED_DOWN),
        )
        .order_by(MemoryRow.num)
        .limit(MOST)
    )


@listing(Image)
def summaries(project: str) -> Query:
    """Return the sessions of a project that were summed up, the newest first."""
    return (
        SummaryRow.select()
        .where(SummaryRow.project == project, SummaryRow.level == "session")
        .order_by(SummaryRow.starts_at.desc(), SummaryRow.id)
    )
