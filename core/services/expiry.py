"""What is past its time leaves recall, restorably."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...db import memories
from ...db.images import headline
from ..lifecycle.duties import Proposal

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments


class Expiry:
    """Retires what has passed the date that it was given (000-49)."""

    name, action, does_retire = "expiry", "expire", True

    def __init__(self, context: Context, amendments: Amendments) -> None:
        self._context = context
        self._amendments = amendments

    def proposals(self) -> Iterator[Proposal]:
        """Live memories whose own date has passed, the earliest first."""
        for memory in memories.expired(
            self._context.database, self._context.project_id, self._context.now_ms()
        ):
            yield Proposal(
                memory["id"], headline(memory["title"], memory["content"]), "past its own date"
            )

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one that is still live and still past its date."""
        image = change.get("memory", proposal.memory)
        if image is None or image["retired_at"] is not None or image["expires"] is None:
            return False
        if image["expires"] > self._context.now_ms():
            return False
        change.put("memory", self._amendments.retired(image, "expired", change))
        return True
