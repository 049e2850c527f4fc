"""A project keeps to its limit: the least worth of what agents found leave, restorably."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest
from typing import TYPE_CHECKING

from ...db import ageing
from ...db.images import headline
from ..lifecycle.decay import decayed
from ..lifecycle.duties import Proposal
from ..lifecycle.lives import DAY_MS, RECENT_MS

if TYPE_CHECKING:
    from ...db.ageing import AgeingMemory
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments


class Eviction:
    """Retires the least worth above the project's limit (002-33).

    Neither what a person stands for counts nor what is pinned, and what is in conflict or was used
    in the last 24 hours stays, see `db/ageing.py`.
    """

    name, action, does_retire = "eviction", "evict", True

    def __init__(self, context: Context, amendments: Amendments) -> None:
        self._context = context
        self._amendments = amendments

    def proposals(self) -> Iterator[Proposal]:
        """Nothing up to the limit; above it, the least worth first, until few enough stay."""
        chosen = self._context.policy.lifecycle
        database, project = self._context.database, self._context.project_id
        number = ageing.count(database, project)
        if number <= chosen.max_memories:
            return
        too_many = number - min(chosen.keep_memories, chosen.max_memories)
        now = self._context.now_ms()
        waiting = ageing.unused(database, project, now - RECENT_MS)
        worths = ((self._worth(old, now), old["created_at"], old["num"]) for old in waiting)
        why = f"{number:,} memories, {chosen.max_memories:,} are the limit; worth"
        least = nsmallest(too_many, worths)
        for start in range(0, len(least), ageing.PAGE):
            worth_of = {num: worth for worth, _, num in least[start : start + ageing.PAGE]}
            for num, memory, title, text in ageing.titles(database, list(worth_of)):
                yield Proposal(memory, headline(title, text), f"{why} {worth_of[num]:.2f}")

    def _worth(self, old: AgeingMemory, now: int) -> float:
        if not self._context.policy.lifecycle.decay:
            return old["importance"]
        last = max(old["created_at"], old["last_access"] or 0)
        return decayed(
            old["importance"],
            days_since_access=(now - last) / DAY_MS,
            uses=old["accesses"],
            is_candidate=old["status"] == "candidate",
        )

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one that is still live and not pinned meanwhile."""
        image = change.get("memory", proposal.memory)
        if image is None or image["retired_at"] is not None or image["status"] == "pinned":
            return False
        change.put("memory", self._amendments.retired(image, "evicted", change))
        return True
