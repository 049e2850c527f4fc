"""Which events are written down, which are answered, and which start the drain (003-01)."""

from __future__ import annotations

from .events import (
    COMPACTING,
    FAILED,
    OPENING,
    PROMPT,
    SESSION_ENDED,
    SESSION_STARTED,
    SUBAGENT_ENDED,
    SUBAGENT_STARTED,
    TASK_COMPLETED,
    TODOS,
    TOOL_ENDED,
    TOOL_STARTING,
    TURN_ENDED,
)

SPOOLED = frozenset(
    (
        SESSION_STARTED,
        TOOL_ENDED,
        TODOS,
        TASK_COMPLETED,
        TURN_ENDED,
        SUBAGENT_ENDED,
        COMPACTING,
        FAILED,
        SESSION_ENDED,
    )
)
"""Written to the spool. A prompt is not: its text stays in the host's own transcript."""

ANSWERED = {
    SESSION_STARTED: "SessionStart",
    OPENING: "SessionStart",
    PROMPT: "UserPromptSubmit",
    TOOL_STARTING: "PreToolUse",
    SUBAGENT_STARTED: "SubagentStart",
}
"""Answered with what we remember: by kind, the moment as recall and receipts name it (003-03)."""

DRAINED = frozenset((TODOS, TURN_ENDED, COMPACTING, FAILED, SESSION_ENDED))
"""Start the drain: a turn, a context or a session is complete, or the list of tasks changed."""
