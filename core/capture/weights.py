"""How much a way of finding something counts: 003-02's priorities as importance, in one table."""

from __future__ import annotations

from collections.abc import Mapping

CRITICAL, HIGH, MEDIUM, LOW = 0.7, 0.6, 0.5, 0.4
"""Importance (0-1) of what an agent reports. What a person lays down lies above, 0.55 to 0.85."""

UNSURE = 0.15
"""What is taken off where the cause is a guess."""

PRIORITIES: Mapping[str, tuple[str, float]] = {
    "error-fix": ("critical", CRITICAL),  # error: cause, repro, workaround
    "cause": ("critical", CRITICAL),
    "approval": ("high", 0.78),  # response: a decision that a person approved
    "decision": ("high", 0.65),
    "workflow": ("high", 0.65),  # results of commands
    "tasks-done": ("high", HIGH),
    "turned-out": ("high", HIGH),
    "because": ("high", HIGH),
    "explained": ("high", HIGH),
    "warning": ("high", HIGH),
    "follow-up": ("high", HIGH),  # session end: open issues, what is next
    "open-todo": ("high", HIGH),
    "intention": ("high", 0.65),  # intent
    "file-change": ("medium", 0.55),  # artifacts
    "subagent-finding": ("medium", MEDIUM),
    "session-goal": ("medium", MEDIUM),  # session start: the goal
    "change": ("low", 0.45),  # an agent's account of its own work
    "outcome": ("low", 0.45),
}
"""Rule -> the priority that 003-02 gives its trigger, and the importance that stands for it."""


def importance_of(rule: str) -> float:
    """The importance (0-1) of what the rule of this name finds."""
    return PRIORITIES[rule][1]
