"""What every project will be told needs a person's yes (004-09): when, and the question."""

from collections.abc import Mapping
from typing import Any

from ..db.images import headline_of
from ..db.store import Change
from .errors import ConsentNeeded

TOLD = ("content", "title", "privacy")
"""Fields of a memory that decide what agents are told by it."""


def widens(scope: str, fields: Mapping[str, Any]) -> bool:
    """Whether an edit changes what every project is told; `scope` is what the memory has now."""
    wanted = fields.get("scope") or scope
    if wanted != "global":
        return False
    return scope != "global" or any(name in fields for name in TOLD)


def question_about(what: str) -> str:
    """The question, without what follows from a yes or a no."""
    return f"Agents of every project will be told {what}."


def refuse_unasked(change: Change) -> None:
    """Raise ConsentNeeded for a memory that a change makes global though nobody was asked.

    Acts ask before they begin; this is for an act that forgets to.
    """
    for row in change.changes():
        before, after = row["before"], row["after"]
        if row["table"] != "memory" or after is None or after["scope"] != "global":
            continue
        if before is None or before["scope"] != "global":
            raise ConsentNeeded(question_about(f"“{headline_of(after)}”"))
