"""The Deck's reading: the memory under the cursor, its links, its life, and why it is a hit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from ...core.errors import NotFound
from ...core.query.language import Query, parse
from ...core.values import Hit
from ..messages import OpenMemory
from ..widgets.account import LAST_INJECTIONS, Shown, Why
from ..widgets.detail import Detail
from ..widgets.list_messages import MarksChanged, Moved
from .deck_finding import Finding

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

RESTING_SECONDS = 0.04  # the cursor rests before the detail follows
MOST_EXPLAINED = 60  # hits that are ranked with all signals
MOST_COUNTED = 2_000  # marked rows that are looked at for what is special about them


class Reading(Finding):
    """What the Deck knows of the memory one reads."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.with_history = False
        self.with_why = False

    @property
    def detail(self) -> Detail:
        return self.query_one(Detail)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self.cursor_moved()
        self.say_place()
        self.refresh_bindings()
        self.follow(RESTING_SECONDS)

    def follow(self, wait: float = 0.0) -> None:
        """Show the memory under the cursor once it rests."""
        self._read(wait)

    @work(exclusive=True, group="detail")
    async def _read(self, wait: float) -> None:
        await asyncio.sleep(wait)
        num, asked = self.memories.current_key, self.asked
        terms = self.memories.terms
        if num is None:
            self.detail.show(None, None, self.app.clock())
            return
        with_history = self.with_history
        shown = await self.app.pages.run(lambda core: read(core, num, with_history=with_history))
        if shown is not None and self.with_why:
            why = await self.app.search.run(lambda core: explain(core, asked, num))
            shown = replace(shown, why=why)
        self.detail.show(shown, terms, self.app.clock())
        self.refresh_bindings()

    def action_why(self) -> None:
        """Show or hide why this is a hit."""
        self.with_why = not self.with_why
        self._from_the_top()

    def action_life(self) -> None:
        """Show or hide what happened to the memory."""
        self.with_history = not self.with_history
        self._from_the_top()

    def _from_the_top(self) -> None:
        self.follow()
        self.detail.scroll_home(animate=False)

    @on(Detail.LinkClicked)
    def _link_clicked(self, event: Detail.LinkClicked) -> None:
        event.stop()
        self.post_message(OpenMemory(event.memory))

    # -- going to one memory

    def show_memory(self, ref: str, *, is_asked: bool = True) -> Worker[None]:
        """Put the cursor on this memory: in the result, else among all, else among the retired.

        `is_asked`: the person wants to see it, so that its absence deserves a word.
        """
        self._going = ref, is_asked
        return self._go_to(ref, is_asked)

    @work(exclusive=True, group="search")
    async def _go_to(self, ref: str, is_asked: bool) -> None:
        try:
            num, is_live = await self.app.pages.run(lambda core: place_of(core, ref))
        except NotFound as error:
            if is_asked:
                self.app.report(error)
            self.search()
            return
        texts = (self.box.text, "", "is:retired") if is_asked else (self.box.text,)
        for text in texts[: 2 if is_live else 3]:
            asked = self.asked = parse(text)
            found = await self._find(asked, "exact")
            if num in found.nums:
                self.box.set_text(text, silent=True)
                self.memory_held = num
                self._show(found, num)
                self._awaited = self._going = None
                await self._show_facets(asked)
                return
        if is_asked:
            self.notify("That memory belongs to another project.", markup=False)
        self.search()

    # -- marks

    @on(MarksChanged)
    def _marks_changed(self, event: MarksChanged) -> None:
        event.stop()
        self.say_marks()

    @work(exclusive=True, group="marks")
    async def say_marks(self) -> None:
        """How many are marked, and what an act on them would touch."""
        memories = self.memories
        marked = len(memories.marked)
        keys = self.app.stage.keys
        if self.app.view != self.id:
            return  # that line speaks of another view now
        range_says = "range · " if memories.in_range else ""
        if not marked:
            keys.say("")
        elif marked > MOST_COUNTED:
            keys.say(f"{range_says}{marked:,} marked")
        else:
            keys.say(f"{range_says}{marked:,} marked")
            nums = sorted(memories.marked)
            says = await self.app.pages.run(lambda core: special_among(core, nums))
            if self.app.view != self.id:
                return
            keys.say(f"{range_says}{marked:,} marked{says}")
        self.refresh_bindings()

    def clear_marks_after(self, work: Worker[None]) -> None:
        """Once an act on marked rows is done, nothing is marked any more."""
        if self.memories.marked:
            self._clear_after(work)

    @work(group="marks-after")
    async def _clear_after(self, work: Worker[None]) -> None:
        try:
            await work.wait()
        except (WorkerFailed, WorkerCancelled):
            return  # the act has said so itself; what was marked stays marked
        self.memories.clear_marks()


def read(core: MemoryCoordinator, num: int, *, with_history: bool) -> Shown | None:
    """One memory with its links, where it was told, and its history if wanted. Runs in a lane."""
    memory = core.memory(num)
    if memory is None:
        return None
    history = core.history(memory.id) if with_history else None
    told = core.injections(memory.id, LAST_INJECTIONS + 1)
    return Shown(memory, core.links(memory.id), history, here=core.project.id, injections=told)


def explain(core: MemoryCoordinator, asked: Query, num: int) -> Why:
    """The parts of a hit's score, and the hit behind it. Runs in a lane."""
    if not (asked.words or asked.phrases):
        return Why(None, is_ranked=False)
    hits: Sequence[Hit] = core.search(asked, limit=MOST_EXPLAINED)
    for place, hit in enumerate(hits):
        if hit.memory.num == num:
            after = hits[place + 1] if place + 1 < len(hits) else None
            return Why(hit, place + 1, after, account=core.account(asked, hit))
    return Why(None)


def place_of(core: MemoryCoordinator, ref: str) -> tuple[int, bool]:
    """The row number of a memory, and whether it is live. Raises NotFound, Ambiguous."""
    memory = core.show(ref)
    return memory.num, memory.is_live


def special_among(core: MemoryCoordinator, nums: Sequence[int]) -> str:
    """What deserves a second look among these rows."""
    from ..acts import special

    return special(core.rows(nums))
