"""A way of finding something, what it says of all that it finds, and how much that counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """What a way of finding something says of what it finds.

    Importance and confidence go from 0 to 1: what a person lays down outranks what an agent
    found out, which outranks what an agent did.
    """

    name: str
    category: str  # one of the nine (002-07)
    type: str | None = None  # memory type, or None where the text must decide
    importance: float = 5 / 9
    confidence: float = 0.7
    nature: str = ""  # for the type's own table: semantic.category or episodic.event_type
    tags: tuple[str, ...] = ()


def rx(pattern: str) -> re.Pattern[str]:
    """A pattern in which small and capital letters are the same and spaces are written `\\ `."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


IMPORTANCE: Mapping[str, float] = {
    "error-fix": 0.68,  # critical: cause, repro, workaround of an error
    "cause": 0.68,
    "decision": 0.65,  # high: what was decided, meant, left open
    "intention": 0.65,
    "tasks-done": 0.6,
    "open-todo": 0.6,
    "subagent-finding": 5 / 9,  # medium
}
"""Rule -> importance (0-1) by the priority that 003-02 gives its trigger.

What a person lays down lies above, 0.55 to 0.85. All of these lie under the 0.7 that is worth a
point (002-08): what was reported once earns it by being found again.
"""
