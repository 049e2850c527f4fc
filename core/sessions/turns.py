"""The turns of a session, and its tool calls.

A reader of another host's files gives the tools Claude Code's names: Bash (command), Read, Edit,
Write (file_path, old_string, new_string, content), TodoWrite (todos), TaskCreate, TaskUpdate, Agent
(prompt). Turns are searched for secrets before their words are cut, joined or capitalised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ..redaction.redact import EVERYTHING, Choice, redact, redact_record

KINDS = ("user", "assistant", "tool_call", "tool_result", "queued", "boundary")
"""A prompt, an answer, a call and its result, a prompt typed while the agent worked, and the
place where a conversation was compacted."""

ASKED = "Bash Edit MultiEdit Write NotebookEdit ExitPlanMode Task Agent AskUserQuestion".split()
"""The hosts' tools whose results may hold words of the user, who is asked before such a call."""

MAX_TEXT = 32_000  # characters of one turn's text; more is cut out of the middle


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Session:
    """The session, agent and project folder of a transcript."""

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
    tool: str = ""  # name of the tool; calls, and results of those in ASKED
    tool_input: Mapping[str, Any] = field(default_factory=dict)  # calls only
    is_error: bool = False  # results only
    line: int = 0  # line in the file, from 1
    uuid: str = ""  # the host's name for the line
    at: datetime | None = None  # UTC
    agent_id: str | None = None  # the subagent; None for the main agent
    part: int = 0  # index of the block within its line
    message_id: str = ""  # shared by all blocks of one answer of the model
    call_id: str = ""  # joins a call with its result
    details: Mapping[str, str | bool] = field(default_factory=dict)  # small facts beside a result
    tokens: int | None = None  # read and written for this answer; the same on all its blocks

    @property
    def is_prompt(self) -> bool:
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
        """Return the first of these arguments that is a text, else an empty one."""
        for name in names:
            value = self.turn.tool_input.get(name)
            if isinstance(value, str):
                return value
        return ""


def calls_in(turns: Iterable[Turn]) -> tuple[Call, ...]:
    """Return the tool calls among `turns` in order, each with the result of the same `call_id`."""
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


def reference(session: Session, text: str, index: str) -> str:
    """Return the stable name of a place: the same one is never captured twice.

    A fork repeats earlier lines under their old uuid, so that one needs no session beside it.
    """
    if not _UUID.fullmatch(text):
        text = f"{session.session}:{text}"
    return f"{session.agent}:{text}:{index}"


def without_secrets(turns: Iterable[Turn], choice: Choice = EVERYTHING) -> tuple[Turn, ...]:
    """Return `turns` with all texts and tool inputs redacted, as `choice` allows."""
    return tuple(
        replace(
            turn,
            text=redact(turn.text, choice=choice).value,
            tool_input=turn.tool_input and redact_record(turn.tool_input, choice=choice).fields,
        )
        if turn.text or turn.tool_input
        else turn
        for turn in turns
    )
