"""What an act on many would do, in one line, before it is done."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ..sheets import sheet
from ..text import plain


class Preview(ModalScreen[bool]):
    """Answers whether to go on. The act can be undone, so that a line is enough.

    `enter` goes on: it is no act of any list on several memories, so the key that asked never
    answers.
    """

    CSS_PATH = sheet("dialogs")
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
