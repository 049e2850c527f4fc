"""GitHub Copilot CLI's dialect: its payload in, an event out; an injection in, its reply out.

`sessionStart` gives `sessionId`, `SessionStart` gives `session_id`: both are read. A hook before a
tool that cannot be run denies the tool, so text about a file or a failed command follows the tool.
"""

from __future__ import annotations

import os

from ...db.images import loads
from .. import wire

_FIELDS = {
    "sessionId": "session_id",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_result",
    "resultType": "result_type",
    "transcriptPath": "transcript_path",
    "agentName": "agent_type",
    "agent_name": "agent_type",
}


def _session_started(event: wire.Event, payload: wire.Payload) -> None:
    """A new session is called `new` or `startup`."""
    wire.started(event, payload)
    if event.detail == "new":
        event.detail = "startup"


def _prompt(event: wire.Event, payload: wire.Payload) -> None:
    wire.asked(event, payload)
    if event.prompt.lstrip().startswith("/"):  # a command of the host's; it has none of ours
        event.kind = ""


def _log_of(session: str) -> str:
    """Return the path of a session's log; "" if the session's id is no plain name."""
    if not session.replace("-", "").isalnum():
        return ""
    folder = os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")
    return os.path.join(os.path.abspath(folder), "session-state", session, "events.jsonl")


class Copilot(wire.Wire):
    """Its payloads in, events out; texts of ours in, its replies out."""

    HOST = "copilot"
    TITLE = "GitHub Copilot CLI"
    INSTALL = "npm install -g @github/copilot"
    GROUPS = {
        "sessions": ("sessionStart", "sessionEnd"),
        "prompts": ("userPromptSubmitted",),
        "turns": ("agentStop",),
        "todos": (),  # its list is not documented
        "compaction": ("preCompact",),
        "files": ("postToolUse",),
        "commands": ("postToolUse",),  # once it failed
        "results": ("postToolUse", "postToolUseFailure"),
        "roles": ("subagentStart",),
        "errors": (),
    }
    ANSWERED = ("sessionStart", "userPromptSubmitted", "postToolUse", "subagentStart")
    REMINDED = "agentStop"
    MARKS = ("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID")
    HOOK_FILES = (
        (("COPILOT_HOME", ""),),
        "~/.copilot",
        ".github",
        {"user": "hooks/memdeck.json", "project": "hooks/memdeck.json"},
    )
    HOOK_ENTRIES = {
        "timeout": 10,  # seconds
        "fields": ("bash", "timeoutSec"),
        "tool_events": ("postToolUse",),
        "is_flat": True,
        "fresh": '{\n  "version": 1\n}\n',
        "note": "Copilot CLI reads the file when it is started next.",
    }
    LOADS = (
        ("AGENTS.md",), ("CLAUDE.md",), ("GEMINI.md",), (".claude/rules/*.md",),
        (".github/copilot-instructions.md",), (".github/instructions/*.instructions.md",),
        ("@/copilot-instructions.md",),
    )  # fmt: skip

    files = ("view", "edit", "create")
    shells = ("bash",)
    paths = ("path",)

    def read(self, payload: wire.Payload, name: str) -> wire.Event | None:
        """Return the event in `payload`, or None when it is not for us."""
        if wire.sender_of(payload) != self.HOST:
            return None
        name = wire.text(payload, "hook_event_name") or name
        name = "agentStop" if name == "Stop" else name[:1].lower() + name[1:]
        values = {**payload, **{_FIELDS[key]: payload[key] for key in payload if key in _FIELDS}}
        if isinstance(values.get("tool_input"), str):  # older versions gave arguments as one text
            try:
                values["tool_input"] = loads(values["tool_input"])
            except (ValueError, RecursionError):
                values["tool_input"] = {}
        event = super().read({**values, "hook_event_name": name}, name)
        if event is not None and not event.transcript:
            event.transcript = _log_of(event.session)
        return event

    def form(self, _event: wire.Event, message: str) -> wire.Payload:
        """Return the text alone, since Copilot takes no other field."""
        return {"additionalContext": message}

    def outcome(self, event: wire.Event, payload: wire.Payload) -> str:
        """Return the outcome of the two known results. A command that failed is a success."""
        result = wire.mapping(payload, "tool_result")
        kind = wire.text(result, "result_type") or wire.text(result, "resultType")
        output = str(result.get("textResultForLlm") or result.get("text_result_for_llm"))
        _, mark, code = output.rstrip()[-60:].rpartition(" completed with exit code ")
        has_failed = mark and code != "0>" and event.tool in self.shells
        if event.name == "postToolUseFailure" or has_failed:
            kind = "failure"
        return {"success": "ok", "failure": "failed"}.get(kind, "")

    def make_readers(self) -> dict[str, wire.Reader]:
        return {
            "sessionStart": _session_started,
            "userPromptSubmitted": _prompt,
            "postToolUse": self.ended,
            "postToolUseFailure": self.ended,
            "subagentStart": wire.subagent_started,
            "preCompact": wire.compacting,
            "agentStop": wire.turn_ended,
            "sessionEnd": wire.ended,
        }


WIRE = Copilot()
