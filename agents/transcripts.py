"""From a session's file to the store: capture its new part, and note the reading position."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2s
from itertools import islice
from typing import Any, NamedTuple

from ..core.answers import Recording, StoreResult
from ..core.compat import MemoryCoordinator
from ..core.projects import branch_of
from ..core.services.receipts import prompt_among
from ..core.services.working_memory import Task
from ..core.sessions.capture import read_session
from ..core.sessions.echo import (
    markers,
    off_the_record,
    records,
    was_off,
    without_echo,
    without_incognito,
    without_recordings,
)
from ..core.sessions.shape import digest, letters, relative
from ..core.sessions.transcript import LOOK_BACK, Reading, look_back, read_any
from ..core.sessions.turns import Session, Turn, calls_in, reference, without_secrets
from ..core.sessions.utterances import Sources
from ..core.sessions.work import (
    BEGUN,
    ENDED,
    MAX_STEPS,
    TODO_TOOLS,
    Todo,
    changes_in,
    handover,
    moved_todos,
    steps_of_task,
    todo_list,
)
from ..core.values import PRIVACIES, Origin, role_of
from ..hosts import wire
from ..hosts.opencode import host
from ..hosts.opencode.host import lines_before, read_export
from .spool import Record

LAST_LOOK_BYTES = 8 * 1024 * 1024
"""Bytes of a session's end that are read again, and searched for agents' records."""

MOST_EARLIER = 4  # sessions whose texts are searched for the words of a record

JUDGED_BACK = 256 * 1024
"""Bytes before the new part in which turns are scored; the task list may begin further back."""

_HEAD_LINES = 40  # lines at the start of a forked session's file that may name its parent

_MESSAGES = ("user", "assistant")


Export = Callable[[str, str], str]
"""From an address and a folder to a session's text, as `exports.export`."""


def read_on(
    memory: MemoryCoordinator, record: Record, path: str, export: Export = host.export
) -> list[StoreResult]:
    """Capture the new part of a session.

    `path` is the host's file, or an export's address. Each reading starts a little before the last
    one's end, since it may fix an earlier failure. Raises ExportFailed.
    """
    source = _source(memory, record, path, export)
    return _Pieces(memory, record, source).read_on() if source is not None else []


