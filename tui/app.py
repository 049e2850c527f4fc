"""The app: its lanes, its five screens, its keys and palette, and the work behind them."""

from __future__ import annotations

import asyncio
import gc
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events, on
from textual.actions import parse as parse_action
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from ..core.config.settings import AppPolicy
from ..db.errors import ManagerError
from ..themes.loader import MEANINGS, load_themes
from .changes import NEWS_SECONDS, Changes, News, Notices
from .dialogs import Choice, Dialog, Menu
from .lanes import FAILED, Lane, LaneClosed, TypedAhead, asks
from .setup import Setup
from .text import PlainSigns, counted, names_plain_text, one_line
from .view import (
    APP_ACTS,
    NO_KEY,
    SCREENS,
    SETUP_ACTS,
    VIEW_ACTS,
    VIEWS,
    Act,
    Carried,
    Configured,
    Counts,
    Place,
    ProjectChanged,
    Stage,
    TooSmall,
    about_rows,
    act_ids,
    bindings,
    read_settings,
    why_not,
)

if TYPE_CHECKING:
    from ..core.agents import Agents
    from ..core.compat import MemoryCoordinator

T = TypeVar("T")
_STYLES = Path(__file__).parent / "styles"
STYLES: list[str | PurePath] = [
    _STYLES / "shared.tcss",
    *(path for path in sorted(_STYLES.glob("*.tcss")) if path.stem != "shared"),
]
COLLECTED_AFTER = 2_000, 10, 100
"""Thresholds of the garbage collector: its pauses are the longest stalls of a key."""

SWITCH_SECONDS = 0.001  # how long a lane that computes may keep the event loop waiting
HANGUP_SECONDS = 1.0  # between two checks of the terminal: not each that is closed sends SIGHUP


def system_clock() -> datetime:
    return datetime.now(UTC)


MIN_LETTERS = 2  # letters from which on memories are searched
MAX_MEMORIES = 8
MEMORY_SCORE = 0.4  # memories are listed below acts whose names match
SETTING_SHARE = 0.6  # of a match, so that acts come before settings

Command = tuple[str, str, Callable[[], object]]
"""A name, a sentence of help, and the function."""


class MemdeckCommands(Provider):
    """Commands of the screen that is shown, and of the whole app."""

    @property
    def _app(self) -> MemoryApp:
        return cast("MemoryApp", self.app)

    async def startup(self) -> None:
        """Collect the commands at once: a search that the next key ends would end a wait here."""
        self._commands = [*self._acts(), *self._everywhere()]

    def _acts(self) -> Iterator[Command]:
        if (view := self._app.stage.current_view) is None:
            return
        for act in view.ACTS:
            state = view.check_action(*parse_action(act.action)[1:])
            if state is False:
                continue
            reason = "" if state else view.why_not(act.action) or "Not now."
            run = partial(self._run, act, about_rows(view, act), reason)
            yield act.label, self._help(act, reason), run

    def _everywhere(self) -> Iterator[Command]:
        app = self._app
        for kind in SCREENS:
            yield (
                kind.label,
                f"{kind.key}  Opens {kind.label}.",
                partial(self._open, Place(kind.name)),
            )
        yield "Theme", "Chooses the colours of the app.", app.search_themes
        yield "Another project", "Looks at another project, or at all projects.", app.action_project
        for act in (*VIEW_ACTS, *APP_ACTS, *SETUP_ACTS):
            if act.id != "app.palette":
                yield act.label, self._help(act), partial(self._run, act, None, "")

    def _help(self, act: Act, reason: str = "") -> str:
        return "  ".join(part for part in (act.key_in(self._app.keymap), reason, act.help) if part)

    def _run(self, act: Act, about: frozenset[int] | None, reason: str) -> None:
        if reason:
            self._app.notices.refuse(reason)
        else:
            self._app.run_act(act, about)

    def _open(self, position: Place) -> None:
        self._app.call_later(self._app.open_place, position)

    async def discover(self) -> Hits:
        for name, text, run in self._commands:
            yield DiscoveryHit(name, run, help=text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, text, run in self._commands:
            score = max(matcher.match(name), 0.5 * matcher.match(text))
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, name, text)
        for name, text in await asyncio.to_thread(_settings):
            if (score := SETTING_SHARE * matcher.match(name)) > 0:
                run = partial(self._open, Place(SCREENS[4].name, query=name))
                yield Hit(score, matcher.highlight(name), run, name, text)
        if len(query.strip()) < MIN_LETTERS:
            return
        best = await self._app.search.run(lambda core: core.find(query, phase="ranked").first_page)
        for row in best[:MAX_MEMORIES]:
            title = one_line(row.title)
            position = Place(SCREENS[0].name, query, row.id)
            yield Hit(
                MEMORY_SCORE,
                Content(title),
                partial(self._open, position),
                title,
                f"memory  {row.type} · {row.retired_as or row.status}",
            )


