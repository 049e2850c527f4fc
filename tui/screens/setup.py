"""Setup: recording, connected agents, problems to fix, and every setting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.cells import set_cell_size
from rich.segment import Segment
from textual import on
from textual.content import Content
from textual.strip import Strip
from textual.worker import Worker

from ...core.agents import HOSTS, AgentState, Finding
from ...core.config.settings import about_table
from ...core.documents import document as d
from ...core.documents.agent import (
    STATES,
    agent_document,
    finding_document,
    likeness,
    setting_document,
    state_of,
    status_document,
)
from ...core.services import sources
from ...core.services.extractor_state import COST, ExtractorState, describe_call
from ...core.services.settings import Setting, text_of
from ...core.services.vitals import AgentUsage, Status
from ...core.values import ms_of
from ...db.errors import ManagerError, Refused
from .. import view, widgets
from ..setup import CONNECT, SWITCH_HELP, SWITCH_NAMES, listed
from ..text import MARK, age, counted, filter_of, fit, one_line

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.preferences import Switches, SwitchName
    from ...core.services.projects import LookAlike

REFRESH_SECONDS = 3.0
STORE_SECONDS = 30.0  # between two looks at the store and its files
LABEL_CELLS = 24
WIDE_LABEL_CELLS = 32  # in a list of at least WIDE cells
WIDE = 70
WRONG = "✗"

SETUP_SCREEN_ACTS = (
    view.Act("setup.enter", "enter", "Change", "enter",
        "Changes the setting, connects the agent, joins projects, or fixes the problem."),
    view.Act("setup.remove", "x", "Take out", "remove",
        "Disconnects the agent, or takes the setting out of the file."),
    view.COPY_ACT,
    view.Act("setup.demo", "E", "Example", "demo", "Opens an example to look around in.",
        of_row=False),
    view.FILTER_ACT,
)  # fmt: skip
"""The acts of Setup, beside the common ones."""

LOOKING = Content("Looking at the agents of this machine…")
NO_MATCH = widgets.nothing_fits("No row matches the filter.")

PANE_TITLES = {
    "agent": "Agent",
    "alike": "One project?",
    "finding": "Problem",
    "setting": "Setting",
    "status": "Status",
    "switch": "Recording",
}

_GLYPHS = {  # of an agent, by its state, with the ink
    "active": ("●", "success"),
    "silent": ("○", "stale"),
    "untrusted": ("◐", "warning"),
    "disconnected": ("·", ""),
    "absent": ("–", ""),
}


# -- the rows


@dataclass(frozen=True, slots=True)
class SetupRow:
    """One line of the list; `id` names its subject: `agent:claude`, `setting:recall.top_k`."""

    id: str
    label: str
    value: str
    ink: str = ""  # of glyph and value: the end of the name of an ink
    glyph: str = ""
    note: str = ""
    about: Any = None  # AgentState, Finding, Setting or LookAlike
    words: str = ""  # further words for the filter

    @property
    def kind(self) -> str:
        """Return its kind: agent, alike, finding, setting, switch or status."""
        return self.id.partition(":")[0]

    @property
    def num(self) -> int:
        return hash(self.id)

    @property
    def revision(self) -> int:
        return hash((self.label, self.value, self.ink, self.note))


@dataclass(frozen=True, slots=True)
class SetupState:
    """The state of the store; read in a lane."""

    switches: Switches
    extractor: ExtractorState
    status: Status
    brought: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By agent, how many memories come from it, and how many candidates."""
    settings: tuple[Setting, ...] = ()
    problem: str = ""  # why the settings cannot be read
    pins: str = ""  # how many of them are injected


