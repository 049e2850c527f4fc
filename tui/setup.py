"""The acts of Setup: connect agents, fix problems, import instructions, switches, settings.

Changes of other programs' settings are shown in full first, and need a yes. A thread of its own
checks the agents, since that reads files and may start programs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from textual.content import Content

from ..core.agents import NAMES, Agents, AgentState, FileChange, Finding, Scope, SetupPlan
from ..db.errors import ManagerError, Refused
from .dialogs import Ask, Choice, Confirm, Menu
from .lanes import LaneClosed, asks
from .text import counted, escaped, plain, tilde
from .view import AgentsChanged, states_of

if TYPE_CHECKING:
    from ..core.services.preferences import SwitchName
    from ..core.services.projects import LookAlike
    from ..core.services.settings import Setting
    from .app import MemoryApp

T = TypeVar("T")
NOTE_SECONDS = 30.0  # for a notice with steps for the user
CONNECT = "connect"  # the `fix` of the finding that no agent is connected
MOST_DIFF_LINES = 2_000  # of one file that are laid out; a settings file has some dozens
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("user", "your own settings: every project"),
    ("project", "the project's: everybody who works on it"),
    ("local", "yours, for this project alone"),
)


class Setup:
    """The agents of this machine, and their setup."""

    def __init__(self, app: MemoryApp, agents: Agents | None) -> None:
        self.app, self.agents = app, agents
        self.states: tuple[AgentState, ...] = ()  # as of the last check
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
        if not (self.app.carried.is_connected or self.app.carried.is_welcomed):
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
        if is_connected != self.app.carried.is_connected:
            self.app.carried.is_connected = is_connected
            await asyncio.to_thread(self.app.carried.save)
        return before != (self.states, self.findings, self.has_looked)

    def show_count(self) -> None:
        app = self.app
        if app.counts.setup != len(self.problems) and app.has_stage:
            app.counts = replace(app.counts, setup=len(self.problems))
            app.stage.header.show_counts(app.counts)

    @property
    def problems(self) -> list[Finding]:
        """Return all problems, those that can be fixed from here first."""
        findings = [*self.findings, *(item for state in self.states for item in state.findings)]
        if self.has_looked and not any(state.scopes for state in self.states):
            findings.append(self._no_agent())
        return sorted((item for item in findings if not item.ok), key=lambda item: not item.fix)

    def _no_agent(self) -> Finding:
        present = [state for state in self.states if state.is_present]
        advice = (
            f"`memdeck install {present[0].host}` connects {present[0].name}."
            if present
            else "Install an agent first: the list names the command for each."
        )
        fix = CONNECT if present else ""
        return Finding("agents", False, "No agent is connected.", advice, fix)

    # -- agents

    @asks
    async def connect(self, agent: AgentState, *, remove: bool = False) -> None:
        """Connect an agent, or disconnect it: ask where, show the changes, write on a yes."""
        scope = await self._scope_for(agent, remove=remove)
        if scope is None:
            return
        plan = await self.ask_agents(lambda agents: agents.plan(agent.host, scope, remove=remove))
        await self._carry_out([plan])

    async def _scope_for(self, agent: AgentState, *, remove: bool) -> Scope | None:
        """Return the scope of the settings; ask only if there is a choice."""
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
        hosts = [state.host for state in self.states if state.is_present and not state.scopes]
        plans = await self.ask_agents(lambda agents: [agents.plan(host) for host in hosts])
        await self._carry_out(plans)

    async def _carry_out(self, plans: Sequence[SetupPlan]) -> None:
        """Show all changes, and write them on a yes."""
        sections = [*map(plan_section, plans)]
        is_single = len(sections) == 1
        text = Content("\n\n").join(
            lines if is_single else Content.assemble((title, "bold $text-accent"), "\n", lines)
            for title, lines in sections
        )
        title = sections[0][0] if is_single else "Everything that would change"
        can = any(plan.is_needed and not plan.problems for plan in plans)
        question = Confirm(
            title, text, "Write it" if can else "", no_label="Change nothing", is_wide=True
        )
        if not await self.app.ask(question):
            return
        done = []
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
            names = listed(NAMES[plan.host] for plan in done)
            self.app.notices.toast(f"{verb} {names}.", is_beside=True)
        notes = [
            note if note.startswith(NAMES[plan.host]) else f"{NAMES[plan.host]}: {note}"
            for plan in done
            for note in plan.notes
        ]
        if notes:
            self.app.notify(
                "\n".join(notes), title="For you to do", timeout=NOTE_SECONDS, markup=False
            )
        self.app.news.post(AgentsChanged)

    @asks
    async def fix(self, findings: Sequence[Finding]) -> None:
        """Fix the problems that can be fixed from here, after a yes."""
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
        self.app.news.post(AgentsChanged)

    @asks
    async def join(self, item: LookAlike) -> None:
        """Make this folder a place of a project that it looks like, after a yes."""
        await self.app.write_agreed(lambda core: core.services.projects.join(item.project.id))
        self.app.open_project(self.app.project)
        await self.app.news.wrote([])
        name = escaped(item.project.name)
        self.app.notices.toast(f"This folder is a place of {name} now.", undo=True)

    # -- switches, and the model

    @asks
    async def switch(self, name: SwitchName) -> None:
        """Turn recording or incognito, in this project or everywhere."""
        switches = await self.app.slow.run(lambda core: core.switches)
        here, everywhere = states_of(switches, name)
        says = {True: "on, turn off", False: "off, turn on"}
        choices = [
            Choice("project", "this project", says[here], "p"),
            Choice("everywhere", "everywhere", says[everywhere], "e"),
        ]
        reach = await self.app.ask(Menu(SWITCH_NAMES[name], choices, SWITCH_HELP[name]))
        if reach is None:
            return
        is_on = not (here if reach == "project" else everywhere)
        await self.app.write.run(lambda core: core.set_switch(name, is_on, reach))  # type: ignore[arg-type]
        await self.app.news.wrote([])
        is_kept_off = name == "auto_memory" and is_on and not switches.by_settings
        more = " The setting `auto_memory` keeps it off." if is_kept_off else ""
        where = "this project" if reach == "project" else reach
        words = f"{SWITCH_NAMES[name]} {'on' if is_on else 'off'}: {where}.{more}"
        self.app.notices.toast(words, undo=True)

    @asks
    async def choose_extractor(self) -> None:
        """Choose the model that reads sessions, or none."""
        state, engines = await self.app.slow.run(
            lambda core: (
                core.services.preferences.extractor_state(),
                core.services.preferences.engines(),
            )
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
        await self.app.write.run(
            lambda core: core.services.preferences.choose_engine(chosen or None)
        )
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
            default = text_of(setting.default) or "none"
            about = f"{setting.about} It is {rule.allowed}; the default is {default}."
            text = await self.app.ask(Ask(setting.key, about, value))
        while text is not None and text != value:
            try:
                await self.put(setting, text)
            except ManagerError as error:
                about = f"{error} {error.hint}".strip()
                text = await self.app.ask(Ask(setting.key, about, text))
            else:
                return

    async def put(self, setting: Setting, text: str) -> None:
        """Write a setting; `default` removes it from the file. From a worker."""
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
        await self.put(setting, "default")


def listed(names: Iterable[str]) -> str:
    """`Claude Code, Codex and Gemini CLI`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# -- the planned changes in full


