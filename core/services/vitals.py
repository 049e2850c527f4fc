"""How a project stands at a glance, how its store fares, and what will leave it by itself.

What a large store answers at once comes apart from what it must be walked through for. The
forecast asks the duties of upkeep themselves, as if their day had come: it knows no rule.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from ...db import ageing, lists, receipts
from ...db import ageing as maintenance
from ...db.connection import mapped_errors
from ...db.images import CHUNK
from ..clock import to_ms
from ..recall.receipt import Health
from ..values import at

if TYPE_CHECKING:
    from ..answers import Receipt, Stats
    from ..context import Context
    from ..values import Memory
    from .maintenance import Maintenance
    from .receipts import Receipts
    from .search import Search

WEEK = timedelta(days=7)
NAMED = 5
"""Memories that are named of each kind."""

LEARNED, MOST_USED = "created:<7d -is:candidate", "is:told -is:candidate sort:used"
RECEIPTS_LOOKED_AT = 60
"""Receipts among which the last start of a session is looked for."""

GROWTH_WEEKS = 26
"""Weeks whose number of memories is told, this one included."""

AHEAD_DAYS = (7, 30)
"""How far the forecast looks."""

TIMELESS = ("staleness",)
"""Duties that say the same whatever the day: git tells of the past alone."""

MOST_ENDINGS = 500
"""Memories that the forecast names, of each duty."""

EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class AgentUsage:
    """What one agent received, and what came of it. All numbers are counts."""

    agent: str
    injections: int  # prompts, starts and files that brought memories
    memories: int  # each as often as it was injected
    tokens: int
    used: int  # memories that an answer repeated afterwards
    helpful: int  # memories that were marked so
    unhelpful: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What all agents received, and what came of it."""

    agents: tuple[AgentUsage, ...]  # the one with most tokens first

    def total(self, name: str) -> int:
        """Return the sum of a count of AgentUsage over all agents."""
        return sum(getattr(agent, name) for agent in self.agents)


@dataclass(frozen=True, slots=True)
class Overview:
    """What a project's agents know, at a glance; None is what was not counted yet."""

    waiting: int  # candidates in the Inbox
    conflicts: int  # without a verdict
    left: int  # retired by age in the last seven days
    newest: tuple[Memory, ...]  # learned in the last seven days; at most five
    week: Usage  # of the last seven days
    start: Receipt | None  # the last start of a session that was told something
    memories: int | None = None  # live
    pinned: int | None = None
    to_verify: int | None = None  # something speaks against them
    expiring: int | None = None  # within a week
    untold: int | None = None  # older than a week, and told to no agent so far
    offers: int | None = None  # may hold for every project
    learned: int | None = None  # in the last seven days
    most_used: tuple[Memory, ...] = ()  # at most five


@dataclass(frozen=True, slots=True)
class Checkup:
    """How a project's store fares."""

    stats: Stats
    waiting: int  # candidates in the Inbox
    ageing: int  # live memories that no person stands for: these the limit counts
    limit: int
    keep: int  # how many stay when there are more than the limit
    parts: tuple[tuple[str, int], ...]  # bytes of the home by part, the largest first
    health: Health  # of the last recalls
    latencies: tuple[float, ...]  # theirs in milliseconds, the oldest first; at most 100
    indexed: int  # texts in the search index
    memories: int  # in the store, retired ones too: as many should be indexed
    notes: int  # bytes of hooks' notes that no drain has read yet
    failed: int  # notes that were set aside
    growth: tuple[tuple[date, int], ...]  # live memories at the end of each week, the oldest first
    maintained_at: datetime | None
    is_due: bool
    held_back: str  # why upkeep retires nothing; "" when it does


@dataclass(frozen=True, slots=True)
class Ending:
    """A memory that leaves, or is changed, if nobody does anything."""

    num: int
    memory: str
    title: str
    why: str
    duty: str
    within_days: int  # 0: with the next upkeep; else one of AHEAD_DAYS


@dataclass(frozen=True, slots=True)
class Forecast:
    """What upkeep will do within the next days, as things stand."""

    endings: tuple[Ending, ...] = ()  # the soonest first
    counts: dict[tuple[str, int], int] = field(default_factory=dict)
    """By duty and days ahead, how many changes it will have made by then."""


