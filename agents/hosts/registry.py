"""Whose payload is it?

Hosts read each other's settings: Copilot runs a repository's Claude Code hooks, Cursor may.
The command line names the host; a payload that bears another's signs is none of its own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_GEMINI_EVENTS = (
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection"
    " BeforeTool AfterTool PreCompress Notification"
).split()  # no set: what is looked for in it may be a list


def host_of(payload: Mapping[str, Any]) -> str | None:
    """The host whose marks `payload` bears; None when it bears none, as old versions do.

    The order matters: each test may assume that the earlier ones failed.
    """
    keys = payload.keys()
    if "cursor_version" in payload or {"conversation_id", "generation_id"} <= keys:
        return "cursor"
    if "hook_event_name" not in payload and (
        isinstance(payload.get("input"), dict) or isinstance(payload.get("event"), dict)
    ):
        return "opencode"  # what its plugins are handed, whole
    stamp = payload.get("timestamp")
    if "sessionId" in payload and isinstance(stamp, int):
        return "copilot"
    path = payload.get("transcript_path")
    if isinstance(stamp, str):
        theirs = payload.get("hook_event_name") in _GEMINI_EVENTS
        if not theirs or not isinstance(path, str) or {"tool_result", "stop_reason"} & keys:
            return "copilot"
        # Gemini's path is empty until it has a file; Copilot's file has always the same name.
        return "copilot" if path.endswith("events.jsonl") else "gemini"
    if "transcript_path" in payload and path is None:
        return "codex"
    if isinstance(path, str):
        parts = path.replace("\\", "/").split("/")
        if parts[-1].startswith("rollout-"):
            return "codex"
        if "projects" in parts[:-1]:
            return "claude"
    return "codex" if "turn_id" in payload else None
