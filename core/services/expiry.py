"""What is past its time leaves recall, restorably."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...db import ageing, memories
from ...db.images import headline
from ..ids import moment_of
from ..lifecycle.duties import Proposal
from ..lifecycle.lives import DAY_MS, LIVES, RECENT_MS, USES, reason

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments

_LIVES_MS = {category: days * DAY_MS for category, days in LIVES.items()}


class Expiry:
    """Retires what has passed its own date (000-49), and what outlived its category (002-32).

    The latter concerns only what no person stands for, see `db/ageing.py`.
    """

    name, action, does_retire = "expiry", "expire", True

    def __init__(self, context: Context, amendments: Amendments) -> None:
        self._context = context
        self._amendments = amendments

    def proposals(self) -> Iterator[Proposal]:
        """What has passed its own date, the earliest first, then what outlived its category."""
        database, project = self._context.database, self._context.project_id
        now = self._context.now_ms()
        for memory in memories.expired(database, project, now):
            title = headline(memory["title"], memory["content"])
            yield Proposal(memory["id"], title, "past its own date")
        for old in ageing.outlived(database, project, now, now - RECENT_MS, _LIVES_MS, USES):
            kept_since = max(old["updated_at"], moment_of(old["id"]))  # it may be of an old session
            if kept_since + _LIVES_MS[old["category"]] > now:
                continue
            idle = (now - kept_since) // DAY_MS
            why = reason(old["category"], idle, old["accesses"])
            title = headline(old["title"], old["content"])
            yield Proposal(old["id"], title, why, {"revision": old["updated_at"]})

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one that is still live, and as it was when it was proposed."""
        image = change.get("memory", proposal.memory)
        if image is None or image["retired_at"] is not None:
            return False
        if "revision" in proposal.data:
            is_due = bool(image["updated_at"] == proposal.data["revision"])
        else:
            is_due = int(image["expires"] or 0) <= self._context.now_ms()
        if is_due:
            change.put("memory", self._amendments.retired(image, "expired", change))
        return is_due
