"""Codex's dialect: its payload in, an event out; what we recall in, its reply out.

Fields as its own schemas name them (0.169.0). It drops a whole reply for one unknown key.
"""

from __future__ import annotations

from ... import events
from ...fields import (
    compacting,
    context,
    event_of,
    mapping,
    patch_files,
    path,
    session_ended,
    session_started,
    task_given,
    text,
    todos,
    turn_ended,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ...events import Event

HOST = "codex"
TITLE = "Codex"

GROUPS: dict[str, tuple[str, ...]] = {
    "sessions": ("SessionStart", "SessionEnd"),
    "prompts": ("UserPromptSubmit",),
    "turns": ("Stop", "SubagentStop"),
    "todos": ("PostToolUse",),
    "compaction": ("PreCompact",),
    "files": ("PreToolUse",),
    "results": ("PostToolUse",),
    "roles": ("PreToolUse", "SubagentStart"),
    "errors": (),  # it tells of none
}
"""The events that serve each group."""

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "Interrupt",
    "SessionEnd",
)
"""The events we can read; any other is ignored. No group asks for `Interrupt`, which older
versions do not know."""

TODO_TOOLS = ("update_plan",)
"""The tools that keep the agent's list."""

FILE_TOOLS = ("apply_patch",)
"""The tools that name files; files are read through the shell."""

TASK_TOOLS = ("spawn_agent", "collaborationspawn_agent")
"""The tool that starts a subagent, by the names that it has been seen to have (0.169.0)."""

ANSWERED = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart")
"""The events whose reply may hold text for the model."""

REPLY_BYTES = 9900
"""Longest text we inject, in bytes of UTF-8 (host: 2,500 tokens of 4 bytes; more loses its
middle)."""

FORM = "plain"
"""In which form it is told (`core/retrieval/formats.py`)."""

MOST_TOKENS: int | None = 2_500
"""Tokens that it takes from one hook, however large the budget; None where that is not known."""

SESSION_VARIABLE, MARK = "", ""
"""What names the session in the environment of what it runs, and what it sets there; or ""."""

_OWN_SKILLS = ("$remember", "$forget", "$pin", "$mem")


def read(payload: Mapping[str, Any], name: str = "") -> Event | None:
    """The event in `payload`, or None when it is not for us.

    `name` is the event given on the command line; the payload's own name wins.
    """
    return event_of(payload, name, HOST, _READERS)


def reply(event: Event, said: str) -> str:
    """The line that hands `said` to the model; "" when there is nothing to hand over.

    Raises ValueError above `REPLY_BYTES`.
    """
    return context(event, said, ANSWERED, REPLY_BYTES)


def _prompt(event: Event, payload: Mapping[str, Any]) -> None:
    """A call of one of our own skills is no question to memory."""
    prompt = payload.get("prompt")
    if isinstance(prompt, str) and prompt.strip() and prompt.split(None, 1)[0] not in _OWN_SKILLS:
        event.kind = events.PROMPT
        event.prompt = prompt


def _tool_starting(event: Event, payload: Mapping[str, Any]) -> None:
    """Of interest where it names files, or what a subagent is to do."""
    event.tool = text(payload, "tool_name")
    if event.tool in TASK_TOOLS:
        given = mapping(payload, "tool_input")
        if " " in str(given.get("message")).strip():  # some models hand it over enciphered
            task_given(event, given, "message", "agent_type")
        return
    event.files = _files(payload)
    if event.files:
        event.kind = events.TOOL_STARTING
        event.role = text(payload, "agent_type") if event.agent_id else ""


def _tool_ended(event: Event, payload: Mapping[str, Any]) -> None:
    tool = text(payload, "tool_name")
    if tool in TODO_TOOLS:
        plan = mapping(payload, "tool_input").get("plan")
        event.todos = todos(tool, text(payload, "tool_use_id"), plan, word="step")
        event.kind = events.TODOS if event.todos else ""
    elif tool:
        event.kind = events.TOOL_ENDED
        event.tool = tool
        event.files = _files(payload)
        event.outcome = _outcome(payload.get("tool_response"))


def _outcome(told: Any) -> str:
    """ "ok" or "failed" where the answer says so; the shell's, which is bare output, does not."""
    if isinstance(told, dict):
        failed = told.get("isError")
        return ("failed" if failed else "ok") if isinstance(failed, bool) else ""
    if not isinstance(told, str):
        return ""
    first, _, rest = told[:400].partition("\n")
    if first.startswith("Exit code: ") and rest.startswith("Wall time"):
        return "ok" if first.removeprefix("Exit code: ").strip() == "0" else "failed"
    return "ok" if first == "Success. Updated the following files:" else ""


def _files(payload: Mapping[str, Any]) -> tuple[str, ...]:
    if payload.get("tool_name") not in FILE_TOOLS:
        return ()
    given = mapping(payload, "tool_input")
    return patch_files(given.get("command") or given.get("input"))


def _interrupt(event: Event, _payload: Mapping[str, Any]) -> None:
    """An interrupted turn has no `Stop`; what was said in it was said."""
    event.kind = events.TURN_ENDED
    event.detail = "interrupted"


def _subagent_start(event: Event, payload: Mapping[str, Any]) -> None:
    event.role = text(payload, "agent_type")
    if event.role:
        event.kind = events.SUBAGENT_STARTED


def _subagent_stop(event: Event, payload: Mapping[str, Any]) -> None:
    event.role = text(payload, "agent_type")
    event.transcript = path(payload, "agent_transcript_path")
    if event.transcript:
        event.kind = events.SUBAGENT_ENDED


_READERS = {
    "SessionStart": session_started,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _tool_starting,
    "PostToolUse": _tool_ended,
    "SubagentStart": _subagent_start,
    "SubagentStop": _subagent_stop,
    "PreCompact": compacting,
    "Stop": turn_ended,
    "Interrupt": _interrupt,
    "SessionEnd": session_ended,
}