class _Pieces:
    """The new part of a session, processed piece by piece: each ends with its mark."""

    def __init__(self, memory: MemoryCoordinator, record: Record, source: _Source) -> None:
        self._memory, self._record, self._source = memory, record, source
        self._session = record["session"]
        self._is_subagent = record["kind"] == wire.SUBAGENT_ENDED
        self._is_over = record["kind"] == wire.SESSION_ENDED
        self._is_taken_down = memory.is_recorded(self._session)
        self._hidden = 0 if self._is_subagent else memory.extractor.passed_over(self._session)
        self._since_line = source.since_line
        self._waits = False  # for recording to be on again
        self._starts = memory.marker_at_mark(source.name) if source.offset > 0 else ""
        role = role_of(record["role"]) if self._is_subagent and record.get("role") else None
        root = memory.project.root or None
        self._place = Session(self._session, record["host"], source.name, root, role)

    def read_on(self) -> list[StoreResult]:
        """Read to the end; return the result of each capture."""
        offset, line = self._source.offset, self._source.line
        seen, first = frozenset[str](), self._starts
        results, text = list[StoreResult](), list[Turn]()
        while True:
            reading = self._source.read(offset, line, seen)
            text += reading.turns
            is_off = any(was_off(turn.at, self._source.spells) for turn in reading.turns)
            if (
                is_off and self._is_taken_down and not self._is_subagent
            ):  # it is for no model either, later
                marked = zip(reading.turns, markers(reading.turns, self._starts), strict=True)
                last = max(turn.line for turn, marker in marked if marker == "incognito")
                self._memory.extractor.pass_over(self._session, last)
            if reading.rewound:
                places = tuple(reference(self._place, name, "") for name in reading.rewound)
                self._memory.take_back(self._session, places, "the turn was rewound")
            turns, starts = tuple[Turn, ...](), self._starts
            if self._is_taken_down:
                visible, starts = _shown(reading.turns, starts, self._hidden)
                details = without_secrets(
                    without_recordings(visible), self._memory.redaction_choice()
                )
                results += self._offer(details, reading, starts, is_first=offset == 0)
                is_inside = starts == "incognito"
                turns = tuple(without_incognito(details, starts_inside=is_inside))
                self._memory.note_uses(self._session, turns, self._since_line)
            self._mark(reading, turns, starts)
            if not reading.has_more or reading.offset <= offset:
                if self._is_taken_down and not self._is_subagent:
                    is_over = self._is_over
                    _settle_records(self._memory, self._session, text, first, is_over=is_over)
                    if is_over or self._record["kind"] == wire.TURN_ENDED:  # its end may never come
                        near_line = 0 if is_over else self._source.near_line
                        self._hand_over(*_shown(tuple(text), first, near_line))
                return results
            offset, line, seen = reading.offset, reading.line_no, reading.seen_uuids
            self._since_line = line

    def _offer(
        self, turns: tuple[Turn, ...], reading: Reading, starts: str, *, is_first: bool
    ) -> list[StoreResult]:
        if is_first and not self._is_subagent:
            # A session's goal is the first prompt without private passages.
            marked = zip(turns, markers(turns), strict=True)
            prompts = (turn.text for turn, marker in marked if turn.is_prompt and not marker)
            prompt = without_echo(next(prompts, ""))
            if prompt.strip():
                self._memory.session_goal(self._session, prompt)
        is_end = self._is_over and not reading.has_more
        near_line = 0 if self._is_over else self._source.near_line
        turns, starts = _shown(turns, starts, near_line)
        extraction = read_session(
            turns,
            self._place,
            since_line=0 if self._is_over else self._since_line,  # offered ones are known by place
            is_over=is_end,
            starts=starts,
        )
        results = self._memory.offer(extraction.captures)
        if is_end and not self._is_subagent:
            self._memory.end_left_todos(self._session, extraction.captures)
        if places := extraction.taken_back:
            self._memory.take_back(self._session, places, "the next prompt took it back")
        return results + self._memory.correct(extraction.corrections)

    def _hand_over(self, turns: Sequence[Turn], starts: str) -> None:
        """Store the handover to the next session: unsolved issues and next steps."""
        memory = self._memory
        marked = zip(turns, markers(turns, starts), strict=True)
        public = without_recordings([turn for turn, marker in marked if not marker])
        public = without_secrets(public, memory.redaction_choice())
        if any(turn.is_prompt for turn in public):
            branch = branch_of(self._record["cwd"])
            text, is_unsolved = handover(public, self._place, branch)
            origin = Origin(self._session, self._record["host"], transcript=self._source.name)
            origin = replace(origin, line=public[-1].line)
            memory.hand_over(text, origin, is_unsolved=is_unsolved)

    def _mark(self, reading: Reading, turns: tuple[Turn, ...], starts: str) -> None:
        """Note the reading position, and the session's activity there."""
        fresh = [turn for turn in reading.turns if turn.line > self._since_line]
        spells = () if self._is_taken_down else self._source.spells
        dated = [turn.at.timestamp() * 1000 for turn in fresh if turn.at is not None]
        if spells and dated and len(dated) == len(fresh):
            # Turns before the last spell are read once it is over; dates separate them.
            self._waits |= min(dated) < spells[-1][0]
        if self._waits:
            return
        if reading.turns:
            self._starts = markers(reading.turns, self._starts)[-1]
        messages = self._memory.set_transcript_mark(
            self._source.name,
            reading.offset,
            reading.line_no,
            messages=sum(turn.kind in _MESSAGES for turn in fresh),
            marker=self._starts,
        )
        marked = markers(turns, starts)
        fresh_calls = [
            call
            for call in calls_in(turns)
            if call.turn.line > self._since_line and not marked[call.position]
        ]
        if changes := [*changes_in(fresh_calls, self._place.root)]:
            self._memory.services.captures.mark_changed(self._session, changes)
        if self._is_subagent:
            return
        if not self._is_taken_down:
            self._memory.extractor.pass_over(self._session, reading.line_no)
            return
        self._memory.checkpoint(self._session, messages, reading.line_no)
        # Tasks that were left open before begin and end once, so that an undo holds.
        moved = [item for item in moved_todos(calls_in(turns)) if item.turn.line > self._since_line]
        begun = [todo.subject for todo in moved if todo.status == BEGUN]
        self._memory.begin_todos(self._session, begun)
        for status in ENDED:
            over = [(todo.subject, todo.turn.at) for todo in moved if todo.status == status]
            self._memory.end_todos(self._session, over, status)
        self._hold_tasks(turns, starts, is_new=bool(fresh))
        unread = [turn for turn in turns if turn.line > self._since_line]
        if unread and not self._is_over:  # recall reads the session's current activity first
            root = self._memory.project.root or None
            if paths := touched_in(unread, self._record["cwd"], root):
                self._memory.note_activity(self._session, files=paths)

    def _hold_tasks(self, turns: Sequence[Turn], starts: str, *, is_new: bool) -> None:
        """Set working memory by the agent's list, and the last request.

        `starts` is the marker before the first turn. If nothing `is_new`, the event may have been
        delivered a second time, after the end.
        """
        memory, kind = self._memory, self._record["kind"]
        if kind == wire.SESSION_ENDED:
            return  # it is cleared
        if not is_new and (kind != wire.COMPACTING or memory.has_ended(self._session)):
            return
        _sync_tasks(memory, self._record, turns, starts)
        marked = [*zip(turns, markers(turns, starts), strict=True)]
        self._note_steps(turns, {turn.line for turn, marker in marked if marker})
        wanted = memory.policy.working.prompts
        if wanted == "turn" or (wanted == "compaction" and kind == wire.COMPACTING):
            prompts = [(turn.text, marker) for turn, marker in marked if turn.is_prompt]
            text, marker = prompts[-1] if prompts else ("", "")
            if (prompt := without_echo(text)).strip():
                privacy = marker if marker in PRIVACIES else "public"
                memory.hold_prompt(self._session, prompt, privacy=privacy)

    def _note_steps(self, turns: Sequence[Turn], hidden: Container[int]) -> None:
        """Hold the new steps of the active task, except those at lines that are private."""
        task, steps = steps_of_task(turns, self._since_line, self._memory.project.root or None)
        origin = Origin(self._session, self._record["host"], transcript=self._record["transcript"])
        named = [
            (digest(f"{at} {text}", 4), stage, kind, without_echo(text), replace(origin, line=at))
            for stage, kind, text, at in steps
            if at not in hidden
        ]
        if task is not None and named:
            name = _name_of(task, task.turn.tool == "TodoWrite")
            self._memory.note_steps(name, named, most=MAX_STEPS)