def read_state(core: MemoryCoordinator) -> SetupState:
    """Return everything that Setup shows of the store. Runs in a lane."""
    services, search = core.services, core.services.search
    settings: tuple[Setting, ...] = ()
    problem = ""
    try:
        settings = tuple(services.settings_book.settings())
    except ManagerError as error:
        problem = f"{error} {error.hint}".strip()
    status = services.vitals.status()
    return SetupState(
        core.switches,
        status.extractor,
        status,
        {
            host: (search.count(f"agent:{host}"), search.count(f"agent:{host} is:candidate"))
            for host in HOSTS
        },
        settings,
        problem,
        "" if problem else services.pin_words(),
    )


class SetupList(widgets.VirtualList[SetupRow]):
    """Rows under the headings of their sections."""

    def draw_row(self, row: SetupRow, look: widgets.Look) -> Strip:
        ink = self.ink(look, row.ink) if row.ink else self.ink(look)
        muted = self.ink(look, "muted")
        label = WIDE_LABEL_CELLS if look.width >= WIDE else min(LABEL_CELLS, look.width // 2)
        room = max(look.width - 4 - label - 1, 1)
        note = row.note if room >= len(row.note) + 12 else ""
        value = room - len(note) - (1 if note else 0)
        return self.line_of(
            look,
            [
                Segment(set_cell_size(row.glyph, 2), ink),
                Segment(fit(row.label, label) + " ", self.ink(look)),
                Segment(fit(one_line(row.value), value), ink if row.ink else muted),
                Segment(f" {note}" if note else "", muted),
            ],
        )


# -- the screen


class SetupView(view.View):
    """Sections of one list, and the row under the cursor in full."""

    ACTS = SETUP_SCREEN_ACTS

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state: SetupState | None = None
        self._goal = ""  # the row that the cursor goes to
        self._remembered: list[str] = []  # the agents' own memories, in words
        self.box = widgets.FilterLine(lambda _: self._show(), self.focus_main, id="setup-filter")
        self.list: SetupList = SetupList(id="setup-list")
        self.detail = widgets.TextPane("Setup", id="setup-detail")
        self.lay_out("Setup", self.detail)

    def on_mount(self) -> None:
        """Read everything, and look again while the screen is shown."""
        self.list.say_nothing(LOOKING)
        self.set_interval(REFRESH_SECONDS, lambda: self._tick(self._look))
        self.set_interval(STORE_SECONDS, lambda: self._tick(partial(self._load, at_store=True)))
        self.let_keys_wait_for(self.load())

    def on_show(self) -> None:
        """Read again, since the shown state may be old."""
        if self.state is not None:
            self.load()

    def open_place(self, position: view.Place) -> None:
        """Go to a row: `agent:claude`, or a setting by its key."""
        if position.query:
            self._goal = position.query if ":" in position.query else f"setting:{position.query}"
            self.app.carried.is_welcomed = True
            self.box.set_text("", silent=True)
            self._show()

    # -- reading

    def load(self, *, at_store: bool = True) -> Worker[None]:
        """Read the store and look at the agents."""
        return self.begin(partial(self._load, at_store=at_store), "setup")

    async def _load(self, *, at_store: bool) -> None:
        setup = self.app.setup
        self.state = await self.app.slow.run(read_state)
        self._show()
        if setup.agents is None:
            return
        await setup.look(at_store=at_store)
        if self.is_card:
            with suppress(Refused):  # a project without a folder
                made = await self.app.slow.run(lambda core: core.services.sources.reports())
                self._remembered = sources.remembered(made)
        self._show()

    def _tick(self, look: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Look again while the screen is shown and nothing else is read."""
        if self.is_current and self.state is not None and not self._is_loading:
            self.begin(look, "setup")

    async def _look(self) -> None:
        """Check the agents alone, so that their events show within seconds."""
        if await self.app.setup.look(at_store=False):
            self._show()
        else:
            self.list.set_now(self.app.clock())

    @property
    def _is_loading(self) -> bool:
        return any(
            worker.group == "setup" and worker.node is self and not worker.is_finished
            for worker in self.workers
        )

    # -- showing

    def _show(self) -> None:
        """List the rows that match the filter, or the one next step in their place."""
        self.set_class(self.is_card, "-empty")
        fits = filter_of(self.box.text)
        rows, groups, total = list[SetupRow](), list[tuple[int, str]](), 0
        for heading, section in () if self.is_card else self._sections():
            fitting = [row for row in section if fits(f"{row.label} {row.value} {row.words}")]
            groups += [(len(rows), heading)] if fitting else []
            rows += fitting
            total += len(section)
        keys = widgets.keys_of(rows)
        self.list.set_now(self.app.clock())
        if self.state is not None:
            self.list.say_nothing(self._card() if self.is_card else NO_MATCH)
        self.box.say_count(len(rows), total)
        goal = hash(self._goal) if self._goal else None
        is_there = goal is not None and goal in keys
        self.list.show(keys, rows, groups, goal if is_there else self.list.current_key)
        if is_there:
            self._goal = ""
        self.follow()

    def _sections(self) -> Iterator[tuple[str, list[SetupRow]]]:
        state, setup = self.state, self.app.setup
        if state is None:
            return
        yield "Recording", self._switches(state)
        if state.status.look_alikes:
            yield "This looks like", [self._alike(item) for item in state.status.look_alikes]
        if setup.states:
            yield "Agents", [self._agent(agent) for agent in setup.states]
        if setup.problems:
            yield "To fix", [self._problem(finding) for finding in setup.problems]
        status = state.status
        broken = sum(not setting.ok for setting in setup.findings)
        says = f"{status.stats.total_count:,} memories, recall {status.recall.state}"
        says = f"{counted(broken, 'problem')}, {says}" if broken else f"healthy, {says}"
        ink = "error" if broken else "success" if setup.has_looked else ""
        yield "Health", [SetupRow("status:", "Store and recall", says, ink)]
        if state.problem:
            row = SetupRow("status:settings", "Settings", state.problem, "error", "!")
            yield "Settings", [row]
            return
        yield (
            "Settings",
            [self._setting(setting) for setting in state.settings if setting.is_essential],
        )
        by_table: dict[str, list[SetupRow]] = {}
        for setting in state.settings:
            if not setting.is_essential:
                by_table.setdefault(setting.key.partition(".")[0], []).append(
                    self._setting(setting)
                )
        for table, rows in by_table.items():
            yield f"{table}: {about_table(table)}", rows

    def _switches(self, state: SetupState) -> list[SetupRow]:
        unusual = view.in_words(state.switches)
        recording = [words for words in unusual if words.startswith("recording")]
        incognito = [words for words in unusual if words.startswith("incognito")]
        model = str(state.extractor)
        return [
            SetupRow("switch:auto_memory", SWITCH_NAMES["auto_memory"],
                     recording[0].removeprefix("recording ") if recording else "on",
                     "warning" if recording else "success"),
            SetupRow("switch:incognito", SWITCH_NAMES["incognito"],
                     incognito[0].removeprefix("incognito: ") if incognito else "off",
                     "warning" if incognito else ""),
            SetupRow("switch:extractor", "Model that reads sessions", model,
                     "" if model == "off" else "success"),
        ]  # fmt: skip

    def _alike(self, item: LookAlike) -> SetupRow:
        return SetupRow(f"alike:{item.project.id}", item.project.name, f"which {item.reason}",
                        "warning", "?", "enter joins them", item, "join project")  # fmt: skip

    def _agent(self, agent: AgentState) -> SetupRow:
        state = state_of(agent)
        glyph, ink = _GLYPHS[state]
        usage, memories, _ = self._usage(agent)
        counts = [f"{usage.tokens:,} tokens a week"] if usage.tokens else []
        counts += [counted(memories, "memory", "memories")] if memories else []
        last = age(agent.last_fired_ms, ms_of(self.app.clock())).strip()
        says = STATES[state] if state != "active" else f"last event {last}"
        return SetupRow(
            f"agent:{agent.host}", agent.name, ", ".join((says, *counts)),
            ink, glyph, about=agent, words=f"{agent.host} {STATES[state]}",
        )  # fmt: skip

    def _usage(self, agent: AgentState) -> tuple[AgentUsage, int, int]:
        state = self.state
        if state is None:
            return AgentUsage(agent.host), 0, 0
        return state.status.week.of(agent.host), *state.brought.get(agent.host, (0, 0))

    def _problem(self, finding: Finding) -> SetupRow:
        note = "enter fixes it" if finding.fix else ""
        name = f"finding:{finding.name}:{finding.message}"
        return SetupRow(name, finding.name, finding.message, "error", WRONG, note,
                        finding, finding.advice)  # fmt: skip

    def _setting(self, setting: Setting) -> SetupRow:
        is_set = setting.source != "default"
        glyph = WRONG if setting.problem else MARK if is_set else ""
        ink = "error" if setting.problem else "set" if is_set else ""
        key = setting.key if setting.is_essential else setting.key.partition(".")[2] or setting.key
        return SetupRow(
            f"setting:{setting.key}", key, text_of(setting.value) or "none", ink, glyph,
            "" if setting.source in ("default", "yours") else setting.source, setting,
            f"{setting.key} {setting.about}",
        )  # fmt: skip

    def follow(self) -> None:
        """Show the row under the cursor in full, without a query."""
        self.refresh_bindings()
        row = self.list.current
        self.detail.name_it(PANE_TITLES[row.kind] if row is not None else "")
        document = self._document(row) if row is not None else None
        self.detail.show_document(document, self.app.clock())

    def _document(self, row: SetupRow) -> d.Document | None:
        state, about = self.state, row.about
        if state is None:
            return None
        match row.kind:
            case "agent":
                return agent_document(about, *self._usage(about))
            case "alike":
                says = f"This project looks like {likeness(about)}"
                return d.document(row.label, d.section("", d.Row("", says)))
            case "finding":
                return finding_document(about)
            case "setting":
                return setting_document(about)
            case "status":
                connected = {item.host: item.scopes for item in self.app.setup.states}
                return status_document(state.status, connected, state.pins)
            case _:
                return _switch_document(row, state)

    # -- the card

    @property
    def is_card(self) -> bool:
        """Return True if one next step replaces the list: while no agent is connected."""
        setup = self.app.setup
        is_connected = any(item.scopes for item in setup.states)
        is_new = setup.agents is not None and not self.app.carried.is_welcomed
        return is_new and self.state is not None and not is_connected

    def _card(self) -> Content:
        setup = self.app.setup
        present = [state for state in setup.states if state.is_present]
        title = "memdeck remembers what you and your agents decide."
        if not setup.has_looked:
            return widgets.empty_text(title, "Looking for agents…")
        if present:
            names = listed(state.name for state in present)
            about = f"Found {names}. Once connected, sessions become memories."
            about = " ".join(
                (about, "You see every line before anything is written.", *self._remembered)
            )
            step = "see what would change"
        else:
            looked = [f"`{state.host}` in PATH and {state.folder}" for state in setup.states]
            about = "\n".join(["No agent was found. Looked for:", *looked])
            if setup.states:
                first = setup.states[0]
                about += f"\nTo install {first.name}: {first.install_command}"
            step = "look again"
        take = (("1", "take or share what they remember"),) if self._remembered else ()
        keys = (("E", "look around in an example"), ("esc", "all of Setup"))
        return widgets.empty_text(title, about, ("enter", step), *take, *keys)

    def out_of_mode(self) -> None:
        if self.is_card:
            self.app.carried.is_welcomed = True
            self.begin(partial(asyncio.to_thread, self.app.carried.save), "welcomed")
            self._show()

    # -- acts

    def can(self, action: str) -> bool | None:
        if action == "demo" or (self.is_card and action in ("remove", "copy", "filter")):
            return self.is_card and action == "demo"
        return super().can(action)

    def why_not(self, action: str) -> str:
        row = self.list.current
        if self.is_card:
            return ""
        if row is None:
            return super().why_not(action)
        if action == "enter" and row.kind == "agent":
            agent = row.about
            is_missing = not agent.is_present and not agent.scopes
            return f"{agent.name} was not found. {agent.install_command}" if is_missing else ""
        if action == "enter" and row.kind == "finding" and not row.about.fix:
            return "Only you can fix this: the pane says how."
        if action == "remove":
            if row.kind == "agent":
                return "" if row.about.scopes else f"{row.label} is not connected."
            if row.kind == "setting":
                return "" if row.about.source in ("yours", "chosen") else "It is not set."
            return "There is nothing to take out."
        return ""

    @on(widgets.Opened)
    def action_enter(self) -> None:
        if self.is_card:
            if any(state.is_present for state in self.app.setup.states):
                self.app.setup.connect_all()
            else:
                self.load()
            return
        row, setup = self.list.current, self.app.setup
        if row is None or self.why_not("enter"):
            return
        match row.kind:
            case "switch":
                self.app.action_setup(row.id.partition(":")[2])
            case "agent" if not row.about.scopes:
                setup.connect(row.about)
            case "agent" if fixable := [finding for finding in row.about.findings if finding.fix]:
                setup.fix([finding for finding in fixable if not finding.ok] or fixable)
            case "agent":
                self.read_in(self.detail)
            case "alike":
                setup.join(row.about)
            case "finding" if row.about.fix == CONNECT:
                setup.connect_all()
            case "finding":
                setup.fix([row.about])
            case "setting":
                setup.change(row.about)
            case _:
                self.read_in(self.detail)

    def action_remove(self) -> None:
        row = self.list.current
        if row is not None and row.kind == "agent":
            self.app.setup.connect(row.about, remove=True)
        elif row is not None:
            self.app.setup.reset(row.about)

    def exported(self, *, is_all: bool) -> view.Export:
        rows = self.list.rows if is_all else [self.list.current]
        items = [
            view.Exported(row.label, f"{row.label}: {row.value}",
                     {"id": row.id, "label": row.label, "value": row.value})
            for row in rows if row is not None
        ]  # fmt: skip
        return lambda _: items

    def action_demo(self) -> None:
        self.app.wants_demo = True
        self.app.exit()

    # -- messages of the app

    @on(view.AgentsChanged)
    @on(view.ProjectChanged)
    @on(view.Configured)
    def _read_again(self) -> None:
        self.load()

    @on(view.CountsChanged)
    @on(view.MemoriesChanged)
    def _counted(self) -> None:
        if self.is_current and not self._is_loading:
            self.load(at_store=False)


def _switch_document(row: SetupRow, state: SetupState) -> d.Document:
    name = row.id.partition(":")[2]
    if name == "extractor":
        says = (
            "A model of yours that reads each session once, at its end, and proposes memories."
            " Its words are sent without what you pasted, what tools printed, and secrets."
        )
        last = state.extractor.last
        rows = [d.Row("model", str(state.extractor)), d.Row("problem", state.extractor.problem)]
        rows += [d.Row("last", describe_call(last) if last else ""), d.Row("cost", COST)]
        return d.document(row.label, d.section("", d.Row("", says)), d.section("", *rows))
    switches = state.switches
    key: SwitchName = "auto_memory" if name == "auto_memory" else "incognito"
    here, everywhere = view.states_of(switches, key)
    by_settings = "" if switches.by_settings or key == "incognito" else "off"
    return d.document(
        row.label,
        d.section("", d.Row("", SWITCH_HELP[key])),
        d.section(
            "",
            d.Row("this project", "on" if here else "off"),
            d.Row("everywhere", "on" if everywhere else "off"),
            d.Row("settings", by_settings, d.WARNING),
        ),
    )
