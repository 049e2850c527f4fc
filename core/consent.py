"""What every project will be told needs a person's yes (004-09): when, and the question."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..db.images import headline_of
from ..db.store import Change
from .errors import ConsentNeeded, Refused
from .values import Memory

Confirm = Callable[[str], bool]
"""Is asked what only a person may agree to; whether they did."""

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


class Consent:
    """The person who is asked; `callback` None: there is nobody."""

    def __init__(self, callback: Confirm | None) -> None:
        self.callback = callback

    def agree(self, question: str) -> bool:
        """True once a person has said yes. Raises ConsentNeeded, or Refused for a no.

        Never called inside a change: while a person thinks, others must be able to write.
        """
        if self.callback is None:
            raise ConsentNeeded(question)
        if not self.callback(question):
            raise Refused("Nothing was changed.", hint="`--scope project` keeps it to one project.")
        return True

    def agree_to_edit(self, memory: Memory, fields: Mapping[str, Any]) -> bool:
        """Whether a person agreed to what an edit tells every project; False where it does not."""
        needed = widens(memory.scope, fields)
        return needed and self.agree(question_about(f"“{memory.title}”"))

    @contextmanager
    def agreeing(self, callback: Confirm) -> Iterator[None]:
        """What needs a person's yes in here is asked of `callback`."""
        before, self.callback = self.callback, callback
        try:
            yield
        finally:
            self.callback = before
