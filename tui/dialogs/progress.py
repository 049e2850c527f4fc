"""How far a large act is, and the key that stops it."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ..changes import Progress, time_left
from ..sheets import sheet

LOOK_SECONDS = 0.1
BAR_CELLS = 40


class Working(ModalScreen[None]):
    """Stands until `writing` has come to its end; `esc` stops it between two transactions."""

    CSS_PATH = sheet("dialogs")
    HELP = "Something large is being written. `esc` stops it: what was done until then stays."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop", id="working.stop"),
    ]

    def __init__(self, writing: asyncio.Future[Any], progress: Progress) -> None:
        super().__init__()
        self._writing, self._progress = writing, progress

    def compose(self) -> ComposeResult:
        with Vertical(id="working", classes="dialog"):
            yield Static("Working", classes="dialog-title")
            yield Static("", id="working-bar", markup=False)
            yield Static("", id="working-count", markup=False)

    def on_mount(self) -> None:
        """Look at once, and then again and again."""
        self.set_interval(LOOK_SECONDS, self._look)
        self._look()

    def _look(self) -> None:
        if self._writing.done():
            if self.is_current:
                self.dismiss(None)
            return
        done, total = self._progress.done, self._progress.total
        filled = BAR_CELLS * done // total if total else 0
        self.query_one("#working-bar", Static).update(
            Content.assemble(
                ("━" * filled, "$text-accent"), ("─" * (BAR_CELLS - filled), "$text-muted")
            )
        )
        left = self._progress.seconds_left
        rest = "" if left is None else f" · {time_left(left)} left"
        rest = " · stopping …" if self._progress.is_stopped else rest
        self.query_one("#working-count", Static).update(f"{done:,} of {total:,}{rest}")

    def action_stop(self) -> None:
        """Stop after the transaction that is under way."""
        self._progress.is_stopped = True
        self._look()

    def guard_leaving(self) -> bool:
        """Whoever leaves the app does not wait for the rest."""
        self._progress.is_stopped = True
        return False
