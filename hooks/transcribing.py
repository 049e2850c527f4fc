"""From a session's file to the store: what is new in it is offered, and its bookkeeping kept."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Sequence
from hashlib import blake2s
from itertools import islice
from typing import Any

from ..core.answers import StoreResult
from ..core.capture.echo import ends_incognito, without_echo, without_incognito
from ..core.capture.extract import read_session
from ..core.capture.lines import LOOK_BACK, look_back
from ..core.capture.redacted import without_secrets
from ..core.capture.shape import Session
from ..core.capture.todos import TODO_TOOLS, todo_list
from ..core.capture.transcripts import read_any
from ..core.capture.turns import Call, Turn, calls_in
from ..core.coordinator import MemoryCoordinator
from ..core.working import Task
from . import events
from .spool import Record

LAST_LOOK_BYTES = 8 * 1024 * 1024
"""How far back the end of a session is read again."""

_HEAD_LINES = 40
"""Lines at the start of a forked session's file that may name its parent."""

_MESSAGES = ("user", "assistant")


def read_on(memory: MemoryCoordinator, record: Record, path: str) -> list[StoreResult]:
    """Offer what is new in a transcript; what became of each capture.

    A file that is not there yet comes later. Each reading starts a little before the last one's
    end, since what failed there may be mended here; the end of a session looks at its open todos
    as well, wherever they stand. What is not to be taken down is passed over for good.
    """
    if not is_file(path):
        return []
    session = record["session"]
    is_subagent = record["kind"] == events.SUBAGENT_ENDED
    is_over = record["kind"] == events.SESSION_ENDED
    mark, since_line = _valid(path, memory.transcript_mark(path))
    offset, line = look_back(path, mark, since_line, LAST_LOOK_BYTES if is_over else LOOK_BACK)
    seen: frozenset[str] = frozenset()
    results = list[StoreResult]()
    taken_down = memory.is_taken_down(session)
    is_hidden = offset > 0 and memory.is_incognito_at_mark(path)
    place = Session(session, record["host"], path, memory.project.root or None)
    while True:
        reading = read_any(path, record["host"], offset, line, seen, sidechains=is_subagent)
        turns = without_secrets(reading.turns, memory.redaction_choice()) if taken_down else ()
        if taken_down:
            if offset == 0 and not is_subagent:
                _note_goal(memory, session, turns)
            found = read_session(
                turns,
                place,
                since_line=0 if is_over else since_line,  # what was offered is known by place
                is_over=is_over and not reading.has_more,
                starts_incognito=is_hidden,
            )
            results += memory.offer(found.captures)
            memory.take_back_claims(found.denied)
            turns = tuple(without_incognito(turns, starts_inside=is_hidden))
        fresh = [turn for turn in reading.turns if turn.line > since_line]
        spoken = sum(turn.kind in _MESSAGES for turn in fresh)
        is_hidden = ends_incognito(reading.turns, starts_inside=is_hidden)
        messages = memory.set_transcript_mark(
            path, reading.offset, reading.line_no, messages=spoken, is_incognito=is_hidden
        )
        if taken_down and not is_subagent:
            memory.checkpoint(session, messages, reading.line_no)
            _hold_tasks(memory, record, turns, is_new=bool(fresh))
        if not reading.has_more or reading.offset <= offset:
            return results
        offset, line, seen = reading.offset, reading.line_no, reading.seen_uuids
        since_line = line


def parent_of(path: str, session: str) -> str | None:
    """The session that a forked one repeats: its file begins with that one's lines."""
    with contextlib.suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
        for line in islice(file, _HEAD_LINES):
            told: Any = json.loads(line)
            named = told.get("sessionId") if isinstance(told, dict) else None
            if isinstance(named, str) and named and named != session:
                return named
    return None


def is_file(path: str) -> bool:
    """Whether `path` is a regular file: reading a pipe would wait for ever."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _valid(path: str, mark: tuple[int, int]) -> tuple[int, int]:
    """The mark, or the start of a file that has become shorter since."""
    return mark if os.stat(path).st_size >= mark[0] else (0, 0)


def _note_goal(memory: MemoryCoordinator, session: str, turns: Sequence[Turn]) -> None:
    """A session's goal is what the person asked first, private passages left out."""
    prompt = next((without_echo(turn.text) for turn in turns if turn.is_prompt), "")
    if prompt.strip():
        memory.session_goal(session, prompt)


def _hold_tasks(
    memory: MemoryCoordinator, record: Record, turns: Sequence[Turn], *, is_new: bool
) -> None:
    """Working memory as the agent's list has it, and what was asked for last (000-17, 001-10).

    Where nothing `is_new`, the event may have been delivered a second time, after the end.
    """
    session, kind = record["session"], record["kind"]
    if kind == events.SESSION_ENDED:
        return  # it is cleared
    if not is_new and (kind != events.COMPACTING or memory.has_ended(session)):
        return
    calls = [call for call in calls_in(turns) if call.tool in TODO_TOOLS]
    if calls:
        is_whole = calls[-1].tool == "TodoWrite"
        tasks = [
            Task(_task_id(todo.id, todo.subject, is_whole), text, todo.status, todo.priority)
            for todo in todo_list(calls)
            if (text := without_echo(todo.subject).strip())
        ]
        gone = [Task(name, "", "deleted") for name in _deleted(calls)]
        memory.sync_tasks(session, tasks + gone, is_whole=is_whole)
    wanted = memory.policy.working.prompts
    if wanted == "turn" or (wanted == "compaction" and kind == events.COMPACTING):
        prompts = [without_echo(turn.text) for turn in turns if turn.is_prompt]
        if prompts and prompts[-1].strip():
            memory.hold_prompt(session, prompts[-1])


def _deleted(calls: Sequence[Call]) -> list[str]:
    """The host's ids of the tasks that these calls took off the list, which names them no more."""
    given = [call.turn.tool_input for call in calls if call.tool == "TaskUpdate"]
    return [
        str(one[spelling])
        for one in given
        if one.get("status") == "deleted"
        for spelling in ("taskId", "task_id", "id")  # models use all three
        if spelling in one
    ]


def _task_id(number: str, subject: str, is_whole: bool) -> str:
    """What names a task: the host's id, or, in a list that is rewritten, its words."""
    if not is_whole:
        return number
    return blake2s(subject.strip().lower().encode("utf-8", "replace"), digest_size=6).hexdigest()
