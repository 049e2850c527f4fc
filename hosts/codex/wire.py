"""Codex's dialect: its payload in, an event out; an injection in, its reply out.

Fields as its own schemas name them (0.169.0). It drops a whole reply for one unknown key.
"""

from __future__ import annotations

from .. import wire


def _interrupt(event: wire.Event, _payload: wire.Payload) -> None:
    """Treat an interrupted turn, which has no `Stop`, as ended: its words count."""
    event.kind = wire.TURN_ENDED
    event.detail = "interrupted"


class Codex(wire.Wire):
    """Its payloads in, events out; texts of ours in, its replies out."""

    HOST = "codex"
    TITLE = "Codex"
    INSTALL = "npm install -g @openai/codex"
    GROUPS = {
        "sessions": ("SessionStart", "SessionEnd"),
        "prompts": ("UserPromptSubmit",),
        "turns": ("Stop", "SubagentStop"),
        "todos": ("PostToolUse",),
        "compaction": ("PreCompact",),
        "files": ("PreToolUse",),
        "commands": ("PreToolUse",),
        "results": ("PostToolUse",),
        "roles": ("PreToolUse", "SubagentStart"),
        "errors": (),  # it reports none
    }
    ANSWERED = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart")
    REMINDED = "Stop"
    MOST_TOKENS = 2_500
    MARKS = ("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED")
    HOOK_FILES = (
        (("CODEX_HOME", ""),),
        "~/.codex",
        ".codex",
        {"user": "hooks.json", "project": "hooks.json"},
    )
    HOOK_ENTRIES = {
        "timeout": 10,  # seconds
        "timeouts": {"SessionEnd": 3},  # more is cut to 3, with an error in every run
        "tool_events": ("PreToolUse", "PostToolUse"),
        "has_patterns": True,
        "note": "Codex skips hooks until you trust them. Start `codex` and agree when it asks, use"
        " /hooks, or run `memdeck install codex --trust`.",
    }
    LOADS = (
        ("AGENTS.override.md",), ("AGENTS.md", "AGENTS.override.md"), ("@/AGENTS.override.md",),
        ("@/AGENTS.md", "@/AGENTS.override.md"), ("memory:memory_summary.md",),
    )  # fmt: skip

    todos = ("update_plan",)
    todo_field = "plan"
    files = ("apply_patch",)  # files are read through the shell
    shells = ("Bash",)
    tasks = ("spawn_agent", "collaborationspawn_agent")  # as seen (0.169.0)
    patches = ("command", "input")
    task = ("message", "agent_type")

    def memory_folder(self, base: str, _root: str, read: wire.ReadText) -> str:
        """Return the folder of its own memory; "" if a start loads none of it."""
        if "memories" not in (text := read(f"{base}/config.toml")):
            return ""
        import tomllib  # few have it

        try:
            settings = tomllib.loads(text)
            own, features = settings.get("memories", {}), settings.get("features", {})
            if features.get("memories") is not True or own.get("use_memories") is False:
                return ""
        except (ValueError, RecursionError, AttributeError):
            return ""
        return f"{base}/memories_v2" if own.get("version") == "v2" else f"{base}/memories"

    def outcome(self, _event: wire.Event, payload: wire.Payload) -> str:
        """Return "" for the shell, whose result is bare output."""
        details = payload.get("tool_response")
        if isinstance(details, dict):
            failed = details.get("isError")
            return ("failed" if failed else "ok") if isinstance(failed, bool) else ""
        if not isinstance(details, str):
            return ""
        first, _, rest = details[:400].partition("\n")
        if first.startswith("Exit code: ") and rest.startswith("Wall time"):
            return "ok" if first.removeprefix("Exit code: ").strip() == "0" else "failed"
        return "ok" if first == "Success. Updated the following files:" else ""

    def make_readers(self) -> dict[str, wire.Reader]:
        return {
            "SessionStart": wire.started,
            "UserPromptSubmit": lambda event, payload: wire.prompted(
                event, payload.get("prompt"), "$"
            ),
            "PreToolUse": self.starting,
            "PostToolUse": self.ended,
            "SubagentStart": wire.subagent_started,
            "SubagentStop": wire.subagent_ended,
            "PreCompact": wire.compacting,
            "Stop": wire.turn_ended,
            "Interrupt": _interrupt,  # no group asks for it: older versions do not know it
            "SessionEnd": wire.ended,
        }


WIRE = Codex()
