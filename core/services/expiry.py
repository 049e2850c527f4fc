"""What is past its time leaves recall, restorably."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from heapq import nsmallest
from typing import TYPE_CHECKING, ClassVar

from ...db import ageing, digests, maintenance
from ...db.images import headline
from ..clock import to_ms
from ..ids import moment_of
from ..lifecycle.digests import stretch_of
from ..lifecycle.duties import Proposal
from ..lifecycle.lives import LIVES, RECENT_MS, USES, reason, rule
from ..lifecycle.worth import BRIEF, WARM_DAYS, decayed
from ..values import DAY_MS, moment_at

if TYPE_CHECKING:
    from datetime import datetime

    from ...db.ageing import AgeingMemory, Due
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory
    from .amendments import Amendments

_LIVES_MS = {category: days * DAY_MS for category, days in LIVES.items()}
_OWN_DATE = "past its own date"
_TASK = "nobody cleared it in its time"


class _Leaving(ABC):
    """A duty that takes what is due out of recall."""

    does_retire = True
    retired_as: ClassVar[str] = "expired"

    def __init__(self, context: Context, amendments: Amendments) -> None:
        self._context = context
        self._amendments = amendments

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Retire one of which it still holds: used, confirmed or in conflict since, it stays."""
        memory, due = proposal.memory, self._due(proposal.why)
        is_due = ageing.is_true(self._context.database, due, memory)
        return is_due and self._amendments.take_out(change, memory, self.retired_as)

    @abstractmethod
    def _due(self, why: str, /) -> Due:
        """What must be true, now, of what it proposes for this reason."""


class Expiry(_Leaving):
    """Retires what has passed its own date, and what outlived its category.

    The latter concerns only what no person stands for, see `db/ageing.py`.
    """

    name, action = "expiry", "expire"

    def proposals(self) -> Iterator[Proposal]:
        """What has passed its own date, then what outlived its category."""
        database, now = self._context.database, self._context.now_ms()
        for old in ageing.each(database, self._due(_OWN_DATE)):
            yield _proposal(old, _OWN_DATE)
        for old in ageing.each(database, self._due("")):
            kept_since = max(old["updated_at"], moment_of(old["id"]))  # it may be of an old session
            if kept_since + _LIVES_MS[old["category"]] <= now:
                idle = (now - kept_since) // DAY_MS
                why = reason(old["category"], idle, old["accesses"])
                yield _proposal(old, why, rule(old["category"]))

    def _due(self, why: str, /) -> Due:
        project, now = self._context.project_id, self._context.now_ms()
        if why == _OWN_DATE:
            return ageing.dated(project, now)
        return ageing.outlived(project, now, now - RECENT_MS, _LIVES_MS, USES)


def retires_at(context: Context, memory: Memory) -> datetime | None:
    """Return when `Expiry` retires a memory unless it is used; None if never."""
    if not context.policy.lifecycle.expiry or memory.status == "pinned" or memory.in_conflict:
        return None
    if memory.expires is not None:
        return memory.expires
    [old] = ageing.with_nums(context.database, [memory.num])
    is_ageing = ageing.is_true(context.database, ageing.ages(context.project_id), memory.id)
    if not is_ageing or old["accesses"] >= USES:
        return None
    kept_since = max(old["updated_at"], moment_of(old["id"]), to_ms(memory.due) or 0)
    return moment_at(kept_since + _LIVES_MS[old["category"]])


class Folding(_Leaving):
    """Retires what is unimportant, old and told in the summary of its day.

    It is found again by opening that summary. What no summary tells whole stays.
    """

    name, action, retired_as = "folding", "compact", "folded"

    def proposals(self) -> Iterator[Proposal]:
        """What is told in the summary of the day on which it was learned."""
        database, project = self._context.here
        now = self._context.now_ms()
        days = {
            row["starts_at"]: row["content"]
            for row in digests.summaries(database, project)
            if row["level"] == "day"
        }
        for old in ageing.each(database, self._due("")):
            day = stretch_of("day", old["created_at"])
            text = " ".join(old["content"].split()).rstrip(".")  # a title alone is not all of it
            if text and text in days.get(day.starts_at, ""):
                idle = (now - max(old["updated_at"], old["last_access"] or 0)) // DAY_MS
                rule = f"told in the summary of {day.name}"
                yield _proposal(old, f"{rule}, unchanged and unused for {idle} days", rule)

    def _due(self, _why: str, /) -> Due:
        now = self._context.now_ms()
        since = now - WARM_DAYS * DAY_MS
        return ageing.quiet(self._context.project_id, now, since, BRIEF, USES)


class WorkingExpiry(_Leaving):
    """Retires what was held for a task, and nobody cleared in its time.

    One whose task gave a sign meanwhile stays.
    """

    name, action = "working memory", "expire"

    def proposals(self) -> Iterator[Proposal]:
        """What was held for long enough."""
        for old in ageing.each(self._context.database, self._due(_TASK)):
            yield _proposal(old, _TASK)

    def _due(self, _why: str, /) -> Due:
        return ageing.held(self._context.project_id, self._context.now_ms())


AT_ONCE = 200
"""Memories whose words are read at once: of the others only worth, age and number are held."""


class Eviction(_Leaving):
    """Retires the least worth above the project's limit.

    Neither what a person stands for counts nor what is pinned, and what is in conflict or was used
    in the last 24 hours stays, see `db/ageing.py`.
    """

    name, action, retired_as = "eviction", "evict", "evicted"

    def proposals(self) -> Iterator[Proposal]:
        """Nothing up to the limit; above it, the least worth first, until few enough stay.

        One that was killed goes on below the limit.
        """
        too_many = self._too_many()
        if not too_many:
            return
        limit = self._context.policy.lifecycle.max_memories
        rule, now = f"more than {limit:,} memories", self._context.now_ms()
        waiting = ageing.each(self._context.database, self._due(rule))
        least = nsmallest(
            too_many, ((self._worth(old, now), old["created_at"], old["num"]) for old in waiting)
        )
        for start in range(0, len(least), AT_ONCE):
            part = least[start : start + AT_ONCE]
            found = ageing.with_nums(self._context.database, [num for _, _, num in part])
            by_num = {old["num"]: old for old in found}
            for worth, _, num in part:
                if num in by_num:  # else purged meanwhile
                    yield _proposal(by_num[num], f"{rule}; its worth is {worth:.2f}", rule)

    def _too_many(self) -> int:
        chosen = self._context.policy.lifecycle
        database, project = self._context.here
        keep = chosen.staying
        last = maintenance.last(database, project)
        is_unfinished = last is not None and last["unfinished"] == self.name
        most = keep if is_unfinished else chosen.max_memories
        if ageing.count(database, project, most + 1) <= most:
            return 0
        return ageing.count(database, project) - keep

    def _due(self, _why: str, /) -> Due:
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


def _proposal(old: AgeingMemory, why: str, rule: str = "") -> Proposal:
    return Proposal(old["id"], headline(old["title"], old["content"]), why, rule=rule)
