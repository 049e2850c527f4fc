"""Claude Code's dialect: its payload in, an event out; an injection in, its reply out.

Field names and shapes as seen in 2.1.197; missing fields and wrong types are never an error.
"""

from __future__ import annotations

import os

from ...db.images import loads
from .. import wire
from ..wire import in_folder

_SLASH_COMMAND_CHARS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-"
)


_NOT_TYPED = ("<task-notification>", "<command-name>", "<command-message>", "<local-command-")


def is_typed(prompt: str) -> bool:
    """Return True if the user wrote `prompt` for the model: no slash command, no notification."""
    start = prompt.lstrip()
    if not start or start.startswith(_NOT_TYPED):
        return False
    if not start.startswith("/"):
        return True
    command = start[1:].split(None, 1)[0] if start[1:].strip() else ""
    return not set(command) <= _SLASH_COMMAND_CHARS  # "/home/me/x.py fails" is no command


def _prompt(event: wire.Event, payload: wire.Payload) -> None:
    wire.asked(event, payload)
    if event.kind == wire.PROMPT and not is_typed(event.prompt):
        event.kind = ""


def _task_completed(event: wire.Event, payload: wire.Payload) -> None:
    event.task = wire.text(payload, "task_id")
    event.kind = wire.TASK_COMPLETED if event.task else ""


def _stop_failure(event: wire.Event, payload: wire.Payload) -> None:
    event.kind = wire.FAILED
    event.detail = wire.word(payload, "error")


class Claude(wire.Wire):
    """Its payloads in, events out; texts of ours in, its replies out."""

    HOST = "claude"
    TITLE = "Claude Code"
    INSTALL = "npm install -g @anthropic-ai/claude-code"
    GROUPS = {
        "sessions": ("SessionStart", "SessionEnd"),
        "prompts": ("UserPromptSubmit",),
        "turns": ("Stop", "SubagentStop"),
        "todos": ("PostToolUse", "TaskCompleted"),
        "compaction": ("PreCompact",),
        "files": ("PreToolUse",),
        "commands": ("PreToolUse",),
        "results": ("PostToolUse", "PostToolUseFailure"),
        "roles": ("PreToolUse", "SubagentStart"),
        "errors": ("StopFailure",),
    }
    ANSWERED = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart")
    """On Stop a text would make the model go on, elsewhere it is an error."""
    REMINDED = "Stop"
    FORM = "xml"
    SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
    MARKS = ("CLAUDECODE",)
    HOOK_FILES = (
        (("CLAUDE_CONFIG_DIR", ""),),
        "~/.claude",
        ".claude",
        {"user": "settings.json", "project": "settings.json", "local": "settings.local.json"},
    )
    HOOK_ENTRIES = {
        "timeout": 10,  # seconds; also lifts SessionEnd over its default of 1.5
        "tool_events": ("PreToolUse", "PostToolUse"),
        "note": "Claude Code reads the change at once. A new workspace must be trusted first.",
        "switch": (("disableAllHooks",), True),
    }
    LOADS = (
        ("AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md"), ("CLAUDE.md",), (".claude/CLAUDE.md",),
        ("CLAUDE.local.md",), (".claude/rules/*.md",), ("@/CLAUDE.md",), ("@/rules/*.md",),
        ("memory:MEMORY.md",),
    )  # fmt: skip
    INDEX_LIMIT = (200, 25_000)
    """Lines and characters of its memory's index that a start loads."""

    todos = ("TodoWrite", "TaskCreate", "TaskUpdate")
    files = ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit")
    shells = ("Bash",)
    tasks = ("Agent", "Task")
    paths = ("file_path", "notebook_path")

    def memory_folder(self, base: str, root: str, read: wire.ReadText) -> str:
        """Return the folder of its own memory for a project; "" if it is switched off.

        `base` is its settings folder, `root` the main checkout, `read` gives a file's text.
        """
        if os.environ.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "") not in ("", "0"):
            return ""
        text = read(f"{base}/settings.json")
        try:
            settings = loads(text) if "autoMemory" in text else {}  # few set it
        except (ValueError, RecursionError):
            settings = {}
        settings = settings if isinstance(settings, dict) else {}
        if settings.get("autoMemoryEnabled") is False:
            return ""
        if isinstance(chosen := settings.get("autoMemoryDirectory"), str) and chosen:
            return os.path.expanduser(chosen)
        return f"{in_folder(f'{base}/projects', root)}/memory"

    def has_changed(self, event: wire.Event, payload: wire.Payload) -> bool:
        """Return False for a tool that failed."""
        values = wire.mapping(payload, "tool_input")
        answer = wire.mapping(payload, "tool_response")
        tool = wire.text(payload, "tool_name")
        if event.name == "PostToolUseFailure" or answer.get("success") is False:
            return False
        if tool == "TodoWrite":
            return isinstance(values.get("todos"), list)
        if tool == "TaskCreate":
            return bool(wire.text(wire.mapping(answer, "task"), "id"))
        task = next(filter(None, (wire.text(values, k) for k in ("taskId", "task_id", "id"))), "")
        status = wire.mapping(answer, "statusChange").get("to") or values.get("status")
        event.task = task if status == "completed" else ""
        if status == "in_progress":
            event.begun, event.prompt = task, wire.text(values, "subject")
        return bool(task) and status in ("pending", "in_progress", "completed", "deleted")

    def outcome(self, event: wire.Event, payload: wire.Payload) -> str:
        """Return "" also for a tool that the user stopped: it neither worked nor failed."""
        answer = wire.mapping(payload, "tool_response")
        if payload.get("is_interrupt") is True or answer.get("interrupted") is True:
            return ""
        return "failed" if event.name == "PostToolUseFailure" else "ok"

    def make_readers(self) -> dict[str, wire.Reader]:
        return {
            "SessionStart": wire.started,
            "UserPromptSubmit": _prompt,
            "PreToolUse": self.starting,
            "PostToolUse": self.ended,
            "PostToolUseFailure": self.ended,
            "TaskCompleted": _task_completed,
            "Stop": wire.turn_ended,
            "StopFailure": _stop_failure,
            "SubagentStart": wire.subagent_started,
            "SubagentStop": wire.subagent_ended,
            "PreCompact": wire.compacting,
            "SessionEnd": wire.ended,
        }


WIRE = Claude()