@dataclass(frozen=True, slots=True)
class Vitals:
    """Reads how a project fares. Writes nothing."""

    _context: Context
    _receipts: Receipts
    _search: Search
    _upkeep_of: Callable[[Context], Maintenance]

    # --- at a glance

    def at_once(self) -> Overview:
        """What is known without walking through the store, however large it is."""
        context, search = self._context, self._search
        since = context.now() - WEEK
        left = ageing.retired_by_reason(*context.here, to_ms(since) or 0)
        return Overview(
            waiting=search.waiting_count(),
            conflicts=search.conflict_count(),
            left=sum(left.values()),
            newest=tuple(search.list(LEARNED, NAMED)),
            week=self.usage(context.now() - WEEK),
            start=self._start(),
        )

    def counted(self, seen: Overview) -> Overview:
        """The same with what is counted over all memories."""
        search = self._search
        memories, pinned, to_verify, expiring, untold, offers = search.standing(
            "pinned", "verify", "expiring", "untold", "offered"
        )
        return replace(
            seen,
            memories=memories,
            pinned=pinned,
            to_verify=to_verify,
            expiring=expiring,
            untold=untold,
            offers=offers,
            learned=search.count(LEARNED),
            most_used=tuple(search.list(MOST_USED, NAMED)),
        )

    @mapped_errors()
    def usage(self, since: datetime | None = None) -> Usage:
        """Return what agents received since then, and what came of it; of all receipts without."""
        rows = receipts.usage(*self._context.here, to_ms(since) or 0)
        agents = tuple(AgentUsage(**row) for row in rows)
        return Usage(agents)

    def _start(self) -> Receipt | None:
        found = self._receipts.newest(limit=RECEIPTS_LOOKED_AT)
        return next((one for one in found if one.event == "SessionStart" and one.items), None)

    # --- its health, and what will leave it

    @mapped_errors()
    def checkup(self) -> Checkup:
        """How the project fares now."""
        context, chosen = self._context, self._context.policy.lifecycle
        upkeep = self._upkeep_of(context)
        last = maintenance.last_maintenance(*context.here)
        texts, memories = maintenance.indexed(context.database)
        return Checkup(
            stats=self._search.stats(),
            waiting=self._search.waiting_count(),
            ageing=ageing.count(*context.here),
            limit=chosen.max_memories,
            keep=chosen.staying,
            parts=self._parts(),
            health=self._receipts.health(),
            latencies=tuple(self._receipts.latencies()),
            indexed=texts,
            memories=memories,
            notes=_bytes_in(context.home.spool),
            failed=_files_in(os.path.join(context.home.spool, "failed")),
            growth=self._growth(),
            maintained_at=at(last["at"]) if last is not None else None,
            is_due=upkeep.is_due(),
            held_back=upkeep.held_back(),
        )

    def _parts(self) -> tuple[tuple[str, int], ...]:
        home = self._context.home
        sizes = {
            "database": lists.size_of(home.database),
            "journal": _bytes_in(home.journal),
            "backups": _bytes_in(home.backups),
            "spool": _bytes_in(home.spool),
            "log": _bytes_in(home.log),
        }
        return tuple(sorted(sizes.items(), key=lambda part: -part[1]))

    def _growth(self) -> tuple[tuple[date, int], ...]:
        """Live memories at the end of each week, the last being now."""
        database, project = self._context.here
        changes = [*maintenance.creations(database, project)]
        changes += [(day, -count) for day, count in maintenance.retirements(database, project)]
        today = (self._context.now().date() - EPOCH).days
        ends = [today - 7 * back for back in reversed(range(GROWTH_WEEKS))]
        return tuple(
            (EPOCH + timedelta(days=end), sum(count for day, count in changes if day <= end))
            for end in ends
        )

    @mapped_errors()
    def forecast(self) -> Forecast:
        """What upkeep would do now, in 7 and in 30 days, the soonest first.

        Each memory once; what is held for a task is left out, since it ends with the task.
        """
        found: dict[str, tuple[str, str, str, int]] = {}
        counts: dict[tuple[str, int], int] = {}
        for days in (0, *AHEAD_DAYS):
            upkeep, timeless = (
                self._upkeep_of(_ahead(self._context, days)),
                TIMELESS if days else (),
            )
            for planned in upkeep.plan(MOST_ENDINGS, without=timeless):
                counts[planned.duty, days] = planned.count
                for one in planned.proposals:
                    if one.memory:
                        found.setdefault(one.memory, (one.title, one.why, planned.duty, days))
        rows = self._rows(list(found))
        endings = [
            Ending(rows[memory], memory, *said) for memory, said in found.items() if memory in rows
        ]
        return Forecast(tuple(sorted(endings, key=lambda one: one.within_days)), counts)

    def _rows(self, ids: list[str]) -> dict[str, int]:
        """The row numbers of these memories, but for what is held for a task."""
        found: dict[str, int] = {}
        for start in range(0, len(ids), CHUNK):
            part = maintenance.named(self._context.database, ids[start : start + CHUNK])
            found |= {memory: num for memory, num, kind in part if kind != "working"}
        return found


def _ahead(context: Context, days: int) -> Context:
    """The context as its clock will see it in so many days."""
    if not days:
        return context
    later, clock = copy.copy(context), context.clock
    later.clock = lambda: clock() + timedelta(days=days)
    return later


def _bytes_in(folder: str) -> int:
    """Bytes of all files below a folder; what vanishes meanwhile counts as nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
    return total


def _files_in(folder: str) -> int:
    try:
        return sum(entry.is_file() for entry in os.scandir(folder))
    except OSError:
        return 0
