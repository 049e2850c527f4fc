"""Queries of sessions: transcripts, activity, results, model calls, summaries; projects.

Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .activity import active_files
from .connection import Database, begin_immediate
from .images import Image, column, execute, first, insert, listing, tuples, value
from .receipts import LISTED

ACTIVE_FILES = 30  # files of a session that count as being worked on, the last ones

_COUNTED = """
    SELECT s.*, (SELECT count(*) FROM finding f WHERE f.session = s.id) AS captures,
        (SELECT count(*) FROM finding f WHERE f.session = s.id AND f.outcome = 'refused')
            AS refused,
        (SELECT count(*) FROM memory m WHERE m.session = s.id AND m.retired_at IS NULL)
            AS memories,
        (SELECT max(c.messages) FROM session_checkpoint c WHERE c.session = s.id) AS messages
    FROM session s"""


def sessions(database: Database, project: str, limit: int) -> list[Image]:
    """Return the project's sessions with their counts, newest first."""
    text = f"{_COUNTED} WHERE s.project = ? ORDER BY s.started_at DESC, s.id DESC LIMIT ?"
    return listing(database, text, project, limit)


def root_of(database: Database, session: str) -> str:
    """Return the folder of the project that a session is of; "" where it is not known."""
    text = "SELECT p.root FROM session s JOIN project p ON p.id = s.project WHERE s.id = ?"
    return str(value(database, text, session) or "")


IS_CALLED = """(substr({0}id, 1, length({1})) = {1} OR instr({1}, '-') > 0
    AND substr(lower(replace({0}goal, ' ', '-')), 1, length({1})) = lower({1}))"""
"""A condition on a session: its id begins with the value, or its goal does, words joined by `-`."""


def sessions_called(database: Database, project: str, ref: str) -> list[Image]:
    """The project's sessions whose id or goal begins with `ref`; the one with that very id first.

    Of a goal two words at least are named, joined by `-`: `make-the-release`.
    """
    text = f"""{_COUNTED} WHERE s.project = ?2 AND {IS_CALLED.format("s.", "?1")}
        ORDER BY s.id != ?1, s.started_at DESC LIMIT 10"""
    return listing(database, text, ref, project)


def checkpoints(database: Database, session: str) -> list[Image]:
    """Return a session's checkpoints, oldest first."""
    text = "SELECT * FROM session_checkpoint WHERE session = ? ORDER BY messages"
    return listing(database, text, session)


# --- transcripts


def transcript(database: Database, path: str) -> Image | None:
    """Return offset, line and counters of a transcript's last reading; None if never read."""
    text = "SELECT offset, line, messages, incognito FROM transcript WHERE path = ?"
    return first(database, text, path)


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
    """Note how far a transcript was read, and that it held so many more `messages`."""
    with begin_immediate(database):
        text = """INSERT INTO transcript (path, offset, line, updated_at, messages, incognito)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET offset = excluded.offset,
            line = excluded.line, updated_at = excluded.updated_at,
            incognito = excluded.incognito, messages = coalesce(messages, 0) + excluded.messages
            """
        execute(database, text, path, offset, line, at, messages, marker)


# --- activity


def activity(database: Database, session: str) -> Image | None:
    return first(database, "SELECT * FROM session_activity WHERE session = ?", session)


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
    """Add to a session's activity: its last files, tool calls and failures."""
    with begin_immediate(database):
        existing = active_files(database.connection(), session)
        row = activity(database, session) or {"tools": 0, "failures": 0, "last_failure": None}
        row |= {
            "session": session,
            "files": list(dict.fromkeys([*files, *existing]))[:ACTIVE_FILES],
            "tools": row["tools"] + tools,
            "failures": row["failures"] + failures,
            "last_failure": last_failure or row["last_failure"],
            "updated_at": at,
        }
        insert(database, "session_activity", row, "REPLACE")


# --- results of a session

OPEN = ("pending", "active")  # states of an intention that is not done


_NAMED = "SELECT id, agent, goal, parent, started_at FROM session"
_AMONG = "(SELECT value FROM json_each(?))"


def named(database: Database, ids: Sequence[str]) -> list[Image]:
    """Return id, agent, goal, parent and start of these sessions."""
    return listing(database, f"{_NAMED} WHERE id IN {_AMONG}", ids)


def forks_of(database: Database, session: str) -> list[Image]:
    """Return the sessions that were forked from this one, the oldest first."""
    return listing(database, f"{_NAMED} WHERE parent = ? ORDER BY started_at", session)


def injected(
    database: Database, project: str, sessions: Sequence[str]
) -> list[tuple[str, int, int, int, int]]:
    """(session, injections, tokens, time of the first and of the last one)."""
    text = f"""SELECT session, count(*), sum(tokens), min(at), max(at) FROM receipt
        WHERE session IN {_AMONG} AND project = ? AND {LISTED} GROUP BY session"""
    return tuples(database, text, sessions, project)


