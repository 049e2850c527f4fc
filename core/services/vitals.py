"""Counts of injections by agent, and the state of a project's store."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ...db import ageing, memories, receipts
from ...db.connection import mapped_errors
from ..values import to_ms
from .extractor_state import ExtractorState, state_of

if TYPE_CHECKING:
    from ..answers import Project, Receipt, Stats
    from ..context import Context
    from ..recall.receipt import Health
    from .maintenance import Ageing, Maintenance
    from .preferences import Preferences
    from .projects import LookAlike, Projects
    from .receipts import Receipts
    from .review import Review
    from .search import Search

WEEK = timedelta(days=7)

LAST = 3  # injections that a status names


@dataclass(frozen=True, slots=True)
class AgentUsage:
    """Injections of one agent, and their use. All numbers are counts."""

    agent: str
    injections: int = 0  # prompts, starts and files that brought memories
    memories: int = 0  # each as often as it was injected
    tokens: int = 0
    used: int = 0  # memories that an answer repeated afterwards
    helpful: int = 0  # memories that were marked so
    unhelpful: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Injections of all agents, and their use."""

    agents: tuple[AgentUsage, ...]  # the one with most tokens first

    def total(self, name: str) -> int:
        """Return the sum of a count of AgentUsage over all agents."""
        return sum(getattr(agent, name) for agent in self.agents)

    def of(self, agent: str) -> AgentUsage:
        return next((item for item in self.agents if item.agent == agent), AgentUsage(agent))


@dataclass(frozen=True, slots=True)
class Status:
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


@dataclass(frozen=True, slots=True)
class Vitals:
    """Reads the state of a project. Writes nothing."""

    _context: Context
    _receipts: Receipts
    _search: Search
    _preferences: Preferences
    _review: Review
    _maintenance: Maintenance
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
            project = replace(project, memories=stats.total_count)
        indexed, stored = ageing.indexed(context.database)
        spool = context.home.spool
        return Status(
            project=project,
            home=context.home.path,
            stats=stats,
            review=self._review.count(),
            week=self.usage(context.now() - WEEK),
            receipts=tuple(self._receipts.newest(limit=LAST)),
            recall=self._receipts.health(),
            spool_bytes=sum(map(memories.size_of, _files_in(spool))),
            spool_failed=len(_files_in(os.path.join(spool, "failed"))),
            indexed=indexed,
            stored=stored,
            maintenance=self._maintenance.glance(),
            maintenance_due=self._maintenance.is_due(),
            extractor=state_of(context, self._preferences),
            why_not_learn=self._preferences.why_unasked,
            settings_problems=tuple(map(str, context.settings_problems())),
            look_alikes=tuple(self._projects.alike()),
            now=context.now(),
        )


def _files_in(folder: str) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return []
