"""Upkeep when it is due: what is past its time leaves, and each kind of it is one undoable act."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from ...db import ageing, maintenance, receipts
from ...frozen import dataclass, field
from ..config.policy import LifecyclePolicy
from ..errors import BadInput
from ..lifecycle.duties import Duty, Proposal
from ..values import DAY_MS, at
from .receipts import TEXTS_KEPT_MS

if TYPE_CHECKING:
    from ...db.maintenance import StoredMaintenance
    from ..context import Context


EVERY_MS = DAY_MS
"""Time between two maintains of a project."""

BATCH = 200
"""Changes of one transaction: a hook waits for no more."""

AHEAD_MS = 400 * DAY_MS
BEHIND_MS = 365 * DAY_MS
"""A clock further from the last maintain than this is believed when it says so a day later."""

LEFT_MS = 7 * DAY_MS
"""How far back it is told what left."""

OFTEN = ("quarantine", "working memory", "eviction")
"""Duties of each drain: a trial and a task end when they end, and a limit holds always."""

COMPACTION = (*OFTEN, "expiry")
"""Duties when a session has begun, and after so many accesses."""

ACCESSES = 50
"""Memories that questions brought since the last compaction, from which on the next is due."""

Progress = Callable[[int, int | None], bool]
"""Told how many changes are done, of how many (None: not known); False ends the run."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What one duty would do."""

    duty: str
    action: str
    count: int
    proposals: tuple[Proposal, ...]  # the first of them


@dataclass(frozen=True, slots=True)
class Maintained:
    """What a maintain did, or would do."""

    done: dict[str, int]  # changes by duty
    held_back: str = ""  # why nothing was retired; "" when it was
    is_stopped: bool = False
    entries: dict[str, int] = field(default_factory=dict)  # by duty: of the trail, for `undo`


@dataclass(frozen=True, slots=True)
class Ageing:
    """How a project ages, for a glance."""

    last_at: datetime | None  # None: never maintained
    held_back: str
    left: dict[str, int]  # folded, expired and evicted in the last seven days
    count: int  # live memories that no person stands for
    limit: int  # from how many of them on the least worth leave; 0 when nothing is evicted


