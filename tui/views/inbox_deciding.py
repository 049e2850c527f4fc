"""The Inbox's verdicts: each applies to what is marked, else to the candidate that is shown.

The next candidate follows at once, while the verdict is being written: one core call in the
write lane, one entry, one undo. What could not be written comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import work

from ...core.answers import Neighbour, Row
from ...core.values import Memory
from ..acts import Done, done_with
from ..dialogs.confirm import Confirm
from ..dialogs.edit_memory import EditMemory
from ..dialogs.menu import Menu
from ..large_acts import PART, Progress, write_in_parts
from ..text import age, cut, one_line, quoted
from ..typeahead import asks, may_ask
from .inbox_asking import read_ahead
from .inbox_reading import Reading
from .inbox_words import later, later_choices

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

MOST_SHOWN = 240  # cells of each text in a question


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is done to candidates."""

    past: str  # how the notice begins
    write: Callable[[MemoryCoordinator, list[str]], Sequence[Memory]]


VERDICTS = {
    "accept": Verdict("Accepted", lambda core, ids: core.accept(ids)),
    "pin": Verdict("Accepted and pinned", lambda core, ids: core.accept(ids, pin=True)),
    "reject": Verdict("Rejected", lambda core, ids: core.reject(ids)),
}


class AcceptForm(EditMemory):
    """The form for one memory; saving accepts it, also as it stands."""

    def action_save(self) -> None:  # type: ignore[override]  # a worker there, two of them here
        """Save what was changed, or accept what was not."""
        if self.is_changed:
            super().action_save()
        else:
            self._accept_as_it_is()

    @may_ask
    async def _accept_as_it_is(self) -> None:
        self.dismiss(await self._save_it({}, self._revision))


class Deciding(Reading):
    """What a person decides in the Inbox."""

    @property
    def chosen(self) -> list[int]:
        """The candidates a verdict applies to: the marked ones, else the one that is shown."""
        if self.waiting.marks.keys:
            return sorted(self.waiting.marks.keys)
        num = self.waiting.current_key
        return [] if num is None else [num]

    def action_decide(self, name: str) -> None:
        """Accept, accept and pin, or reject."""
        self._decide(VERDICTS[name], self.chosen)

    @asks
    async def action_snooze(self) -> None:
        """Put off until a time to choose."""
        nums, now = self.chosen, self.app.clock()
        chosen = await self.app.ask(Menu("Put off for", later_choices(now)))
        if chosen is not None:
            self._decide(snooze_until(later(now)[chosen], now), nums)

    @may_ask
    async def action_merge(self) -> bool:
        """Merge into the nearest known memory: it stays, this one's evidence is added.

        Asks first where the two are less alike than texts that say the same. False: there is
        nothing to merge it into.
        """
        num, judged = self.waiting.current_key, self.judged
        if num is None:
            return False
        if judged is None:
            judged = await self.app.pages.run(lambda core: read_ahead(core, num))
        near = judged.candidate.neighbour if judged is not None else None
        if judged is None or near is None:
            return False
        if judged.says_the_same or await self.app.ask(merge_question(judged.memory, near)):
            into = Verdict(
                f"Merged into {quoted(near.title, 22)}:",
                lambda core, ids: [core.merge(near.id, ids)],
            )
            self._decide(into, [num])
        return True

    def _decide(self, verdict: Verdict, nums: Sequence[int]) -> None:
        """Go on to the next, and write the verdict."""
        if nums:
            self.deciding.update(nums)
            self.waiting.take_out(nums)
            if not self.waiting.keys:
                self.load()  # what to say when nothing waits any more
            self.follow()
            (self._write_many if len(nums) > PART else self._write)(verdict, nums)

    @may_ask
    async def _write_many(self, verdict: Verdict, nums: Sequence[int]) -> bool:
        done = await self._written(verdict, nums)
        return done.error is None

    @work(group="write")
    async def _write(self, verdict: Verdict, nums: Sequence[int]) -> None:
        await self._written(verdict, nums)

    async def _written(self, verdict: Verdict, nums: Sequence[int]) -> Done:
        """What came of the verdict; what it was not written to is in the list again."""
        try:
            done = await self.app.changes.carry(
                lambda core, progress: decide(core, verdict, nums, progress), len(nums)
            )
            if done.ids:
                await self.app.news.wrote(done.ids)
        finally:
            self.deciding.difference_update(nums)
            if self.is_attached:
                self.load()
        self.tell(done)
        return done

    def tell(self, done: Done) -> None:
        """One notice at a time: the newest verdict, and how to take it back."""
        self.app.call_later(self.app.clear_notifications)  # in line with the notices to come
        self.app.notices.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.app.notices.report(done.error)

    @asks
    async def action_edit(self) -> None:
        """Edit in a form; saving accepts."""
        num = self.waiting.current_key
        memory = None
        if num is not None:
            memory = await self.app.pages.run(lambda core: core.memory(num))
        if memory is None:
            return

        async def save(fields: dict[str, Any], revision: int | None) -> object:
            return await self.app.write_agreed(
                lambda core: core.accept_edited(memory.id, expected_revision=revision, **fields)
            )

        async def reread() -> Memory:
            return await self.app.pages.run(lambda core: core.show(memory.id))

        form = AcceptForm(memory, save, reread, "Saving accepts it.")
        saved = await self.app.ask(form)
        if isinstance(saved, Memory):
            await self.app.news.wrote([saved.id])
            self.tell(Done((saved.id,), f"Accepted {quoted(saved.title, 22)} as edited."))

    # -- what was refused

    def action_rescue(self) -> None:
        """Keep a refused capture after all."""
        number = self.refused.current_key
        if number is not None:
            self.deciding.add(number)
            self.refused.take_out([number])
            self.follow()
            self._rescue(number)

    @work(group="write")
    async def _rescue(self, number: int) -> None:
        try:
            memory = await self.app.write.run(lambda core: core.rescue(number))
            await self.app.news.wrote([memory.id])
        finally:
            self.deciding.discard(number)
            if self.is_attached:
                self.load_refused()
        self.tell(Done((memory.id,), f"Brought back {quoted(memory.title, 22)}."))


def merge_question(memory: Memory, near: Neighbour) -> Confirm:
    """Whether two texts that are not much alike are to become one, both shown."""
    return Confirm(
        f"Only {near.similarity:.0%} alike. Merge them?",
        f"Stays: {cut(one_line(near.content), MOST_SHOWN)}\n\n"
        f"Leaves recall: {cut(one_line(memory.content), MOST_SHOWN)}",
        "Merge",
        asked_with="m",
    )


def snooze_until(until: datetime, now: datetime) -> Verdict:
    """Put off until then."""
    away = age(int(until.timestamp() * 1000), int(now.timestamp() * 1000)).strip().lstrip("+")
    return Verdict(f"Put off for {away}:", partial(_snooze, until=until))


def _snooze(core: MemoryCoordinator, ids: list[str], *, until: datetime) -> Sequence[Memory]:
    return core.snooze(ids, until)


def decide(
    core: MemoryCoordinator, verdict: Verdict, nums: Sequence[int], progress: Progress
) -> Done:
    """Give the verdict on the rows that still wait for one, as one act. Runs in the write lane.

    Raises ManagerError.
    """

    def write(core: MemoryCoordinator, ids: list[str]) -> list[str]:
        return [memory.id for memory in verdict.write(core, ids)]

    written = write_in_parts(core, nums, _waits, write, progress)
    return done_with(written, verdict.past, "Decided already.")


def _waits(row: Row) -> bool:
    return row.status == "candidate" and row.retired_as is None and not row.is_gone
