"""OpenCode's dialect: what our plugin hands over in, an event out; what we recall in, text out.

OpenCode runs no commands for its events; `plugin.js` inside its process calls us. It
wraps what OpenCode gave it, as seen in 1.18.33, and adds what only it knows: the program, how a
session began, and whose child it is. A session has no file of its own; `exports` reads it.
"""

from __future__ import annotations

from .. import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HOST = "opencode"
TITLE = "OpenCode"
INSTALL = "npm install -g opencode-ai"

GROUPS: dict[str, tuple[str, ...]] = {
    "sessions": ("session.created", "session.compacted", "session.deleted", "dispose"),
    "prompts": ("chat.message",),
    "turns": ("session.idle",),
    "todos": ("todo.updated",),
    "compaction": ("experimental.session.compacting",),
    "files": ("tool.execute.before",),
    "results": ("tool.execute.after",),
    "roles": ("subagent.created",),
    "errors": ("session.error",),
}
TODO_TOOLS: tuple[str, ...] = ("todowrite",)  # the plugin tells of them by `todo.updated` alone
FILE_TOOLS: tuple[str, ...] = ("read", "edit", "write", "multiedit", "apply_patch", "patch")
TASK_TOOLS: tuple[str, ...] = ()
ANSWERED: tuple[str, ...] = (
    "session.created",
    "subagent.created",
    "session.compacted",
    "chat.message",
    "tool.execute.before",
    "tool.execute.after",
)
"""With the system's text where a session begins, beside the prompt, and below a tool's result."""

