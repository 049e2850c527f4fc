"""What is past its time leaves recall, restorably."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest
from typing import TYPE_CHECKING

from ...db import ageing, digests, maintenance
from ...db.images import headline
from ...frozen import dataclass
from ..ids import moment_of
from ..lifecycle.digests import stretch_of
from ..lifecycle.duties import Proposal
from ..lifecycle.lives import LIVES, RECENT_MS, USES, reason, rule
from ..lifecycle.worth import BRIEF, WARM_DAYS, decayed
from ..values import DAY_MS

if TYPE_CHECKING:
    from ...db.ageing import AgeingMemory, Due
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments

_LIVES_MS = {category: days * DAY_MS for category, days in LIVES.items()}
_OWN_DATE = "past its own date"
_TASK = "nobody cleared it in its time"


@dataclass(frozen=True, slots=True)
class Expiry:
    """Retires what has passed its own date (000-49), and what outlived its category (002-32).

    The latter concerns only what no person stands for, see `db/ageing.py`.
    """

    name, action, does_retire = "expiry", "expire", True

    _context: Context
    _amendments: Amendments

    def proposals(self) -> Iterator[Proposal]:
        """What has passed its own date, then what outlived its category."""
        database, now = self._context.database, self._context.now_ms()
        for old in ageing.each(database, self._dated()):
            yield Proposal(old["id"], headline(old["title"], old["content"]), _OWN_DATE)
        for old in ageing.each(database, self._outlived()):
            kept_since = max(old["updated_at"], moment_of(old["id"]))  # it may be of an old session
            if kept_since + _LIVES_MS[old["category"]] > now:
                continue
            idle = (now - kept_since) // DAY_MS
            why = reason(old["category"], idle, old["accesses"])
            title = headline(old["title"], old["content"])
            yield Proposal(old["id"], title, why, rule=rule(old["category"]))

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one of which it still holds: used, confirmed or in conflict since, it stays."""
        due = self._dated() if proposal.why == _OWN_DATE else self._outlived()
        return retire(self._context, self._amendments, change, proposal.memory, due, "expired")

    def _dated(self) -> Due:
        return ageing.dated(self._context.project_id, self._context.now_ms())

    def _outlived(self) -> Due:
        now = self._context.now_ms()
        return ageing.outlived(self._context.project_id, now, now - RECENT_MS, _LIVES_MS, USES)


@dataclass(frozen=True, slots=True)
class Folding:
    """Retires what is unimportant, old and told in the summary of its day (003-09, 003-12).

    It is found again by opening that summary. What no summary tells whole stays.
    """

    name, action, does_retire = "folding", "compact", True

    _context: Context
    _amendments: Amendments

    def proposals(self) -> Iterator[Proposal]:
        """What is told in the summary of the day on which it was learned."""
        database, project = self._context.database, self._context.project_id
        now = self._context.now_ms()
        days = {
            row["starts_at"]: row["content"]
            for row in digests.summaries(database, project)
            if row["level"] == "day"
        }
        for old in ageing.each(database, self._quiet()):
            day = stretch_of("day", old["created_at"])
            text = " ".join(old["content"].split()).rstrip(".")  # a title alone is not all of it
            if not text or text not in days.get(day.starts_at, ""):
                continue
            idle = (now - max(old["updated_at"], old["last_access"] or 0)) // DAY_MS
            why = f"told in the summary of {day.name}, unchanged and unused for {idle} days"
            title = headline(old["title"], old["content"])
            yield Proposal(old["id"], title, why, rule=f"told in the summary of {day.name}")

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one of which it still holds: used, confirmed or in conflict since, it stays."""
        context, amendments = self._context, self._amendments
        return retire(context, amendments, change, proposal.memory, self._quiet(), "folded")

    def _quiet(self) -> Due:
        now = self._context.now_ms()
        since = now - WARM_DAYS * DAY_MS
        return ageing.quiet(self._context.project_id, now, since, BRIEF, USES)


@dataclass(frozen=True, slots=True)
class WorkingExpiry:
    """Retires what was held for a task, and nobody cleared in its time (000-19, 000-49)."""

    name, action, does_retire = "working memory", "expire", True

    _context: Context
    _amendments: Amendments

    def proposals(self) -> Iterator[Proposal]:
        """What was held for long enough."""
        for old in ageing.each(self._context.database, self._held()):
            yield Proposal(old["id"], headline(old["title"], old["content"]), _TASK)

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one whose task gave no sign meanwhile."""
        context, amendments = self._context, self._amendments
        return retire(context, amendments, change, proposal.memory, self._held(), "expired")

    def _held(self) -> Due:
        return ageing.held(self._context.project_id, self._context.now_ms())


def retire(
    context: Context, amendments: Amendments, change: Change, memory: str, due: Due, retired_as: str
) -> bool:
    """Retire a memory if `due` is true of it inside the change; whether it was."""
    if not ageing.is_true(context.database, due, memory):
        return False
    image = change.get("memory", memory)
    if image is None or image["retired_at"] is not None:
        return False
    change.put("memory", amendments.retired(image, retired_as, change))
    return True


AT_ONCE = 200
"""Memories whose words are read at once: of the others only worth, age and number are held."""


@dataclass(frozen=True, slots=True)
class Eviction:
    """Retires the least worth above the project's limit (002-33).

    Neither what a person stands for counts nor what is pinned, and what is in conflict or was used
    in the last 24 hours stays, see `db/ageing.py`.
    """

    name, action, does_retire = "eviction", "evict", True

    _context: Context
    _amendments: Amendments

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
