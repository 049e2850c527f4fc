"""What Setup does: connect agents, fix problems, import instructions, switches, settings.

What is written into other programs' settings is shown to its last line first, and waits for a yes.
The agents are asked in a thread of their own: that reads files and may start programs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from textual.worker import Worker

from ..core.agents import NAMES
from ..core.errors import ManagerError, Refused
from .dialogs.plan import Instructions
from .dialogs.questions import Ask, Choice, Confirm, Menu
from .lanes import LaneClosed
from .text import counted, cut, escaped
from .typeahead import asks
from .view import AgentsChanged

if TYPE_CHECKING:
    from ..core.agents import Agents, AgentState, Finding, Host, Scope, SetupPlan
    from ..core.compat import MemoryCoordinator
    from ..core.services.preferences import Switches, SwitchName
    from ..core.services.settings import Setting
    from .app import MemoryApp

T = TypeVar("T")
NOTE_SECONDS = 30.0  # what is left for the user to do
CONNECT = "connect"  # the `fix` of the finding that no agent is connected
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("user", "your own settings: every project"),
    ("project", "the project's: everybody who works on it"),
    ("local", "yours, for this project alone"),
)


class Setup:
    """The agents of this machine, and what can be set up."""

    def __init__(self, app: MemoryApp, agents: Agents | None) -> None:
        self.app, self.agents = app, agents
        self.states: tuple[AgentState, ...] = ()  # as they were last looked at
        self.findings: tuple[Finding, ...] = ()  # of the store, its files and settings
        self.has_looked = False
        self._machine = ThreadPoolExecutor(1, thread_name_prefix="lane-agents")

    async def ask_agents(self, job: Callable[[Agents], T]) -> T:
        """Return the answer of `job`, from the agents' thread. Raises Refused without agents."""
        agents = self.agents
        if agents is None:
            raise Refused("The app knows no agents here.", hint="`memdeck doctor` lists them.")
        try:
            answer = asyncio.get_running_loop().run_in_executor(self._machine, job, agents)
        except RuntimeError as error:  # the thread was let go
            raise LaneClosed("agents") from error
        return await answer

    def close(self) -> None:
        """Let the agents' thread end."""
        self._machine.shutdown(wait=False, cancel_futures=True)

    @property
    def is_first_step(self) -> bool:
        """Return True if the app opens on Setup: on an empty store, or without an agent."""
        if self.agents is None:
            return False
        last = self.app.last_run.now
        if not last.is_connected and not last.was_welcomed:
            return True
        try:
            files = os.scandir(os.path.join(self.app.home, "journal"))
        except OSError:
            return True
        return not any(entry.stat().st_size for entry in files)

    async def look(self, *, at_store: bool = True) -> bool:
        """Look at agents and store, and count the problems; return True if anything changed."""
        if self.agents is None:
            return False
        before = self.states, self.findings, self.has_looked
        self.states = await self.ask_agents(lambda agents: agents.survey())
        if at_store:
            self.findings = await self.ask_agents(lambda agents: agents.examine())
        self.has_looked = True
        self.show_count()
        is_connected = any(state.scopes for state in self.states)
        if is_connected != self.app.last_run.now.is_connected:
            self.app.last_run.keep(is_connected=is_connected)
        return before != (self.states, self.findings, self.has_looked)

    def show_count(self) -> None:
        """Show the number of problems in the header."""
        app = self.app
        if app.counts.setup != len(self.problems) and app.navigation.has_stage:
            app.counts = replace(app.counts, setup=len(self.problems))
            app.stage.header.show_counts(app.counts)

    @property
    def problems(self) -> list[Finding]:
        """Everything that is not as it should be, what can be fixed from here first."""
        findings = [*self.findings, *(item for state in self.states for item in state.findings)]
        if self.has_looked and not any(state.scopes for state in self.states):
            findings.append(self._no_agent())
        return sorted((item for item in findings if not item.ok), key=lambda item: not item.fix)

    def _no_agent(self) -> Finding:
        """Say that no agent is connected, and how to connect one."""
        from ..core.agents import Finding

        present = [state for state in self.states if state.is_present]
        advice = (
            f"`memdeck install {present[0].host}` connects {present[0].name}."
            if present
            else "Install an agent first: the list names the command for each."
        )
        message = "No agent is connected."
        return Finding("agents", False, message, advice, CONNECT if present else "")

    def begin(self, what: str) -> Worker[None]:
        """Begin what the act `setup('…')` names."""
        if what in ("auto_memory", "incognito"):
            return self.switch(what)  # type: ignore[arg-type]
        return self.choose_extractor()

    # -- agents

    @asks
    async def connect(self, agent: AgentState, *, remove: bool = False) -> None:
        """Connect an agent, or disconnect it: ask where, show what would change, write on a yes."""
        scope = await self._scope_for(agent, remove=remove)
        if scope is None:
            return
        plan = await self.ask_agents(lambda agents: agents.plan(agent.host, scope, remove=remove))
        await self._carry_out([plan], [])

    async def _scope_for(self, agent: AgentState, *, remove: bool) -> Scope | None:
        """Return which settings are meant; asked only if there is a choice."""
        if remove and len(agent.scopes) == 1:
            return agent.scopes[0]
        title = f"{'Disconnect' if remove else 'Connect'} {agent.name} in which settings?"
        choices = [
            Choice(
                scope,
                f"{scope:8} {about}",
                "connected" if scope in agent.scopes and not remove else "",
                key=scope[0],
            )
            for scope, about in SCOPES
            if scope in agent.scopes or not remove
        ]
        chosen = await self.app.ask(Menu(title, choices))
        return next((scope for scope, _ in SCOPES if scope == chosen), None)

    @asks
    async def connect_all(self) -> None:
        """Connect every agent that was found, and import what its instructions say."""
        hosts = [state.host for state in self.states if state.is_present and not state.scopes]
        plans = [await self._plan_of(host) for host in hosts]
        await self._carry_out(plans, await self.instructions())

    async def _plan_of(self, host: Host) -> SetupPlan:
        return await self.ask_agents(lambda agents: agents.plan(host))

    @asks
    async def import_file(self, file: Instructions) -> None:
        """Import the instructions of one file, after they were shown."""
        await self._carry_out([], [file])

    async def _carry_out(self, plans: Sequence[SetupPlan], files: Sequence[Instructions]) -> None:
        """Show everything that would be written, and write it on a yes."""
        from .dialogs.plan import PlanDialog, of_file, of_plan

        dialog = PlanDialog([*map(of_plan, plans), *map(of_file, files)])
        if not await self.app.ask(dialog):
            return
        done, words, ids = [], list[str](), list[str]()
        for plan in plans:
            if plan.is_needed and not plan.problems:
                try:
                    await self.ask_agents(lambda agents, item=plan: agents.apply(item))  # type: ignore[misc]
                except ManagerError as error:
                    self.app.notices.report(error)
                else:
                    done.append(plan)
        if done:
            verb = "Disconnected" if done[0].is_removal else "Connected"
            words.append(f"{verb} {_listed(NAMES[plan.host] for plan in done)}.")
        if files:
            ids = await self.app.write.run(lambda core: import_shown(core, files))
            await self.app.news.wrote(ids)
        if ids:
            words.append(f"Remembered {counted(len(ids), 'instruction')}.")
        if done and ids:  # undo knows the store alone
            words.append(f"`u` forgets the {counted(len(ids), 'memory', 'memories')};"
                         " `x` on the agent disconnects it.")  # fmt: skip
        if words:
            self.app.notices.toast(" ".join(words), undo=bool(ids and not done), is_beside=True)
        notes = [
            note if note.startswith(NAMES[plan.host]) else f"{NAMES[plan.host]}: {note}"
            for plan in done
            for note in plan.notes
        ]
        if notes:
            self.app.notify(
                "\n".join(notes), title="For you to do", timeout=NOTE_SECONDS, markup=False
            )
        self.app.news.tell(AgentsChanged)

    async def instructions(self) -> list[Instructions]:
        """Return the instruction files that hold something new."""
        paths = await self.ask_agents(lambda agents: agents.instructions())
        return await self.app.slow.run(lambda core: read_instructions(core, paths))

    @asks
    async def fix(self, findings: Sequence[Finding]) -> None:
        """Fix what can be fixed from here, after a yes."""
        what = "\n".join(f"{item.message} {item.advice}".strip() for item in findings)
        question = "Fix this?" if len(findings) == 1 else f"Fix these {len(findings)}?"
        if not await self.app.ask(Confirm(question, what, "Fix it")):
            return
        for finding in findings:
            try:
                words = await self.ask_agents(lambda agents, item=finding: agents.fix(item))  # type: ignore[misc]
            except ManagerError as error:
                self.app.notices.report(error)
            else:
                self.app.notices.toast(escaped(words), is_beside=True)
        self.app.news.tell(AgentsChanged)

    # -- switches, and the model

    @asks
    async def switch(self, name: SwitchName) -> None:
        """Turn recording or incognito: in this project, everywhere, or in one session."""
        switches = await self.app.slow.run(lambda core: core.switches)
        places = switch_places(switches, name)
        choices = [
            Choice(
                str(row), position.label, "on, turn off" if position.is_on else "off, turn on", key
            )
            for row, (position, key) in enumerate(zip(places, ["p", "e", *"12345"], strict=False))
        ]
        chosen = await self.app.ask(Menu(SWITCH_NAMES[name], choices, SWITCH_HELP[name]))
        if chosen is None:
            return
        position = places[int(chosen)]
        await self.app.write.run(position.turn)
        await self.app.news.wrote([])
        now = "off" if position.is_on else "on"
        kept_off = name == "auto_memory" and not position.is_on and not switches.by_settings
        more = " The setting `auto_memory` keeps it off." if kept_off else ""
        self.app.notices.toast(
            f"{SWITCH_NAMES[name]} {now}: {escaped(position.label)}.{more}", undo=True
        )

    @asks
    async def choose_extractor(self) -> None:
        """Choose the model that reads sessions, or none."""
        state, engines = await self.app.slow.run(
            lambda core: (core.extractor.state(), core.extractor.engines())
        )
        choices = [
            Choice(
                name,
                NAMES.get(name, name),
                "its small model" if name in NAMES else "from your settings",
                str(number),
                is_current=name == state.engine,
            )
            for number, name in enumerate(engines, start=1)
        ]
        choices.append(Choice("", "no model", "off", "0", is_current=not state.is_on))
        chosen = await self.app.ask(Menu("Which model reads each session?", choices, str(state)))
        if chosen is None or chosen == state.engine:
            return
        await self.app.write.run(lambda core: core.extractor.choose(chosen or None))
        await self.app.news.wrote([])
        words = f"{escaped(NAMES.get(chosen, chosen))} reads each session once, at its end."
        self.app.notices.toast(words if chosen else "No model reads sessions.", undo=True)

    # -- settings

    @asks
    async def change(self, setting: Setting) -> None:
        """Ask for the new value of a setting, and write it."""
        from ..core.services.settings import text_of

        rule, value = setting.rule, text_of(setting.value)
        if rule.kind == "switch":
            text: str | None = "off" if setting.value else "on"
        elif rule.kind == "choice":
            choices = [
                Choice(word, word, "default" if word == setting.default else "",
                       str(number), is_current=word == setting.value)
                for number, word in enumerate(rule.choices, start=1)
            ]  # fmt: skip
            text = await self.app.ask(Menu(setting.key, choices, setting.about))
        else:
            text = await self.app.ask(Ask(setting.key, _advice(setting), value))
        while text is not None and text != value:
            try:
                await self.put(setting, text)
            except ManagerError as error:
                about = f"{error} {error.hint}".strip()
                text = await self.app.ask(Ask(setting.key, about, text))
            else:
                return

    async def put(self, setting: Setting, text: str) -> None:
        """Write a setting; `default` takes it out of the file. From a worker."""
        from ..core.services.settings import text_of

        key = setting.key
        is_new = await self.app.write.run(lambda core: core.services.settings_book.put(key, text))
        if not is_new:
            self.app.notify(f"{key} stays as it is.", markup=False)
            return
        await self.app.news.wrote([])
        await self.app.news.configured()
        now = await self.app.slow.run(lambda core: core.services.settings_book.setting(key))
        words = escaped(f"{key} = {text_of(now.value) or 'none'}.")
        self.app.notices.toast(f"{words} {escaped(now.overridden)}".strip(), undo=True)

    @asks
    async def reset(self, setting: Setting) -> None:
        """Take a setting out of the file."""
        await self.put(setting, "default")


