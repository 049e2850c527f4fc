"""A way of finding something, and what it says of all that it finds."""

from __future__ import annotations

import re
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
