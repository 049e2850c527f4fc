"""How much a way of finding something counts: 003-02's priorities as importance, in one table."""

from __future__ import annotations

from collections.abc import Mapping

CRITICAL, HIGH, MEDIUM, LOW = 0.68, 0.6, 5 / 9, 0.4
"""Importance (0-1) of what an agent reports. What a person lays down lies above, 0.55 to 0.85.

All of them lie under the 0.7 that is worth a point (002-08): what was reported once earns it by
being found again.
"""

PRIORITIES: Mapping[str, tuple[str, float]] = {
    "error-fix": ("critical", CRITICAL),  # error: cause, repro, workaround
    "cause": ("critical", CRITICAL),
    "decision": ("high", 0.65),  # response
    "tasks-done": ("high", HIGH),
    "open-todo": ("high", HIGH),
    "intention": ("high", 0.65),  # intent
    "subagent-finding": ("medium", MEDIUM),
    "session-goal": ("medium", MEDIUM),  # session start: the goal
}
"""Rule -> the priority that 003-02 gives its trigger, and the importance that stands for it."""


def importance_of(rule: str) -> float:
    """The importance (0-1) of what the rule of this name finds."""
    return PRIORITIES[rule][1]
