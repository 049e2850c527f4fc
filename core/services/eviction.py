"""A project keeps to its limit: the least worth of what agents found leave, restorably."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest
from typing import TYPE_CHECKING

from ...db import ageing, maintenance
from ...db.images import headline
from ..lifecycle.decay import decayed
from ..lifecycle.duties import Proposal
from ..lifecycle.lives import DAY_MS, RECENT_MS
from .expiry import retire

if TYPE_CHECKING:
    from ...db.ageing import AgeingMemory, Due
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments

AT_ONCE = 200
"""Memories whose words are read at once: of the others only worth, age and number are held."""


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
        """Nothing up to the limit; above it, the least worth first, until few enough stay.

        One that was killed goes on below the limit.
        """
        too_many = self._too_many()
        if not too_many:
            return
        limit = self._context.policy.lifecycle.max_memories
        rule, now = f"more than {limit:,} memories", self._context.now_ms()
        waiting = ageing.each(self._context.database, self._unused())
        least = nsmallest(
            too_many, ((self._worth(old, now), old["created_at"], old["num"]) for old in waiting)
        )
        for start in range(0, len(least), AT_ONCE):
            part = least[start : start + AT_ONCE]
            found = ageing.with_nums(self._context.database, [num for _, _, num in part])
            by_num = {old["num"]: old for old in found}
            for worth, _, num in part:
                if (old := by_num.get(num)) is None:  # purged meanwhile
                    continue
                title = headline(old["title"], old["content"])
                yield Proposal(old["id"], title, f"{rule}; its worth is {worth:.2f}", rule=rule)

    def _too_many(self) -> int:
        chosen = self._context.policy.lifecycle
        database, project = self._context.database, self._context.project_id
        keep = chosen.staying
        last = maintenance.last(database, project)
        is_unfinished = last is not None and last["unfinished"] == self.name
        most = keep if is_unfinished else chosen.max_memories
        if ageing.count(database, project, most + 1) <= most:
            return 0
        return ageing.count(database, project) - keep

    def _unused(self) -> Due:
        now = self._context.now_ms()
        return ageing.unused(self._context.project_id, now, now - RECENT_MS)

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
        """Retire one that was not used, pinned, confirmed or put in doubt meanwhile."""
        context, amendments = self._context, self._amendments
        return retire(context, amendments, change, proposal.memory, self._unused(), "evicted")
