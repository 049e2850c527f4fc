"""The memory under the cursor, its links, its life, and why it is a hit; and what is marked."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from .model import explain, read, special_among

if TYPE_CHECKING:
    from .view import Deck

RESTING_SECONDS = 0.04  # the cursor rests before what is said of its row follows
RUNNING_SECONDS = 0.15  # the same while it goes on and on, as with a key held down
LONGEST_RUN = 0.4  # for so long what others wrote is not looked at while the cursor goes on
MOST_COUNTED = 2_000  # marked rows that are looked at for what is special about them


class Reader:
    """What the Deck knows of the memory one reads."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.with_history = False
        self.with_why = False
        self._asked_for = ""  # the part that the person wants to see
        self._moved_at = 0.0

    def follow(self, wait: float = 0.0) -> None:
        """Show the memory under the cursor once it rests."""
        self.deck.begin(partial(self._read, wait), "detail")

    def follow_moving(self) -> None:
        """The cursor goes its way: one key paints its rows alone, all else comes when it rests.

        What is painted in one go is painted with all that lies between, to the foot of the screen.
        """
        wait = RUNNING_SECONDS if self.is_running else RESTING_SECONDS
        self._moved_at = time.monotonic()
        self.follow(wait)

    def follow_news(self) -> None:
        """What others wrote may be about the memory that is read; on its way nothing is read."""
        if not self.is_running:
            self.follow()

    @property
    def is_running(self) -> bool:
        """Whether the cursor goes on and on; the memory where it comes to rest is read then."""
        return time.monotonic() - self._moved_at < RUNNING_SECONDS

    async def rested(self, longest: float = LONGEST_RUN) -> None:
        """Return once the cursor rests, or has gone on for so long that one must not wait more."""
        until = time.monotonic() + longest
        while time.monotonic() < min(until, self._moved_at + RUNNING_SECONDS):
            await asyncio.sleep(RESTING_SECONDS)

    async def _read(self, wait: float) -> None:
        await asyncio.sleep(wait)
        if wait:
            self.deck.finder.say_place()
            self.deck.refresh_bindings()
        num, asked = self.deck.memories.current_key, self.deck.finder.asked
        terms = self.deck.memories.terms
        if num is None:
            self.deck.detail.show(None, None, self.deck.app.clock())
            return
        app, with_history = self.deck.app, self.with_history
        shown = await app.pages.run(lambda core: read(core, num, with_history=with_history))
        if shown is not None and self.with_why:
            why = await app.search.run(lambda core: explain(core, asked, num))
            shown = replace(shown, why=why)
        self.deck.detail.show(shown, terms, self.deck.app.clock())
        if self._asked_for:
            self.deck.detail.bring_to_sight(self._asked_for)
            self._asked_for = ""
        self.deck.refresh_bindings()

    def toggle(self, part: str) -> None:
        """Show or hide why this is a hit (`why`), or what happened to the memory (`life`)."""
        if part == "why":
            is_on = self.with_why = not self.with_why
        else:
            is_on = self.with_history = not self.with_history
        self._asked_for = ("why" if part == "why" else "history") if is_on else ""
        self.follow()
        self.deck.detail.scroll_home(animate=False)

    def say_marks(self) -> None:
        """How many are marked, and what an act on them would touch."""
        self.deck.begin(self._say_marks, "marks")

    async def _say_marks(self) -> None:
        memories = self.deck.memories
        marked = len(memories.marks.keys)
        keys = self.deck.app.stage.keys
        if not self.deck.is_current:
            return  # that line speaks of another view now
        range_says = "range · " if memories.marks.in_range else ""
        if not marked:
            keys.say("")
        elif marked > MOST_COUNTED:
            keys.say(f"{range_says}{marked:,} marked")
        else:
            keys.say(f"{range_says}{marked:,} marked")
            nums = sorted(memories.marks.keys)
            says = await self.deck.app.pages.run(lambda core: special_among(core, nums))
            if not self.deck.is_current:
                return
            keys.say(f"{range_says}{marked:,} marked{says and f': {says}'}")
        self.deck.refresh_bindings()
