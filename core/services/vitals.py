"""Counts of injections by agent, and the state of a project's store."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ...db import ageing, memories, receipts
from ...db.connection import mapped_errors
from ...db.errors import BadInput
from ..values import DAY_MS, at, to_ms

if TYPE_CHECKING:
    from ...db.images import Image
    from ..context import Context, Project
    from ..recall.receipt import Health
    from .extractor_state import ExtractorState
    from .preferences import Preferences
    from .projects import LookAlike, Projects
    from .receipts import Receipt, Receipts
    from .review_entries import ReviewEntries
    from .search import Search, Stats

WEEK = timedelta(days=7)

EVERY_MS = DAY_MS  # time between two maintenances of a project
AHEAD_MS = 400 * DAY_MS
BEHIND_MS = 365 * DAY_MS  # a clock further from the last one than this is believed a day later
LEFT_MS = 7 * DAY_MS  # period for which retired memories are counted

LAST = 3  # injections that a status names


class AgentUsage(NamedTuple):
    """Injections of one agent, and their use. All numbers are counts."""

    agent: str
    injections: int = 0  # prompts, starts and files that brought memories
    memories: int = 0  # each as often as it was injected
    tokens: int = 0
    used: int = 0  # memories that an answer repeated afterwards
    helpful: int = 0  # memories that were marked so
    unhelpful: int = 0


class Usage(NamedTuple):
    """Injections of all agents, and their use."""

    agents: tuple[AgentUsage, ...]  # the one with most tokens first

    def total(self, name: str) -> int:
        """Return the sum of a count of AgentUsage over all agents."""
        return sum(getattr(agent, name) for agent in self.agents)

    def of(self, agent: str) -> AgentUsage:
        return next((item for item in self.agents if item.agent == agent), AgentUsage(agent))


@dataclass(eq=False, repr=False)
class Ageing:
    last_at: datetime | None  # None: never maintained
    held_back: str
    left: dict[str, int]  # folded, expired and evicted in the last seven days
    count: int  # live memories that the user has not confirmed
    limit: int  # of these; above it those of least worth are evicted


class Status(NamedTuple):
    project: Project
    home: str
    stats: Stats
    review: int  # items that need the user's word
    week: Usage  # of the last seven days
    receipts: tuple[Receipt, ...]  # the newest
    recall: Health  # how quick recall is
    spool_bytes: int  # events of hooks that were not processed yet
    spool_failed: int  # events that were set aside
    indexed: int  # texts in the search index
    stored: int  # memories in the store, retired ones too: as many should be indexed
    maintenance: Ageing
    maintenance_due: bool
    extractor: ExtractorState  # the model that reads sessions, if any
    why_not_learn: str  # why agents are not asked to record; "" if they are
    settings_problems: tuple[str, ...]
    look_alikes: tuple[LookAlike, ...]  # other projects that may be this one
    now: datetime


class Vitals:
    """Reads the state of a project. Writes nothing."""

    _context: Context
    _receipts: Receipts
    _search: Search
    _preferences: Preferences
    _review_entries: ReviewEntries
    _projects: Projects

    @mapped_errors()
    def usage(self, since: datetime | None = None) -> Usage:
        """Return injections and their use since then; of all receipts without `since`."""
        rows = receipts.usage(*self._context.here, to_ms(since) or 0)
        return Usage(tuple(AgentUsage(**row) for row in rows))

    @mapped_errors()
    def status(self) -> Status:
        context, stats, project = self._context, self._search.stats(), self._context.project
        if context.viewer is not None:  # an agent counts only memories that it may see
            project = project._replace(memories=stats.total_count)
        indexed, stored = ageing.indexed(context.database)
        spool = context.home.spool
        return Status(
            project=project,
            home=context.home.path,
            stats=stats,
            review=self._review_entries.count(),
            week=self.usage(context.now() - WEEK),
            receipts=tuple(self._receipts.newest(limit=LAST)),
            recall=self._receipts.health(),
            spool_bytes=sum(map(memories.size_of, _files_in(spool))),
            spool_failed=len(_files_in(os.path.join(spool, "failed"))),
            indexed=indexed,
            stored=stored,
            maintenance=self.glance(),
            maintenance_due=self.is_due(),
            extractor=self._preferences.extractor_state(),
            why_not_learn=self._preferences.why_unasked,
            settings_problems=tuple(map(str, context.settings_problems())),
            look_alikes=tuple(self._projects.alike()),
            now=context.now(),
        )

    # --- maintenance

    def is_due(self) -> bool:
        """Return True if the last maintenance is a day ago, or in the future."""
        last = self.last_run()
        since = last["held_at"] or last["at"]
        return since is None or not 0 <= self._context.now_ms() - since < EVERY_MS

    def held_back(self) -> str:
        """Return why nothing is retired now; "" if nothing prevents it.

        A clock that has jumped by years is believed if a run a day later agrees.
        """
        now, last = self._context.now_ms(), self.last_run()
        before = last["at"]
        if before is None:
            before = ageing.newest(*self._context.here)
        ahead = 0 if before is None else now - before
        if -BEHIND_MS <= ahead <= AHEAD_MS:
            return ""
        held = last["held_at"]
        if held is not None and DAY_MS <= now - held <= AHEAD_MS:
            return ""
        leap = f"{abs(ahead) // DAY_MS} days {'ahead of' if ahead > 0 else 'behind'}"
        return f"The clock is {leap} the last maintain: nothing is retired today."

    def glance(self) -> Ageing:
        """Return the state of maintenance. Writes nothing."""
        context = self._context
        return Ageing(
            last_at=at(self.last_run()["at"]),
            held_back=self.held_back(),
            left=ageing.retired_by_reason(*context.here, context.now_ms() - LEFT_MS),
            count=ageing.count(*context.here),
            limit=self._limit(),
        )

    def _limit(self) -> int:
        try:
            return self._context.policy.lifecycle.max_memories
        except BadInput:  # a glance reports problems of the settings, and all else too
            from ..config.settings import LifecyclePolicy

            return LifecyclePolicy().max_memories

    def last_run(self) -> Image:
        """Return when the project was maintained, and what was left unfinished."""
        never = {"at": None, "held_at": None, "unfinished": ""}
        return ageing.last_maintenance(*self._context.here) or never


def _files_in(folder: str) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return []
