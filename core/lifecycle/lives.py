"""How long what agents found is kept unless it is used: by category."""

from collections.abc import Mapping

from ..values import DAY_MS

LIVES: Mapping[str, int] = {
    "task_progress": 14,
    "discovery": 21,
    "file_change": 21,
    "warning": 30,
    "decision": 90,
    "error": 90,
    "pattern": 180,
    "architecture": 180,
    "preference": 365,
}
"""Days by category."""

USES = 3
"""Times told or found again from which a memory outlives its category."""

RECENT_MS = DAY_MS
"""What was used in this time is neither expired nor evicted."""


def rule(category: str) -> str:
    """What holds for a category, in words with the numbers."""
    return f"{category.replace('_', ' ')}: kept {LIVES[category]} days"


def reason(category: str, idle_days: int, uses: int) -> str:
    """Why such a memory leaves, in words with the numbers."""
    used = "never used" if uses == 0 else "used once" if uses == 1 else f"used {uses} times"
    return f"{rule(category)}, unchanged for {idle_days} and {used}"