def _shown(turns: tuple[Turn, ...], starts: str, hidden: int) -> tuple[tuple[Turn, ...], str]:
    """Return the turns behind line `hidden`, and the marker before the first of them.

    Turns from times without recording are never read later, and turns far before the new part
    were scored before.
    """
    count = sum(turn.line <= hidden for turn in turns)
    return turns[count:], markers(turns, starts)[count - 1] if count else starts


class _Source(NamedTuple):
    """The text of a session, and the position to begin."""

    name: str  # in marks and references
    offset: int
    line: int
    since_line: int  # lines (messages of an export) that were read before
    read: Callable[[int, int, frozenset[str]], Reading]
    near_line: int = 0  # earlier turns are not scored together with new ones
    spells: Sequence[tuple[int, int]] = ()  # times without recording: no word of them is read


def _source(memory: MemoryCoordinator, record: Record, path: str, export: Export) -> _Source | None:
    """Return the source of a session; None if there is nothing to read yet, or no longer."""
    is_subagent = record["kind"] == wire.SUBAGENT_ENDED
    spells = memory.services.preferences.off_spells(record["session"])
    if host.is_address(path):
        if record["kind"] == wire.SESSION_STARTED:
            return None  # it has no words yet, and an export takes seconds
        try:
            text = export(path, record["cwd"])
        except host.NoSuchSession:
            return None
        name = host.name_of(path)
        moment_ms, _ = memory.transcript_mark(name)
        reading = _without_spells(read_export(text, sidechains=is_subagent), spells)
        since_line = lines_before(reading, moment_ms)
        return _Source(name, 0, 0, since_line, lambda *_: reading, spells=spells)
    if not is_file(path):
        return None
    mark, since_line = memory.transcript_mark(path)
    if os.stat(path).st_size < mark:  # it was replaced
        mark = since_line = 0
    is_last = record["kind"] == wire.SESSION_ENDED or bool(memory.unchecked(record["session"]))
    offset, line = look_back(path, mark, since_line, LAST_LOOK_BYTES if is_last else LOOK_BACK)
    return _Source(
        path,
        offset,
        line,
        since_line,
        lambda at, lines, seen: _without_spells(
            read_any(path, record["host"], at, lines, seen, sidechains=is_subagent), spells
        ),
        look_back(path, mark, since_line, JUDGED_BACK)[1],
        spells,
    )


