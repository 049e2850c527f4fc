"""Claude Code's dialect: its payload in, an event out; what we recall in, its reply out.

Field names and shapes as seen in 2.1.197; missing fields and wrong types are never an error.
"""

from __future__ import annotations

import json

from . import events, hosts
from .events import Event, Todos

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HOST = "claude"

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "TaskCompleted",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
)
"""The events we ask for; any other is ignored."""

TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate")
"""The tools whose use we ask to hear of."""

REPLY_BYTES = 9900
"""Longest text we inject, in bytes of UTF-8 (host: 10,000 UTF-16 units, never more than bytes)."""

_ID_CHARS = 200
_PATH_CHARS = 4096
_SLASH_COMMAND_CHARS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-"
)
_NOT_TYPED = ("<task-notification>", "<command-name>", "<command-message>", "<local-command-")


def read(payload: Mapping[str, Any], name: str = "") -> Event | None:
    """The event in `payload`, or None when it is not for us.

    `name` is the event given on the command line; the payload's own name wins.
    """
    if hosts.host_of(payload) not in (HOST, None):
        return None
    name = _text(payload, "hook_event_name", _ID_CHARS) or name
    session = _text(payload, "session_id", _ID_CHARS)
    reader = _READERS.get(name)
    if reader is None or not session:
        return None
    event = Event(
        "",
        HOST,
        name,
        session=session,
        cwd=_path(payload, "cwd"),
        transcript=_path(payload, "transcript_path"),
        agent_id=_text(payload, "agent_id", _ID_CHARS),
    )
    reader(event, payload)
    return event if event.kind else None


def reply(event: Event, text: str) -> str:
    """The line that hands `text` to the model; "" when there is nothing to hand over.

    Raises ValueError above `REPLY_BYTES`: cutting here could cut a memory in half.
    """
    if not text or event.name not in ("SessionStart", "UserPromptSubmit"):
        return ""  # on Stop this key makes the model go on, elsewhere it is an error
    if len(text.encode("utf-8", "replace")) > REPLY_BYTES:
        raise ValueError("reply too large")
    return json.dumps(
        {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}
    )


def is_typed(prompt: str) -> bool:
    """Whether a person wrote `prompt` for the model: no slash command, no notification."""
    start = prompt.lstrip()
    if not start or start.startswith(_NOT_TYPED):
        return False
    if not start.startswith("/"):
        return True
    command = start[1:].split(None, 1)[0] if start[1:].strip() else ""
    return not set(command) <= _SLASH_COMMAND_CHARS  # "/home/me/x.py fails" is no command


def _session_start(event: Event, payload: Mapping[str, Any]) -> None:
    event.kind = events.SESSION_STARTED
    event.detail = _text(payload, "source", _ID_CHARS)


def _prompt(event: Event, payload: Mapping[str, Any]) -> None:
    prompt = payload.get("prompt")
    if isinstance(prompt, str) and is_typed(prompt):
        event.kind = events.PROMPT
        event.prompt = prompt


def _tool(event: Event, payload: Mapping[str, Any]) -> None:
    tool = payload.get("tool_name")
    if tool not in TODO_TOOLS:
        return
    asked = _mapping(payload, "tool_input")
    answer = _mapping(payload, "tool_response")
    call = _text(payload, "tool_use_id", _ID_CHARS)
    if tool == "TodoWrite":
        event.todos = _todo_list(asked, answer, call)
    elif tool == "TaskCreate":
        task = _text(_mapping(answer, "task"), "id", _ID_CHARS)
        event.todos = Todos(tool, call, 1, 0, task) if task else None
    else:
        event.todos = _task_update(asked, answer, call)
    if event.todos is not None:
        event.kind = events.TODOS


def _todo_list(asked: Mapping[str, Any], answer: Mapping[str, Any], call: str) -> Todos | None:
    """Completed are those that `oldTodos` does not show as completed: `newTodos` may be empty."""
    todos = asked.get("todos")
    if not isinstance(todos, list):
        return None
    now = [todo for todo in todos if isinstance(todo, dict)]
    earlier = answer.get("oldTodos")
    done_before = {
        str(todo.get("content"))
        for todo in (earlier if isinstance(earlier, list) else [])
        if isinstance(todo, dict) and todo.get("status") == "completed"
    }
    done = [todo for todo in now if todo.get("status") == "completed"]
    fresh = [todo for todo in done if str(todo.get("content")) not in done_before]
    return Todos("TodoWrite", call, len(now) - len(done), len(fresh))


def _task_update(asked: Mapping[str, Any], answer: Mapping[str, Any], call: str) -> Todos | None:
    """None when the update failed: nothing has changed then."""
    if answer.get("success") is False:
        return None
    task = next(
        (found for key in ("taskId", "task_id", "id") if (found := _text(asked, key, _ID_CHARS))),
        "",
    )
    status = _mapping(answer, "statusChange").get("to") or asked.get("status")
    if not task or status not in ("pending", "in_progress", "completed", "deleted"):
        return None
    return Todos(
        "TaskUpdate",
        call,
        1 if status in ("pending", "in_progress") else 0,
        1 if status == "completed" else 0,
        task,
    )


def _task_completed(event: Event, payload: Mapping[str, Any]) -> None:
    task = _text(payload, "task_id", _ID_CHARS)
    if task:
        event.kind = events.TASK_COMPLETED
        event.todos = Todos("TaskCompleted", "", 0, 1, task)


def _stop(event: Event, _payload: Mapping[str, Any]) -> None:
    event.kind = events.TURN_ENDED


def _subagent_stop(event: Event, payload: Mapping[str, Any]) -> None:
    """A nameless subagent is the host's own, which writes the summary of a compaction."""
    event.transcript = _path(payload, "agent_transcript_path")
    if event.transcript and _text(payload, "agent_type", _ID_CHARS):
        event.kind = events.SUBAGENT_ENDED


def _pre_compact(event: Event, payload: Mapping[str, Any]) -> None:
    event.kind = events.COMPACTING
    event.detail = _text(payload, "trigger", _ID_CHARS)


def _session_end(event: Event, payload: Mapping[str, Any]) -> None:
    event.kind = events.SESSION_ENDED
    event.detail = _text(payload, "reason", _ID_CHARS)


_READERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool,
    "TaskCompleted": _task_completed,
    "Stop": _stop,
    "SubagentStop": _subagent_stop,
    "PreCompact": _pre_compact,
    "SessionEnd": _session_end,
}


def _text(payload: Mapping[str, Any], key: str, limit: int) -> str:
    """The text under `key`, or "" when it is missing, of another type, or over `limit`."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > limit:
        return ""
    if value.isprintable():
        return value
    return "".join(c if c.isprintable() else "\ufffd" for c in value)


def _path(payload: Mapping[str, Any], key: str) -> str:
    """The absolute path under `key`, or "": a name with control characters is not followed."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > _PATH_CHARS:
        return ""
    if not (value.startswith("/") or value[1:3] in (":\\", ":/")):
        return ""
    if not value.isprintable() and any(c < " " or "\x7f" <= c < "\xa0" for c in value):
        return ""
    return "" if any("\ud800" <= c <= "\udfff" for c in value) else value


def _mapping(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}
