"""Gemini CLI's dialect: its payload in, an event out; an injection in, its reply out.

Fields as seen in 0.61.0. `PreCompress` is not read: it comes before every request. Text about a
file comes after it was read, and text of a start with the first prompt: the host takes none before.
"""

from __future__ import annotations

from ...db.images import loads
from .. import wire

_TAIL = ("Error:", "Signal:", "Background PIDs:", "Process Group PGID:", "</untrusted_context>")
_MOST_TAIL_LINES = 12


def _exit_code(content: object) -> int:
    """Return the exit code among the lines that the host adds below a command's output.

    It adds none for success; a line of that form further up was printed by the command.
    """
    if not isinstance(content, str):
        return 0
    for line in reversed(content[-4000:].rstrip().split("\n")[-_MOST_TAIL_LINES:]):
        if line.startswith("Exit Code: "):
            try:
                return int(line.removeprefix("Exit Code: "))
            except ValueError:
                return 0
        if line and not line.startswith(_TAIL):
            return 0
    return 0


class Gemini(wire.Wire):
    """Its payloads in, events out; texts of ours in, its replies out."""

    HOST = "gemini"
    TITLE = "Gemini CLI"
    INSTALL = "npm install -g @google/gemini-cli"
    GROUPS = {
        "sessions": ("SessionStart", "BeforeAgent", "SessionEnd"),
        "prompts": ("BeforeAgent",),
        "turns": ("AfterAgent",),
        "todos": ("AfterTool",),
        "compaction": (),  # no event reports one
        "files": ("AfterTool",),
        "commands": ("AfterTool",),  # once it failed: nothing can be said before a tool
        "results": ("AfterTool",),
        "roles": (),  # no event reports subagents
        "errors": (),
    }
    ANSWERED = ("BeforeAgent", "AfterTool")  # there it escapes "<" and ">"
    FORM = "markdown"
    SESSION_VARIABLE = "GEMINI_SESSION_ID"
    MARKS = ("GEMINI_CLI",)
    HOOK_FILES = (
        (("GEMINI_CLI_HOME", ".gemini"),),
        "~/.gemini",
        ".gemini",
        {"user": "settings.json", "project": "settings.json"},
    )
    HOOK_ENTRIES = {
        "timeout": 10_000,  # milliseconds
        "extra": {"name": "memdeck"},  # in `/hooks`
        "tool_events": ("BeforeTool", "AfterTool"),
        "has_patterns": True,
        "note": "Gemini CLI runs hooks in folders that it trusts, from its next start on.",
        "switch": (("hooksConfig", "enabled"), False),
    }
    LOADS = (("GEMINI.md",), ("@/GEMINI.md",), ("memory:MEMORY.md",))

    todos = ("write_todos",)
    files = ("read_file", "write_file", "replace")
    shells = ("run_shell_command",)
    paths = ("file_path", "absolute_path")

    def memory_folder(self, base: str, root: str, read: wire.ReadText) -> str:
        """The folder of its own memory for a project; "" if it has no name for the project yet."""
        try:
            slugs = loads(read(f"{base}/projects.json") or "{}")["projects"]
            return f"{base}/tmp/{slugs[root]}/memory" if isinstance(slugs[root], str) else ""
        except (ValueError, RecursionError, KeyError, TypeError):
            return ""

    def outcome(self, event: wire.Event, payload: wire.Payload) -> str:
        """Return the outcome by a command's exit code, which is in its output."""
        if "tool_response" not in payload:
            return ""
        answer = wire.mapping(payload, "tool_response")
        is_shell = event.tool in self.shells
        has_failed = answer.get("error") or (is_shell and _exit_code(answer.get("llmContent")))
        return "failed" if has_failed else "ok"

    def make_readers(self) -> dict[str, wire.Reader]:
        return {
            "SessionStart": wire.started,
            "BeforeAgent": wire.asked,
            "BeforeTool": self.starting,
            "AfterTool": self.ended,
            "AfterAgent": wire.turn_ended,
            "SessionEnd": wire.ended,
        }


WIRE = Gemini()
