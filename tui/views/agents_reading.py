"""The Agents view's reading: how each agent stands, every few seconds, and how the switches do."""

from __future__ import annotations

from array import array

from textual import on, work
from textual.content import Content
from textual.getters import app as app_getter
from textual.widget import Widget

from ...core.agents import AgentState
from ..app import MemoryApp
from ..matches import filter_of
from ..messages import CountsChanged, ProjectChanged
from ..widgets.agent_account import AgentPane, account
from ..widgets.agent_findings import AgentFindings
from ..widgets.agent_list import AgentColumns, AgentList, AgentRow
from ..widgets.agent_switches import AgentSwitches
from ..widgets.agent_words import LONG, SHORT, glyph_of, standing_of, summed_up
from ..widgets.filter_line import FilterLine
from ..widgets.list_messages import Moved
from .agents_acts import LOOKING, NO_AGENTS, NOTHING_FITS

WORDY = 50  # cells of the account from which on it is said at length how the agent stands


class Reading(Widget):
    """Which agents there are, and all there is to say of one of them."""

    app = app_getter(MemoryApp)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.agents: tuple[AgentState, ...] = ()
        self.found: tuple[AgentState, ...] = ()  # those of them that fit the filter
        self._is_looking = self._looks_again = False
        self._shown = ""  # the host that the panes are about
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(self.look, self.focus_main, id="agents-filter")
        self.list = AgentList(self.app.glyphs, id="agents-list")
        self.columns = AgentColumns(id="agents-columns")
        self.switches = AgentSwitches(id="agents-switches")
        self.account = AgentPane("Agent", id="agents-account")
        self.findings = AgentFindings(self.app.glyphs, id="agents-findings")

    @property
    def current(self) -> AgentState | None:
        """The agent under the cursor."""
        return self.found[self.list.cursor] if self.list.cursor < len(self.found) else None

    # -- reading

    @work(exclusive=True, group="agents-switches")
    async def load_switches(self) -> None:
        """Read how the switches stand."""
        switches = await self.app.slow.run(lambda core: core.switches)
        self.switches.show(switches)
        says = "agents record nothing" if switches.why_unasked else "agents record too"
        if isinstance(pane := self.switches.parent, Widget):  # None once the app is left
            pane.border_subtitle = Content(f" {says} ")

    @work(group="agents-look")
    async def load(self) -> None:
        """Look at the agents anew; who is just looking may have seen what is no longer so, and
        looks once more.
        """
        if self.app.agents is None:
            self.list.say_nothing(NO_AGENTS)
            return
        if self._is_looking:
            self._looks_again = True
            return
        self._is_looking = self._looks_again = True
        try:
            while self._looks_again:
                self._looks_again = False
                self._take(await self.app.ask_agents(lambda agents: agents.survey()))
        finally:
            self._is_looking = False

    def _take(self, found: tuple[AgentState, ...]) -> None:
        self.list.set_now(self.app.clock())
        is_new = found != self.agents
        self.agents = found
        if is_new:
            self._show_fitting()
        self.write_account()  # ages go on

    def look(self, _wait: float) -> None:
        """List the agents that fit the filter; there are few, so nothing waits."""
        self._show_fitting()

    def _show_fitting(self) -> None:
        fits = filter_of(self.box.text)
        rows = [AgentRow(num, one) for num, one in enumerate(self.agents) if fits(_said(one))]
        self.found = tuple(row.agent for row in rows)
        if self.agents:
            self.list.say_nothing(NOTHING_FITS)
        self.box.say_count(len(rows), len(self.agents))
        nums = array("q", (row.num for row in rows))
        self.list.show(nums, rows, keep=self.list.current_key)
        self._show_current()
        self.write_account()
        self.columns.has_rows = bool(self.found)

    def focus_main(self) -> None:
        """Focus on the agents."""
        self.screen.set_focus(self.list)

    def tick(self) -> None:
        """Every few seconds, while one looks at it and no look is under way."""
        if self.app.view == "agents" and self.display and not self._is_looking:
            self.load()

    # -- showing

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._show_current()
        self.write_account()

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
        says = summed_up(agent.findings)
        self.findings.border_title = "Findings"
        self.findings.border_subtitle = Content(f" {says} ") if says else ""
        self.refresh_bindings()

    def _name_account(self, agent: AgentState) -> None:
        """Whom the account is about and how it stands, in as many words as fit."""
        standing = standing_of(agent)
        glyph = glyph_of(standing, self.app.glyphs)
        self.account.name_by(
            lambda cells: f"{agent.name}  {glyph} {(LONG if cells >= WORDY else SHORT)[standing]}"
        )

    def write_account(self) -> None:
        """What is known of the agent under the cursor, by the clock as it stands."""
        agent = self.current
        if agent is not None:
            now, glyphs = self.app.clock(), self.app.glyphs
            self.account.show(lambda cells: account(agent, cells, glyphs, now), from_top=False)

    def say_looking(self) -> None:
        """Until the first answer is here."""
        self.list.say_nothing(LOOKING if self.app.agents is not None else NO_AGENTS)

    @on(AgentFindings.Moved)
    def _finding_moved(self, event: AgentFindings.Moved) -> None:
        event.stop()
        self.refresh_bindings()

    # -- what others do

    @on(CountsChanged)
    @on(ProjectChanged)
    def _switched(self) -> None:
        self.load_switches()


def _said(agent: AgentState) -> str:
    """What an agent's row and its findings say, to look for words in."""
    findings = (f"{one.name} {one.message}" for one in agent.findings)
    standing = LONG[standing_of(agent)]
    return " ".join((agent.name, agent.host, standing, *agent.scopes, *findings))
