"""What the Health view asks the core, in a lane: how the store fares, and what leaves it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.worker import Worker

from ....core.services.vitals import Checkup, Ending, Forecast
from ...matches import filter_of
from .panes import within

if TYPE_CHECKING:
    from .view import HealthView

REST = 10.0
"""Times as long as a look took that passes before the next; not of one that took no time."""

QUICK_SECONDS, LONGEST_REST = 0.5, 60.0


class Look:
    """The store as it was last looked at; `tell` hears of each part that arrived."""

    def __init__(self, view: HealthView, tell: Callable[[], None]) -> None:
        self._view, self._tell = view, tell
        self.checkup: Checkup | None = None
        self.forecast: Forecast | None = None
        self.is_stale = True  # what stands here may be old
        self._is_looking = self._looks_again = False

    def load(self) -> Worker[None]:
        """Look anew; a look that is under way may have seen what is no longer so, and looks once
        more."""
        return self._view.begin(self._load, "health-look", exclusive=False)

    def forget(self) -> None:
        """Another project is looked at: nothing of this one is shown any more."""
        self.checkup, self.forecast, self.is_stale = None, None, True

    async def _load(self) -> None:
        if self._is_looking:
            self._looks_again = True
            return
        self._is_looking = self._looks_again = True
        try:
            while self._looks_again:
                self._looks_again = False
                begun = time.monotonic()
                await self._ask()
                took = time.monotonic() - begun
                if self._looks_again and took > QUICK_SECONDS:
                    await asyncio.sleep(min(REST * took, LONGEST_REST))  # a large, busy store
        finally:
            self._is_looking = False

    async def _ask(self) -> None:
        """Read the parts, the quick ones first; an answer about another project is dropped.

        What leaves takes seconds in a large store, and a lane of its own: the next view, or a
        prompt that is tried, waits for the slow one.
        """
        lanes = self._view.app.lanes
        checkup = await lanes.slow.run(lambda core: core.services.vitals.checkup())
        if lanes is not self._view.app.lanes:
            return
        self.checkup = checkup
        self._tell()
        ahead = lanes.another("ahead")
        try:
            forecast = await ahead.run(lambda core: core.services.vitals.forecast())
        finally:
            ahead.close()
        if lanes is self._view.app.lanes:
            self.forecast, self.is_stale = forecast, False
            self._tell()

    @property
    def endings(self) -> tuple[Ending, ...]:
        """What leaves, the soonest first."""
        return self.forecast.endings if self.forecast is not None else ()

    def fitting(self, text: str) -> list[Ending]:
        """What leaves and says this."""
        fits = filter_of(text)
        return [
            one
            for one in self.endings
            if fits(f"{one.title} {one.why} {one.duty} {within(one)} {one.memory}")
        ]