def _without_spells(reading: Reading, spells: Sequence[tuple[int, int]]) -> Reading:
    """Return a reading without turns from times without recording."""
    turns = off_the_record(reading.turns, spells)
    return replace(reading, turns=turns) if spells else reading


def prompt_in_export(text: str, mark: str) -> str | None:
    """Return the last prompt with this fingerprint in an exported session; None without one."""
    return prompt_among(read_export(text).turns, mark)


def parent_of(path: str, session: str) -> str | None:
    """Return the session that a forked one repeats: its file begins with that one's lines."""
    with contextlib.suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
        for line in islice(file, _HEAD_LINES):
            entry: Any = json.loads(line)
            session_id = entry.get("sessionId") if isinstance(entry, dict) else None
            if isinstance(session_id, str) and session_id and session_id != session:
                return session_id
    return None


def is_file(path: str) -> bool:
    """Return True if `path` is a regular file: reading a pipe would wait for ever."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def tasks_at_hand(memory: MemoryCoordinator, record: Record, path: str) -> None:
    """Hold the agent's list in the middle of a turn, of which nothing else is read yet.

    Only where the host keeps a file: an export takes seconds, and comes with the turn's end.
    """
    session = record["session"]
    if host.is_address(path) or not memory.is_recorded(session) or memory.has_ended(session):
        return
    source = _source(memory, record, path, host.export)
    if source is None:
        return
    starts = memory.marker_at_mark(path) if source.offset > 0 else ""
    reading = source.read(source.offset, source.line, frozenset())
    visible, starts = _shown(reading.turns, starts, memory.extractor.passed_over(session))
    clean = without_secrets(without_recordings(visible), memory.redaction_choice())
    turns = tuple(without_incognito(clean, starts_inside=starts == "incognito"))
    if any(turn.line > source.since_line for turn in turns):
        _sync_tasks(memory, record, turns, starts)


def _sync_tasks(
    memory: MemoryCoordinator, record: Record, turns: Sequence[Turn], starts: str
) -> None:
    """Set working memory by the agent's list, with the privacy of the turn that wrote it."""
    calls = [call for call in calls_in(turns) if call.tool in TODO_TOOLS]
    if calls:
        is_whole = calls[-1].tool == "TodoWrite"
        tasks = list[Task]()
        for todo in todo_list(calls):
            if text := without_echo(todo.subject).strip():
                tasks.append(Task(_name_of(todo, is_whole), text, todo.status, todo.priority))
        updates = [call.turn.tool_input for call in calls if call.tool == "TaskUpdate"]
        gone = [
            Task(str(update[spelling]), "", "deleted")  # the list names it no more
            for update in updates
            if update.get("status") == "deleted"
            for spelling in ("taskId", "task_id", "id")  # models use all three
            if spelling in update
        ]
        marker = markers(turns, starts)[calls[-1].position]
        memory.sync_tasks(
            record["session"],
            tasks + gone,
            is_whole=is_whole,
            agent=record["host"],
            privacy=marker if marker in PRIVACIES else "public",
        )


