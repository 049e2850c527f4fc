"""The course of each session: what it was asked, told, learned, spent and left open.

Read from what is stored of it; nothing here writes. What is not known is None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import chronicle
from ...db.connection import mapped_errors
from ...db.sessions import sessions_called
from ..context import shows
from ..values import at, moment_at
from .session_names import name_of_row, name_of_session, names_of
from .working_memory import is_task

if TYPE_CHECKING:
    from ...db.chronicle import NamedSession
    from ..answers import Receipt
    from ..context import Context
    from ..judgements import Conflict
    from ..values import Memory
    from .accounts import Accounts
    from .review import Review
    from .sessions import Activity, Session, Sessions

MOST_TOLD = 200
"""Receipts of one session that are read."""

LONGEST_WORD = 32
"""Characters of a goal that name its session in a query."""

SHORT_ID = 8  # characters of an id, where the goal is not its own

_PLAIN = re.compile(r"[\w./-]+")


@dataclass(frozen=True, slots=True)
class Course:
    """What came of one session, in numbers."""

    session: Session
    name: str  # its goal; where none was kept, its agent and when it began
    began_at: datetime  # the first sign of it: a host may be answered before it is taken down
    last_at: datetime  # the newest one
    prompts: int  # that were told something, starts and files among them
    told: int  # memories told, each once
    used: int | None  # of these, repeated or followed by its agent; None: not known
    tokens: int  # told
    kept: int  # live memories from it, what a task holds left out
    waiting: int  # of these, in the Inbox
    open: int  # todos, and items of its agent's list, that are not done
    undecided: int  # conflicts of its memories that wait for a person


@dataclass(frozen=True, slots=True)
class SessionName:
    """A session in words."""

    id: str
    name: str
    agent: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session with all that is stored of it."""

    course: Course
    receipts: tuple[Receipt, ...]  # that told something, oldest first, at most 200
    memories: tuple[Memory, ...]  # learned and alive, in the order in which they came up
    todos: tuple[Memory, ...]  # of these, not done
    tasks: tuple[Memory, ...]  # items of its agent's list that are not done
    conflicts: tuple[Conflict, ...]  # of its memories, undecided
    parent: SessionName | None
    forks: tuple[SessionName, ...]
    activity: Activity
    transcript: str  # path; "" when it is not known
    line: int | None  # of the transcript, where the last of it was learned
    model_calls: int  # of models that read the session
    model_tokens: int
    model_cost_usd: float


@dataclass(frozen=True, slots=True)
class Chronicle:
    """Reads what came of a project's sessions."""

    _context: Context
    _sessions: Sessions
    _accounts: Accounts
    _review: Review

    @mapped_errors()
    def courses(self, limit: int = 50) -> list[Course]:
        """The project's sessions with what came of each, newest first."""
        return self._courses(self._sessions.sessions(limit))

    @mapped_errors()
    def opened(self, ref: str) -> OpenedSession:
        """One session by its id or the beginning of it. Raises NotFound, Ambiguous."""
        session = self._sessions.session_named(ref)
        [course] = self._courses([session])
        database, names = self._context.database, [session.id]
        told = self._accounts.receipts(MOST_TOLD, session=session.id)
        held = [num for _, num, task in chronicle.held(database, names) if is_task(task)]
        todos = {num for _, num in chronicle.todos(database, names)}
        memories = self._context.memories(chronicle.kept(database, session.id))
        disputed = [
            self._review.conflict(conflict)
            for _, conflict, one, other in sorted(chronicle.undecided(database, names))
            if shows(self._context, one, other)
        ]
        parent = self._named([session.parent] if session.parent else [])
        place = chronicle.last_line(database, session.id)
        calls, tokens, dollars = chronicle.read_by_models(database, session.id)
        return OpenedSession(
            course=course,
            receipts=tuple(one for one in reversed(told) if one.session == session.id),
            memories=tuple(memories),
            todos=tuple(one for one in memories if one.num in todos),
            tasks=tuple(self._context.memories(held)),
            conflicts=tuple(disputed),
            parent=next(iter(parent), None),
            forks=tuple(map(_name, chronicle.forks_of(database, session.id))),
            activity=self._sessions.activity(session.id),
            transcript=chronicle.transcript(database, session.id) or (place[0] if place else ""),
            line=place[1] if place else None,
            model_calls=calls,
            model_tokens=tokens,
            model_cost_usd=dollars,
        )

    @mapped_errors()
    def names(self, ids: Iterable[str | None]) -> dict[str, str]:
        """By id, what these sessions are called; those that nobody noted are left out."""
        return names_of(self._context.database, ids)

    @mapped_errors()
    def word_for(self, session: str) -> str:
        """What the session is called in a query: the beginning of its goal, where that is its own.

        `make-the-release`; else the first eight characters of its id, or all of it.
        """
        database, project = self._context.here
        goals = [row["goal"] or "" for row in chronicle.named(database, [session])]
        for word in (*_beginnings("".join(goals)), session[:SHORT_ID]):
            if [row["id"] for row in sessions_called(database, project, word)] == [session]:
                return word
        return session

    def _named(self, ids: Sequence[str]) -> list[SessionName]:
        return [_name(row) for row in chronicle.named(self._context.database, ids)] if ids else []

    def _courses(self, sessions: Sequence[Session]) -> list[Course]:
        database, project = self._context.here
        ids = [one.id for one in sessions]
        told = {row[0]: row[1:] for row in chronicle.told(database, project, ids)}
        memories = {row[0]: row[1:] for row in chronicle.told_memories(database, project, ids)}
        learned = {row[0]: row[1:] for row in chronicle.learned(database, ids)}
        open_ones = Counter(session for session, _ in chronicle.todos(database, ids))
        open_ones += Counter(row[0] for row in chronicle.held(database, ids) if is_task(row[2]))
        undecided = Counter(row[0] for row in chronicle.undecided(database, ids))
        courses = []
        for one in sessions:
            prompts, tokens, first_at, told_at = told.get(one.id, (0, 0, None, None))
            number, used = memories.get(one.id, (0, 0))
            kept, waiting, learned_at = learned.get(one.id, (0, 0, None))
            signs = (one.started_at, one.ended_at, at(told_at), at(learned_at))
            courses.append(
                Course(
                    session=one,
                    name=name_of_session(one.goal, one.agent, one.started_at),
                    began_at=min(one.started_at, at(first_at) or one.started_at),
                    last_at=max(sign for sign in signs if sign is not None),
                    prompts=prompts,
                    told=number,
                    used=used,
                    tokens=tokens,
                    kept=kept,
                    waiting=waiting,
                    open=open_ones[one.id],
                    undecided=undecided[one.id],
                )
            )
        return courses


def _beginnings(goal: str) -> Iterator[str]:
    """Beginnings of a goal as a query names them, the longest first.

    Whole words, two at least, and nothing that would mean something in a query.
    """
    plain = _PLAIN.match("-".join(goal.split()))
    word = plain[0] if plain else ""
    if len(word) > LONGEST_WORD:
        word = word[: LONGEST_WORD + 1].rpartition("-")[0]
    while "-" in (word := word.rstrip("./-")):
        yield word
        word = word.rpartition("-")[0]


def _name(row: NamedSession) -> SessionName:
    return SessionName(row["id"], name_of_row(row), row["agent"], moment_at(row["started_at"]))
