"""A list of tasks as an agent keeps it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """An item of an agent's list, as it stands now."""

    id: str
    content: str
    status: str = "pending"
    priority: int = 3
