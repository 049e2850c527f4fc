"""What was said and done in a session, turn by turn, and which turns are a conversation.

A reader of another host's files gives the tools Claude Code's names: Bash (command), Read, Edit,
Write (file_path, old_string, new_string, content), TodoWrite (todos), TaskCreate, TaskUpdate, Agent
(prompt). Turns are searched for secrets before their words are cut, joined or capitalised.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from ..redaction import redact as room
from ..redaction.redact import EVERYTHING, Choice, redact, redact_record
from ..text import clean as cleaning
from ..text.clean import clean

KINDS = ("user", "assistant", "tool_call", "tool_result", "queued", "boundary")
"""A prompt, an answer, a call and its result, a prompt typed while the agent worked, and the
place where a conversation was compacted."""

MAX_TEXT = 32_000  # characters of one turn's text; more is cut out of the middle


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Session:
    """Whose words are read, and where the project lies."""

    session: str
    agent: str
    transcript: str
    root: str | None
    role: str | None = None  # of the subagent whose file it is; None: the main agent


@dataclass(frozen=True, slots=True)
class Turn:
    """One block of one transcript line. Its text is raw: neither cleaned nor redacted."""

    kind: str  # one of KINDS
    text: str = ""  # at most MAX_TEXT characters
    tool: str = ""  # name of the tool; calls only
    tool_input: Mapping[str, Any] = field(default_factory=dict)  # calls only
    is_error: bool = False  # results only
    line: int = 0  # line in the file, from 1
    uuid: str = ""  # the host's name for the line
    at: datetime | None = None  # UTC
    agent_id: str | None = None  # the subagent that spoke; None for the main agent
    part: int = 0  # index of the block within its line
    message_id: str = ""  # shared by all blocks of one answer of the model
    call_id: str = ""  # joins a call with its result
    details: Mapping[str, str | bool] = field(default_factory=dict)  # small facts beside a result
    tokens: int | None = None  # read and written for this answer; the same on all its blocks

    @property
    def is_prompt(self) -> bool:
        """Whether it reached the agent as a prompt."""
        return self.kind in ("user", "queued")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call with its result, if that has been read."""

    turn: Turn
    result: Turn | None
    position: int  # of the call in the list of turns
    answered: int  # position of the result, or of the call where there is none

    @property
    def tool(self) -> str:
        return self.turn.tool

    def argument(self, *names: str) -> str:
        """The first of these arguments that is a text, else an empty one."""
        for name in names:
            value = self.turn.tool_input.get(name)
            if isinstance(value, str):
                return value
        return ""


def calls_in(turns: Iterable[Turn]) -> tuple[Call, ...]:
    """The tool calls among `turns` in order, each with the result of the same `call_id`."""
    listed = list(turns)
    results = {t.call_id: n for n, t in enumerate(listed) if t.kind == "tool_result" and t.call_id}
    calls = []
    for position, turn in enumerate(listed):
        if turn.kind == "tool_call":
            answered = results.get(turn.call_id, position) if turn.call_id else position
            result = listed[answered] if answered != position else None
            calls.append(Call(turn, result, position, answered))
    return tuple(calls)


def clip(text: str, limit: int = MAX_TEXT, gap: str = "\n\n…\n\n") -> str:
    """`text`, or its first three quarters and its end where it is longer than `limit`."""
    if len(text) <= limit:
        return text
    head = limit * 3 // 4
    return f"{text[:head]}{gap}{text[-(limit - head - len(gap)) :]}"


def reference(session: Session, place: str, index: str) -> str:
    """The stable name of a place: the same one is never captured twice.

    A fork repeats earlier lines under their old uuid, so that one needs no session beside it.
    """
    if not _UUID.fullmatch(place):
        place = f"{session.session}:{place}"
    return f"{session.agent}:{place}:{index}"


MOST_MARKS = 8_000
"""Turns of one transcript, the last ones, of which is remembered that they hold no secret."""

_MARK = 8  # bytes of a turn's mark
_VERSION = 16  # bytes that name the rules


class ClearTurns:
    """Which turns hold no secret, and were looked through already: a session is read from a little
    before its last reading's end, again and again.

    `stored` is what an earlier reading left (`stored`); what other rules left, or is damaged, is
    nothing. It holds a mark of each such turn, and no word of it. `choice` is what the policy may
    leave in a text.
    """

    def __init__(self, stored: bytes = b"", choice: Choice = EVERYTHING) -> None:
        self.searched = 0  # turns that were not known yet
        self._choice = choice
        self._version = _version_of(choice)
        marks = stored[_VERSION:] if stored[:_VERSION] == self._version else b""
        marks = b"" if len(marks) % _MARK else marks
        self._marks = dict.fromkeys(
            marks[at : at + _MARK] for at in range(0, len(marks), _MARK)
        )  # in the order in which they were met last

    @property
    def stored(self) -> bytes:
        """What the next reading is to be given."""
        return self._version + b"".join([*self._marks][-MOST_MARKS:])

    def without_secrets(self, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        """`turns` with all that was said and given to tools redacted; most stay as they are."""
        return tuple(map(self._redacted, turns))

    def _redacted(self, turn: Turn) -> Turn:
        if not (turn.text or turn.tool_input):
            return turn
        said = f"{turn.text}\0{turn.tool_input}" if turn.tool_input else turn.text
        mark = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_MARK).digest()
        if mark in self._marks:
            self._marks[mark] = self._marks.pop(mark)
            return _with(turn, clean(turn.text))
        self.searched += 1
        made = redact(turn.text, choice=self._choice)
        given = turn.tool_input and redact_record(turn.tool_input, choice=self._choice).fields
        if given != turn.tool_input:
            return replace(turn, text=made.value, tool_input=given)
        if not made.removed:
            self._marks[mark] = None
        return _with(turn, made.value)


def _with(turn: Turn, text: str) -> Turn:
    return turn if text == turn.text else replace(turn, text=text)


@lru_cache(maxsize=8)
def _version_of(choice: Choice) -> bytes:
    """The name of the rules, which is another one when a line of them is, and of the choice."""
    folder = os.path.dirname(room.__file__)
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    told = blake2b(repr((choice, sorted(choice.keep_emails))).encode(), digest_size=_VERSION)
    for path in (*files, cleaning.__file__):
        if path.endswith(".py"):
            with open(path, "rb") as file:
                told.update(file.read())
    return told.digest()