def injected_memories(
    database: Database, project: str, sessions: Sequence[str]
) -> list[tuple[str, int]]:
    """(session, memories that were injected into it, each once)."""
    text = f"""SELECT r.session, count(DISTINCT i.memory)
        FROM receipt_item i JOIN receipt r ON r.id = i.receipt
        WHERE r.session IN {_AMONG} AND r.project = ? GROUP BY r.session"""
    return tuples(database, text, sessions, project)


_LIVE = f"m.session IN {_AMONG} AND m.retired_at IS NULL"


def learned(database: Database, sessions: Sequence[str]) -> list[tuple[str, int, int, int]]:
    """(session, memories from it that live, of these waiting in Review, time of the last)."""
    text = f"""SELECT m.session, count(*), sum(m.status = 'candidate'), max(m.created_at)
        FROM memory m WHERE {_LIVE} AND m.type != 'working' GROUP BY m.session"""
    return tuples(database, text, sessions)


def learned_nums(database: Database, session: str) -> list[int]:
    """Return the row numbers of a session's live memories, in the order of capture."""
    text = f"SELECT m.num FROM memory m WHERE {_LIVE} AND m.type != 'working' ORDER BY m.num"
    return column(database, text, [session])


def todos(database: Database, sessions: Sequence[str]) -> list[tuple[str, int]]:
    """Return (session, row number) of its open tasks, the most urgent first."""
    text = f"""SELECT m.session, m.num FROM memory m JOIN prospective p ON p.memory = m.num
        WHERE {_LIVE} AND p.status IN {OPEN} ORDER BY p.priority DESC, m.num"""
    return tuples(database, text, sessions)


def held(database: Database, sessions: Sequence[str]) -> list[tuple[str, int, str]]:
    """(session, row number, task) of the working memory that was not cleared."""
    text = f"""SELECT m.session, m.num, w.todo_id FROM memory m JOIN working w ON w.memory = m.num
        WHERE {_LIVE} AND w.cleared_at IS NULL AND w.todo_id IS NOT NULL ORDER BY m.num"""
    return tuples(database, text, sessions)


