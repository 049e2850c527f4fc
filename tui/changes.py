"""Acts that write: in the write lane, told in a notice, taken back; and how far a long one is."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..core.errors import ConsentNeeded, Refused
from ..core.services.bulk import PART, Effect
from .acts import REDO, Done, carry_out, entry_words, foretold, preview, with_undone
from .typeahead import may_ask

if TYPE_CHECKING:
    from ..core.answers import Entry
    from ..core.compat import MemoryCoordinator
    from .view import Desk

P = ParamSpec("P")
T = TypeVar("T")
FROM = 3
"""Memories from which on an act shows first what it would do; fewer are seen at a glance."""

LARGE_SECONDS = 0.05  # how often an act is looked at that may turn out to be large


def agreed(
    job: Callable[Concatenate[MemoryCoordinator, P], T],
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """`job`, to which the person has said yes."""

    def run(core: MemoryCoordinator, /, *given: P.args, **named: P.kwargs) -> T:
        with core.context.consent.given():
            return job(core, *given, **named)

    return run


class Changes:
    """What a person changes in the store, and how it is taken back."""

    def __init__(self, app: Desk) -> None:
        self.app = app

    @may_ask
    async def change(
        self, name: str, nums: Sequence[int], after: Callable[[], None] | None = None
    ) -> bool:
        """Carry out a change on these rows, show what came of it, and how to take it back.

        On several the person sees first what it would do, and may leave them as they are.
        `after` hears that it was done.
        """
        if len(nums) >= FROM:
            change, effect = await self.app.pages.run(lambda core: preview(core, name, nums))
            if not await self.may_go_on(change.verb, effect):
                return True
        done = await self.carry(
            lambda core, progress: carry_out(core, name, nums, progress), len(nums)
        )
        await self.say_done(done)
        if after is not None:
            after()
        return done.error is None

    async def may_go_on(self, verb: str, effect: Effect) -> bool:
        """Whether to do what the person is shown of an act on several; of fewer always.

        From a worker that is begun with `asks` or `may_ask`.
        """
        if effect.count < FROM:
            return True
        from .dialogs.large_acts import Preview

        goes_on: bool | None = await self.app.ask(Preview(foretold(verb, effect)))
        return goes_on is True

    async def say_done(self, done: Done) -> None:
        """Show what an act came to, and how to take it back."""
        if done.ids:
            await self.app.news.wrote(done.ids)
        self.app.notices.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.app.notices.report(done.error)

    async def agree(self, question: str) -> None:
        """Ask what only a person may agree to; what they typed ahead is no answer to it.

        From a worker. Raises Refused for a no.
        """
        from .dialogs.questions import Confirm

        self.app.typed.drop("That needs your yes: what you typed ahead was dropped.")
        if not await self.app.ask(
            Confirm(
                question,
                "It can be taken back with undo.",
                "Agree and write it",
                no_label="Write nothing",
            )
        ):
            raise Refused("Nothing was saved: it was not agreed to.", hint="") from None

    async def carry(self, job: Callable[[MemoryCoordinator, Progress], T], total: int = 0) -> T:
        """The answer of a job in the write lane; one on many shows how far it is, and can be
        stopped between two transactions.

        `total`: on how many, where that is known before the job says so itself. What needs the
        person's yes is asked in between. Raises Refused for a no.
        """
        try:
            return await self._carried(job, total)
        except ConsentNeeded as needed:
            await self.agree(needed.question)
            return await self._carried(agreed(job), total)

    async def _carried(self, job: Callable[[MemoryCoordinator, Progress], T], total: int) -> T:
        progress = Progress(total)
        writing = asyncio.ensure_future(self.app.write.run(lambda core: job(core, progress)))
        while not writing.done():
            if progress.is_large:
                from .dialogs.large_acts import Working

                await self.app.ask(Working(writing, progress))
                break
            await asyncio.wait({writing}, timeout=LARGE_SECONDS)
        return await writing

    @may_ask
    async def undo(self, seq: int | None = None) -> None:
        """Take back entry `seq`, or the newest act that still stands, whoever did it where."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.undo(seq, progress=progress))
        )
        await self._go_by(taken)
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        again = self.app.notices.link(REDO)
        self.app.notices.toast(f"Undid {entry_words(taken or entry)}. {again}")

    @may_ask
    async def redo(self) -> None:
        """Do again what was just undone."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.redo(progress=progress))
        )
        await self._go_by(entry)
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        back = await self.app.write.run(lambda core: with_undone(core, taken)[1] if taken else None)
        self.app.notices.toast(f"Did again {entry_words(back or entry)}.", undo=True)

    async def _go_by(self, entry: Entry | None) -> None:
        """Let the app go by settings that came back, or went again."""
        if entry is not None and not entry.memories:
            await self.app.news.configured()


FIRST_WORDS = 1.0  # seconds before one can say how long the rest takes


class Progress:
    """How far an act is: the lane's thread says it, the screen reads it."""

    def __init__(self, total: int = 0) -> None:
        self.done, self.total = 0, total
        self.is_stopped = False
        self._began = time.monotonic()

    def __call__(self, done: int, total: int | None) -> bool:
        """Say how much is done, and of how much; whether to go on."""
        self.done, self.total = done, self.total if total is None else total
        return not self.is_stopped

    @property
    def is_large(self) -> bool:
        """Whether it is worth being shown."""
        return self.total > PART

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace so far; None while that is not known."""
        spent = time.monotonic() - self._began
        if not 0 < self.done < self.total or spent < FIRST_WORDS:
            return None
        return spent * (self.total - self.done) / self.done


def time_left(seconds: float) -> str:
    """A time to wait, rounded up: `3 s`, `2 min`; seconds at least one."""
    whole = max(math.ceil(seconds), 1)
    return f"{whole} s" if whole < 90 else f"{math.ceil(whole / 60)} min"
