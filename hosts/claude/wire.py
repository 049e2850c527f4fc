"""Claude Code's dialect: its payload in, an event out; what we recall in, its reply out.

Field names and shapes as seen in 2.1.197; missing fields and wrong types are never an error.
"""

from __future__ import annotations

from .. import wire
from ..wire import (
    Todos,
    asked,
    compacting,
    dialect,
    files,
    listed,
    mapping,
    path,
    session_ended,
    session_started,
    subagent_started,
    task_given,
    text,
    todos,
    tool_ended,
    tool_starting,
    turn_ended,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..wire import Event

HOST = "claude"
TITLE = "Claude Code"
INSTALL = "npm install -g @anthropic-ai/claude-code"

GROUPS: dict[str, tuple[str, ...]] = {
    "sessions": ("SessionStart", "SessionEnd"),
    "prompts": ("UserPromptSubmit",),
    "turns": ("Stop", "SubagentStop"),
    "todos": ("PostToolUse", "TaskCompleted"),
    "compaction": ("PreCompact",),
    "files": ("PreToolUse",),
    "results": ("PostToolUse", "PostToolUseFailure"),
    "roles": ("PreToolUse", "SubagentStart"),
    "errors": ("StopFailure",),
}
TODO_TOOLS: tuple[str, ...] = ("TodoWrite", "TaskCreate", "TaskUpdate")
FILE_TOOLS: tuple[str, ...] = ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit")
TASK_TOOLS: tuple[str, ...] = ("Agent", "Task")
ANSWERED: tuple[str, ...] = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
)
"""On Stop a text would make the model go on, elsewhere it is an error."""

REPLY_BYTES = 9900  # the host takes 10,000 UTF-16 units, never more than bytes
FORM = "xml"
MOST_TOKENS: int | None = None
SESSION_VARIABLE, MARK = "CLAUDE_CODE_SESSION_ID", "CLAUDECODE"
HOOK_FILES = (
    (("CLAUDE_CONFIG_DIR", ""),),
    "~/.claude",
    ".claude",
    {"user": "settings.json", "project": "settings.json", "local": "settings.local.json"},
)

_SLASH_COMMAND_CHARS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-"
)
_NOT_TYPED = ("<task-notification>", "<command-name>", "<command-message>", "<local-command-")


def is_typed(prompt: str) -> bool:
    """Whether a person wrote `prompt` for the model: no slash command, no notification."""
    start = prompt.lstrip()
    if not start or start.startswith(_NOT_TYPED):
        return False
    if not start.startswith("/"):
        return True
    command = start[1:].split(None, 1)[0] if start[1:].strip() else ""
    return not set(command) <= _SLASH_COMMAND_CHARS  # "/home/me/x.py fails" is no command


def _prompt(event: Event, payload: Mapping[str, Any]) -> None:
    prompt = payload.get("prompt")
    if isinstance(prompt, str) and is_typed(prompt):
        asked(event, prompt)


def _tool_starting(event: Event, payload: Mapping[str, Any]) -> None:
    """Of interest where it names a file, or what a subagent is to do."""
    tool = text(payload, "tool_name")
    if tool in TASK_TOOLS:
        event.tool = tool
        task_given(event, mapping(payload, "tool_input"), "prompt", "subagent_type")
    else:
        tool_starting(event, tool, _files(payload), text(payload, "agent_type"))


def _tool_ended(event: Event, payload: Mapping[str, Any]) -> None:
    tool = text(payload, "tool_name")
    if tool in TODO_TOOLS:
        listed(event, _todos(tool, payload))
    elif tool:
        _ended(event, payload, "ok")


def _tool_failed(event: Event, payload: Mapping[str, Any]) -> None:
    """A todo tool that failed has changed nothing."""
    if payload.get("tool_name") not in TODO_TOOLS and text(payload, "tool_name"):
        _ended(event, payload, "failed")


def _ended(event: Event, payload: Mapping[str, Any], outcome: str) -> None:
    """A tool that a person stopped neither worked nor failed."""
    answer = mapping(payload, "tool_response")
    was_stopped = payload.get("is_interrupt") is True or answer.get("interrupted") is True
    tool = text(payload, "tool_name")
    tool_ended(event, tool, _files(payload), "" if was_stopped else outcome)


def _files(payload: Mapping[str, Any]) -> tuple[str, ...]:
    if payload.get("tool_name") not in FILE_TOOLS:
        return ()
    values = mapping(payload, "tool_input")
    return files((values.get("file_path") or values.get("notebook_path"),))


def _todos(tool: str, payload: Mapping[str, Any]) -> Todos | None:
    values = mapping(payload, "tool_input")
    answer = mapping(payload, "tool_response")
    call = text(payload, "tool_use_id")
    if tool == "TodoWrite":
        # Not by `newTodos`, which some versions leave empty when all is done.
        return todos(tool, call, values.get("todos"), answer.get("oldTodos"))
    if tool == "TaskUpdate":
        return _task_update(values, answer, call)
    task = text(mapping(answer, "task"), "id")
    return Todos(tool, call, 1, 0, task) if task else None


def _task_update(values: Mapping[str, Any], answer: Mapping[str, Any], call: str) -> Todos | None:
    """None when the update failed: nothing has changed then."""
    if answer.get("success") is False:
        return None
    task = next(filter(None, (text(values, key) for key in ("taskId", "task_id", "id"))), "")
    status = mapping(answer, "statusChange").get("to") or values.get("status")
    if not task or status not in ("pending", "in_progress", "completed", "deleted"):
        return None
    is_open, is_done = status in ("pending", "in_progress"), status == "completed"
    return Todos("TaskUpdate", call, int(is_open), int(is_done), task)


def _task_completed(event: Event, payload: Mapping[str, Any]) -> None:
    task = text(payload, "task_id")
    if task:
        event.kind = wire.TASK_COMPLETED
        event.todos = Todos("TaskCompleted", "", 0, 1, task)


def _stop_failure(event: Event, payload: Mapping[str, Any]) -> None:
    event.kind = wire.FAILED
    event.detail = word(payload, "error")


def _subagent_start(event: Event, payload: Mapping[str, Any]) -> None:
    subagent_started(event, text(payload, "agent_type"))


def _subagent_stop(event: Event, payload: Mapping[str, Any]) -> None:
    event.role = text(payload, "agent_type")
    event.transcript = path(payload, "agent_transcript_path")
    if event.transcript and event.role:
        event.kind = wire.SUBAGENT_ENDED


_READERS = {
    "SessionStart": session_started,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _tool_starting,
    "PostToolUse": _tool_ended,
    "PostToolUseFailure": _tool_failed,
    "TaskCompleted": _task_completed,
    "Stop": turn_ended,
    "StopFailure": _stop_failure,
    "SubagentStart": _subagent_start,
    "SubagentStop": _subagent_stop,
    "PreCompact": compacting,
    "SessionEnd": session_ended,
}
EVENTS: tuple[str, ...] = tuple(_READERS)
read, reply = dialect(HOST, _READERS, ANSWERED, REPLY_BYTES)