@cache
def _settings() -> list[tuple[str, str]]:
    """Return each setting's name and purpose."""
    from ..core.config.settings import settings_in
    from ..core.services.settings import key_of

    return [(key_of(path), one_line(about)) for path, _, about in settings_in()]


class MemoryApp(App[None], inherit_bindings=False):
    """memdeck in a terminal."""

    TITLE = "memdeck"
    CSS_PATH = STYLES
    COMMANDS = {MemdeckCommands}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (40, "-narrow"), (80, "-normal"), (120, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (10, "-low"), (16, "-short"), (24, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(APP_ACTS),
        *bindings(SETUP_ACTS),
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

    search: Lane  # queries, facets, explanations
    pages: Lane  # rows, one memory: reads that must come at once
    write: Lane  # every act, in order
    slow: Lane  # counts, and whatever takes long

    def __init__(
        self,
        home: str,
        project: str | None,
        *,
        query: str = "",
        view: str | None = None,
        select: str | None = None,
        clock: Callable[[], datetime] | None = None,
        agents: Agents | None = None,
    ) -> None:
        """`select` is the id of a memory to go to; `agents` are those of this machine."""
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.home, self.project = home, project
        self.clock = clock or system_clock
        self.has_process = False  # whether the process ends with the app
        self.is_leaving = False
        self.wants_demo = False  # whether the user left for an example
        self.settings, self.problems = read_settings(home, project)
        self.keymap: Mapping[str, str] = {}  # the user's own keys, by the ids of acts
        self.counts = Counts()
        self._opening = threading.Lock()
        self._open_lanes()
        self.typed = TypedAhead(self)
        self.notices = Notices(self)
        self.news = News(self)
        self.changes = Changes(self)
        self.setup = Setup(self, agents)
        self.carried = Carried(home)
        self.animation_level = "none"
        self._register_themes()
        self._use_keymap()
        wanted = view if view in VIEWS else "memories" if query or select else ""
        self._start = Place(wanted, query or None, select) if wanted else None

    def _open_lanes(self) -> None:
        self.search, self.pages = Lane("search", self._open_core), Lane("pages", self._open_core)
        self.slow = Lane("slow", self._open_core)
        self.write = Lane("write", self._open_core, interruptible=False)

    def _close_lanes(self) -> None:
        for lane in (self.search, self.pages, self.slow, self.write):
            lane.close()

    def _open_core(self) -> MemoryCoordinator:
        from ..core.compat import MemoryCoordinator

        with self._opening:  # the first to open may create or upgrade the store
            core = MemoryCoordinator.open(self.home, self.project, clock=self.clock)
        if problems := core.problems_at_opening():
            self.call_later(self.notices.warn, "In the store", problems)
        return core

    # -- looks and keys

    def _register_themes(self) -> None:
        themes, problems = load_themes(os.path.join(self.home, "themes"))
        self.problems += problems
        for theme in themes:
            self.register_theme(theme)
        name, usual = self.settings.theme, AppPolicy().theme
        if name == usual and has_few_colours():
            name = "terminal16"
        if name not in self.available_themes:
            self.problems.append(f"No theme is called {name}.")
            name = usual
        self.theme = name

    @property
    def is_ascii(self) -> bool:
        """Return True if signs and frames are to be ASCII."""
        glyphs = self.settings.glyphs
        return glyphs == "ascii" or (glyphs == "auto" and names_plain_text(os.environ))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of each line; where ASCII is wanted, all signs are."""
        more = [PlainSigns()] if self.is_ascii else []
        return [*super().get_line_filters(), *more]

    def get_key_display(self, binding: Binding) -> str:
        """Return the name of a key for the footer and the help."""
        name = super().get_key_display(binding)
        return name.replace("⏎", "enter") if self.is_ascii else name

    def watch_theme(self, theme: str) -> None:
        """Keep a theme that was chosen in the palette: it is a setting like the others."""
        if self.is_running and theme != self.settings.theme:
            self.settings = replace(self.settings, theme=theme)

            async def keep() -> None:
                await self.write.run(
                    lambda core: core.services.settings_book.put("app.theme", theme)
                )
                await self.news.wrote([])

            self.run_worker(keep, group="theme")

    def _use_keymap(self) -> None:
        ids = {
            item.id for item in self.BINDINGS if isinstance(item, Binding) and item.id is not None
        }
        keymap = self.settings.keymap
        if keymap:  # without one no screen is imported for its ids
            ids |= act_ids()
        self.problems += [f"keymap: no act is called {act}." for act in keymap if act not in ids]
        self.keymap = {act: keys for act, keys in keymap.items() if act in ids}
        self.set_keymap(self.keymap)

    @on(Configured)
    def _configured(self, event: Configured) -> None:
        """Apply settings that were changed while the app runs."""
        was, self.settings = self.settings, event.settings
        if was.theme != self.settings.theme and self.settings.theme in self.available_themes:
            self.theme = self.settings.theme
        if was.keymap != self.settings.keymap:
            self._use_keymap()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return our colour names, so that a style sheet may use them under every theme."""
        return {**super().get_theme_variable_defaults(), **MEANINGS}

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:
        """Report each act that lost its key to another one."""
        for binding in clashed_bindings:
            text = f"keymap: {binding.id} has lost {binding.key}: {node.id or 'the app'} uses it."
            if text not in self.problems:
                self.problems.append(text)
                self.notify(text, title="Settings", severity="warning", markup=False)

    # -- start and end

    def compose(self) -> ComposeResult:
        yield Stage(id="stage")
        yield TooSmall()

    async def on_mount(self) -> None:
        """Open the first screen; the store is opened behind it."""
        if self.problems:
            self.notices.warn("Settings", self.problems)
        self.news.look()  # before anything is read: later writes are news
        self.set_interval(NEWS_SECONDS, self.news.look)
        start = self._start
        if start is None:
            is_urgent = not self.setup.is_first_step and await self._has_conflicts()
            start = Place(
                "setup" if self.setup.is_first_step else "review" if is_urgent else "memories"
            )
        await self.open_place(start)
        self.news.count()
        for lane in (self.pages, self.write):  # a key finds them open
            self.run_worker(lane.run(lambda core: core.policy), group="lanes")
        if self.view != "setup":
            self.run_worker(self.setup.look(), group="setup")
        if self.has_process:
            self.set_timer(0.5, freeze_what_is_loaded)
            self.set_interval(HANGUP_SECONDS, self._leave_without_terminal)

    async def _has_conflicts(self) -> bool:
        """Return True if memories contradict each other: both sides are injected until then."""
        try:
            return await self.pages.run(lambda core: core.services.search.conflict_count()) > 0
        except ManagerError:  # the screen reports it
            return False

    def run_in_terminal(self) -> bool:
        """Run the app until the user leaves it; return True if it was left for an example."""
        self.has_process = True
        sys.setswitchinterval(SWITCH_SECONDS)
        self.run()
        return self.wants_demo

    def on_notify(self) -> None:
        self.notices.make_room()

    def on_unmount(self) -> None:
        self.typed.close()
        self._close_lanes()
        self.setup.close()

    async def action_leave(self) -> None:
        if isinstance(self.screen, Dialog) and self.screen.guard_leaving():
            return
        self.exit()

    def exit(self, *args: Any, **kwargs: Any) -> None:
        self.is_leaving = True
        super().exit(*args, **kwargs)

    def _leave_without_terminal(self) -> None:
        if has_hung_up():
            self.exit()

    # -- screens

    @property
    def stage(self) -> Stage:
        """Return the stage, also while a dialog is open."""
        return self.screen_stack[0].query_one(Stage)

    @property
    def has_stage(self) -> bool:
        """Return True until the app takes its screen down."""
        return bool(self.screen_stack and self.screen_stack[0].query(Stage))

    @property
    def view(self) -> str:
        return self.stage.current

    async def action_view(self, name: str) -> None:
        await self.stage.go(name)

    async def open_place(self, position: Place) -> None:
        (await self.stage.go(position.view)).open_place(position)

    async def action_follow(self, link: str) -> None:
        kind, _, name = link.partition(":")
        places = {
            "memory": Place("memories", memory=name),
            "query": Place("memories", query=name),
            "session": Place("prompts", session=name),
            "receipt": Place("prompts", receipt=name),
            "injections": Place("prompts", memory=name),
            "entry": Place("history", entry=name),
        }
        view = self.stage.current_view
        if kind in places:
            await self.open_place(places[kind])
        elif view is not None:  # the file of a quote
            view.action_transcript()

    # -- acts

    def run_act(self, act: Act, about: frozenset[int] | None = None) -> None:
        """Carry out an act as its key would; one that was chosen `about` other rows is refused."""
        view = self.stage.current_view
        owner = self if act in (*APP_ACTS, *SETUP_ACTS) or view is None else view
        if about in (None, view and about_rows(view, act)):
            self.call_later(self.run_action, act.action, owner)
        else:
            self.notices.refuse("The list changed meanwhile. Nothing was done.")

    def action_undo(self) -> None:
        self.changes.undo()

    def action_redo(self) -> None:
        self.changes.redo()

    def action_setup(self, what: str) -> None:
        if what == "extractor":
            self.setup.choose_extractor()
        else:
            self.setup.switch("incognito" if what == "incognito" else "auto_memory")

    def action_help(self) -> None:
        acts: dict[tuple[str, str], tuple[list[str], str, str, str]] = {}
        for key, active in self.screen.active_bindings.items():
            binding = active.binding
            if binding.description and not binding.system:
                about = binding.tooltip if active.enabled else f"Not now: {why_not(active)}"
                entry = ([], key, binding.description, about)  # type: ignore[var-annotated]
                keys, *_ = acts.setdefault((binding.action, binding.description), entry)
                keys += [] if key.startswith(NO_KEY) else [self.get_key_display(binding)]
        commands = [
            (f"{label}  {' '.join(keys)}", partial(self.call_later, self.simulate_key, key), about)
            for keys, key, label, about in sorted(acts.values(), key=lambda act: not act[3])
        ]  # keys that move and scroll come last
        self.search_commands(commands, "Find a key that works here")

    @asks
    async def action_project(self) -> None:
        choices = [
            Choice(project.id, project.name, counted(project.memories, "memory", "memories"))
            for project in await self.pages.run(lambda core: core.projects())
        ] + [Choice("", "all projects", "to read")]
        chosen = await self.ask(Menu("Project", choices))
        if chosen:
            self.open_project(chosen)
        elif chosen is not None:
            await self.open_place(Place("memories", query="project:*"))

    def open_project(self, project: str | None) -> None:
        """Look from another project: new lanes, everything is read again."""
        self._close_lanes()
        self.project = project
        self._open_lanes()
        self.news.version, self.counts = None, Counts()
        self.news.count()
        self.news.post(ProjectChanged)

    async def ask(self, dialog: Screen[T]) -> T | None:
        """Return the answer to a dialog; only in a worker that is begun with `asks`/`may_ask`."""
        self.typed.ask_with(get_current_worker(), dialog)
        if self.is_leaving:
            return None
        self.notices.clear_what_was_read()
        return await self.push_screen_wait(dialog)

    async def write_agreed(self, job: Callable[[MemoryCoordinator], T]) -> T:
        """Return the answer of `job` in the write lane, asking for consent. Raises Refused."""
        return await self.changes.carry(lambda core, _progress: job(core))

    # -- work

    def guarded(self, work: Any) -> Any:
        """Return work for `run_worker` whose core errors become notices."""

        async def run() -> Any:
            try:
                answer = work() if callable(work) else work
                return await answer
            except ManagerError as error:
                self.notices.report(error)
            except LaneClosed:
                pass
            return FAILED

        return run

    def run_worker(self, work: Any, *args: Any, **more: Any) -> Worker[Any]:
        """Begin work in the app's name."""
        return super().run_worker(self.guarded(work), *args, **more)

    # -- keys

    async def on_event(self, event: events.Event) -> None:
        """Handle keys one after the other: see `typeahead`."""
        match event:
            case events.Key() | events.Paste() if not event.is_forwarded:
                if self.typed.lets_in(event):
                    await super().on_event(self.typed.fitting(event))
            case _:
                await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """Show why a dimmed key does nothing; later keys wait for its effects."""
        self.typed.is_back = True
        if (active := self.screen.active_bindings.get(event.key)) is not None:
            self.notices.refuse(why_not(active))


def has_few_colours(environment: Mapping[str, str] = os.environ) -> bool:
    """Return True if the terminal says that it has 16 colours or fewer."""
    term = environment.get("TERM", "")
    if environment.get("COLORTERM") or "256" in term or not term or environment.get("NO_COLOR"):
        return False
    return term in ("linux", "vt100", "vt220", "ansi", "xterm-16color", "screen", "xterm-color")


def freeze_what_is_loaded() -> None:
    """Exclude everything loaded now from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
    gc.enable()  # it was off while everything was loaded


def has_hung_up() -> bool:
    """Return True if nothing will ever be read from the terminal again."""
    try:
        terminal = select.poll()
    except AttributeError:  # a system without it
        return False
    terminal.register(sys.__stdin__ or 0, 0)
    return any(state & select.POLLHUP for _, state in terminal.poll(0))
