"""Agents: who is connected, fires and how quickly, what wants mending, and the two switches."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from ....core.agents import AgentState
from ...acts import bindings
from ...clipboard import copy
from ...messages import (
    AgentsChanged,
    CountsChanged,
    MemoriesChanged,
    ProjectChanged,
)
from ...switches import AgentSwitches
from ...view import Place, View
from ...widgets.agent_account import AgentPane, BroughtPane, account
from ...widgets.agent_list import (
    LONG,
    SHORT,
    AgentColumns,
    AgentFindings,
    AgentList,
    command_of,
    glyph_of,
    mendable,
    standing_of,
    summed_up,
)
from ...widgets.filter_line import FilterLine
from ...widgets.pages import keys_of
from ...widgets.virtual_list import MenuWanted, Moved, Opened
from .model import Survey, brought_by
from .text import AGENT_ACTS, LOOKING, NO_AGENTS, NOTHING_FITS, why_not

REFRESH_SECONDS = 3.0
RESTING_SECONDS = 0.04  # before a pane that asks the store follows the cursor
WORDY = 50  # cells of the account from which on it is said at length how the agent stands
CAN_BE_DIM = frozenset({"install", "uninstall", "fix", "fix_all", "copy"})
MENU_ACTS = tuple(act for act in AGENT_ACTS if act.action in CAN_BE_DIM)


class AgentsView(View):
    """The agents and the switches above; the chosen one, its findings and what it brought below."""

    ACTS = AGENT_ACTS
    HELP = """\
