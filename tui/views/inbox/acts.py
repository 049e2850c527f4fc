"""The Inbox's verdicts: each applies to what is marked, else to the candidate that is shown.

The next candidate follows at once, while the verdict is being written: one core call in the
write lane, one entry, one undo. What could not be written comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ....core.answers import Neighbour
from ....core.services.bulk import PART, Target
from ....core.values import Memory, ms_of
from ...acts import CHANGES, Done, done_with
from ...changes import FROM, Progress
from ...dialogs.edit_memory import edited
from ...dialogs.questions import Confirm, Menu
from ...text import age, cut, one_line, quoted
from ...typeahead import asks, may_ask
from ...widgets.memory_rows import MemoryList
from .model import Candidates, read_ahead
from .panes import take_out
from .text import later, later_choices

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ...app import MemoryApp

MOST_SHOWN = 240  # cells of each text in a question


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is done to candidates."""

    past: str  # how the notice begins
    write: Callable[[MemoryCoordinator, list[str]], Sequence[Memory]]
    verb: str = ""  # how the preview begins; "" where the person was asked already
    only: str = ""  # the type it is for; "" for every one
    none: str = "Decided already"  # the notice when it applies to none of them

    def applies(self, one: Target) -> bool:
        """Whether a memory still waits for such a verdict."""
        return one.status == "candidate" and one.is_live and self.only in ("", one.type)


VERDICTS = {
    "accept": Verdict("Accepted", lambda core, ids: core.accept(ids), "Accept"),
    "pin": Verdict("Accepted and pinned", lambda core, ids: core.accept(ids, pin=True), "Pin"),
    "reject": Verdict("Rejected", lambda core, ids: core.reject(ids), "Reject"),
    "done": Verdict(
        CHANGES["done"].past,
        lambda core, ids: core.done(ids),
        CHANGES["done"].verb,
        only="prospective",
        none=CHANGES["done"].none,
    ),
}