def plan_section(plan: SetupPlan) -> tuple[str, Content]:
    """Return the title and the lines of a plan to connect or disconnect an agent."""
    verb = "Disconnect" if plan.is_removal else "Connect"
    title = f"{verb} {NAMES[plan.host]} · {plan.scope}"
    needed = [change for change in plan.changes if change.is_needed]
    if plan.problems:
        return title, plain("\n".join(f"✗ {problem}" for problem in plan.problems), "$text-error")
    if not plan.is_needed:
        return title, plain("Nothing would change.", "$text-muted")
    parts = [_change(change) for change in needed]
    parts += [plain("\n".join(f"note  {note}" for note in plan.notes))] if plan.notes else []
    return f"{title} · {counted(len(needed), 'file')}", Content("\n\n").join(parts)


def _change(change: FileChange) -> Content:
    """Return the path of a file, its change in words, and the diff."""
    what = "new file" if change.before is None else "deleted" if change.after is None else "changed"
    lines = [Content.assemble(plain(tilde(change.path), "bold"), (f"  {what}", "$text-muted"))]
    inks = {"+": "$text-success", "-": "$text-error", "@": "$text-accent"}
    # the first two lines name the file
    diff = [line for line in change.diff.splitlines() if not line.startswith(("--- ", "+++ "))]
    lines += [plain(line, inks.get(line[:1], "$text-muted")) for line in diff[:MOST_DIFF_LINES]]
    if len(diff) > MOST_DIFF_LINES:
        more = counted(len(diff) - MOST_DIFF_LINES, "line")
        lines.append(plain(f"… and {more} more", "$text-muted"))
    return Content("\n").join(lines)


# -- switches


SWITCH_NAMES: dict[SwitchName, str] = {"auto_memory": "Record sessions", "incognito": "Incognito"}
SWITCH_HELP: dict[SwitchName, str] = {
    "auto_memory": "While it is on, memories are captured from sessions.",
    "incognito": "While it is on, nothing is captured. Memories are still injected.",
}
