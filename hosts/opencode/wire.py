"""OpenCode's dialect: our plugin's payload in, an event out; an injection in, text out.

`plugin.js` inside its process calls us. It wraps OpenCode's own payload, as seen in 1.18.33, and
adds the start and the parent of a session. A session has no file of its own.
"""

from __future__ import annotations

from .. import wire

ADDRESS = "opencode:"  # prefix of an event's transcript: `opencode:SESSION`


def _created(event: wire.Event, payload: wire.Payload) -> None:
    if not event.agent_id:
        event.kind = wire.SESSION_STARTED
        event.detail = wire.word(payload, "source") or "startup"
        return
    event.kind, event.prompt = wire.SUBAGENT_STARTED, _words(payload)
    # The title of a child session ends with "(@explore subagent)".
    _, is_named, last = wire.text(wire.mapping(payload, "info"), "title", 1000).rpartition("(@")
    if is_named and last.endswith(" subagent)"):
        event.role = last.removesuffix(" subagent)")


def _message(event: wire.Event, payload: wire.Payload) -> None:
    if not event.agent_id:  # a subagent's prompt was written by an agent
        wire.prompted(event, _words(payload))


def _words(payload: wire.Payload) -> str:
    """Return the words of a message, without parts added by others."""
    parts = wire.mapping(payload, "output").get("parts")
    return "\n".join(
        part["text"]
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict)
        and part.get("type") == "text"
        and isinstance(part.get("text"), str)
        and part.get("synthetic") is not True
    )


def _error(event: wire.Event, payload: wire.Payload) -> None:
    """Read the error of a turn. A turn that the user stopped has not failed."""
    event.detail = wire.word(wire.mapping(payload, "error"), "name")
    if event.detail != "MessageAbortedError":
        event.kind = wire.FAILED


def _idle(event: wire.Event, _payload: wire.Payload) -> None:
    event.kind = wire.SUBAGENT_ENDED if event.agent_id else wire.TURN_ENDED


def _of_session(kind: str, detail: str) -> wire.Reader:
    """Return an event that counts for a session, and not for a subagent's."""

    def read(event: wire.Event, _payload: wire.Payload) -> None:
        if not event.agent_id:
            event.kind, event.detail = kind, detail
            if detail == "deleted":  # nothing is left to be read
                event.transcript = ""

    return read


class OpenCode(wire.Wire):
    """Its payloads in, events out; texts of ours in, its replies out."""

    HOST = "opencode"
    TITLE = "OpenCode"
    INSTALL = "npm install -g opencode-ai"
    GROUPS = {
        "sessions": ("session.created", "session.compacted", "session.deleted", "dispose"),
        "prompts": ("chat.message",),
        "turns": ("session.idle",),
        "todos": ("todo.updated",),
        "compaction": ("experimental.session.compacting",),
        "files": ("tool.execute.before",),
        "commands": ("command.failed",),  # nothing can be said before it runs
        "results": ("tool.execute.after",),
        "roles": ("subagent.created",),
        "errors": ("session.error",),
    }
    ANSWERED = (
        "session.created",
        "subagent.created",
        "session.compacted",
        "chat.message",
        "tool.execute.before",
        "tool.execute.after",
        "command.failed",
    )
    """With the system's text of a session, beside a prompt, and below a tool's result."""
    MARKS = ("OPENCODE", "OPENCODE_PID")
    IN_HOOKS = True
    HOOK_FILES = (
        (("OPENCODE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "opencode")),
        "~/.config/opencode",
        ".opencode",
        {"user": "plugins/memdeck.js", "project": "plugins/memdeck.js"},
    )
    LOADS = (("AGENTS.md",), ("CLAUDE.md", "AGENTS.md"), ("@/AGENTS.md",))

    todos = ("todowrite",)  # the plugin reports them by `todo.updated` alone
    files = ("read", "edit", "write", "multiedit", "apply_patch", "patch")
    shells = ("bash",)
    paths = ("filePath", "path")
    patches = ("patchText",)

    def read(self, payload: wire.Payload, name: str) -> wire.Event | None:
        """Return the event, or None if it is not for us, as are events of the second API."""
        if wire.sender_of(payload) not in (self.HOST, None) or payload.get("api", "v1") != "v1":
            return None
        values = wire.mapping(payload, "input")
        name = wire.text(payload, "hook") or name
        happened = wire.mapping(values, "event") or wire.mapping(payload, "event")
        if happened:
            name, values = wire.text(happened, "type"), wire.mapping(happened, "properties")
        info = wire.mapping(values, "info")
        session = wire.text(values, "sessionID") or wire.text(info, "id")
        reader = self.readers.get(name)
        if reader is None or not session:
            return None
        parent = wire.text(payload, "parentID") or wire.text(info, "parentID")
        event = wire.Event(
            "",
            self.HOST,
            name,
            session=parent or session,
            cwd=wire.path(payload, "directory")
            or wire.path(payload, "worktree")
            or wire.path(info, "directory"),
            transcript=f"{ADDRESS}{session}",
            agent_id=session if parent else "",
        )
        output = wire.mapping(payload, "output")
        tool = {
            "tool_name": values.get("tool", self.todos[0]),
            "tool_input": wire.mapping(values, "args") or wire.mapping(output, "args") or values,
        }
        reader(event, {"source": payload.get("source"), **values, **tool, "output": output})
        return event if event.kind else None

    def form(self, _event: wire.Event, message: str) -> wire.Payload:
        return {"text": message}

    def outcome(self, _event: wire.Event, payload: wire.Payload) -> str:
        """Return the outcome by an exit code, else "ok": a tool that throws is not reported."""
        output = wire.mapping(payload, "output")
        metadata = wire.mapping(output, "metadata")
        if output.get("isError") is True:
            return "failed"
        if "exit" not in metadata:
            return "ok"
        code = metadata["exit"]
        if not isinstance(code, int) or isinstance(code, bool):
            return ""  # it was stopped
        return "failed" if code else "ok"

    def make_readers(self) -> dict[str, wire.Reader]:
        return {
            "session.created": _created,
            "subagent.created": _created,  # our plugin's name for a session that has a parent
            "chat.message": _message,
            "tool.execute.before": self.starting,
            "tool.execute.after": self.ended,
            "command.failed": self.starting,  # our plugin's name for a command with an exit code
            "todo.updated": self.ended,
            "session.idle": _idle,
            "session.error": _error,
            "experimental.session.compacting": _of_session(wire.COMPACTING, ""),
            "session.compacted": _of_session(
                wire.SESSION_STARTED, "compact"
            ),  # the context begins again
            "session.deleted": _of_session(wire.SESSION_ENDED, "deleted"),
            "dispose": _of_session(wire.SESSION_ENDED, "exit"),
        }


WIRE = OpenCode()
