"""The ways of finding something, what each says of all that it finds, and how much that counts."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """What a way of finding something says of what it finds."""

    name: str
    category: str  # one of the nine
    type: str | None = None  # memory type, or None where the text must decide
    importance: float = 5 / 9  # 0-1
    confidence: float = 0.7  # 0-1
    nature: str = ""  # for the type's own table: semantic.category or episodic.event_type
    tags: tuple[str, ...] = ()


def rx(pattern: str) -> re.Pattern[str]:
    """A pattern in which small and capital letters are the same and spaces are written `\\ `."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


# Importance by the priority of the trigger. What a person lays down lies above, 0.55
# to 0.85. What was reported once lies under the 0.7 that is worth a point: it earns that
# by being found again.
REMEMBER = Rule("remember", "preference", None, 0.85, 0.95, "fact", ("instruction",))
FROM_NOW_ON = Rule("from-now-on", "preference", None, 0.85, 0.9, "principle", ("instruction",))
INTENTION = Rule("intention", "task_progress", "prospective", 0.65, 0.8, "", ("todo",))
OPEN_TODO = Rule("open-todo", "task_progress", "prospective", 0.6, 0.8, "", ("todo",))
ERROR_FIX = Rule("error-fix", "error", "episodic", 0.68, 0.8, "error", ("error-fix",))
TASKS_DONE = Rule("tasks-done", "pattern", "procedural", 0.6, 0.75, "workflow", ("workflow",))
CAUSE, DECISION = 0.68, 0.65  # of an agent's own sentences
