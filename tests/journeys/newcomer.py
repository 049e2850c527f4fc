"""Somebody in front of the app who has never seen it before, as the journeys need one."""

import time
from collections.abc import Callable
from typing import TypeVar

from textual.pilot import Pilot

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp

T = TypeVar("T")
PATIENCE_S = 60.0


class Newcomer:
    """Somebody at the keyboard, who looks at the screen before the next key."""

    def __init__(self, app: MemoryApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for a state, not for a time."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, "still not so"
            await self.pilot.pause(0.01)

    async def press(self, *keys: str) -> None:
        """Press keys, and see what they did."""
        for key in keys:
            await self.pilot.press(key)
            for _ in range(2):  # what was heard last may have set something off
                await self.until(lambda: self.is_quiet)
                await self.pilot.pause()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is on its way any more; a dialog waits for the person."""
        screen = self.app.screen
        has_mail = any(one.message_queue_size for one in (self.app, screen, *screen.query("*")))
        waiting = ("dialog", "welcomed")  # these may wait for the person; acts that work are held
        return not (has_mail or self.app.typed.is_busy) and all(
            one.is_finished or one.group in waiting for one in self.app.workers
        )

    async def store(self, ask: Callable[[MemoryCoordinator], T]) -> T:
        """What the core says."""
        return await self.app.slow.run(ask)
