"""Setting up from the app: agents connected and left, instruction files brought along, the first
run, and the two switches.

What is written into other programs' settings is shown to its last line before, and waits for a
yes. The agents are asked in a thread of their own: they read files and may start programs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from textual.worker import Worker

from ..core.agents import NAMES
from ..core.errors import ManagerError, Refused
from .dialogs.questions import Choice, Confirm, Menu
from .lanes import LaneClosed
from .messages import AgentsChanged
from .switches import ABOUT, places
from .switches import NAMES as SWITCH_NAMES
from .text import counted, escaped
from .typeahead import asks

if TYPE_CHECKING:
    from ..core.agents import Agents, AgentState, Finding, Host, Scope, SetupPlan
    from ..core.compat import MemoryCoordinator
    from ..core.services.preferences import SwitchName
    from .app import MemoryApp
    from .dialogs.welcome import Chosen


@dataclass(frozen=True, slots=True)
class Instructions:
    """One file, and the texts in it that are not known yet, without secrets."""

    path: str
    entries: tuple[str, ...]
    scope: str  # "project" for a file of the project's, "global" for one of the person's

    @property
    def reach(self) -> str:
        """Whom the memories will be told to, in words."""
        return "for every project" if self.scope == "global" else "for this project"


def read_instructions(core: MemoryCoordinator, paths: Iterable[str]) -> list[Instructions]:
    """What `import_instructions` would keep of these files; runs in a lane.

    A file that cannot be read, or holds nothing new, is left out.
    """
    root = os.path.realpath(core.project.root) if core.project.root else os.getcwd()
    found = []
    for path in paths:
        is_ours = os.path.realpath(path).startswith(root.rstrip(os.sep) + os.sep)
        scope = "project" if is_ours else "global"
        try:
            known = core.instructions_in(path, scope=scope)
        except ManagerError:
            continue
        entries = tuple(one.text for one in known if not one.is_known)
        if entries:
            found.append(Instructions(path, entries, scope))
    return found


def import_shown(core: MemoryCoordinator, file: Instructions) -> tuple[str, ...]:
    """Remember just these texts of the file; the ids of those added. Runs in the write lane.

    The person saw each of them and whom it is for, and said yes.
    """
    with core.context.consent.given():
        return core.import_instructions(file.path, entries=file.entries, scope=file.scope).ids


def tilde(path: str) -> str:
    """A path with the person's folder as `~`."""
    home = os.path.expanduser("~")
    is_inside = path == home or path.startswith(home + os.sep)
    return f"~{path[len(home) :]}" if is_inside else path


T = TypeVar("T")
NOTE_SECONDS = 30.0  # what is left for the person to do
WRITING_SECONDS = 0.2  # between two looks whether they still write something
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("user", "your own settings: every project"),
    ("project", "the project's: everybody who works on it"),
    ("local", "yours, for this project alone"),
)


