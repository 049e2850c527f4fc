"""A conversation through the real doors: each hook call with its payload, then the drain.

The hooks and the drain are the ones that agents call, in this process. They read the system's
clock; `the_time_of` lets them live at the time of the story.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any, Self

from ..agents import drain
from ..agents import main as hook
from ..agents.drain import DrainReport, drain_spool
from ..agents.spool import DrainLock
from ..core.compat import MemoryCoordinator
from ..core.hosts import GUARD
from ..db.home import Home
from .history import Conversation, Fields
from .transcript import Transcript

_TYPING = timedelta(seconds=40)
_THINKING = timedelta(seconds=25)
_WORKING = timedelta(seconds=35)


class Clock:
    """A clock that is set by hand and goes on by a millisecond with every look."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def nanoseconds(self) -> int:
        """The same, as `time.time_ns` gives it."""
        return int(self().timestamp() * 1000) * 1_000_000


class Chance:
    """Bytes that look like chance and are the same in every build."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.sha256(f"{self._seed}/{self._count}".encode()).digest()[:size]


@dataclass(frozen=True, slots=True)
class Call:
    """One hook call: what the agent sent and what it got."""

    event: str
    at: datetime
    payload_bytes: int
    about: str  # what it was about, for people
    reply: str  # the text for the model; empty for none
    drained: DrainReport | None = None  # the drain that followed


class Doors:
    """Plays one conversation, call by call."""

    def __init__(
        self,
        home: Home,
        project_root: str,
        conversation: Conversation,
        chance: Chance,
        *,
        folder: str,  # plays the client's own, which holds its transcripts
    ) -> None:
        self._home = home
        self._root = project_root
        self._conversation = conversation
        self._chance = chance
        self._clock = Clock(conversation.starts)
        self._transcript = Transcript(folder, conversation, project_root)
        self._todos: list[dict[str, str]] = []
        self._last_words = ""

    def play(self) -> Iterator[Call]:
        """Every hook call of the session, in order, while it happens."""
        yield self._call("SessionStart", "a new session", source="startup")
        for step in self._conversation.steps:
            yield from self._step(step)
        self._clock.now += _THINKING
        yield self._call("SessionEnd", self._conversation.end, reason=self._conversation.end)

    def _step(self, step: Fields) -> Iterator[Call]:
        if "say" in step:
            self._clock.now += _TYPING
            text = step["say"].replace("{token}", _pretended_token())
            shown = step["say"].replace("{token}", _pretended_token()[:4] + "…")
            yield self._call("UserPromptSubmit", shown, prompt=text)
            self._transcript.prompt(text, self._clock.now)
        elif "reply" in step:
            self._clock.now += _THINKING
            self._last_words = step["reply"]
            self._transcript.answer(step["reply"], self._clock.now)
        elif "todos" in step:
            yield self._todo_call(step)
        elif "stop" in step:
            yield self._call(
                "Stop",
                "the agent's turn is over",
                stop_hook_active=False,
                last_assistant_message=self._last_words,
                background_tasks=[],
                session_crons=[],
            )
        else:
            self._tool(*_tool_of(step, self._root))

    def _tool(
        self, tool: str, given: Mapping[str, Any], text: str, structured: Any, failed: bool
    ) -> str:
        self._clock.now += _THINKING
        call = self._transcript.call(tool, given, self._clock.now)
        self._clock.now += _WORKING
        self._transcript.result(call, text, structured, self._clock.now, failed=failed)
        return call

    def _todo_call(self, step: Fields) -> Call:
        new = [
            {"content": text, "status": status, "activeForm": text}
            for text, status in step["todos"]
        ]
        given = {"todos": new}
        answer = {"oldTodos": self._todos, "newTodos": new}
        call = self._tool("TodoWrite", given, "Todos have been modified.", answer, False)
        self._todos = new
        done = sum(todo["status"] == "completed" for todo in new)
        return self._call(
            "PostToolUse",
            f"TodoWrite, {done} of {len(new)} done",
            tool_name="TodoWrite",
            tool_input=given,
            tool_response=answer,
            tool_use_id=call,
        )

    def _call(self, event: str, about: str, **fields: Any) -> Call:
        payload = {
            "session_id": self._conversation.id,
            "transcript_path": self._transcript.path,
            "cwd": self._root,
            "hook_event_name": event,
            "prompt_id": self._transcript.prompt_id,
            **fields,
        }
        data = json.dumps(payload).encode()
        at = self._clock.now
        printed = io.StringIO()
        with the_time_of(self._home, self._clock, self._chance):
            # Holding the drain's lock keeps the hook from starting a process of its own.
            with DrainLock(self._home), contextlib.redirect_stdout(printed):
                hook.main(["claude", event], io.BytesIO(data))
            drained = None
            if event in ("Stop", "SessionEnd"):
                drained = drain_spool(self._home, self._clock.now)
        return Call(event, at, len(data), about, _context_in(printed.getvalue()), drained)


@contextlib.contextmanager
def the_time_of(home: Home, clock: Clock, chance: Chance) -> Iterator[None]:
    """Inside, hooks and drain work on `home`, at the clock's time, with the given chance."""

    class Seeded(MemoryCoordinator):
        @classmethod
        def open(cls, *args: Any, **more: Any) -> Self:
            return super().open(*args, **{**more, "entropy": chance})

    with (
        _environment({"MEMDECK_HOME": home.path, GUARD: "0"}),
        _replaced(time, "time_ns", clock.nanoseconds),
        _replaced(os, "urandom", chance),
        _replaced(drain, "MemoryCoordinator", Seeded),
    ):
        yield


@contextlib.contextmanager
def _replaced(owner: ModuleType, name: str, stand_in: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, stand_in)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextlib.contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _tool_of(step: Fields, root: str) -> tuple[str, dict[str, Any], str, Any, bool]:
    """(tool, input, what the model read, what the client kept, whether it failed) of a step."""
    if "run" in step:
        failed = bool(step.get("failed"))
        text = f"Exit code 1\n{step['out']}" if failed else step["out"]
        kept = {"stdout": step["out"], "stderr": "", "interrupted": False, "isImage": False}
        return "Bash", {"command": step["run"], "description": step["about"]}, text, kept, failed
    if "edit" in step:
        path = os.path.join(root, step["edit"])
        given = {"file_path": path, "old_string": step["old"], "new_string": step["new"]}
        kept = {"filePath": path, "oldString": step["old"], "newString": step["new"]}
        return "Edit", given, f"The file {path} has been updated.", kept, False
    if "write" in step:
        path = os.path.join(root, step["write"])
        given = {"file_path": path, "content": step["text"]}
        kept = {"type": "create", "filePath": path, "content": step["text"]}
        return "Write", given, f"File created successfully at: {path}", kept, False
    path = os.path.join(root, step["read"])
    kept = {"type": "text", "file": {"filePath": path, "content": step["text"]}}
    return "Read", {"file_path": path}, step["text"], kept, False


def _context_in(printed: str) -> str:
    """The text for the model in what a hook printed."""
    if not printed.strip():
        return ""
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"])


def _pretended_token() -> str:
    """A token that looks real and opens nothing; made here, so that no file holds one."""
    return "ghp_" + hashlib.sha256(b"quayside staging").hexdigest()[:36]
