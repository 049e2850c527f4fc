"""What the app stands on: its settings, colours and keys, the lanes, and what errors become.

Settings are read once, before the event loop runs; after that nothing here touches the disk
on it.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.markup import escape
from textual.worker import WorkerFailed

from ..core.errors import BadInput, ManagerError, StoreUnusable
from ..themes.loader import MEANINGS, load_themes
from . import remembered
from .glyphs import ASCII, UNICODE, Glyphs
from .lanes import Lane, LaneClosed, Lanes

if TYPE_CHECKING:
    from ..core.coordinator import MemoryCoordinator

DEFAULT_THEME = "memdeck-dark"
KEY_NAME = re.compile(r"(?:(?:ctrl|alt|shift|super)\+)*(?:[a-z0-9_]+|[A-Z])")
NOTICE_SECONDS = 8.0
Motion = Literal["full", "basic", "none"]
SHEETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles")


def system_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


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
        self._last_trouble = ""
        self.animation_level = self._motion()
        self._take_themes(theme)
        self._take_keymap()

    def _read_settings(self) -> Settings:
        """What `[app]` in the settings says; the checks are imported only where there is a file."""
        path = os.path.join(self.home, "config.toml")
        if not os.path.exists(path):
            return Settings()
        from ..core.settings import load_policy

        try:
            app = load_policy([path]).app
        except BadInput as error:
            self.problems.append(f"{error} {error.hint}")
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
        from ..core.coordinator import MemoryCoordinator

        return MemoryCoordinator.open(self.home, self.project, clock=self.clock)

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