def undecided(database: Database, sessions: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """Return (session, conflict, its two memories) of open conflicts of new memories, each once."""
    sides = (
        f"""SELECT m.session, c.id, c.entry_a, c.entry_b FROM memory m
        JOIN conflict c ON c.{side} = m.id WHERE {_LIVE} AND c.resolved_at IS NULL"""
        for side in ("entry_a", "entry_b")
    )
    return tuples(database, " UNION ".join(sides), sessions, sessions)


# --- the transcript, and the cost of reading it by a model


def transcript_of(database: Database, session: str) -> str | None:
    """Return the path of a session's transcript; None if unknown."""
    noted = of_session(database, session)
    return None if noted is None else noted["transcript"]


def last_line(database: Database, session: str) -> tuple[str, int] | None:
    """Return (transcript, line) of the last memory from the session's own transcript."""
    text = """SELECT transcript, line FROM memory WHERE session = ? AND transcript IS NOT NULL
        AND line IS NOT NULL AND agent_id IS NULL ORDER BY line DESC LIMIT 1"""
    lines = tuples(database, text, session)
    return next(iter(lines), None)


def read_by_models(database: Database, session: str) -> tuple[int, int, float]:
    """(calls, tokens, dollars) of the models that read the session."""
    row: tuple[int, int, float]
    text = """SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(cost_usd), 0)
        FROM extraction_call WHERE session = ?"""
    [row] = tuples(database, text, session)
    return row


# --- projects and settings


def name_of(database: Database, project: str) -> str:
    """Return the name of a project by its id; "" for one that the store does not know."""
    return str(value(database, "SELECT name FROM project WHERE id = ?", project) or "")


def projects(database: Database) -> list[Image]:
    """Return all projects, the fullest first."""
    text = """SELECT p.*, (SELECT count(*) FROM memory m
            WHERE m.project = p.id AND m.retired_at IS NULL) AS memories
        FROM project p ORDER BY memories DESC, p.name"""
    return listing(database, text)


def projects_called(database: Database, name: str) -> list[Image]:
    """Return the projects with this id or this name."""
    return listing(database, "SELECT * FROM project WHERE id = ?1 OR name = ?1 ORDER BY id", name)


# --- sessions that a model is to read

CALLS_KEPT = 2_000


def of_session(database: Database, session: str) -> Image | None:
    """Return the extraction state of a session."""
    return first(database, "SELECT * FROM extraction WHERE session = ?", session)


def note_session(database: Database, session: str, host: str, cwd: str, transcript: str) -> None:
    existing = of_session(database, session)
    if existing and (existing["host"], existing["cwd"], existing["transcript"]) == (
        host,
        cwd,
        transcript,
    ):
        return
    with begin_immediate(database):
        text = """INSERT INTO extraction
            (session, host, cwd, transcript, not_before, tries, line, hidden, kept)
            VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0) ON CONFLICT (session) DO UPDATE SET
            host = excluded.host, cwd = excluded.cwd, transcript = excluded.transcript"""
        execute(database, text, session, host, cwd, transcript)


def set_state(database: Database, session: str, **values: int | None) -> None:
    """Change due_at, not_before, tries, line, hidden or kept of a session that was noted."""
    sets = ", ".join(f'"{name}" = ?' for name in values)
    with begin_immediate(database):
        text = f"UPDATE extraction SET {sets} WHERE session = ?"
        execute(database, text, *values.values(), session)


def due(database: Database, now: int, limit: int) -> list[Image]:
    """Return the sessions that a model is to read now, those that wait longest first."""
    text = """SELECT * FROM extraction WHERE due_at IS NOT NULL AND not_before <= ?
        ORDER BY due_at, session LIMIT ?"""
    return listing(database, text, now, limit)


def count_due(database: Database) -> int:
    return int(value(database, "SELECT count(*) FROM extraction WHERE due_at IS NOT NULL"))


def note_call(database: Database, call: Mapping[str, Any]) -> None:
    with begin_immediate(database):
        number = insert(database, "extraction_call", call)
        execute(database, "DELETE FROM extraction_call WHERE id <= ?", number - CALLS_KEPT)


def spent(database: Database, since: int) -> tuple[float, int, int]:
    """(dollars, calls, tokens) that sessions took since then."""
    row: tuple[float, int, int]
    text = """SELECT coalesce(sum(cost_usd), 0.0), count(*), coalesce(sum(tokens), 0)
        FROM extraction_call WHERE at >= ?"""
    [row] = tuples(database, text, since)
    return row


def last_call(database: Database) -> Image | None:
    """Return the newest call about a session; None before the first."""
    text = "SELECT * FROM extraction_call WHERE pairs IS NULL ORDER BY id DESC LIMIT 1"
    return first(database, text)


# --- summaries

DAY_MS = 24 * 60 * 60 * 1_000

_LONG_AGO_MS = 1_000_000 * DAY_MS

MOST = 2_000  # memories of one stretch that are read, the most important first

_HELD = "(m.retired_as IS NULL OR m.retired_as NOT IN ('forgotten', 'rejected', 'cleared'))"
_OPEN = "m.type != 'working' AND m.privacy = 'public'"


_DIGEST = f"""
    SELECT m.id, m.num, m.type, m.category, m.title, m.content, m.importance, m.session,
        m.retired_as, p.status AS intention
    FROM memory m LEFT JOIN prospective p ON p.memory = m.num
    WHERE {_OPEN} AND {_HELD} AND {{}} ORDER BY m.importance DESC, m.num LIMIT {MOST}"""


def worked_days(database: Database, project: str) -> list[int]:
    """Return when the days began in which something was learned, the first one first."""
    return column(  # rounded down, also before 1970
        database,
        f"""SELECT DISTINCT (m.created_at + {_LONG_AGO_MS}) / {DAY_MS} * {DAY_MS} - {_LONG_AGO_MS}
        FROM memory m WHERE m.project = ? AND {_OPEN} ORDER BY 1""",
        project,
    )


def learned_between(database: Database, project: str, start: int, end: int) -> list[Image]:
    """Return memories of [`start`, `end`), aged ones included, rejected ones not."""
    where = "m.project = ? AND m.created_at >= ? AND m.created_at < ?"
    return listing(database, _DIGEST.format(where), project, start, end)


def goal_of(database: Database, session: str) -> str | None:
    """Return the goal of a session: its first prompt."""
    goal: str | None = value(database, "SELECT goal FROM session WHERE id = ?", session)
    return goal


def learned_in(database: Database, session: str) -> list[Image]:
    """Return the memories of a session, aged ones included, rejected and superseded ones not."""
    where = "m.session = ? AND m.retired_as IS NOT 'superseded'"
    return listing(database, _DIGEST.format(where), session)


def nums_of(database: Database, session: str) -> list[int]:
    """Return the row numbers of a session's memories, aged ones included, rejected ones not."""
    text = f"""SELECT m.num FROM memory m WHERE m.session = ? AND m.type != 'working' AND {_HELD}
        ORDER BY m.num LIMIT {MOST}"""
    return column(database, text, session)


def summaries(database: Database, project: str) -> list[Image]:
    """Return the sessions of a project that were summed up, the newest first."""
    text = """SELECT * FROM summary WHERE project = ? AND level = 'session'
        ORDER BY starts_at DESC, id"""
    return listing(database, text, project)