def _name_of(todo: Todo, is_whole: bool) -> str:
    """Return the id of a task: its words in a list that is rewritten as a whole, else the host's
    id."""
    words = todo.subject.strip().lower().encode("utf-8", "replace")
    return blake2s(words, digest_size=6).hexdigest() if is_whole else todo.id


_MARKER = "[REDACTED:"
_COMPARED = 200  # letters of a text that are searched for in a command


def _settle_records(
    memory: MemoryCoordinator, session: str, turns: Sequence[Turn], starts: str, *, is_over: bool
) -> None:
    """Check the unchecked records of a session; `starts` as in `markers`.

    A record that the transcript lacks waits until the session `is_over`. A record of an incognito
    turn is withdrawn. One of a marked turn gets its privacy.
    """
    if not (waiting := memory.unchecked(session)):
        return
    if any(_MARKER in text for _, text in waiting):
        turns = without_secrets(turns, memory.redaction_choice())
    marked = markers(turns, starts)
    calls = [(position, turn) for position, turn in enumerate(turns) if turn.kind == "tool_call"]
    last = list[Sources]()
    for recording, text in waiting:
        wanted = letters(text)[:_COMPARED]
        commands = ((position, turn.tool_input.get("command")) for position, turn in calls)
        recorded = (
            at
            for at, line in commands
            if isinstance(line, str) and records(line) and wanted in letters(line)
        )
        call = next(recorded, None)
        marker = "" if call is None else marked[call]
        if marker == "incognito":
            memory.withdraw_recording(recording.id)
            continue
        before = _before(turns, call, recording, is_over=is_over)
        if before is not None:
            earlier = [turns[position] for position in before if marked[position] != "incognito"]
            source = Sources(without_recordings(earlier)).evidence(text)
            if source == "agent":  # it may repeat what a session before it read
                last = last or [*_earlier_sources(memory, session)]
                source = next((who for it in last if (who := it.first(text)) != source), source)
            memory.settle_recording(recording.id, source, privacy=marker or "public")


def _earlier_sources(memory: MemoryCoordinator, session: str) -> Iterator[Sources]:
    """Yield the texts of the project's last sessions whose files are here."""
    services = memory.services
    for other in memory.sessions(MOST_EARLIER):
        path = "" if other.id == session else services.sessions.detail(other.id).transcript
        if is_file(path) and not other.is_incognito:
            start, _ = look_back(path, os.stat(path).st_size, 0, LAST_LOOK_BYTES)
            reading = read_any(path, other.agent, start)
            turns = _without_spells(reading, services.preferences.off_spells(other.id)).turns
            yield Sources(without_recordings(without_incognito(turns)))


def _before(
    turns: Sequence[Turn], call: int | None, recording: Recording, *, is_over: bool
) -> Sequence[int] | None:
    """Return the positions of turns before a record; None while they are not all written."""
    if call is not None:
        return range(call)
    times = [turn.at for turn in turns]
    if not is_over and not any(at is not None and at > recording.at for at in times):
        return None
    return [position for position, at in enumerate(times) if at is not None and at <= recording.at]


MOST_FILES = 30

_ARGUMENTS = ("file_path", "notebook_path", "path")
_TOOLS = frozenset(("Read", "Edit", "Write", "MultiEdit", "NotebookEdit"))


def touched_in(turns: Sequence[Turn], folder: str, root: str | None) -> list[str]:
    """Files that the tool calls among `turns` name, the last one first, as called within `root`.

    A relative path is meant in `folder`.
    """
    paths: list[str] = []
    for turn in reversed(turns):
        if turn.kind != "tool_call" or turn.tool not in _TOOLS:
            continue
        for name in _ARGUMENTS:
            path = turn.tool_input.get(name)
            if isinstance(path, str) and path.isprintable() and path.strip():
                paths.append(path)
    whole = (os.path.realpath(os.path.join(folder, path)) for path in paths)
    return list(dict.fromkeys(relative(path, root) for path in whole))[:MOST_FILES]
