"""The types of memory by the names of 000 and 001."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from .ingest.kinds import memory_type


class MemoryType(StrEnum):
    """The five types; each is its own name, so a text will do as well."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROSPECTIVE = "prospective"
    PROCEDURAL = "procedural"
    WORKING = "working"


def determine_memory_type(
    content: str, context: Mapping[str, Any] | None = None, role: str | None = None
) -> MemoryType:
    """One of the five types, by rule.

    What the `context` says of its moment counts: a `todo_id` is for the task at hand. `role` is
    who spoke; the words decide all the same.
    """
    about = dict(context or {})
    if about.get("todo_id"):
        return MemoryType.WORKING
    if (role or about.get("role")) == "todo":
        return MemoryType.PROSPECTIVE
    return MemoryType(memory_type(content))
