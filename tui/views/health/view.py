"""Health: how the store fares, whether it pays, and what leaves it if nobody does anything."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from ....core.services.vitals import Ending
from ...acts import bindings
from ...dialogs.questions import Confirm
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...text import one_line
from ...typeahead import asks
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.pages import keys_of
from ...widgets.virtual_list import MenuWanted, Opened
from .model import Look
from .panes import EndingList, EndingRow, HealthPane, health_text
from .text import HEALTH_ACTS, LOOKING, NOTHING_FITS, NOTHING_LEAVES, why_not

REFRESH_SECONDS = 20.0  # ages go on


class HealthView(View):
    """Gauges, what leaves beneath them."""

    ACTS = HEALTH_ACTS
    HELP = """\
## Health
How the store fares, whether what agents are told pays, and what upkeep will retire or change within
30 days. `s` keeps the memory under the cursor.
"""
    BINDINGS: ClassVar[list[BindingType]] = bindings(HEALTH_ACTS, "health.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        glyphs = self.app.glyphs
        self.look = Look(self, self._looked)
        self.found: list[Ending] = []  # what leaves and fits the filter
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self._show_fitting(), self.focus_main, id="health-filter")
        self.list = EndingList(glyphs, id="health-endings")
        self.gauges = HealthPane("Health", id="health-gauges")

    def compose(self) -> ComposeResult:
        yield self.box
        with Vertical(id="health-panes"):
            with Horizontal(id="health-top"):
                yield self.gauges
            with Vertical(id="health-list-pane", classes="pane"):
                yield self.list

    def on_mount(self) -> None:
        """Name the panes and look."""
        self._list_pane.border_title = "What leaves or fades"
        self.list.say_nothing(LOOKING)
        self.set_interval(REFRESH_SECONDS, self._tick)
        self.look.load()

    @property
    def _list_pane(self) -> Widget:
        return self._part("#health-list-pane")

    def _tick(self) -> None:
        """Time passes: ages go on, and another day may be due."""
        if self.is_current and self.display:
            self.look.load()

    def on_show(self) -> None:
        """One comes back: what stood here may be old."""
        if self.look.is_stale:
            self.look.load()

    def on_resize(self) -> None:
        """What has the focus may have no room any more."""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.refresh_bindings()
        self.keep_focus()

    # -- where one is

    def place(self) -> Place:
        ending = self.current
        return Place("health", query=self.box.text, memory=ending.memory if ending else None)

    def open_place(self, place: Place) -> None:
        """Come back to a memory that leaves."""
        for row, ending in enumerate(self.found):
            if ending.memory == place.memory:
                self.list.cursor = row

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        return [
            ("a", self.gauges, self.gauges),
            ("b", self._list_pane, self.list),
        ]

    @property
    def current(self) -> Ending | None:
        """What leaves under the cursor."""
        return self.found[self.list.cursor] if self.list.cursor < len(self.found) else None

    # -- which keys work

    def why_not(self, action: str) -> str:
        return why_not(action, self.current)

    # -- acts

    @on(Opened)
    def action_open(self) -> None:
        """The memory under the cursor, on the Deck."""
        if self.list.has_focus and (ending := self.current) is not None:
            self.post_message(OpenMemory(ending.memory))

    def action_keep(self) -> None:
        """Let the memory under the cursor stay, after a yes."""
        if (ending := self.current) is not None:
            self._keep(ending)

    @asks
    async def _keep(self, ending: Ending) -> bool:
        question = f"Keep “{one_line(ending.title)}”?"
        told = (
            f"It would leave: {ending.why}. Kept, it is yours: confirmed, without a date, and no"
            " rule retires it. It can be taken back with undo."
        )
        asking = Confirm(question, told, "Keep it", no_label="Let it leave")
        if not await self.app.ask(asking):
            return False
        self.app.changes.change("keep", [ending.num])
        return True

    def _into_pane(self) -> None:
        """To the gauges, in the place of the list."""
        if self.list.has_focus:
            self._read_in(self.gauges)

    def action_refresh(self) -> None:
        """Look again now."""
        self.look.load()

    # -- going about

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back; its half of the view with it."""
        super().action_zoom()
        self.set_class(bool(self.query("#health-top > .-zoom")), "-zoomed-top")
        self.call_after_refresh(self._settle)

    # -- showing

    def _looked(self) -> None:
        checkup, glyphs = self.look.checkup, self.app.glyphs
        now = self.app.clock()
        if checkup is not None:
            self.gauges.show(lambda cells: health_text(checkup, cells, glyphs, now), from_top=False)
        self._show_fitting()

    def _show_fitting(self) -> None:
        """List what leaves and fits the filter; it is at hand, so nothing waits."""
        if self.look.forecast is None:
            return
        self.found = self.look.fitting(self.box.text)
        total = self.look.endings
        self.list.say_nothing(NOTHING_FITS if total else NOTHING_LEAVES)
        self.box.say_count(len(self.found), len(total))
        rows = [EndingRow(one) for one in self.found]
        self.list.show(keys_of(rows), rows, keep=self.list.current_key)
        self._say_counts()
        self.refresh_bindings()

    def _say_counts(self) -> None:
        """How many leave by when, at the foot of the list."""
        counts = {days: sum(one.within_days == days for one in self.look.endings)
                  for days in (0, 7, 30)}  # fmt: skip
        said = [
            f"{count:,} {'now' if not days else f'in {days} days'}"
            for days, count in counts.items()
            if count
        ]
        self._list_pane.border_subtitle = Content(", ".join(said))

    # -- what the panes and the app tell

    @on(MemoriesChanged)
    def _changed(self) -> None:
        self.look.is_stale = True
        if self.is_current and self.display:
            self.look.load()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.look.forget()
        self.found = []
        self.list.show(keys_of(()), ())
        self.list.say_nothing(LOOKING)
        self.look.load()

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """What can be done with the memory under the mouse."""
        event.stop()
        if (ending := self.current) is not None:
            self.offer(ending.title, [act for act in HEALTH_ACTS if act.action in ("open", "keep")])
