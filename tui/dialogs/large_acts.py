"""What an act on many would do, in one line; and how far it is, with the key that stops it."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from ..changes import Progress, time_left
from ..text import plain
from .questions import Dialog


class Preview(Dialog[bool]):
    """Answers whether to go on. The act can be undone, so that a line is enough.

    `enter` goes on: it is no act of any list on several memories, so the key that asked never
    answers.
    """

    HELP = "An act on several memories, and what it would do. `enter` goes on, `esc` leaves them."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "Go on", id="preview.go_on"),
        Binding("escape", "cancel", "Cancel", id="preview.cancel"),
    ]

    def __init__(self, effect: str) -> None:
        super().__init__()
        self._effect = effect

    def compose(self) -> ComposeResult:
        with Horizontal(id="preview"):
            yield Static(plain(self._effect), id="preview-effect")
            for binding, name in zip(self.BINDINGS, ("go-on", "cancel"), strict=True):
                assert isinstance(binding, Binding)
                told = Content.assemble(
                    (self.app.get_key_display(binding), "bold $footer-key-foreground"),
                    (f" {binding.description}", "$text-muted"),
                )
                yield Static(told, id=f"preview-{name}", classes="preview-key", markup=False)

    def on_click(self, event: events.Click) -> None:
        """The two keys can be clicked."""
        clicked = event.widget.id if event.widget is not None else None
        if clicked in ("preview-go-on", "preview-cancel"):
            event.stop()
            self.dismiss(clicked == "preview-go-on")

    def action_go_on(self) -> None:
        """Do it."""
        self.dismiss(True)

    def action_cancel(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)


LOOK_SECONDS = 0.1
BAR_CELLS = 40


class Working(Dialog[None]):
    """Stands until `writing` has come to its end; `esc` stops it between two transactions."""

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
