"""Home: what waits for oneself at the left, what one's agents know at the right."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.strip import Strip
from textual.worker import Worker

from ....core.agents import AgentState
from ....core.services.vitals import Overview
from ...acts import bindings
from ...matches import filter_of
from ...messages import MemoriesChanged, ProjectChanged
from ...text import fit
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.overview_account import OverviewPane, account, named
from ...widgets.pages import keys_of
from ...widgets.virtual_list import LEAD, Look, Moved, Opened, VirtualList
from .text import HOME_ACTS, LOOKING, NOTHING, NOTHING_FITS, Matter, headline, matters

if TYPE_CHECKING:
    from ....core.services.tidy import Proposal

COUNT_WIDTH, KEY_WIDTH = 9, 2


class MatterList(VirtualList[Matter]):
    """Matters, those that wait for a person first."""

    HELP = """\
## Home
What waits for you, and what there is to look at. `enter` goes to where the line under the cursor is
settled; where a key stands at the right, it goes there from anywhere.
"""

    def draw_row(self, row: Matter, look: Look) -> Strip:
        plain = self._ink(look)
        what = max(look.width - LEAD - COUNT_WIDTH - KEY_WIDTH, 1)
        count = _in_short(row.count)
        segments = [
            Segment(fit(count, COUNT_WIDTH - 2, right=True) + "  ",
                    self._ink(look, "urgent") if row.is_urgent else plain),
            Segment(fit(row.what, what), plain if row.is_urgent else self._ink(look, "muted")),
            Segment(fit(row.key, KEY_WIDTH, right=True), self._ink(look, "key")),
        ]  # fmt: skip
        return self._line_of(look, segments)


def _in_short(count: int | None) -> str:
    """A count in the cells that there are for it; "…" while it is made."""
    if count is None:
        return "…"
    return f"{count:,}" if count < 1_000_000 else f"{count / 1_000_000:.2f} M"


PAINT_SECONDS = 0.1  # in which the first lines are painted
REFRESH_SECONDS = 30.0  # agents learn meanwhile
RESTING_SECONDS = 0.04  # before a pane follows the cursor
MOST_BEHIND = 40  # memories that are named of what a line counts


class HomeView(View):
    """Lines that lead to where each matter is settled."""

    ACTS = HOME_ACTS
    HELP = MatterList.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(HOME_ACTS, "home.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.seen: Overview | None = None
        # memories that proposals are about, known without laying texts beside each other; None: not
        # looked for yet
        self.to_tidy: Sequence[Proposal] | None = None
        self.agents: tuple[AgentState, ...] = ()
        self.found: list[Matter] = []
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self._show_fitting(), self.focus_main, id="home-filter")
        self.list = MatterList(self.app.glyphs, id="home-list")
        self.account = OverviewPane("What your agents know", id="home-account")
        self.behind = OverviewPane("Behind it", id="home-behind")  # where there is room for it
        self._stand_beside("Home", self.account, self.behind)

    def on_mount(self) -> None:
        """Look, now and again and again."""
        self.list.say_nothing(LOOKING)
        self.set_interval(REFRESH_SECONDS, self._tick)
        self.load()

    def _tick(self) -> None:
        if self.is_current and self.display:
            self.load()

    def on_show(self) -> None:
        """One comes back, perhaps from settling something."""
        if self.seen is not None:
            self.load()

    # -- where one is

    def place(self) -> Place:
        return Place("home")

    def open_place(self, place: Place) -> None:  # noqa: ARG002
        """Home has one place."""
        self.load()

    def why_not(self, action: str) -> str:
        """Why an act does nothing now; "" when it works."""
        return "No line is under the cursor." if action == "open" and not self.found else ""

    # -- reading

    def load(self) -> Worker[None]:
        """Look anew; the cursor stays on its line."""
        return self.begin(self._load, "home-look")

    async def _load(self) -> None:
        is_first = self.seen is None
        seen = await self.app.pages.run(lambda core: core.services.vitals.at_once())
        if is_first:  # what comes now takes longer: what is known stands there before
            self.seen = seen
            self._show_fitting()
            await asyncio.sleep(PAINT_SECONDS)
        self.seen = await self.app.slow.run(lambda core: core.services.vitals.counted(seen))
        self._show_fitting()
        known = await self.app.slow.run(lambda core: core.services.tidy.known())
        skipped = set(self.app.last_run.now.skipped)
        about = {one.key: one for one in known if one.key not in skipped}
        self.to_tidy = tuple(about.values())
        self._show_fitting()
        self.agents = await self.app.setup.ask_agents(lambda agents: agents.survey())
        self._show_account()

    def _show_fitting(self) -> None:
        """List the lines that fit the filter; there are few."""
        if self.seen is None:
            return
        known, fits = list(matters(self.seen, self.to_tidy)), filter_of(self.box.text)
        self.found = [one for one in known if fits(one.what)]
        self.list.say_nothing(NOTHING_FITS if known else NOTHING)
        self.box.say_count(len(self.found), len(known))
        self.list.show(keys_of(self.found), self.found, keep=self.list.current_key)
        says = Content(headline(self.seen))
        self.list_pane.border_subtitle = says
        self._show_account()
        self._follow()
        self.refresh_bindings()

    def _show_account(self) -> None:
        seen, glyphs, now = self.seen, self.app.glyphs, self.app.clock()
        if seen is not None:
            self.account.show(
                lambda cells: account(seen, self.agents, cells, glyphs, now), from_top=False
            )

    # -- what a line counts

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._follow(RESTING_SECONDS)

    def on_resize(self) -> None:
        """There may be room for it now."""
        self.call_after_refresh(self._follow)

    def _follow(self, wait: float = PAINT_SECONDS) -> None:
        async def read() -> None:
            await asyncio.sleep(wait)
            await self._read_behind()

        if self.behind.display:
            self.begin(read, "home-behind")

    async def _read_behind(self) -> None:
        """Name the first of what the line under the cursor counts."""
        if self.list.cursor >= len(self.found):
            return
        matter, now = self.found[self.list.cursor], self.app.clock()
        query = matter.query
        memories = [one.memory for one in self.to_tidy or () if matter.place.view == "tidy"]
        if query is not None:
            memories = await self.app.pages.run(lambda core: core.list(query, MOST_BEHIND))
        count = matter.count or 0
        self.behind.name_it(matter.what.partition(":")[0].capitalize())
        self.behind.show(
            lambda cells: named(memories[:MOST_BEHIND], count, cells, now), from_top=True
        )

    @on(MemoriesChanged)
    def _changed(self) -> None:
        if self.is_current and self.display:
            self.load()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.seen = self.to_tidy = None
        self.list.show(keys_of(()), ())
        self.list.say_nothing(LOOKING)
        self.load()

    # -- acts

    @on(Opened)
    async def action_open(self) -> None:
        """Go to where the line under the cursor is settled."""
        if self.list.cursor < len(self.found):
            await self.app.navigation.open(self.found[self.list.cursor].place)

    async def _follow_link(self, memory: str, at: Offset) -> None:
        """To the memory: beneath a line, where that is settled."""
        is_behind = self.behind.region.contains_point(at) and self.list.cursor < len(self.found)
        place = self.found[self.list.cursor].place if is_behind else None
        if place is None or place.view in ("deck", "health"):
            await super()._follow_link(memory, at)
        else:
            await self.app.navigation.open(replace(place, memory=memory))
