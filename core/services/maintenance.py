"""Upkeep when it is due: what is past its time leaves, and each kind of it is one undoable act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ...db import maintenance
from ..lifecycle.duties import Duty, Proposal

if TYPE_CHECKING:
    from ..context import Context

DAY_MS = 24 * 60 * 60 * 1000

EVERY_MS = DAY_MS
"""Time between two maintains of a project."""

BATCH = 200
"""Changes of one transaction: a hook waits for no more."""

LEAP_MS = 400 * DAY_MS
"""A clock that is further ahead of the last maintain is believed when it says so a day later."""

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


class Maintenance:
    """A project's upkeep."""

    def __init__(self, context: Context, duties: Callable[[], Sequence[Duty]]) -> None:
        self._context = context
        self._duties = duties  # made when there is something to do

    def is_due(self) -> bool:
        """Whether the last maintain is a day ago, or was noted in the future."""
        last = maintenance.last(self._context.database, self._context.project_id)
        return last is None or not 0 <= self._context.now_ms() - last["at"] < EVERY_MS

    def plan(self, most: int = 20) -> list[Planned]:
        """What would be done now: of each duty the count, and the first `most` in words.

        Writes nothing.
        """
        planned = list[Planned]()
        for duty in self._allowed():
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
        now = self._context.now_ms()
        last = maintenance.last(self._context.database, self._context.project_id)
        if last is None or now - last["at"] <= LEAP_MS:
            return ""
        held = last["held_at"]
        if held is not None and DAY_MS <= now - held <= LEAP_MS:
            return ""
        days = (now - last["at"]) // DAY_MS
        return f"The clock is {days} days ahead of the last maintain: nothing is retired today."

    def run(self, progress: Progress | None = None) -> Maintained:
        """Do what is due, in transactions of at most 200 changes, each duty as one act.

        A run that is killed has done whole transactions; the next one goes on.
        """
        held_back, done = self.held_back(), dict[str, int]()
        go_on = progress or (lambda _done, _of: True)
        for duty in self._allowed():
            done[duty.name] = 0
            with self._context.as_one_act():
                for changed in self._batches(duty):
                    done[duty.name] += changed
                    if not go_on(sum(done.values()), None):
                        return Maintained(done, held_back, is_stopped=True)
        self._note(held_back)
        return Maintained(done, held_back)

    def _allowed(self) -> list[Duty]:
        is_held = bool(self.held_back())
        return [duty for duty in self._duties() if not (is_held and duty.does_retire)]

    def _batches(self, duty: Duty) -> Iterator[int]:
        """Carry the duty out; how many changes each transaction made."""
        waiting = iter(duty.proposals())
        while batch := list(islice(waiting, BATCH)):
            reasons = {proposal.why for proposal in batch}
            reason = reasons.pop() if len(reasons) == 1 else ""
            with self._context.change(duty.action, reason, actor="rule") as change:
                change.look_at([proposal.memory for proposal in batch if proposal.memory])
                changed = sum(duty.carry_out(change, proposal) for proposal in batch)
            yield changed

    def _note(self, held_back: str) -> None:
        database, project = self._context.database, self._context.project_id
        last, now = maintenance.last(database, project), self._context.now_ms()
        if held_back and last is not None:
            held = last["held_at"]
            is_new = held is None or not 0 <= now - held <= LEAP_MS
            maintenance.note(database, project, last["at"], now if is_new else held)
        else:
            maintenance.note(database, project, now, None)
