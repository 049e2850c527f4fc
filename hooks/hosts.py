"""Whose payload is it?

Hosts read each other's settings: Copilot runs a repository's Claude Code hooks, Cursor may.
The command line names the host; the payload's own signs overrule it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_GEMINI_EVENTS = frozenset(
    (
        "SessionStart",
        "SessionEnd",
        "BeforeAgent",
        "AfterAgent",
        "BeforeModel",
        "AfterModel",
        "BeforeToolSelection",
        "BeforeTool",
        "AfterTool",
        "PreCompress",
        "Notification",
    )
)


def host_of(payload: Mapping[str, Any]) -> str | None:
    """The host whose marks `payload` bears; None when it bears none, as old versions do.

    The order matters: each test may assume that the earlier ones failed.
    """
    if "cursor_version" in payload or {"conversation_id", "generation_id"} <= payload.keys():
        return "cursor"
    stamp = payload.get("timestamp")
    if "sessionId" in payload and isinstance(stamp, int):
        return "copilot"
    path = payload.get("transcript_path")
    if isinstance(stamp, str):
        theirs = payload.get("hook_event_name") in _GEMINI_EVENTS
        if theirs and path and not {"tool_result", "stop_reason"} & payload.keys():
            return "gemini"
        return "copilot"
    if isinstance(path, str):
        parts = path.replace("\\", "/").split("/")
        if parts[-1].startswith("rollout-"):
            return "codex"
        if "projects" in parts[:-1]:
            return "claude"
    return "codex" if "turn_id" in payload else None
