"""Agents: who is connected, fires and how quickly, what wants mending, and the two switches."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from ..acts import bindings
from ..clipboard import copy
from ..dialogs.menu import Choice, Menu
from ..stage import Place
from ..typeahead import asks
from ..widgets.agent_switches import AgentSwitches
from ..widgets.agent_words import command_of, mendable
from ..widgets.list_messages import KeyClicked, MenuWanted, Opened
from .agents_acts import AGENT_ACTS, why_not
from .agents_reading import Reading

REFRESH_SECONDS = 3.0
ROOMY = 160  # columns from which on the latency has a place in the list
CAN_BE_DIM = frozenset({"install", "uninstall", "fix", "fix_all", "copy"})
MENU_ACTS = tuple(act for act in AGENT_ACTS if act.action in CAN_BE_DIM)
PANES = ("agents-list-pane", "agents-switches-pane", "agents-account", "agents-findings")


class AgentsView(Reading):
    """The agents at the left, above the switches; the chosen one and its findings at the right."""

    ACTS = AGENT_ACTS
    HELP = """\
## Agents
The agents that memdeck works with: which are connected, which are heard, how quickly they get
their answer, and what wants mending. Below them, whether sessions are taken down at all.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(AGENT_ACTS),
        Binding("escape", "step_out", "Back", show=False, id="agents.step_out"),
    ]

    def compose(self) -> ComposeResult:
        yield self.box
        with Horizontal(id="agents-panes"):
            with Vertical(id="agents-left"):
                with Vertical(id="agents-list-pane", classes="pane"):
                    yield self.columns
                    yield self.list
                with Vertical(id="agents-switches-pane", classes="pane"):
                    yield self.switches
            with Vertical(id="agents-right"):
                yield self.account
                yield self.findings

    def on_mount(self) -> None:
        """Name the panes and look."""
        self.query_one("#agents-list-pane").border_title = "Agents"
        self.query_one("#agents-switches-pane").border_title = "What is remembered?"
        self.findings.border_title = "Findings"
        self.say_looking()
        self.set_interval(REFRESH_SECONDS, self.tick)
        self.load()
        self.load_switches()

    def on_show(self) -> None:
        """One comes back: what stood here may be old."""
        if self.agents:
            self.load()

    def on_resize(self) -> None:
        """Other columns may have room now."""
        self.set_class(self.size.width >= ROOMY, "-roomy")
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.refresh_bindings()
        focused = self.screen.focused
        if self.app.view == "agents" and (focused is None or not focused.is_on_screen):
            self.focus_main()

    # -- what the stage asks of a view

    def place(self) -> Place:
        """Where one is, to come back to."""
        return Place("agents", query=self.current.host if self.current else None)

    def open_place(self, place: Place) -> None:
        """Come back to an agent."""
        for row, agent in enumerate(self.found):
            if agent.host == place.query:
                self.list.cursor = row

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        found: list[tuple[str, Widget, Widget]] = [
            ("a", self.query_one("#agents-list-pane"), self.list),
            ("b", self.account, self.account),
            ("c", self.findings, self.findings),
        ]
        return [one for one in found if one[1].is_on_screen]

    def cursor_line(self) -> int | None:
        """The row of the screen on which the cursor stands, where a notice could cover it."""
        if not self.list.has_focus:
            return None
        return self.list.content_region.y + self.list.cursor - self.list.scroll_offset.y

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What works now: None shows the key dimmed."""
        if self.is_mounted and action == "filter":
            return not self.box.is_typed_in
        if self.is_mounted and action in CAN_BE_DIM:
            return not self.why_not(action) or None
        return super().check_action(action, parameters)

    def why_not(self, action: str) -> str:
        """Why a dimmed key cannot act now."""
        return why_not(action, self.found, self.current, self.findings.current)

    # -- acts

    def action_install(self) -> None:
        """Connect the agent under the cursor."""
        if self.current is not None:
            self.app.set_up(self.current)

    def action_uninstall(self) -> None:
        """Take our hooks out of the settings of the agent under the cursor."""
        if self.current is not None:
            self.app.set_up(self.current, remove=True)

    def action_fix(self) -> None:
        """Mend the finding under the cursor."""
        finding = self.findings.current
        if finding is not None:
            self.app.mend([finding], asked_with="f")

    def action_fix_all(self) -> None:
        """Mend whatever can be mended from here, of every agent."""
        self.app.mend(mendable(self.found), asked_with="F")

    @work(group="agents-copy")
    async def action_copy(self) -> None:
        """Copy the command that mends the finding under the cursor."""
        finding = self.findings.current
        if finding is not None:
            said = await asyncio.to_thread(copy, self.app, command_of(finding))
            self.notify(said, markup=False)

    def action_refresh(self) -> None:
        """Look again now."""
        self.load()
        self.load_switches()

    @on(AgentSwitches.Chosen)
    async def _switch_clicked(self, event: AgentSwitches.Chosen) -> None:
        event.stop()
        await self.app.run_action(event.action)

    # -- going about

    def action_filter(self) -> None:
        """Into the filter, at once."""
        self.box.open()

    @on(Opened)
    def action_read(self) -> None:
        """To what is known of the agent; where it has no place, in that of the findings."""
        if self.list.has_focus:
            self.add_class("-reading")
            self.account.focus()
        else:
            self.remove_class("-reading")
            self.list.focus()

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        is_zoomed = self.has_class("-zoomed")
        panes = [self.query_one(f"#{name}") for name in PANES]
        for pane in panes:
            pane.set_class(not is_zoomed and pane.has_focus_within, "-zoom")
        self.set_class(not is_zoomed and any(pane.has_focus_within for pane in panes), "-zoomed")
        is_left = any(pane.has_class("-zoom") for pane in panes[:2])
        self.set_class(self.has_class("-zoomed") and is_left, "-zoomed-left")
        self.call_after_refresh(self._settle)

    def action_step_out(self) -> None:
        """One step out: zoom, the pane, the filter."""
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif self.has_class("-reading") or not self.list.has_focus:
            self.remove_class("-reading")
            self.list.focus()
        elif self.box.text:
            self.box.clear()

    # -- the mouse

    @on(KeyClicked)
    def _key_clicked(self, event: KeyClicked) -> None:
        event.stop()
        # by the app itself: a key that a view sends stops at that view on its way up
        self.app.call_later(self.app.simulate_key, event.key)

    @on(MenuWanted)
    @asks
    async def _act_menu(self, event: MenuWanted) -> None:
        """What can be done with the agent under the mouse."""
        event.stop()
        acts = [act for act in MENU_ACTS if not self.why_not(act.action)]
        if not acts or self.current is None:
            return
        choices = [Choice(act.id, act.label, key=act.key) for act in acts]
        chosen = await self.app.ask(Menu(self.current.name, choices))
        for act in acts:
            if act.id == chosen:
                self.app.run_act(act)
