"""`memdeck pick`: a few lines below the prompt in which one finds a memory, and nothing else.

What is shown goes to standard error, so that standard output carries the answer alone.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..core.errors import ManagerError
from ..core.values import ms_of
from ..themes.loader import MEANINGS, load_themes
from .lanes import Lane
from .settings import DEFAULT_THEME, read_settings
from .text import age, counted, fit, one_line, plain

if TYPE_CHECKING:
    from datetime import datetime

    from ..core.answers import Row
    from ..core.compat import MemoryCoordinator

SHOWN = 8
"""Memories below the words."""

WAIT_SECONDS = 0.06  # a burst of letters is one question


class Picker(App[str]):
    """Asks for one memory; its answer is the memory's id, or None."""

    ENABLE_COMMAND_PALETTE = False
    CSS = f"""
    Screen:inline {{ height: auto; border: none; padding: 0; }}
    Input {{ border: none; height: 1; padding: 0 1; background: $surface; }}
    OptionList {{
        border: none; padding: 0; height: auto; max-height: {SHOWN}; background: $surface;
    }}
    #about {{ color: $text-muted; height: 1; padding: 0 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "leave", "Leave", priority=True),
        Binding("down,ctrl+n", "move(1)", "Down", priority=True),
        Binding("up,ctrl+p", "move(-1)", "Up", priority=True),
    ]

    def __init__(
        self,
        home: str,
        project: str | None,
        open_core: Callable[[], MemoryCoordinator],
        now: Callable[[], datetime],
        query: str = "",
    ) -> None:
        super().__init__()
        self._lane = Lane("pick", open_core)
        self._query, self._now = query, now
        self.rows: Sequence[Row] = ()
        themes, _ = load_themes(f"{home}/themes")
        for theme in themes:
            self.register_theme(theme)
        wanted = read_settings(home, project)[0].theme
        self.theme = wanted if wanted in self.available_themes else DEFAULT_THEME

    def run(self, **options: Any) -> str | None:
        """Ask, as wide as the terminal is: standard output, of which Textual asks the size, is a
        pipe where a shell waits for the answer."""
        shown_on = sys.__stdout__
        sys.__stdout__ = sys.__stderr__  # type: ignore[misc]  # final, so that nobody does it lightly
        try:
            return super().run(**options)
        finally:
            sys.__stdout__ = shown_on  # type: ignore[misc]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our meanings, so that a sheet may name them under every theme."""
        return {**super().get_theme_variable_defaults(), **MEANINGS}

    def compose(self) -> ComposeResult:
        hint = "words, or filters: tag:  is:pinned  created:<7d"
        yield Input(self._query, placeholder=hint, select_on_focus=False)
        yield OptionList(id="found")
        yield Static("", id="about", markup=False)

    def on_mount(self) -> None:
        """Begin with what was given."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._find(self._query, wait=0.0)

    def on_unmount(self) -> None:
        """Let the lane's thread end."""
        self._lane.close()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._find(event.value, wait=WAIT_SECONDS)

    def _find(self, words: str, *, wait: float) -> None:
        self.run_worker(self._ask(words, wait), exclusive=True, group="find")

    async def _ask(self, words: str, wait: float) -> None:
        await asyncio.sleep(wait)
        try:
            self.rows, count = await self._lane.run(lambda core: _found(core, words))
            says = counted(count, "memory", "memories")
        except ManagerError as error:
            self.rows, says = (), str(error)
        now_ms = ms_of(self._now())
        room = max(self.size.width - 24, 12)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(
            Option(
                Content.assemble(
                    plain(fit(one_line(row.title), room)),
                    (f"  {row.type:12}{age(row.created_ms, now_ms)}", "$text-muted"),
                ),
                id=row.id,
            )
            for row in self.rows
        )
        options.highlighted = 0 if self.rows else None
        self.query_one("#about", Static).update(f"{says} · enter takes it, esc leaves")

    def action_move(self, step: int) -> None:
        """Up or down among what was found."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def action_leave(self) -> None:
        """Take nothing."""
        self.exit(None)

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _taken(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self.rows):
            self.exit(self.rows[at].id)


def _found(core: MemoryCoordinator, words: str) -> tuple[Sequence[Row], int]:
    """The best rows for the words, and how many there are; runs in the lane."""
    found = core.find(words, phase="ranked")
    return core.rows(found.nums[:SHOWN]), len(found.nums)
