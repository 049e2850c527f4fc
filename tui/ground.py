"""What the app stands on: its settings, colours and keys, the lanes, and what errors become.

Settings are read once, before the event loop runs; after that nothing here touches the disk
on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, TypeVar

from textual import events
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.markup import escape
from textual.screen import Screen
from textual.worker import WorkerFailed, get_current_worker

from ..core.errors import BadInput, ConsentNeeded, ManagerError, Refused, StoreUnusable
from ..themes.loader import MEANINGS, load_themes
from . import remembered
from .glyphs import ASCII, UNICODE, Glyphs
from .lanes import Lane, LaneClosed, Lanes
from .typeahead import TypedAhead

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

T = TypeVar("T")
DEFAULT_THEME = "memdeck-dark"
KEY_NAME = re.compile(r"(?:(?:ctrl|alt|shift|super)\+)*(?:[a-z0-9_]+|[A-Z])")
NOTICE_SECONDS = 8.0
Motion = Literal["full", "basic", "none"]
SHEETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")


def system_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


def _agreed(job: Callable[[MemoryCoordinator], T], core: MemoryCoordinator) -> T:
    """The answer of `job`, to which the person has said yes."""
    with core.agreeing(lambda _: True):
        return job(core)


def _sheets() -> list[str | PurePath]:
    """Every style sheet, what they share first."""
    names = sorted(name for name in os.listdir(SHEETS) if name.endswith(".tcss"))
    names.sort(key=lambda name: name != "shared.tcss")
    return [os.path.join(SHEETS, name) for name in names]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person set for the app: `AppPolicy`, without the library that checks it."""

    theme: str = DEFAULT_THEME
    ascii_glyphs: bool = False
    motion: Motion = "full"
    keymap: Mapping[str, str] = field(default_factory=dict)


