"""Sessions: their agents, reading positions, forks, checkpoints and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import memories, reviews, sessions
from ...db.connection import mapped_errors
from ...db.errors import Ambiguous, NotFound
from ...db.images import Image
from ..context import name_of_row, name_of_session, of_row, shows
from ..ingest.drafts import MOST_LOOKED_AT, name_of, outside_name, path_of
from ..redaction.redact import redact
from ..sessions.echo import MARKERS
from ..text.tokens import strict_tokens
from ..values import at, moment_at

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from ..judgements import Conflict, RefusedCapture
    from ..values import Memory
    from .preferences import Preferences
    from .receipts import Receipt, Receipts
    from .review import Review

CHECKPOINT_EVERY = 10  # messages between two checkpoints of a session
MOST_GOAL = 200  # characters of a prompt that are kept as a session's goal


MOST_RECEIPTS = 200  # receipts of one session that are read


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    agent: str
    started_at: datetime
    ended_at: datetime | None
    end_reason: str | None
    finalized_at: datetime | None  # when its findings were last summed up
    goal: str
    summary: str
    parent: str | None  # the session that it was forked from
    source: str | None  # startup, resume, clear, compact, fork
    cwd: str | None
    is_incognito: bool
    captures: int  # texts that it offered
    refused: int  # of these
    learned: int  # live memories from it
    messages: int  # at its last checkpoint


@dataclass(frozen=True, slots=True)
class Activity:
    """The files and tools of a session, by its events."""

    files: tuple[str, ...] = ()  # the last touched first
    tools: int = 0  # calls that were reported
    failures: int = 0  # of these, and turns that failed
    last_failure: str = ""


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """The results of one session, in numbers."""

    session: Session
    name: str  # its goal; without one its agent and its start
    began_at: datetime  # of its first sign: an injection may come before the session is stored
    last_at: datetime  # of its newest sign
    prompts: int  # injections, starts and files among them
    injected: int  # memories, each once
    tokens: int  # injected
    learned: int  # live memories from it, without working memory
    waiting: int  # of these, candidates
    open: int  # todos, and items of its agent's list, that are not done
    undecided: int  # conflicts of its memories that wait for the user


@dataclass(frozen=True, slots=True)
class SessionName:
    id: str
    name: str
    agent: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Checkpoint:
    messages: int
    at: datetime
    line: int  # of the transcript
    learned: tuple[str, ...]  # ids of the memories so far


@dataclass(frozen=True, slots=True)
class SessionDetail:
    """A session with everything that is stored of it."""

    overview: SessionOverview
    receipts: tuple[Receipt, ...]  # oldest first, the newest 200
    memories: tuple[Memory, ...]  # learned and live, in order of appearance
    todos: tuple[Memory, ...]  # of these, not done
    tasks: tuple[Memory, ...]  # items of its agent's list that are not done
    steps: tuple[Memory, ...]  # of the active task, and the handover
    conflicts: tuple[Conflict, ...]  # of its memories, undecided
    filtered: tuple[RefusedCapture, ...]
    checkpoints: tuple[Checkpoint, ...]
    parent: SessionName | None
    forks: tuple[SessionName, ...]
    activity: Activity
    transcript: str  # path; "" if unknown
    line: int | None  # of the transcript, where its last memory was learned
    model_calls: int  # of models that read the session
    model_tokens: int
    model_cost_usd: float


class Sessions:
    """Stores sessions as background processing reports them, and returns their results."""

    _context: Context
    _preferences: Preferences
    _receipts: Receipts
    _review: Review

    def session_seen(
        self,
        session_id: str,
        agent: str,
        cwd: str = "",
        source: str | None = None,
        parent: str | None = None,
    ) -> None:
        """Store a session at its first event, or reopen it if it goes on."""
        session_id = name_of(session_id)
        with self._context.change("session", session=session_id, actor="agent") as change:
            stored = change.get("session", session_id)
            if stored is None:
                self._context.ensure_project(change)
                change.put("session", self._new_session(session_id, agent, cwd, source, parent))
            elif stored["ended_at"] is not None and source in ("resume", "clear", "compact"):
                change.put("session", {**stored, "ended_at": None, "end_reason": None})

    def root_of(self, session_id: str) -> str:
        """Return the folder of the project of a session; "" if unknown."""
        return sessions.root_of(self._context.database, name_of(session_id))

    def _new_session(
        self, session_id: str, agent: str, cwd: str, source: str | None, parent: str | None
    ) -> Image:
        return {
            "id": session_id,
            "project": self._context.project_id,
            "agent": name_of(agent),
            "parent": outside_name(parent),
            "cwd": outside_name(cwd or None),
            "source": outside_name(source),
            "goal": None,
            "summary": None,
            "incognito": 0,
            "started_at": self._context.now_ms(),
            "ended_at": None,
            "end_reason": None,
            "finalized_at": None,
        }

    def session_goal(self, session_id: str, prompt: str) -> None:
        """Keep the first prompt of a session as its goal, redacted, at most 200 characters."""
        session_id = name_of(session_id)
        with self._context.change("session", session=session_id, actor="agent") as change:
            stored = change.get("session", session_id)
            if stored is not None and stored["goal"] is None:
                goal = " ".join(redact(prompt[:MOST_LOOKED_AT]).value.split())[:MOST_GOAL]
                change.put("session", {**stored, "goal": goal})

    # --- looking

    def sessions(self, limit: int = 50) -> list[Session]:
        """Return the project's sessions, newest first."""
        rows = sessions.sessions(*self._context.here, limit)
        return [self._seen(row) for row in rows]

    def session_named(self, ref: str) -> Session:
        """Return one session by the start of its id or goal. Raises NotFound, Ambiguous."""
        ref = name_of(ref).strip()
        rows = sessions.sessions_called(*self._context.here, ref)
        if not ref or not rows:
            raise NotFound(
                f"No session here is called {ref[:60]!r}.", hint="`memdeck sessions` lists them."
            )
        if len(rows) > 1 and rows[0]["id"] != ref:
            raise Ambiguous.among(ref, [row["id"] for row in rows])
        return self._seen(rows[0])

    def _seen(self, row: Image) -> Session:
        """Return a session with the summary that its memories give now."""
        if row["summary"]:
            from .summaries import session_summary

            ids = (row["id"], row["parent"])  # a fork begins with the summary of its parent
            summaries = (session_summary(self._context, session) for session in ids if session)
            row = {**row, "summary": next(filter(None, summaries), "")}
        return _session(row)

    # --- forks, and sessions that are not recorded

    def fork_session(self, ref: str, as_id: str | None = None) -> Session:
        """Return a new session, or `as_id`, with all captures of another one, its parent."""
        parent = self.session_named(ref)
        fork = name_of(as_id) if as_id else f"fork-{self._context.new_id()[-6:]}-{parent.id[:36]}"
        with self._context.change("fork", session=fork) as change:
            source = change.get("session", parent.id)
            assert source is not None
            existing = change.get("session", fork)
            if existing is not None and existing["parent"] == parent.id:
                return self.session_named(fork)
            taken = {name: source[name] for name in ("goal", "summary", "incognito")}
            row = existing or self._new_session(
                fork, source["agent"], source["cwd"] or "", "fork", parent.id
            )
            change.put("session", {**row, **taken, "parent": parent.id, "source": "fork"})
            for checkpoint in sessions.checkpoints(change.database, parent.id):
                change.put("session_checkpoint", {**checkpoint, "session": fork})
        reviews.copy_captures(self._context.database, parent.id, fork, self._context.now_ms())
        return self.session_named(fork)

    def set_incognito(self, ref: str, is_on: bool = True) -> Session:
        """Stop recording a session, or record it again."""
        session = self.session_named(ref)
        with self._context.change(
            "incognito", "on" if is_on else "off", session=session.id
        ) as change:
            row = change.get("session", session.id)
            assert row is not None
            change.put("session", {**row, "incognito": int(is_on)})
        return self.session_named(session.id)

    def has_ended(self, session_id: str) -> bool:
        """Return True if the end of a session was reported, and no resumption since."""
        name = name_of(session_id)
        rows = sessions.sessions_called(*self._context.here, name)
        return any(row["id"] == name and row["ended_at"] is not None for row in rows)

    # --- checkpoints, and its end, each written once

    def checkpoint(self, session_id: str, messages: int, line: int = 0) -> bool:
        """Store a checkpoint after every tenth message; return True if it was due."""
        session_id, due = name_of(session_id), messages // CHECKPOINT_EVERY * CHECKPOINT_EVERY
        if due == 0:
            return False
        with self._context.change("checkpoint", session=session_id, actor="rule") as change:
            if change.get("session_checkpoint", f"{session_id}|{due}"):
                return False
            learned = memories.learned_in(self._context.database, session_id)
            change.put(
                "session_checkpoint",
                {
                    "session": session_id,
                    "messages": due,
                    "at": self._context.now_ms(),
                    "line": line,
                    "learned": [row["id"] for row in learned],
                },
            )
        return True

    def checkpoints(self, session_id: str) -> list[Image]:
        """Return the checkpoints of a session, oldest first."""
        return sessions.checkpoints(self._context.database, name_of(session_id))

    def finalize_session(self, session_id: str) -> bool:
        """Summarise a recorded session that learned something; return True if written."""
        session_id = name_of(session_id)
        with self._context.change("finalize", session=session_id, actor="agent") as change:
            stored = change.get("session", session_id)
            return stored is not None and self._summed_up(change, stored) != stored

    def session_ended(self, session_id: str, reason: str) -> None:
        """Summarise a session and store its end, once."""
        session_id, reason = name_of(session_id), name_of(reason)
        with self._context.change("finalize", session=session_id, actor="agent") as change:
            stored = change.get("session", session_id)
            if stored is None:
                return
            row = self._summed_up(change, stored)
            if stored["ended_at"] is not None:
                return
            now = self._context.now_ms()
            is_recorded = self._preferences.is_recorded(session_id)
            if row == stored and stored["finalized_at"] is None and is_recorded:
                row = {**stored, "finalized_at": now}  # there was nothing to sum up
            if row == stored:
                change.head["action"] = "session"  # it was summed up before, or never will be
            change.put("session", {**row, "ended_at": now, "end_reason": reason})

    def _summed_up(self, change: Change, stored: Image) -> Image:
        """Put a session's row with its new summary into the change; else return `stored`."""
        summary = ""
        if self._preferences.is_recorded(stored["id"]):
            from .summaries import session_summary

            summary = session_summary(self._context, stored["id"])
        if not summary or summary == stored["summary"]:
            return stored
        row = {**stored, "summary": summary, "finalized_at": self._context.now_ms()}
        change.put("session", row)
        change.put(
            "summary",
            {
                "id": f"session:{stored['id']}",
                "project": stored["project"],
                "session": stored["id"],
                "level": "session",
                "starts_at": stored["started_at"],
                "ends_at": self._context.now_ms(),
                "content": summary,
                "tokens": strict_tokens(summary),
            },
        )
        return row

    # --- activity of a session

    def note_activity(
        self,
        session_id: str,
        *,
        files: Sequence[str] = (),
        tools: int = 0,
        failures: int = 0,
        last_failure: str = "",
    ) -> None:
        """Add the files that a session touched, last first, and its tool calls; not journaled."""
        session_id = name_of(session_id)
        if not self._preferences.is_recorded(session_id):
            return
        sessions.note_activity(
            self._context.database,
            session_id,
            self._context.now_ms(),
            files=[redact(path_of(path)).value for path in files if path],
            tools=tools,
            failures=failures,
            last_failure=redact(last_failure[:MOST_GOAL]).value or None,
        )

    def activity(self, session_id: str) -> Activity:
        noted = sessions.activity(self._context.database, name_of(session_id))
        return of_row(Activity, noted or {})

    # --- how far a transcript was read

    def transcript_mark(self, path: str) -> tuple[int, int]:
        """Return how far a transcript was read: byte offset and lines; (0, 0) for a new one."""
        row = self._transcript(path)
        return (row["offset"], row["line"]) if row else (0, 0)

    def _transcript(self, path: str) -> Image | None:
        return sessions.transcript(self._context.database, path_of(path))

    def set_transcript_mark(
        self, path: str, offset: int, line: int, *, messages: int = 0, marker: str = ""
    ) -> int:
        """Store how far a transcript was read, by `messages` more; return its messages so far."""
        sessions.set_transcript_mark(
            self._context.database,
            path_of(path),
            offset,
            line,
            self._context.now_ms(),
            messages=messages,
            marker=MARKERS.index(marker),
        )
        row = self._transcript(path)
        return (row and row["messages"]) or 0

    def marker_at_mark(self, path: str) -> str:
        """Return the mark of the turn where the reading of a transcript stopped."""
        row = self._transcript(path)
        number = (row and row["incognito"]) or 0
        return MARKERS[number] if 0 <= number < len(MARKERS) else "private"

    # --- results

    @mapped_errors()
    def overviews(self, limit: int = 50) -> list[SessionOverview]:
        """Return the project's sessions with their results, newest first."""
        rows = sessions.sessions(*self._context.here, limit)
        is_agent = self._context.viewer is not None
        return self._overviews([self._seen(row) if is_agent else _session(row) for row in rows])

    @mapped_errors()
    def detail(self, ref: str) -> SessionDetail:
        """Return one session by the beginning of its id. Raises NotFound, Ambiguous."""
        from .working_memory import is_task

        session = self.session_named(ref)
        [overview] = self._overviews([session])
        database, ids = self._context.database, [session.id]
        receipts = self._receipts.newest(MOST_RECEIPTS, session=session.id)
        held = [(num, task) for _, num, task in sessions.held(database, ids)]
        todos = {num for _, num in sessions.todos(database, ids)}
        learned = self._context.memories(sessions.learned_nums(database, session.id))
        parent = sessions.named(database, [session.parent]) if session.parent else []
        last_line = sessions.last_line(database, session.id)
        transcript = sessions.transcript_of(database, session.id)
        calls, tokens, dollars = sessions.read_by_models(database, session.id)
        return SessionDetail(
            overview=overview,
            receipts=tuple(row for row in reversed(receipts) if row.session == session.id),
            memories=tuple(learned),
            todos=tuple(memory for memory in learned if memory.num in todos),
            tasks=tuple(self._context.memories([num for num, task in held if is_task(task)])),
            steps=tuple(self._context.memories([num for num, task in held if not is_task(task)])),
            conflicts=tuple(
                self._review.conflict(conflict)
                for _, conflict, first, second in sorted(sessions.undecided(database, ids))
                if shows(self._context, first, second)
            ),
            filtered=tuple(self._review.refused_captures(session=session.id)),
            checkpoints=tuple(of_row(Checkpoint, row) for row in self.checkpoints(session.id)),
            parent=_session_name(parent[0]) if parent else None,
            forks=tuple(map(_session_name, sessions.forks_of(database, session.id))),
            activity=self.activity(session.id),
            transcript=transcript or (last_line[0] if last_line else ""),
            line=last_line[1] if last_line else None,
            model_calls=calls,
            model_tokens=tokens,
            model_cost_usd=dollars,
        )

    def _overviews(self, listed: Sequence[Session]) -> list[SessionOverview]:
        from .working_memory import is_task  # brings extraction along, which a status never needs

        database, project = self._context.here
        ids = [session.id for session in listed]
        injected = {row[0]: row[1:] for row in sessions.injected(database, project, ids)}
        memories_of = dict(sessions.injected_memories(database, project, ids))
        learned = {row[0]: row[1:] for row in sessions.learned(database, ids)}
        todos = Counter(session for session, _ in sessions.todos(database, ids))
        todos += Counter(row[0] for row in sessions.held(database, ids) if is_task(row[2]))
        undecided = Counter(row[0] for row in sessions.undecided(database, ids))
        overviews = []
        for session in listed:
            prompts, tokens, first_at, last_at = injected.get(session.id, (0, 0, None, None))
            count, waiting, learned_at = learned.get(session.id, (0, 0, None))
            signs = (session.started_at, session.ended_at, at(last_at), at(learned_at))
            overviews.append(
                SessionOverview(
                    session=session,
                    name=name_of_session(session.goal, session.agent, session.started_at),
                    began_at=min(session.started_at, at(first_at) or session.started_at),
                    last_at=max(sign for sign in signs if sign is not None),
                    prompts=prompts,
                    injected=memories_of.get(session.id, 0),
                    tokens=tokens,
                    learned=count,
                    waiting=waiting,
                    open=todos[session.id],
                    undecided=undecided[session.id],
                )
            )
        return overviews


def _session(row: Image) -> Session:
    messages, is_incognito = row["messages"] or 0, bool(row["incognito"])
    return of_row(
        Session, row, learned=row["memories"], messages=messages, is_incognito=is_incognito
    )


def _session_name(row: Image) -> SessionName:
    return SessionName(row["id"], name_of_row(row), row["agent"], moment_at(row["started_at"]))