@dataclass(frozen=True, slots=True)
class Maintenance:
    """A project's upkeep."""

    _context: Context
    _duties: Callable[[], Sequence[Duty]]  # made when there is something to do
    _weigh: Callable[[], object]  # which eviction goes by

    def is_due(self) -> bool:
        """Whether the last maintain is a day ago, or was noted in the future."""
        last = self._last()
        since = None if last is None else last["held_at"] or last["at"]
        return since is None or not 0 <= self._context.now_ms() - since < EVERY_MS

    def after_drain(self, *, has_begun: bool = False) -> Maintained:
        """Do what is due after a session was read: all of it once a day, `OFTEN` each time.

        A compaction besides, where a session `has_begun`, and after 50 accesses.
        """
        if self.is_due():
            return self.run()
        return self._compact() if has_begun or self._is_compaction_due() else self._run(OFTEN)

    def _is_compaction_due(self) -> bool:
        database, project = self._context.here
        last, since = self._last(), maintenance.compacted_at(database, project) or 0
        if last is not None and last["at"] is not None:
            since = max(since, last["at"])
        if since > self._context.now_ms():
            return True  # it was noted in the future
        return receipts.asked_since(database, project, since) >= ACCESSES

    def _compact(self) -> Maintained:
        began = monotonic()
        report = self._run(COMPACTION)
        maintenance.note_compaction(
            *self._context.here, self._context.now_ms(), 1000 * (monotonic() - began)
        )
        return report

    def plan(self, most: int = 20, *, without: Collection[str] = ()) -> list[Planned]:
        """What would be done now: of each duty the count, and the first `most` in words.

        Writes nothing, and asks no duty that is named in `without`.
        """
        planned = list[Planned]()
        for duty in self._allowed():
            if duty.name in without:
                continue
            named, count = list[Proposal](), 0
            for proposal in duty.proposals():
                count += 1
                if len(named) < most:
                    named.append(proposal)
            planned.append(Planned(duty.name, duty.action, count, tuple(named)))
        return planned

    def held_back(self) -> str:
        """Why nothing is retired at this moment; "" when it is.

        A clock that has leapt by years is believed when a maintain a day later still sees it.
        """
        now, last = self._context.now_ms(), self._last()
        before = last["at"] if last is not None else None
        if before is None:
            before = ageing.newest(*self._context.here)
        ahead = 0 if before is None else now - before
        if -BEHIND_MS <= ahead <= AHEAD_MS:
            return ""
        held = last["held_at"] if last is not None else None
        if held is not None and DAY_MS <= now - held <= AHEAD_MS:
            return ""
        leap = f"{abs(ahead) // DAY_MS} days {'ahead of' if ahead > 0 else 'behind'}"
        return f"The clock is {leap} the last maintain: nothing is retired today."

    def run(self, progress: Progress | None = None) -> Maintained:
        """Do all that is due, in transactions of at most 200 changes, each duty as one act.

        A run that is killed has done whole transactions; the next one goes on. Memories are weighed
        first, whatever the clock says: that retires nothing, and is computed anew each time.
        """
        began = self._context.now_ms()  # what is written meanwhile is new to the next run
        self._weigh()
        report = self._run(None, progress)
        if not report.is_stopped:
            self._note_end(report.held_back, began)
        return report

    def end_quarantines(self) -> list[str]:
        """End the trials that are over; the ids of the candidates."""
        return self._do("quarantine")

    def clear_expired(self) -> int:
        """Retire working memory that nobody cleared in its time; how many."""
        return len(self._do("working memory"))

    def glance(self) -> Ageing:
        """How the project ages. Writes nothing."""
        context, last = self._context, self._last()
        return Ageing(
            last_at=at(last["at"]) if last is not None else None,
            held_back=self.held_back(),
            left=self.left_since(context.now_ms() - LEFT_MS),
            count=ageing.count(*context.here),
            limit=self._limit(),
        )

    def _limit(self) -> int:
        try:
            return self._context.policy.lifecycle.limit
        except BadInput:  # a glance says what is wrong with the settings, and all else too
            return LifecyclePolicy().limit

    def left_since(self, moment: int) -> dict[str, int]:
        """How many memories left by age after that moment (ms): folded, expired, evicted."""
        return ageing.left(*self._context.here, moment)

    def _last(self) -> StoredMaintenance | None:
        return maintenance.last(*self._context.here)

    def _allowed(self) -> list[Duty]:
        is_held = bool(self.held_back())
        return [duty for duty in self._duties() if not (is_held and duty.does_retire)]

    def _do(self, name: str) -> list[str]:
        """Do one duty; the ids of what changed."""
        [duty] = [duty for duty in self._duties() if duty.name == name]
        with self._context.as_one_act():
            return [memory for changed in self._batches(duty) for memory in changed]

    def _run(self, names: Sequence[str] | None, progress: Progress | None = None) -> Maintained:
        held_back, done, entries = self.held_back(), dict[str, int](), dict[str, int]()
        if not held_back:  # the texts of all projects: one that nobody opens has no upkeep
            receipts.cut_texts(self._context.database, self._context.now_ms() - TEXTS_KEPT_MS)
        go_on = progress or (lambda _done, _of: True)
        for duty in self._allowed():
            if names is not None and duty.name not in names:
                continue
            done[duty.name] = 0
            with self._context.as_one_act():
                for changed in self._batches(duty):
                    done[duty.name] += len(changed)
                    act = self._context.group
                    if act is not None and act.id is not None:
                        entries.setdefault(duty.name, act.id)
                    if not go_on(sum(done.values()), None):
                        return Maintained(done, held_back, is_stopped=True, entries=entries)
        return Maintained(done, held_back, entries=entries)

    def _batches(self, duty: Duty) -> Iterator[list[str]]:
        """Carry the duty out; the ids that each transaction changed."""
        waiting, is_noted = iter(duty.proposals()), False
        while batch := list(islice(waiting, BATCH)):
            if len(batch) == BATCH and not is_noted:
                self._note_unfinished(duty.name)
                is_noted = True
            for rule, proposals in _by_rule(batch).items():
                with self._context.change(duty.action, rule, actor="rule") as change:
                    change.look_at([each.memory for each in proposals if each.memory])
                    changed = [each.memory for each in proposals if duty.carry_out(change, each)]
                yield changed
        if is_noted:
            self._note_unfinished("")

    def _note_unfinished(self, duty: str) -> None:
        database, last = self._context.database, self._last()
        before, held = (None, None) if last is None else (last["at"], last["held_at"])
        maintenance.note(database, self._context.project_id, before, held, duty)

    def _note_end(self, held_back: str, now: int) -> None:
        database, project = self._context.here
        last = self._last()
        if held_back:
            before, held = (None, None) if last is None else (last["at"], last["held_at"])
            is_new = held is None or not 0 <= now - held <= AHEAD_MS
            unfinished = "" if last is None else last["unfinished"]
            maintenance.note(database, project, before, now if is_new else held, unfinished)
        else:
            maintenance.note(database, project, now, None)


def _by_rule(batch: Sequence[Proposal]) -> dict[str, list[Proposal]]:
    """The proposals by the reason that the trail tells."""
    rules = dict[str, list[Proposal]]()
    for proposal in batch:
        rules.setdefault(proposal.rule or proposal.why, []).append(proposal)
    return rules
