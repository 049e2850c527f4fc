"""Looks for changes in the store: counts for the header, and what others wrote."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import Worker

from ..core.errors import StoreUnusable
from .lanes import Lane
from .messages import Configured, CountsChanged, MemoriesChanged
from .notices import NOTICE_SECONDS
from .settings import read_settings
from .setup import in_words
from .stage import Counts

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp

LOOK_SECONDS = 0.5  # how often the store is looked at for what others wrote
COUNT_SECONDS = 2.0  # how often the header is counted while others go on writing


class News:
    """Looks at the store, and passes on what changed to the views."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self.version: int | None = None  # of the store, when it was last looked at
        self._looks_in: Lane | None = None  # where a look is under way
        self._since: int | None = None  # ms since 1970 of the first look
        self._left: dict[str, int] = {}  # what left by age from then on
        self._counted_at = float("-inf")  # by the loop's clock, for what others wrote
        self._counts_later = False

    def watch(self) -> None:
        """Look from now on: what is written after this is news."""
        self.look()
        self._app.set_interval(LOOK_SECONDS, self.look)

    def begin_anew(self) -> None:
        """Another project is looked at."""
        self.version = self._since = None
        self._app.counts = Counts()
        self.count()

    def count(self) -> Worker[None]:
        """Read the counts of the header."""
        return self._app.run_worker(self._count, name="count", group="count", exclusive=True)

    def _count_in_time(self) -> None:
        """Count after others wrote: at once, and while they go on only now and then."""
        if not self._counts_later:
            self._counts_later = True
            wait = self._counted_at + COUNT_SECONDS - asyncio.get_running_loop().time()
            self._app.set_timer(max(wait, 0.001), self._count_for_others)

    def _count_for_others(self) -> None:
        self._counts_later = False
        self._counted_at = asyncio.get_running_loop().time()
        self.count()

    async def _count(self) -> None:
        app = self._app
        counts = replace(await app.slow.run(_counts), setup=app.counts.setup)
        if counts != app.counts and app.navigation.has_stage:
            app.counts = counts
            app.stage.header.show_counts(counts)
            self.tell(CountsChanged)

    def look(self) -> Worker[None]:
        """See whether somebody else wrote; a look that takes long is not cut short by the next."""
        return self._app.run_worker(self._look, name="look", group="look")

    async def _look(self) -> None:
        app, lane = self._app, self._app.pages
        if self._looks_in is lane:
            return
        self._looks_in = lane
        try:
            version = await lane.run(lambda core: core.data_version())
            if self._since is None:
                self._since = await lane.run(lambda core: core.now_ms())
                self._left = {}
        except StoreUnusable as error:
            app.notices.report(error)  # only once
            return
        finally:
            if self._looks_in is lane:
                self._looks_in = None
        if lane is not app.pages:
            return  # another project is looked at by now
        if self.version is not None and version != self.version:
            self._count_in_time()
            self.tell(MemoriesChanged)
            await self._tell_what_left(lane, self._since)
        self.version = version

    async def _tell_what_left(self, lane: Lane, since: int) -> None:
        """Say what upkeep retired since the last time this was said."""
        remaining = await lane.run(lambda core: core.maintenance.left_since(since))
        more = {reason: number - self._left.get(reason, 0) for reason, number in remaining.items()}
        self._left = remaining
        details = ", ".join(f"{number:,} {reason}" for reason, number in more.items() if number > 0)
        if details:
            self._app.notify(
                f"Retired automatically: {details}. `is:retired` shows them.",
                timeout=NOTICE_SECONDS,
            )

    async def configured(self) -> None:
        """After a change of the settings: every lane and the app go by it from now on."""
        app = self._app
        for lane in (app.search, app.pages, app.slow, app.write):
            # not waited for: what is asked next in a lane comes after it
            app.run_worker(_read_policy_anew(lane), name="configured", group="configured")
        settings, _ = await asyncio.to_thread(read_settings, app.home, app.project)
        app.post_message(Configured(settings))

    async def wrote(
        self, ids: Sequence[str], *, goes_to: str | None = None, undid: int | None = None
    ) -> None:
        """After a write of our own: nobody else's news, but everything shown may have changed."""
        self.version = await self._app.pages.run(lambda core: core.data_version())
        await self._app.changes.note(undid)
        self.count()
        self.tell(lambda: MemoriesChanged(tuple(ids), goes_to, undid))

    def tell(self, make: Callable[[], Message]) -> None:
        """Pass a message to every view that has been visited; to none once the app is leaving."""
        navigation = self._app.navigation
        for view in navigation.stage.mounted_views if navigation.has_stage else ():
            view.post_message(make())


def _counts(core: MemoryCoordinator) -> Counts:
    """Return the numbers of the header; runs in a lane."""
    search = core.services.search
    memories, _ = search.standing("expiring")
    return Counts(
        core.project.name,
        memories,
        core.services.review.count(),
        switched=in_words(core.switches),
    )


async def _read_policy_anew(lane: Lane) -> None:
    await lane.run(lambda core: core.context.read_policy_anew())
