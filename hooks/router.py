"""Which events are written down, which are answered, and which start the drain."""

from __future__ import annotations

from .events import (
    COMPACTING,
    PROMPT,
    SESSION_ENDED,
    SESSION_STARTED,
    SUBAGENT_ENDED,
    TASK_COMPLETED,
    TODOS,
    TURN_ENDED,
)

SPOOLED = frozenset(
    (
        SESSION_STARTED,
        TODOS,
        TASK_COMPLETED,
        TURN_ENDED,
        SUBAGENT_ENDED,
        COMPACTING,
        SESSION_ENDED,
    )
)
"""Written to the spool. A prompt is not: its text stays in the host's own transcript."""

ANSWERED = frozenset((SESSION_STARTED, PROMPT))
"""Answered with what we remember."""

DRAINED = frozenset((TURN_ENDED, COMPACTING, SESSION_ENDED))
"""Start the drain: a turn, a context or a session is complete."""