class Ground(App[None], inherit_bindings=False):
    """An app with a home, four lanes, our themes, and one place for errors."""

    CSS_PATH = _sheets()

    def __init__(
        self,
        home: str,
        project: str | None,
        *,
        clock: Callable[[], datetime] | None,
        theme: str | None,
    ) -> None:
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.home, self.project = home, project
        self.clock = clock or system_clock
        self.problems: list[str] = []  # what was wrong with settings and themes, said once
        self.settings = self._read_settings()
        self.memory_of_last_run = remembered.load(home)
        self.glyphs: Glyphs = ASCII if self.settings.ascii_glyphs else UNICODE
        self.lanes = Lanes(self._open_core)
        self.typed = TypedAhead(self)
        self._last_trouble = ""
        self.animation_level = self._motion()
        self._take_themes(theme)
        self._take_keymap()

    def _read_settings(self) -> Settings:
        """What `[app]` in the home's settings says; what cannot be used is a problem, said once.

        The checks are imported only where there is a file.
        """
        from ..core.projects import identify

        root = ""
        if self.project is None or os.path.isdir(self.project):
            with contextlib.suppress(FileNotFoundError):  # the folder we are in may be gone
                root = identify(self.project or os.curdir).root
        files = [os.path.join(self.home, "config.toml"), os.path.join(root, ".memdeck.toml")]
        if not any(os.path.exists(path) for path in files):
            return Settings()
        from ..core.config.settings import files_of, load_policy, problems_in

        self.problems += map(str, problems_in(files_of(files[0], root)))
        try:
            app = load_policy(files[:1]).app
        except BadInput:
            return Settings()
        return Settings(app.theme, app.ascii_glyphs, app.motion, app.keymap)

    def _motion(self) -> Motion:
        return "none" if os.environ.get("NO_MOTION") else self.settings.motion

    def _take_themes(self, wanted: str | None) -> None:
        """Register our themes, and put on the wanted one: given, chosen last, or configured."""
        themes, problems = load_themes(os.path.join(self.home, "themes"))
        self.problems += problems
        for known in themes:
            self.register_theme(known)
        last = self.memory_of_last_run
        chosen = last.theme if last.theme_instead_of == self.settings.theme else ""
        for name in (wanted, chosen, self.settings.theme, DEFAULT_THEME):
            if name and name in self.available_themes:
                self.theme = name
                return
            if name and name != chosen:
                self.problems.append(f"No theme is called {name}.")

    def _take_keymap(self) -> None:
        """The person's own keys; an id that does not exist is said, not obeyed."""
        keymap = dict(self.settings.keymap)
        if not keymap:
            return
        from .acts import every_act

        known = every_act().keys() | self.own_ids()
        for act, keys in self.settings.keymap.items():
            if act not in known:
                del keymap[act]
                self.problems.append(f"keymap: no act is called {act}.")
            elif not all(KEY_NAME.fullmatch(key.strip()) for key in keys.split(",")):
                del keymap[act]
                self.problems.append(f"keymap: {act} = {keys!r} is no key.")
        if keymap:
            self.set_keymap(keymap)

    def own_ids(self) -> set[str]:
        """The ids of the app's own bindings."""
        return {one.id for one in self.BINDINGS if isinstance(one, Binding) and one.id is not None}

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

    # -- the lanes, by what they are for

    def _open_core(self) -> MemoryCoordinator:
        from ..core.compat import MemoryCoordinator

        core = MemoryCoordinator.open(self.home, self.project, clock=self.clock)
        if problems := core.problems_at_opening():
            self.call_later(self._tell_of_the_journal, problems)
        return core

    def _tell_of_the_journal(self, problems: list[str]) -> None:
        """What was no record and had to go: the one who opens the store is told, once."""
        self.notify(
            "\n".join(problems),
            title="In the journal",
            markup=False,
            severity="warning",
            timeout=NOTICE_SECONDS,
        )

    @property
    def search(self) -> Lane:
        """Queries, facets, explanations."""
        return self.lanes.search

    @property
    def pages(self) -> Lane:
        """Rows, one memory: what must come at once."""
        return self.lanes.pages

    @property
    def write(self) -> Lane:
        """Every act, in order."""
        return self.lanes.write

    @property
    def slow(self) -> Lane:
        """Counts, and whatever takes long."""
        return self.lanes.slow

    # -- keys, and the dialogs that they are for

    async def on_event(self, event: events.Event) -> None:
        """Keys are heard in their turn: see `typeahead`."""
        match event:
            case events.Key() | events.Paste() if not event.is_forwarded:
                if self.typed.lets_in(event):
                    await super().on_event(event)
            case _:
                await super().on_event(event)

    async def ask(self, dialog: Screen[T]) -> T | None:
        """The answer to a dialog; only in a worker that is begun with `asks` or `may_ask`."""
        self.typed.ask_with(get_current_worker(), dialog)
        return await self.push_screen_wait(dialog)

    async def write_agreed(self, job: Callable[[MemoryCoordinator], T]) -> T:
        """The answer of `job` in the write lane; what needs the person's yes is asked in between.

        From a worker. Raises Refused for a no.
        """
        try:
            return await self.write.run(job)
        except ConsentNeeded as needed:
            from .dialogs.confirm import Confirm

            question = Confirm(needed.question, "It can be taken back with undo.", "Yes, tell all")
            if not await self.ask(question):
                raise Refused("Nothing was saved: it was not agreed to.", hint="") from None
            return await self.write.run(partial(_agreed, job))

    # -- from one run to the next

    def save_setting(self, name: str, value: str) -> None:
        """Remember a choice made in the app; `name` is `theme`."""
        if name == "theme":
            self.remember(theme=value, theme_instead_of=self.settings.theme)

    def remember(self, **what: object) -> None:
        """Carry this over to the next run."""
        self.memory_of_last_run = replace(self.memory_of_last_run, **what)  # type: ignore[arg-type]
        self.run_worker(self.save_memory(), group="remember", exclusive=True)

    async def save_memory(self) -> None:
        """Write down what is carried over; not on the event loop."""
        await asyncio.to_thread(remembered.save, self.home, self.memory_of_last_run)

    # -- errors

    def report(self, error: ManagerError) -> None:
        """The one place where a core error becomes a notice."""
        text = f"{error} {error.hint}".strip()
        if isinstance(error, StoreUnusable) and text == self._last_trouble:
            return  # several lanes stumble over the same thing
        self._last_trouble = text
        self.notify(
            escape(error.hint) or " ",
            title=escape(str(error)),
            severity="error" if isinstance(error, StoreUnusable) else "warning",
            timeout=NOTICE_SECONDS,
        )

    def _handle_exception(self, error: Exception) -> None:
        """Core's own errors are for the person; anything else is a bug and keeps its traceback."""
        cause: BaseException = error
        while isinstance(cause, WorkerFailed):
            cause = cause.error
        if isinstance(cause, ManagerError):
            self.report(cause)
        elif not isinstance(cause, LaneClosed):
            super()._handle_exception(error)