class Verdicts:
    """What a person decides in the Inbox.

    `follow` shows what is under the cursor now, `load` reads the lists anew.
    """

    def __init__(
        self,
        app: MemoryApp,
        candidates: Candidates,
        lists: tuple[MemoryList, MemoryList],
        *,
        follow: Callable[[], object],
        load: Callable[[], object],
    ) -> None:
        self.app = app
        self._candidates = candidates
        self._waiting, self._refused = lists
        self._follow, self._load = follow, load
        self._written = 0  # verdicts so far

    def give(self, name: str) -> None:
        """Give the verdict of this name, or ask first what it is to be."""
        if name in VERDICTS and len(self._chosen) >= FROM:
            self._decide_many(VERDICTS[name], self._chosen)
        elif name in VERDICTS:
            self._decide(VERDICTS[name], self._chosen)
        else:
            asking = {"edit": self._edit, "merge": self._merge, "snooze": self._snooze}
            asking[name]()

    @property
    def _chosen(self) -> list[int]:
        """The candidates a verdict applies to: the marked ones, else the one that is shown."""
        if self._waiting.marks.keys:
            return sorted(self._waiting.marks.keys)
        num = self._waiting.current_key
        return [] if num is None else [num]

    @asks
    async def _snooze(self) -> None:
        """Put off until a time to choose."""
        nums, now = self._chosen, self.app.clock()
        many = f"{len(nums):,} candidates " if len(nums) >= FROM else ""
        chosen = await self.app.ask(Menu(f"Put {many}off for", later_choices(now)))
        if chosen is not None:
            self._decide(snoozed_until(later(now)[chosen], now), nums)

    @may_ask
    async def _merge(self) -> bool:
        """Merge into the nearest known memory: it stays, this one's evidence is added.

        Asks first where the two are less alike than texts that say the same. False: there is
        nothing to merge it into.
        """
        num = self._waiting.current_key
        if num is None:
            return False
        judged = self._candidates.known(num)
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

    @asks
    async def _edit(self) -> None:
        """Edit in a form; saving accepts, also what stands there unchanged."""
        num = self._waiting.current_key
        memory = None
        if num is not None:
            memory = await self.app.pages.run(lambda core: core.memory(num))
        if memory is None:
            return

        def accept(core: MemoryCoordinator, fields: dict[str, Any], revision: int | None) -> Memory:
            return core.accept_edited(memory.id, expected_revision=revision, **fields)

        about = "Saving accepts it."
        if saved := await edited(self.app, memory, about, write=accept, saves_unchanged=True):
            await self.app.news.wrote([saved.id])
            self._say(Done((saved.id,), f"Accepted {quoted(saved.title, 22)} as edited."))

    # -- writing

    @may_ask
    async def _decide_many(self, verdict: Verdict, nums: Sequence[int]) -> bool:
        """Show what the verdict would do, and give it; whether to go on."""
        effect = await self.app.pages.run(
            lambda core: core.services.bulk.preview(nums, verdict.applies)
        )
        goes_on = await self.app.changes.may_go_on(verdict.verb, effect)
        if goes_on:
            self._decide(verdict, nums)
        return goes_on

    def _decide(self, verdict: Verdict, nums: Sequence[int]) -> None:
        """Go on to the next, and write the verdict."""
        if nums:
            self._candidates.deciding.update(nums)
            take_out(self._waiting, nums)
            if not self._waiting.keys:
                self._load()  # what to say when nothing waits any more
            self._follow()
            if len(nums) > PART:
                self._write_many(verdict, nums)
            else:
                self._begin(self._write(verdict, nums))

    @may_ask
    async def _write_many(self, verdict: Verdict, nums: Sequence[int]) -> bool:
        done = await self._write(verdict, nums)
        return done.error is None

    async def _write(self, verdict: Verdict, nums: Sequence[int]) -> Done:
        """What came of the verdict; what it was not written to is in the list again."""
        try:
            done = await self.app.changes.carry(
                lambda core, progress: decide(core, verdict, nums, progress), len(nums)
            )
            self._written = written = self._written + 1
            if done.ids:
                await self.app.news.wrote(done.ids)
        finally:
            self._settle(nums)
        self._say(done, is_newest=written == self._written)
        return done

    def rescue(self) -> None:
        """Keep a refused capture after all."""
        number = self._refused.current_key
        if number is not None:
            self._candidates.deciding.add(number)
            take_out(self._refused, [number])
            self._follow()
            self._begin(self._rescue(number))

    async def _rescue(self, number: int) -> None:
        try:
            memory = await self.app.write.run(lambda core: core.rescue(number))
            await self.app.news.wrote([memory.id])
        finally:
            self._settle([number])
        self._say(Done((memory.id,), f"Brought back {quoted(memory.title, 22)}."))

    def _begin(self, writing: Any) -> None:
        self.app.run_worker(writing, name="verdict", group="write")

    def _settle(self, nums: Sequence[int]) -> None:
        self._candidates.deciding.difference_update(nums)
        if self._waiting.is_attached:
            self._load()

    def _say(self, done: Done, *, is_newest: bool = True) -> None:
        """One notice at a time: the newest verdict, and how to take it back."""
        if is_newest:  # what an earlier one brought may be known later
            self.app.notices.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.app.notices.report(done.error)


def merge_question(memory: Memory, near: Neighbour) -> Confirm:
    """Whether two texts that are not much alike are to become one, both shown."""
    return Confirm(
        f"Only {near.similarity:.0%} alike. Merge them?",
        f"Stays: {cut(one_line(near.content), MOST_SHOWN)}\n\n"
        f"Leaves recall: {cut(one_line(memory.content), MOST_SHOWN)}",
        "Merge them",
        no_label="Keep them apart",
    )


def snoozed_until(until: datetime, now: datetime) -> Verdict:
    """Put off until then."""
    away = age(ms_of(until), ms_of(now)).strip().lstrip("+")
    return Verdict(f"Put off for {away}:", lambda core, ids: core.snooze(ids, until))


def decide(
    core: MemoryCoordinator, verdict: Verdict, nums: Sequence[int], progress: Progress
) -> Done:
    """Give the verdict on the rows that still wait for one, as one act. Runs in the write lane.

    Raises ManagerError.
    """

    def write(ids: list[str]) -> list[str]:
        return [memory.id for memory in verdict.write(core, ids)]

    written = core.services.bulk.carry_out(nums, verdict.applies, write, progress)
    return done_with(written, verdict.past, f"{verdict.none}.")
