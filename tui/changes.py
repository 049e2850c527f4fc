"""Acts that write: carried out in the write lane, told in a notice, and taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from .acts import Done, carry_out, entry_words, with_undone
from .large_acts import Progress
from .typeahead import may_ask

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from .view import Desk

T = TypeVar("T")
LARGE_SECONDS = 0.05  # how often an act is looked at that may turn out to be large


class Changes:
    """What a person changes in the store, and how it is taken back."""

    def __init__(self, app: Desk) -> None:
        self.app = app

    @may_ask
    async def change(self, name: str, nums: Sequence[int]) -> bool:
        """Carry out a change on these rows, show what came of it, and how to take it back."""
        done = await self.carry(
            lambda core, progress: carry_out(core, name, nums, progress), len(nums)
        )
        await self.say_done(done)
        return done.error is None

    async def say_done(self, done: Done) -> None:
        """Show what an act came to, and how to take it back."""
        if done.ids:
            await self.app.news.wrote(done.ids)
        self.app.notices.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.app.notices.report(done.error)

    async def carry(self, job: Callable[[MemoryCoordinator, Progress], T], total: int = 0) -> T:
        """The answer of a job in the write lane; one on many shows how far it is, and can be
        stopped between two transactions.

        `total`: on how many, where that is known before the job says so itself.
        """
        progress = Progress(total)
        writing = asyncio.ensure_future(self.app.write.run(lambda core: job(core, progress)))
        while not writing.done():
            if progress.is_large:
                from .dialogs.progress import Working

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
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        self.app.notices.toast(
            f"Undid {entry_words(taken or entry)}. [@click=app.redo]Redo (ctrl+r)[/]"
        )

    @may_ask
    async def redo(self) -> None:
        """Do again what was just undone."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.redo(progress=progress))
        )
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        back = await self.app.write.run(lambda core: with_undone(core, taken)[1] if taken else None)
        self.app.notices.toast(f"Did again {entry_words(back or entry)}.", undo=True)