class Setup:
    """What is set up for good: agents of this machine, when one was told of them, and switches."""

    def __init__(self, app: MemoryApp, agents: Agents | None) -> None:
        self.app, self.agents = app, agents
        self._machine = ThreadPoolExecutor(1, thread_name_prefix="lane-agents")

    async def ask_agents(self, job: Callable[[Agents], T]) -> T:
        """The answer of `job`, from the agents' own thread. Raises Refused without agents."""
        agents = self.agents
        if agents is None:
            raise Refused(
                "Nothing is known of agents here.", hint="`memdeck doctor` looks at them."
            )
        try:
            answer = asyncio.get_running_loop().run_in_executor(self._machine, job, agents)
        except RuntimeError as error:  # the thread was let go
            raise LaneClosed("agents") from error
        return await answer

    def close(self) -> None:
        """Let the agents' thread end."""
        self._machine.shutdown(wait=False, cancel_futures=True)

    def begin(self, what: str) -> Worker[None]:
        """Begin what the act `setup('…')` names."""
        match what:
            case "auto_memory" | "incognito":
                return self.switch(what)
            case "extractor":
                return self.choose_extractor()
            case _:
                return self.welcome()

    # -- one agent

    @asks
    async def connect(self, agent: AgentState, *, remove: bool = False) -> None:
        """Connect an agent, or leave it: ask where, show what would change, write on a yes."""
        from .dialogs.plan import PlanDialog, of_plan

        scope = await self._scope_for(agent, remove=remove)
        if scope is None:
            return
        plan = await self.ask_agents(lambda agents: agents.plan(agent.host, scope, remove=remove))
        yes = "Take it out" if remove else "Write it"
        dialog = PlanDialog([of_plan(plan)], yes)
        if await self.app.ask(dialog) and await self._carry_out(plan):
            word = "Left" if remove else "Connected"
            self.app.notices.toast(f"{word} {agent.name}: its {scope} settings were written.")
            self._say_notes([plan])
            self._show_anew()

    async def _scope_for(self, agent: AgentState, *, remove: bool) -> Scope | None:
        """Which settings are meant; asked only where there is a choice."""
        if remove and len(agent.scopes) == 1:
            return agent.scopes[0]
        title = f"{'Leave' if remove else 'Connect'} {agent.name} in which settings?"
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

    async def _carry_out(self, plan: SetupPlan) -> bool:
        """Whether the plan was written; what kept it from that becomes a notice."""
        try:
            await self.ask_agents(lambda agents: agents.apply(plan))
        except ManagerError as error:
            self.app.notices.report(error)
            return False
        return True

    def _say_notes(self, plans: Sequence[SetupPlan]) -> None:
        """What is left for the person to do, in one notice."""
        notes = [
            note if note.startswith(NAMES[plan.host]) else f"{NAMES[plan.host]}: {note}"
            for plan in plans
            for note in plan.notes
        ]
        if notes:
            text = "\n".join(notes)
            self.app.notify(text, title="For you to do", timeout=NOTE_SECONDS, markup=False)

    @asks
    async def mend(self, findings: Sequence[Finding]) -> None:
        """Mend what can be mended from here, after a yes."""
        what = "\n".join(f"{one.message} {one.mend}".strip() for one in findings)
        question = "Mend this?" if len(findings) == 1 else f"Mend these {len(findings)}?"
        if not await self.app.ask(Confirm(question, what, "Mend it")):
            return
        for finding in findings:
            try:
                said = await self.ask_agents(lambda agents, one=finding: agents.fix(one))  # type: ignore[misc]
            except ManagerError as error:
                self.app.notices.report(error)
            else:
                self.app.notices.toast(escaped(said), is_beside=True)
        self._show_anew()

    def _show_anew(self) -> None:
        """The view of the agents, if it was visited, reads them again."""
        self.app.news.tell(AgentsChanged)

    # -- the first run

    def welcome_the_first_time(self) -> None:
        """Offer to connect agents where nothing is stored, none is connected, and never again."""
        self.app.run_worker(self._welcome_at_first(), group="welcome", exclusive=True)

    async def _welcome_at_first(self) -> None:
        if self.agents is None or self.app.last_run.now.was_welcomed:
            return
        projects = await self.app.slow.run(lambda core: core.projects())
        if any(project.memories for project in projects):
            return
        states = await self.ask_agents(lambda agents: agents.survey())
        if not any(state.scopes for state in states):
            # what is typed until it stands was typed for the Deck
            self.app.run_worker(self._welcome(is_asked_for=False), group="welcomed")

    @asks
    async def welcome(self) -> None:
        """Show what can be connected and brought along; do what was chosen, after a yes."""
        await self._welcome()

    async def _welcome(self, *, is_asked_for: bool = True) -> None:
        from .dialogs.welcome import Welcome

        states = await self.ask_agents(lambda agents: agents.survey())
        files = await self._instructions()
        reading = await self._reading_offered()
        chosen: Chosen | None = None
        while not is_asked_for and self._is_writing:  # it is no answer to what comes unasked
            await asyncio.sleep(WRITING_SECONDS)
        while True:
            dialog = Welcome(states, files, chosen, mark=self.app.glyphs.mark, reading=reading)
            chosen = await self.app.ask(dialog)
            self.app.last_run.keep(was_welcomed=True)
            if chosen is None:
                self.app.notify("It is in the palette (ctrl+p) as “Welcome”.", markup=False)
                return
            picked = [file for file in files if file.path in chosen.paths]
            if await self._welcome_with(chosen, picked):
                return

    @property
    def _is_writing(self) -> bool:
        """Whether the person is in a dialog, or in a line that one types in."""
        stage, view = self.app.stage, self.app.stage.shown
        return not stage.screen.is_current or (view is not None and view.is_typed_in())

    async def _welcome_with(self, chosen: Chosen, files: Sequence[Instructions]) -> bool:
        """Show what the choice would do, and do it on a yes; whether it was one."""
        from .dialogs.plan import PlanDialog, of_file, of_plan, of_reader

        plans = [await self._plan_for(host) for host in chosen.hosts]
        sections = [*(of_plan(plan) for plan in plans), *(of_file(file) for file in files)]
        if chosen.reader is not None:
            sections.append(of_reader(chosen.reader))
        dialog = PlanDialog(sections, "Do it")
        if not await self.app.ask(dialog):
            return False
        wanted = [plan for plan in plans if plan.is_needed and not plan.problems]
        done = [plan for plan in wanted if await self._carry_out(plan)]
        said = [f"Connected {_listed(NAMES[plan.host] for plan in done)}."] if done else []
        added = await self._import(files)
        if added:
            said.append(f"Remembered {counted(added, 'instruction')}.")
        if chosen.reader is not None:
            await self.app.write.run(lambda core: core.extractor.choose(chosen.reader))
            said.append(f"{NAMES[chosen.reader]} reads each session once.")
        if said:
            self.app.notices.toast(" ".join(said), undo=bool(added), is_beside=True)
        self._say_notes(done)
        self._show_anew()
        return True

    async def _reading_offered(self) -> tuple[int, int] | None:
        """What it costs to have a session read, where that is to be offered: at the first run,
        and not where it was answered before."""
        if self.app.last_run.now.was_welcomed:
            return None
        if await self.app.slow.run(lambda core: core.extractor.state().is_answered):
            return None
        return await self.ask_agents(lambda agents: agents.session_tokens())

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
        chosen = await self.app.ask(Menu("Who reads each session, once?", choices, str(state)))
        if chosen is None or chosen == state.engine:
            return
        await self.app.write.run(lambda core: core.extractor.choose(chosen or None))
        await self.app.news.wrote([])
        word = f"{escaped(NAMES.get(chosen, chosen))} reads each session once, at its end."
        self.app.notices.toast(word if chosen else "No model reads sessions.", undo=True)

    async def _instructions(self) -> list[Instructions]:
        """The instruction files that hold something new, with what would be remembered of each."""
        found = await self.ask_agents(lambda agents: agents.instructions())
        paths = [file.path for file in found]
        return await self.app.slow.run(lambda core: read_instructions(core, paths))

    async def _plan_for(self, host: Host) -> SetupPlan:
        return await self.ask_agents(lambda agents: agents.plan(host))

    async def _import(self, files: Sequence[Instructions]) -> int:
        """Remember what was shown of each file, no more; each is one entry, one undo. How many."""
        ids: list[str] = []
        for file in files:
            try:
                ids += await self.app.write.run(partial(import_shown, file=file))
            except ManagerError as error:
                self.app.notices.report(error)
        if ids:
            await self.app.news.wrote(ids)
        return len(ids)

    # -- the switches

    @asks
    async def switch(self, name: SwitchName) -> None:
        """Turn auto-memory or incognito: in this project, everywhere, or in one session."""
        switches = await self.app.slow.run(lambda core: core.switches)
        found = places(switches, name)
        keys = ["p", "e", *"12345"]
        choices = [
            Choice(str(row), place.label, "on, turn off" if place.is_on else "off, turn on", key)
            for row, (place, key) in enumerate(zip(found, keys, strict=False))
        ]
        chosen = await self.app.ask(Menu(SWITCH_NAMES[name], choices, ABOUT[name]))
        if chosen is None:
            return
        place = found[int(chosen)]
        await self.app.write.run(place.turn)
        await self.app.news.wrote([])
        now = "off" if place.is_on else "on"
        kept_off = name == "auto_memory" and not place.is_on and not switches.by_settings
        more = " `auto_memory = false` in the settings keeps it off." if kept_off else ""
        self.app.notices.toast(
            f"{SWITCH_NAMES[name]} {now}: {escaped(place.label)}.{more}", undo=True
        )


def _listed(names: Iterable[str]) -> str:
    """`Claude Code, Codex and Gemini CLI`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
