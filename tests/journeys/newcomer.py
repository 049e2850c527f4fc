"""Somebody in front of the app who has never seen it before, as the journeys need one."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from textual.pilot import Pilot

from memdeck import MemoryCoordinator
from memdeck.tests.tui import waiting
from memdeck.tui.app import MemoryApp

T = TypeVar("T")


class Newcomer:
    """Somebody at the keyboard, who looks at the screen before the next key."""

    def __init__(self, app: MemoryApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for a state, not for a time."""
        end = time.monotonic() + waiting.PATIENCE_S
        while not holds():
            assert time.monotonic() < end, "still not so"
            await asyncio.sleep(waiting.STEP_S)
            await waiting.heard(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys, and see what they did."""
        for key in keys:
            await self.pilot.press(key)
            for _ in range(2):  # what was heard last may have set something off
                await self.until(lambda: self.is_quiet)
                await waiting.heard(self.app)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is on its way any more; a dialog waits for the person."""
        person = ("dialog", "welcomed")  # these may wait for the person; acts that work are held
        is_at_work = self.app.typed.is_busy or not all(
            one.is_finished or one.group in person for one in self.app.workers
        )
        return not is_at_work and waiting.is_still(self.app) and waiting.is_laid_out(self.app)

    async def store(self, ask: Callable[[MemoryCoordinator], T]) -> T:
        """What the core says."""
        return await self.app.slow.run(ask)
