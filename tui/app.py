"""The App: what the store tells, acts and how they are taken back, dialogs."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events, on, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.message import Message
from textual.screen import Screen

from ..core.errors import StoreUnusable
from .acts import (
    APP_ACTS,
    SETUP_ACTS,
    Act,
    Done,
    bindings,
    carry_out,
    entry_words,
    with_undone,
)
from .connecting import Connecting
from .footer import Keys, why_not
from .ground import NOTICE_SECONDS
from .lanes import Lane, Lanes
from .large_acts import Progress
from .messages import CountsChanged, MemoriesChanged, ProjectChanged
from .stage import VIEWS, Header, Place, Stage, Standing, TooSmall
from .text import counted
from .typeahead import asks, may_ask

if TYPE_CHECKING:
    from ..core.agents import Agents
    from ..core.compat import MemoryCoordinator
    from .views.deck import Deck

T = TypeVar("T")

LOOK_SECONDS = 0.5  # how often the store is looked at for what others wrote
LARGE_SECONDS = 0.05  # how often an act is looked at that may turn out to be large
REFUSAL_SECONDS = 3.0  # how long it is said why a key does nothing


def _memory_provider() -> type[Provider]:
    from .palette import MemoryProvider  # the palette pays for it, not the start

    return MemoryProvider


class MemoryApp(Connecting, inherit_bindings=False):
    """memdeck in a terminal."""

    TITLE = "memdeck"
    COMMANDS = App.COMMANDS | {_memory_provider}
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (40, "-narrow"), (80, "-normal"), (120, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (10, "-low"), (16, "-short"), (24, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(APP_ACTS),
        *(
            Binding(
                view.key,
                f"view('{view.name}')",
                view.label,
                show=False,
                id=f"view.{view.name}",
                tooltip=f"Goes to the {view.label}.",
            )
            for view in VIEWS.values()
        ),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]

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
        super().__init__(home, project, clock=clock, theme=theme, agents=agents)
        self.standing = Standing()
        self._was_sent = bool(view or query or select)
        self._start = self._first_place(view, query, select)
        self._version: int | None = None
        self._looks_in: Lane | None = None  # where a look is under way
        self._refusal = ("", 0.0)  # why a key did nothing, and when that was said

    def _first_place(self, view: str | None, query: str, select: str | None) -> Place:
        """Where to begin: what was asked for, else where one left off."""
        last = self.memory_of_last_run
        name = view or ("deck" if query or select else last.view)
        name = name if name in VIEWS else "deck"
        order = f"sort:{last.sort}" if last.sort and not query and name == "deck" else ""
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

    # -- coming and going

    def compose(self) -> ComposeResult:
        yield Stage(self.glyphs, id="stage")
        yield TooSmall()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the palette offers besides memories."""
        from .palette import system_commands

        return system_commands(self, screen)

    async def on_mount(self) -> None:
        """Open the first view; the store is opened behind it."""
        for problem in self.problems:
            self.notify(problem, title="Settings", severity="warning", markup=False)
        self._look()  # before anything is read: what is written from now on is news
        await self.stage.go(self._start.view)
        if self._start.query or self._start.memory:
            await self.go_to(self._start)
        self.count()
        if not self._was_sent:
            self.welcome_the_first_time()
        self.set_interval(LOOK_SECONDS, self._look)
        self.set_timer(0.5, _freeze)

    def on_unmount(self) -> None:
        """Let the lanes' threads end."""
        self.typed.close()
        self.lanes.close()
        self.leave_agents()

    async def action_leave(self) -> None:
        """Quit, unless a dialog guards something unsaved."""
        guard = getattr(self.screen, "guard_leaving", None)
        if callable(guard) and guard():
            return
        deck = self.stage.view("deck")
        if deck is not None:
            await self._carry_over(cast("Deck", deck))
        self.exit()

    async def _carry_over(self, deck: Deck) -> None:
        """View, order, queries and the cursor's memory survive until the next run."""
        place = deck.place()
        memories = dict(self.memory_of_last_run.memories)
        memories.pop(self._project_key, None)
        if place.memory is not None:
            memories[self._project_key] = place.memory
        queries = tuple(deck.box.history)
        self.memory_of_last_run = replace(
            self.memory_of_last_run,
            view=self.view,
            sort=deck.asked.sort or "",
            queries=queries,
            memories=memories,
        )
        await self.save_memory()

    # -- what the store tells

    @work(exclusive=True, group="count")
    async def count(self) -> None:
        """Read the counts of the header anew."""
        standing = await self.slow.run(
            lambda core: Standing.of(
                core.project.name, core.stats(), core.waiting_count(), core.switches
            )
        )
        if standing != self.standing and self.has_stage:
            self.standing = standing
            self.stage.header.say(standing)
            self.tell(CountsChanged)

    @work(group="look")
    async def _look(self) -> None:
        """See whether somebody else wrote; a look that takes long is not cut short by the next."""
        lane = self.pages
        if self._looks_in is lane:
            return
        self._looks_in = lane
        try:
            version = await lane.run(lambda core: core.data_version())
        except StoreUnusable:
            return  # the view that could not read has said so
        finally:
            if self._looks_in is lane:
                self._looks_in = None
        if lane is not self.pages:
            return  # another project is looked at by now
        if self._version is not None and version != self._version:
            self.count()
            self.tell(MemoriesChanged)
        self._version = version

    async def wrote(
        self, ids: Sequence[str], *, goes_to: str | None = None, undid: int | None = None
    ) -> None:
        """After a write of our own: nobody else's news, but everything shown may have changed."""
        self._version = await self.pages.run(lambda core: core.data_version())
        self.count()
        self.tell(lambda: MemoriesChanged(tuple(ids), goes_to, undid))

    def tell(self, make: Callable[[], Message]) -> None:
        """Pass a message to every view that has been visited; to none once the app is leaving."""
        for view in self.stage.mounted_views if self.has_stage else ():
            view.post_message(make())

    # -- acts

    @may_ask
    async def change(self, name: str, nums: Sequence[int]) -> bool:
        """Carry out a change on these rows, show what came of it, and how to take it back."""
        done = await self.carry(
            lambda core, progress: carry_out(core, name, nums, progress), len(nums)
        )
        await self.say_done(done)
        return done.error is None

    async def say_done(self, done: Done) -> None:
        """Show what an act came to, and how to take it back."""
        if done.ids:
            await self.wrote(done.ids)
        self.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.report(done.error)

    async def carry(self, job: Callable[[MemoryCoordinator, Progress], T], total: int = 0) -> T:
        """The answer of a job in the write lane; one on many shows how far it is, and can be
        stopped between two transactions.

        `total`: on how many, where that is known before the job says so itself.
        """
        progress = Progress(total)
        writing = asyncio.ensure_future(self.write.run(lambda core: job(core, progress)))
        while not writing.done():
            if progress.is_large:
                from .dialogs.working import Working

                await self.ask(Working(writing, progress))
                break
            await asyncio.wait({writing}, timeout=LARGE_SECONDS)
        return await writing

    @may_ask
    async def act_undo(self, seq: int | None = None) -> None:
        """Take back entry `seq`, or the newest act that still stands, whoever did it where."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.undo(seq, progress=progress))
        )
        await self.wrote(entry.memories, undid=entry.undoes)
        self.toast(f"Undid {entry_words(taken or entry)}. [@click=app.redo]Redo (ctrl+r)[/]")

    def action_undo(self) -> None:
        """Take back the newest act."""
        self.act_undo()

    @may_ask
    async def action_redo(self) -> None:
        """Do again what was just undone."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.redo(progress=progress))
        )
        await self.wrote(entry.memories, undid=entry.undoes)
        back = await self.write.run(lambda core: with_undone(core, taken)[1] if taken else None)
        self.toast(f"Did again {entry_words(back or entry)}.", undo=True)

    def toast(self, sentence: str, *, undo: bool = False) -> None:
        """A notice after an act. `sentence` is markup: memory text in it comes from `quoted`."""
        if undo:
            sentence += " [@click=app.undo]Undo (u)[/]"
        self.keep_notices_off_the_cursor()
        self.notify(sentence, timeout=NOTICE_SECONDS)

    def keep_notices_off_the_cursor(self) -> None:
        """Notices stand at the bottom, or at the top while the cursor is down there."""
        line = getattr(self.stage.view(self.view), "cursor_line", None)
        row = line() if callable(line) else None
        is_low = row is not None and row > self.size.height - 9
        self.screen_stack[0].set_class(is_low, "-notices-above")

    # -- dialogs

    def action_help(self) -> None:
        """Every key that works here."""
        from .dialogs.help import HelpScreen

        self.push_screen(HelpScreen.of(self.screen))

    def action_theme(self) -> None:
        """Choose a theme."""
        from .dialogs.themes import ThemePicker

        self.push_screen(ThemePicker())

    def action_command_line(self) -> None:
        """Type the name of an act."""
        from .dialogs.command_line import CommandLine

        def carry(act: Act | None) -> None:
            if act is not None:
                self.run_act(act)

        self.push_screen(CommandLine(self.acts_here()), carry)

    def action_jump(self) -> None:
        """Go to a pane by its letter."""
        from .dialogs.jump import Jump

        targets = getattr(self.stage.view(self.view), "panes", None)
        if callable(targets):
            self.push_screen(Jump(targets()))

    @asks
    async def action_project(self) -> None:
        """Look at another project."""
        from .dialogs.menu import Choice, Menu

        projects = await self.pages.run(lambda core: core.projects())
        choices = [
            Choice(project.id, project.name, counted(project.memories, "memory", "memories"))
            for project in projects
        ]
        chosen = await self.ask(Menu("Project", choices))
        if chosen is not None:
            self.open_project(chosen)

    def open_project(self, project: str) -> None:
        """Look from another project: new lanes, everything read anew."""
        self.lanes.close()
        self.project, self._version, self.standing = project, None, Standing()
        self.lanes = Lanes(self._open_core)
        self.count()
        self.tell(ProjectChanged)

    # -- one registry, three doors: keys, palette, command line

    def acts_here(self) -> list[Act]:
        """Every act of the view that is shown, then those of the app."""
        acts = getattr(self.stage.view(self.view), "ACTS", ())
        return [*acts, *APP_ACTS, *SETUP_ACTS]

    def run_act(self, act: Act) -> None:
        """Carry out an act as its key would: on the view that is shown, else on the app."""
        view = self.stage.view(self.view)
        owner = self if act in (*APP_ACTS, *SETUP_ACTS) or view is None else view
        self.call_later(self.run_action, act.action, owner)

    def on_key(self, event: events.Key) -> None:
        """Say why a dimmed key does nothing; once, however often it is pressed."""
        active = self.screen.active_bindings.get(event.key)
        reason = "" if active is None else why_not(active)
        now = time.monotonic()
        if reason and (reason != self._refusal[0] or now - self._refusal[1] > REFUSAL_SECONDS):
            self._refusal = reason, now
            self.keep_notices_off_the_cursor()
            self.notify(reason, timeout=REFUSAL_SECONDS, markup=False)

    @on(Keys.Pressed)
    def _key_clicked(self, event: Keys.Pressed) -> None:
        self.simulate_key(event.key)

    @on(Header.Clicked)
    async def _header_clicked(self, event: Header.Clicked) -> None:
        name, _, rest = event.act.partition(":")
        if name == "view":
            await self.action_view(rest)
        elif name == "project":
            self.action_project()
        else:
            await self.action_view("deck")
            cast("Deck", self.stage.view("deck")).ask_for(f"is:{name}")


def _freeze() -> None:
    """Collector pauses are the longest stalls: what is here now is here to stay."""
    gc.collect()
    gc.freeze()


def run_app(
    home: str,
    project: str | None = None,
    *,
    query: str = "",
    view: str | None = None,
    select: str | None = None,
    theme: str | None = None,
    clock: Callable[[], datetime] | None = None,
    agents: Agents | None = None,
) -> None:
    """Run the app until the person leaves it; `agents` are those of this machine."""
    MemoryApp(
        home,
        project,
        query=query,
        view=view,
        select=select,
        theme=theme,
        clock=clock,
        agents=agents,
    ).run()