## Agents
The agents that memdeck works with: which are connected, which are heard, how quickly they get
their answer, and what wants mending. Below them, whether sessions are taken down at all.
"""
    BINDINGS: ClassVar[list[BindingType]] = bindings(AGENT_ACTS, "agents.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        glyphs = self.app.glyphs
        self.survey = Survey(self, self._looked)
        self.found: tuple[AgentState, ...] = ()  # the agents that fit the filter
        self._shown = ""  # the host that the panes are about
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self._show_fitting(), self.focus_main, id="agents-filter")
        self.list = AgentList(glyphs, id="agents-list")
        self.columns = AgentColumns(id="agents-columns")
        self.switches = AgentSwitches(id="agents-switches")
        self.account = AgentPane("Agent", id="agents-account")
        self.findings = AgentFindings(glyphs, id="agents-findings")
        self.brought = BroughtPane("Brought", id="agents-brought")

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
                with Vertical(id="agents-about"):
                    yield self.findings
                    yield self.brought

    def on_mount(self) -> None:
        """Name the panes and look."""
        self._part("#agents-list-pane").border_title = "Agents"
        self.query_one("#agents-switches-pane").border_title = "What is remembered?"
        self.findings.border_title = "Findings"
        self.list.say_nothing(LOOKING if self._knows_agents else NO_AGENTS)
        self.set_interval(REFRESH_SECONDS, self._tick)
        self.action_refresh()

    @property
    def _knows_agents(self) -> bool:
        return self.app.setup.agents is not None

    def _tick(self) -> None:
        """Time passes: what stands here may be old."""
        if self._knows_agents:
            self.survey.tick()

    def on_show(self) -> None:
        """One comes back: what stood here may be old."""
        if self.survey.agents:
            self.survey.load()
            self._follow()

    def on_resize(self) -> None:
        """Other columns may have room now."""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.refresh_bindings()
        self.keep_focus()
        self._follow()

    # -- where one is

    def place(self) -> Place:
        return Place("agents", query=self.current.host if self.current else None)

    def open_place(self, place: Place) -> None:
        """Come back to an agent."""
        for row, agent in enumerate(self.found):
            if agent.host == place.query:
                self.list.cursor = row

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        return [
            ("a", self._part("#agents-list-pane"), self.list),
            ("b", self.account, self.account),
            ("c", self.findings, self.findings),
            *([("d", self.brought, self.brought)] if self.brought.display else []),
        ]

    @property
    def current(self) -> AgentState | None:
        """The agent under the cursor."""
        return self.found[self.list.cursor] if self.list.cursor < len(self.found) else None

    # -- which keys work

    def why_not(self, action: str) -> str:
        return why_not(action, self.found, self.current, self.findings.current)

    # -- acts

    def action_install(self) -> None:
        """Connect the agent under the cursor."""
        if self.current is not None:
            self.app.setup.connect(self.current)

    def action_uninstall(self) -> None:
        """Take our hooks out of the settings of the agent under the cursor."""
        if self.current is not None:
            self.app.setup.connect(self.current, remove=True)

    def action_fix(self) -> None:
        """Mend the finding under the cursor."""
        finding = self.findings.current
        if finding is not None:
            self.app.setup.mend([finding])

    def action_fix_all(self) -> None:
        """Mend whatever can be mended from here, of every agent."""
        self.app.setup.mend(mendable(self.found))

    @work(group="agents-copy")
    async def action_copy(self) -> None:
        """Copy the command that mends the finding under the cursor."""
        finding = self.findings.current
        if finding is not None:
            said = await asyncio.to_thread(copy, self.screen.app, command_of(finding))
            self.notify(said, markup=False)

    async def action_deck(self) -> None:
        """To all that the agent under the cursor brought."""
        if self.current is not None:
            place = Place("memories", query=f"agent:{self.current.host}")
            await self.app.navigation.open(place)

    def action_refresh(self) -> None:
        """Look again now."""
        if self._knows_agents:
            self.survey.load()
        self._load_switches()

    # -- going about

    @on(Opened)
    def action_read(self) -> None:
        """To what is known of the agent; where it has no place, in that of the findings."""
        if self.list.has_focus:
            self._read_in(self.account)
        else:
            self.out_of_pane()

    def _into_pane(self) -> None:
        """To what lies to the right, in the place of the list."""
        if self.list.has_focus:
            self.action_read()

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back; its part of the view with it."""
        super().action_zoom()
        self.set_class(bool(self.query("#agents-about > .-zoom")), "-zoomed-about")
        self.set_class(bool(self.query("#agents-left > .-zoom")), "-zoomed-left")
        self.call_after_refresh(self._settle)

    # -- showing

    def _looked(self, is_news: bool) -> None:
        self.list.set_now(self.app.clock())
        if is_news:
            self._show_fitting()
        self._write_account()  # ages go on

    def _show_fitting(self) -> None:
        """List the agents that fit the filter; there are few, so nothing waits."""
        agents, rows = self.survey.agents, self.survey.fitting(self.box.text)
        self.found = tuple(row.agent for row in rows)
        if agents:
            self.list.say_nothing(NOTHING_FITS)
        self.box.say_count(len(rows), len(agents))
        self.list.show(keys_of(rows), rows, keep=self.list.current_key)
        self._show_current()
        self._write_account()
        self._follow()
        self.columns.has_rows = bool(self.found)

    def _show_current(self) -> None:
        """The panes on the right for the agent under the cursor."""
        agent = self.current
        if agent is None:
            self._shown = ""
            self.findings.show((), is_other=True)
            self.findings.border_subtitle = ""
            self.account.name_by(lambda _: "Agent")
            self.account.show(lambda _: Content(""), from_top=True)
            return
        is_other = agent.host != self._shown
        self._shown = agent.host
        self.findings.show(agent.findings, is_other=is_other)
        if is_other:
            self.account.scroll_home(animate=False, immediate=True)
        self._name_account(agent)
        says = summed_up(agent.findings, standing_of(agent))
        self.findings.border_title = "Findings"
        self.findings.border_subtitle = Content(says)
        self.refresh_bindings()

    def _name_account(self, agent: AgentState) -> None:
        """Whom the account is about and how it stands, in as many words as fit."""
        standing = standing_of(agent)
        glyph = glyph_of(standing, self.app.glyphs)
        self.account.name_by(
            lambda cells: f"{agent.name}  {glyph} {(LONG if cells >= WORDY else SHORT)[standing]}"
        )

    def _write_account(self) -> None:
        """What is known of the agent under the cursor, by the clock as it stands."""
        agent = self.current
        if agent is not None:
            now, glyphs = self.app.clock(), self.app.glyphs
            self.account.show(lambda cells: account(agent, cells, glyphs, now), from_top=False)

    @work(exclusive=True, group="agents-switches")
    async def _load_switches(self) -> None:
        """Read how the switches stand."""
        switches = await self.app.slow.run(lambda core: core.switches)
        self.switches.show(switches)
        says = "agents record nothing" if switches.why_unasked else "agents record too"
        if isinstance(pane := self.switches.parent, Widget):  # None once the app is left
            pane.border_subtitle = Content(says)

    def _follow(self, wait: float = 0.0) -> None:
        """What the agent under the cursor brought, once the cursor rests; where there is room."""

        async def read() -> None:
            await asyncio.sleep(wait)
            agent = self.current
            if agent is None:
                self.brought.show_nothing()
                return
            found = await self.app.slow.run(lambda core: brought_by(core, agent.host))
            self.brought.show_of(agent, found, self.app.clock())

        if self.brought.display:
            self.begin(read, "agents-brought")

    # -- what the panes and the app tell

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._show_current()
        self._write_account()
        self._follow(RESTING_SECONDS)

    @on(MemoriesChanged)
    def _changed(self) -> None:
        if self.is_current:
            self._follow()

    @on(AgentFindings.Moved)
    def _finding_moved(self, event: AgentFindings.Moved) -> None:
        event.stop()
        self.refresh_bindings()

    @on(CountsChanged)
    @on(ProjectChanged)
    def _switched(self) -> None:
        self._load_switches()
        self._follow()

    @on(AgentsChanged)
    def _agents_changed(self) -> None:
        if self._knows_agents:
            self.survey.load()

    @on(AgentSwitches.Chosen)
    async def _switch_clicked(self, event: AgentSwitches.Chosen) -> None:
        event.stop()
        await self.app.run_action(event.action)

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """What can be done with the agent under the mouse."""
        event.stop()
        acts = [act for act in MENU_ACTS if not self.why_not(act.action)]
        if acts and self.current is not None:
            self.offer(self.current.name, acts)