def _advice(setting: Setting) -> str:
    from ..core.services.settings import text_of

    default = text_of(setting.default) or "none"
    return f"{setting.about} It is {setting.rule.allowed}; the default is {default}."


def _listed(names: Iterable[str]) -> str:
    """`Claude Code, Codex and Gemini CLI`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# -- instruction files


def read_instructions(core: MemoryCoordinator, paths: Iterable[str]) -> list[Instructions]:
    """Return what an import of these files would store; runs in a lane.

    A file that cannot be read, or holds nothing new, is left out.
    """
    root = os.path.realpath(core.project.root) if core.project.root else os.getcwd()
    matches = []
    for path in paths:
        is_ours = os.path.realpath(path).startswith(root.rstrip(os.sep) + os.sep)
        scope = "project" if is_ours else "global"
        try:
            texts = core.instructions_in(path, scope=scope)
        except ManagerError:
            continue
        entries = tuple(text.text for text in texts if not (text.is_known or text.refused))
        if entries:
            matches.append(Instructions(path, entries, scope))
    return matches


def import_shown(core: MemoryCoordinator, files: Sequence[Instructions]) -> list[str]:
    """Store just these texts of the files, as one act; return the ids. Runs in the write lane.

    The user saw each of them and for which projects it is, and said yes.
    """
    ids: list[str] = []
    with core.context.consent.given(), core.context.as_one_act():
        for file in files:
            ids += core.import_instructions(file.path, entries=file.entries, scope=file.scope).ids
    return ids


# -- switches


SWITCH_NAMES: dict[SwitchName, str] = {"auto_memory": "Record sessions", "incognito": "Incognito"}
SWITCH_HELP: dict[SwitchName, str] = {
    "auto_memory": "While it is on, memories are captured from sessions.",
    "incognito": "While it is on, nothing is captured. Memories are still injected.",
}
MOST_SESSIONS = 5
NAME_CELLS = 40


@dataclass(frozen=True, slots=True)
class SwitchPlace:
    """Where a switch can be turned, and what turning it does."""

    label: str
    is_on: bool
    turn: Callable[[MemoryCoordinator], object]  # runs in the write lane


def in_words(switches: Switches) -> tuple[str, ...]:
    """Return what is switched differently from usual, each in a few words."""
    words = []
    if not (switches.auto_project and switches.by_settings):
        words.append("recording off")
    elif not switches.auto_everywhere:
        words.append("recording off everywhere")
    elif any(not session.auto_memory for session in switches.sessions):
        words.append("recording off: session")
    if switches.incognito_everywhere:
        words.append("incognito: everywhere")
    elif switches.incognito_project:
        words.append("incognito: project")
    elif any(session.incognito for session in switches.sessions):
        words.append("incognito: session")
    return tuple(words)


def switch_places(switches: Switches, name: SwitchName) -> list[SwitchPlace]:
    """Return where a switch can be turned: project, everywhere, and sessions that go on.

    Sessions that differ from usual come first: what the header says can be undone here.
    """
    if name == "auto_memory":
        here, everywhere = switches.auto_project, switches.auto_everywhere
    else:
        here, everywhere = switches.incognito_project, switches.incognito_everywhere
    places = [
        SwitchPlace("this project", here, lambda core: core.set_switch(name, not here)),
        SwitchPlace(
            "everywhere",
            everywhere,
            lambda core: core.set_switch(name, not everywhere, "everywhere"),
        ),
    ]
    by_use = sorted(switches.sessions, key=lambda item: item.auto_memory and not item.incognito)
    for item in by_use[:MOST_SESSIONS]:
        is_on = item.auto_memory if name == "auto_memory" else item.incognito
        label = cut(item.name or f"session {item.id[:8]}", NAME_CELLS)
        places.append(SwitchPlace(label, is_on, _turning(name, item.id, not is_on)))
    return places


def _turning(name: SwitchName, session: str, is_on: bool) -> Callable[[MemoryCoordinator], object]:
    if name == "auto_memory":
        return lambda core: core.set_auto_memory_of(session, is_on)
    return lambda core: core.set_incognito(session, is_on)
