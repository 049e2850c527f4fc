"""The App: one class that holds the lanes, the stage, and those who do its work.

navigation   from view to view, and back
news         what the store tells
changes      acts that write, and how they are taken back
setup        agents, the first run, the two switches
notices      what is said beside the work
last_run     what is carried over to the next run
typed        keys, each in its turn
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.messages import ExitApp
from textual.notifications import Notify
from textual.screen import Screen
from textual.worker import WorkerFailed, get_current_worker

from ..core.errors import ConsentNeeded, ManagerError
from ..themes.loader import MEANINGS, load_themes
from .acts import APP_ACTS, SETUP_ACTS, Act, bindings
from .changes import Changes, agreed
from .dialogs.questions import Choice, Menu
from .footer import Keys, why_not
from .lanes import Lane, LaneClosed, Lanes
from .messages import Configured, OpenMemory, OpenReceipts, ProjectChanged
from .navigation import Navigation
from .news import News
from .notices import Notices
from .process import HANGUP_SECONDS, give_way_to_keys, has_hung_up, keep_what_is_here
from .remembered import LastRun
from .reports import Messages, Reports
from .settings import DEFAULT_THEME, Motion, can_wear, read_settings, usable_keys
from .setup import Setup
from .stage import SCREENS, VIEWS, Counts, Header, Stage, TooSmall
from .text import counted
from .typeahead import TypedAhead, asks
from .view import Guard, Place, View, about_rows

if TYPE_CHECKING:
    from ..core.agents import Agents
    from ..core.compat import MemoryCoordinator

T = TypeVar("T")
STYLES: list[str | PurePath] = sorted(
    Path(__file__).parent.joinpath("styles").glob("*.tcss"), key=lambda path: path.stem != "shared"
)


def system_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


class MemoryApp(App[None], inherit_bindings=False):
    """memdeck in a terminal."""

    TITLE = "memdeck"
    CSS_PATH = STYLES
    ENABLE_COMMAND_PALETTE = False  # the palette is ours
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (40, "-narrow"), (80, "-normal"), (120, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (10, "-low"), (16, "-short"), (24, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(APP_ACTS),
        *(
            Binding(
                kind.key,
                f"view('{kind.name}')",
                kind.label,
                show=False,
                id=f"view.{kind.name}",
                tooltip=f"Opens {kind.label}.",
            )
            for kind in SCREENS
        ),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]

    keymap: Mapping[str, str]  # the person's own keys, by the id of the act
    # the lanes, by what they are for
    search: Lane  # queries, facets, explanations
    pages: Lane  # rows, one memory: what must come at once
    write: Lane  # every act, in order
    slow: Lane  # counts, and whatever takes long
    _marks_text = False  # whether the button that is pressed was with `shift`
    has_process = False  # whether the process is this app's alone, and ends with it

    def __init__(
        self,
        home: str,
        project: str | None,
        *,
        query: str = "",
        view: str | None = None,
        select: str | None = None,
        clock: Callable[[], datetime] | None = None,
        theme: str | None = None,
        agents: Agents | None = None,
    ) -> None:
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.home, self.project = home, project
        self.clock = clock or system_clock
        self.settings, self.problems = read_settings(home, project)  # problems are said once
        self.glyphs = self.settings.glyphs
        self.counts = Counts()
        self._take_lanes()
        self.typed = TypedAhead(self)
        self.navigation = Navigation(self)
        self.notices = Notices(self, self.navigation)
        self.news = News(self)
        self.changes = Changes(self)
        self.setup = Setup(self, agents)
        self.reports = Reports(self)
        self.last_run = LastRun(self, home)
        self.animation_level = self._motion()
        self._take_themes(theme)
        self._take_keymap()
        self._was_sent = bool(view or query or select)
        self._start = self._first_place(view, query, select)

    def _take_lanes(self) -> None:
        self.lanes = Lanes(self._open_core)
        self.search, self.pages = self.lanes.search, self.lanes.pages
        self.write, self.slow = self.lanes.write, self.lanes.slow

    def _open_core(self) -> MemoryCoordinator:
        from ..core.compat import MemoryCoordinator

        core = MemoryCoordinator.open(self.home, self.project, clock=self.clock)
        if problems := core.problems_at_opening():
            # what was no record and had to go: the one who opens the store is told, once
            self.call_later(self.notices.warn, "In the journal", problems)
        return core

    def _first_place(self, view: str | None, query: str, select: str | None) -> Place:
        """Where to begin: what was asked for, else where one left off."""
        last = self.last_run.now
        name = view or ("deck" if query or select else last.view or "deck")
        name = name if name in VIEWS else "deck"
        shape = [f"sort:{last.sort}"] * bool(last.sort) + [f"group:{last.group}"] * bool(last.group)
        order = " ".join(shape) if not query and name == "deck" else ""
        left_at = None if query or select else last.memories.get(self._project_key)
        return Place(
            name,
            query or order or None,
            select or left_at,
            is_remembered=select is None,
        )

    @property
    def _project_key(self) -> str:
        """What the last memory of a project is remembered by."""
        return self.project or os.getcwd()

    # -- how it looks, and its keys

    def _motion(self) -> Motion:
        return "none" if os.environ.get("NO_MOTION") else self.settings.motion

    def _take_themes(self, wanted: str | None) -> None:
        """Register our themes, and put on the wanted one: given, chosen last, or configured."""
        themes, problems = load_themes(os.path.join(self.home, "themes"))
        self.problems += problems
        for known in themes:
            self.register_theme(known)
        last = self.last_run.now
        chosen = last.theme if last.theme_instead_of == self.settings.theme else ""
        for name in (wanted, chosen, self.settings.theme, DEFAULT_THEME):
            if name and can_wear(self, name):
                self.theme = name
                return
            if name and name != chosen:
                self.problems.append(f"No theme is called {name}.")

    def _take_keymap(self) -> None:
        # of acts that have no key of their own the views make bindings
        self.keymap, problems = usable_keys(self.settings.keymap, self._ids())
        self.problems += problems
        self.set_keymap(self.keymap)

    def _ids(self) -> set[str]:
        return {one.id for one in self.BINDINGS if isinstance(one, Binding) and one.id is not None}

    @on(Configured)
    def _configured(self, event: Configured) -> None:
        """Go by settings that were changed while we run."""
        was, self.settings = self.settings, event.settings
        self.animation_level = self._motion()
        if was.theme != self.settings.theme and can_wear(self, self.settings.theme):
            self.theme = self.settings.theme
        if was.keymap != self.settings.keymap:
            self._take_keymap()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our meanings, so that a sheet may name them under every theme."""
        return {**super().get_theme_variable_defaults(), **MEANINGS}

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:
        """Two acts on one key: said once for each act that lost its key."""
        for binding in clashed_bindings:
            says = f"keymap: {binding.id} has lost {binding.key}: {node.id or 'the app'} uses it."
            if says not in self.problems:
                self.problems.append(says)
                self.notify(says, title="Settings", severity="warning", markup=False)

    # -- coming and going

    def compose(self) -> ComposeResult:
        yield Stage(self.glyphs, id="stage")
        yield TooSmall()

    async def on_mount(self) -> None:
        """Open the first view; the store is opened behind it."""
        if self.problems:
            self.notices.warn("Settings", self.problems)
        self.news.watch()  # before anything is read
        await self.stage.go(self._start.view)
        if self._start.query or self._start.memory:
            await self.navigation.go_to(self._start)
        self.news.count()
        if not self._was_sent:
            self.setup.welcome_the_first_time()
        if self.has_process:
            self.set_timer(0.5, keep_what_is_here)
            self.set_interval(HANGUP_SECONDS, self._leave_without_terminal)

    def on_notify(self, event: Notify) -> None:
        """A notice comes, whoever gives it."""
        self.notices.hear(event.notification)

    def on_unmount(self) -> None:
        """Let the lanes' threads end."""
        self.typed.close()
        self.lanes.close()
        self.setup.close()

    async def action_leave(self) -> None:
        """Quit, unless a dialog guards something unsaved."""
        if isinstance(self.screen, Guard) and self.screen.guard_leaving():
            return
        self.exit()

    def _leave_without_terminal(self) -> None:
        """Nobody is there any more whom a dialog could ask; and input would be read in vain."""
        if has_hung_up():
            self.exit()

    @on(ExitApp)
    async def _take_leave(self) -> None:
        """However it ends, and be it that a browser was closed, what is carried over is written."""
        deck = self.stage.view("deck")
        if deck is None:
            await self.last_run.save(view=self.view)
        else:
            await self._carry_over(deck)

    async def _carry_over(self, deck: View) -> None:
        """View, order, queries and the cursor's memory survive until the next run."""
        memory = deck.place().memory
        memories = dict(self.last_run.now.memories)
        memories.pop(self._project_key, None)
        if memory is not None:
            memories[self._project_key] = memory
        await self.last_run.save(view=self.view, memories=memories, **deck.carried_over())

    # -- the stage

    @property
    def stage(self) -> Stage:
        """The stage, also while a dialog is open."""
        return self.navigation.stage

    @property
    def view(self) -> str:
        """The name of the view that is shown."""
        return self.stage.current

    async def action_view(self, name: str) -> None:
        """Go to a view, noting the way back."""
        await self.navigation.show(name)

    async def action_back(self) -> None:
        """One step out along the way one came; never quits."""
        await self.navigation.back()

    @on(OpenMemory)
    async def _open_asked(self, event: OpenMemory) -> None:
        await self.navigation.open(Place("deck", memory=event.memory))

    @on(OpenReceipts)
    async def _receipts_asked(self, event: OpenReceipts) -> None:
        await self.navigation.open(Place("recall", memory=event.memory))

    @on(Header.Clicked)
    async def _header_clicked(self, event: Header.Clicked) -> None:
        name, _, rest = event.act.partition(":")
        if name == "view":
            await self.action_view(rest)
        elif name == "project":
            self.action_project()
        else:
            await self.action_view("deck")
            await self.navigation.go_to(Place("deck", query=f"is:{name}"))

    # -- acts: one registry, three doors: keys, palette, command line

    def run_act(self, act: Act, about: frozenset[int] | None = None) -> None:
        """Carry out an act as its key would; one that was chosen `about` other rows is refused."""
        view = self.stage.shown
        owner = self if act in (*APP_ACTS, *SETUP_ACTS) or view is None else view
        if about in (None, view and about_rows(view, act)):
            self.call_later(self.run_action, act.action, owner)
        else:
            self.notices.refuse("The list changed meanwhile; nothing was done.")

    def action_undo(self) -> None:
        """Take back the newest act."""
        self.changes.undo()

    def action_redo(self) -> None:
        """Do again what was just undone."""
        self.changes.redo()

    def action_setup(self, what: str) -> None:
        """Turn a switch, choose who reads sessions, or connect agents.

        Or show the digest, or what was said.
        """
        match what:
            case "messages":
                self._show_messages()
            case "digest":
                self.reports.digest()
            case _:
                self.setup.begin(what)

    # -- dialogs

    def _show_messages(self) -> None:
        """What was said in this run, with what lay behind errors."""
        if not isinstance(self.screen, Messages):
            self.push_screen(Messages(self.notices.said))

    def action_help(self) -> None:
        """Every key that works here."""
        from .dialogs.help import HelpScreen

        self.push_screen(HelpScreen.of(self.screen))

    def action_theme(self) -> None:
        """Choose a theme."""
        from .dialogs.themes import ThemePicker

        def keep(chosen: str | None) -> None:
            if chosen is not None:
                self.last_run.keep(theme=chosen, theme_instead_of=self.settings.theme)

        self.push_screen(ThemePicker(), keep)

    def action_command_line(self) -> None:
        """Choose by name: an act, a view, a memory, a setting."""
        from .palette import open_palette

        open_palette(self)

    def action_jump(self) -> None:
        """Go to a pane, or press a button, by its letter."""
        from .dialogs.jump import jump

        jump(self.screen, self.stage.shown)

    @asks
    async def action_project(self) -> None:
        """Look at another project."""
        choices = [
            Choice(project.id, project.name, counted(project.memories, "memory", "memories"))
            for project in await self.pages.run(lambda core: core.projects())
        ] + [Choice("", "all projects", "to read")]
        chosen = await self.ask(Menu("Project", choices))
        if chosen:
            self.open_project(chosen)
        elif chosen is not None:
            await self.navigation.open(Place("deck", query="project:*"))

    def open_project(self, project: str) -> None:
        """Look from another project: new lanes, everything read anew."""
        self.lanes.close()
        self.project = project
        self._take_lanes()
        self.news.begin_anew()
        self.news.tell(ProjectChanged)

    async def ask(self, dialog: Screen[T]) -> T | None:
        """The answer to a dialog; only in a worker that is begun with `asks` or `may_ask`."""
        self.typed.ask_with(get_current_worker(), dialog)
        if self._exit:  # nobody is left to answer
            return None
        self.notices.clear_what_was_read()
        return await self.push_screen_wait(dialog)

    async def write_agreed(self, job: Callable[[MemoryCoordinator], T]) -> T:
        """The answer of `job` in the write lane, asking for a yes that it needs; from a worker.

        Raises Refused for a no.
        """
        try:
            return await self.write.run(job)
        except ConsentNeeded as needed:
            await self.changes.agree(needed.question)
        return await self.write.run(agreed(job))

    # -- keys

    async def on_event(self, event: events.Event) -> None:
        """Keys are heard in their turn: see `typeahead`."""
        match event:
            case events.Key() | events.Paste() if not event.is_forwarded:
                if self.typed.lets_in(event):
                    await super().on_event(self.typed.fitting(event))
            case events.MouseDown() | events.MouseUp() if not event.is_forwarded:
                if isinstance(event, events.MouseDown):
                    self._marks_text = event.shift
                if not self._marks_text:  # `shift` marks text for the terminal, here as elsewhere
                    await super().on_event(event)
            case _:
                await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """Say why a dimmed key does nothing; keys behind it wait for what it set off."""
        self.typed.come_back()
        if (active := self.screen.active_bindings.get(event.key)) is not None:
            self.notices.refuse(why_not(active))

    @on(Keys.Pressed)
    def _key_clicked(self, event: Keys.Pressed) -> None:
        self.simulate_key(event.key)

    # -- errors

    def _handle_exception(self, error: Exception) -> None:
        """Core's own errors are for the person; anything else is a bug and keeps its traceback."""
        cause: BaseException = error
        while isinstance(cause, WorkerFailed):
            cause = cause.error
        if isinstance(cause, ManagerError):
            self.notices.report(cause)
        elif not isinstance(cause, LaneClosed):
            super()._handle_exception(error)


def run_app(
    home: str,
    project: str | None = None,
    *,
    query: str = "",
    view: str | None = None,
    select: str | None = None,
    clock: Callable[[], datetime] | None = None,
    agents: Agents | None = None,
) -> None:
    """Run the app until the person leaves it; `agents` are those of this machine."""
    app = MemoryApp(
        home,
        project,
        query=query,
        view=view,
        select=select,
        clock=clock,
        agents=agents,
    )
    app.has_process = True
    give_way_to_keys()
    app.run()
