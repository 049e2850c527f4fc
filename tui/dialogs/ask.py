"""One line asked for, with a word about what it is for."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ..sheets import sheet
from ..text import plain


class Ask(ModalScreen[str | None]):
    """Answers the line, or None when it was left."""

    CSS_PATH = sheet("dialogs")
    HELP = "Write the line and press `enter`. `esc` leaves everything as it is."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take", id="ask.take", priority=True),
        Binding("escape", "leave", "Leave", id="ask.leave"),
    ]

    def __init__(self, title: str, about: str, value: str = "", placeholder: str = "") -> None:
        super().__init__()
        self._title, self._about = title, about
        self._value, self._placeholder = value, placeholder

    def compose(self) -> ComposeResult:
        with Vertical(id="ask", classes="dialog"):
            yield Static(plain(self._title), classes="dialog-title")
            box = Input(self._value, placeholder=self._placeholder, id="ask-line", compact=True)
            box.cursor_blink, box.select_on_focus = False, False
            yield box
            yield Static(plain(self._about, "$text-muted"), id="ask-about")

    def on_mount(self) -> None:
        self.query_one("#ask-line").focus()

    def action_take(self) -> None:
        """The line as it stands."""
        self.dismiss(self.query_one(Input).value)

    def action_leave(self) -> None:
        self.dismiss(None)