REPLY_BYTES = 9900  # the host has no limit of its own
FORM = "plain"
MOST_TOKENS: int | None = None
SESSION_VARIABLE = ""
MARKS: tuple[str, ...] = ("OPENCODE", "OPENCODE_PID")
IN_HOOKS = True
HOOK_FILES = (
    (("OPENCODE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "opencode")),
    "~/.config/opencode",
    ".opencode",
    {"user": "plugins/memdeck.js", "project": "plugins/memdeck.js"},
)

LOADS: tuple[tuple[str, ...], ...] = (("AGENTS.md",), ("CLAUDE.md", "AGENTS.md"), ("@/AGENTS.md",))

ADDRESS = "opencode:"
"""What the transcript of an event begins with here: `opencode:SESSION` or
`opencode:SESSION@PROGRAM`."""

_ABORTED = "MessageAbortedError"


def read(payload: Mapping[str, Any], name: str) -> wire.Event | None:
    """The event in `payload`, or None when it is not for us. What the second API sends is not."""
    if wire.sender_of(payload) not in (HOST, None) or payload.get("api", "v1") != "v1":
        return None
    values = wire.mapping(payload, "input")
    name = wire.text(payload, "hook") or name
    happened = wire.mapping(values, "event") or wire.mapping(payload, "event")
    if happened:
        name, values = wire.text(happened, "type"), wire.mapping(happened, "properties")
    info = wire.mapping(values, "info")
    session = wire.text(values, "sessionID") or wire.text(info, "id")
    reader = _READERS.get(name)
    if reader is None or not session:
        return None
    parent = wire.text(payload, "parentID") or wire.text(info, "parentID")
    event = wire.Event(
        "",
        HOST,
        name,
        session=parent or session,
        cwd=wire.path(payload, "directory")
        or wire.path(payload, "worktree")
        or wire.path(info, "directory"),
        transcript=_address(session, wire.path(payload, "program")),
        agent_id=session if parent else "",
    )
    reader(event, payload, values)
    return event if event.kind else None


def reply(event: wire.Event, message: str) -> str:
    """The line that hands `said` to our plugin; "" when there is nothing to hand over."""
    return wire.line(event, message, ANSWERED, REPLY_BYTES, {"text": message})


def _address(session: str, program: str) -> str:
    return f"{ADDRESS}{session}@{program}" if program else f"{ADDRESS}{session}"


def _created(event: wire.Event, payload: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    if event.agent_id:
        event.kind = wire.SUBAGENT_STARTED
        event.role = _role(wire.mapping(values, "info"))
        event.prompt = _said(payload)
        return
    event.kind = wire.SESSION_STARTED
    event.detail = wire.word(payload, "source") or "startup"


def _role(info: Mapping[str, Any]) -> str:
    """What kind of subagent a child session is for: its title ends with "(@explore subagent)"."""
    _, is_told, last = wire.text(info, "title", 1000).rpartition("(@")
    return last.removesuffix(" subagent)") if is_told and last.endswith(" subagent)") else ""


def _compacted(event: wire.Event, _payload: Mapping[str, Any], _given: Mapping[str, Any]) -> None:
    """The context begins anew, as where other hosts start the session again."""
    if not event.agent_id:
        event.kind = wire.SESSION_STARTED
        event.detail = "compact"


def _message(event: wire.Event, payload: Mapping[str, Any], _given: Mapping[str, Any]) -> None:
    """What a subagent is asked was written by an agent."""
    if not event.agent_id:
        wire.prompted(event, _said(payload))


def _said(payload: Mapping[str, Any]) -> str:
    """The words of a message, without what others put beside them."""
    parts = wire.mapping(payload, "output").get("parts")
    return "\n".join(
        part["text"]
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict)
        and part.get("type") == "text"
        and isinstance(part.get("text"), str)
        and part.get("synthetic") is not True
    )


def _tool_starting(
    event: wire.Event, payload: Mapping[str, Any], values: Mapping[str, Any]
) -> None:
    wire.tool_starting(
        event, wire.text(values, "tool"), _files(values, wire.mapping(payload, "output"))
    )


def _tool_ended(event: wire.Event, payload: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    tool = wire.text(values, "tool")
    if tool in TODO_TOOLS:
        given_todos = wire.mapping(values, "args").get("todos")
        wire.listed(event, wire.todos(tool, wire.text(values, "callID"), given_todos))
    elif tool:
        wire.tool_ended(
            event, tool, _files(values, values), _outcome(wire.mapping(payload, "output"))
        )


def _outcome(output: Mapping[str, Any]) -> str:
    """A tool that throws is not told of, so that what arrives went well or has an exit code."""
    metadata = wire.mapping(output, "metadata")
    if output.get("isError") is True:
        return "failed"
    if "exit" not in metadata:
        return "ok"
    code = metadata["exit"]
    if not isinstance(code, int) or isinstance(code, bool):
        return ""  # it was stopped
    return "failed" if code else "ok"


def _files(values: Mapping[str, Any], holder: Mapping[str, Any]) -> tuple[str, ...]:
    if values.get("tool") not in FILE_TOOLS:
        return ()
    args = wire.mapping(holder, "args")
    named = wire.files((args.get("filePath") or args.get("path"),))
    return named or wire.patch_files(args.get("patchText"))


def _todos(event: wire.Event, _payload: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    wire.listed(event, wire.todos(TODO_TOOLS[0], "", values.get("todos")))


def _idle(event: wire.Event, _payload: Mapping[str, Any], _given: Mapping[str, Any]) -> None:
    event.kind = wire.SUBAGENT_ENDED if event.agent_id else wire.TURN_ENDED


def _error(event: wire.Event, _payload: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """A turn that a person stopped has not failed."""
    event.detail = wire.word(wire.mapping(values, "error"), "name")
    if event.detail != _ABORTED:
        event.kind = wire.FAILED


def _compacting(event: wire.Event, _payload: Mapping[str, Any], _given: Mapping[str, Any]) -> None:
    if not event.agent_id:
        event.kind = wire.COMPACTING


def _deleted(event: wire.Event, _payload: Mapping[str, Any], _given: Mapping[str, Any]) -> None:
    """Nothing is left to be read."""
    if not event.agent_id:
        event.kind = wire.SESSION_ENDED
        event.detail = "deleted"
        event.transcript = ""


def _disposed(event: wire.Event, _payload: Mapping[str, Any], _given: Mapping[str, Any]) -> None:
    if not event.agent_id:
        event.kind = wire.SESSION_ENDED
        event.detail = "exit"


_READERS = {
    "session.created": _created,
    "subagent.created": _created,  # our plugin's name for a session that has a parent
    "chat.message": _message,
    "tool.execute.before": _tool_starting,
    "tool.execute.after": _tool_ended,
    "todo.updated": _todos,
    "session.idle": _idle,
    "session.error": _error,
    "experimental.session.compacting": _compacting,
    "session.compacted": _compacted,
    "session.deleted": _deleted,
    "dispose": _disposed,
}
EVENTS: tuple[str, ...] = tuple(_READERS)
