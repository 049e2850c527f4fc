"""A yes asked for before what cannot be taken back, and one line asked for."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from ..sheets import sheet
from ..text import button_label, plain


class Confirm(ModalScreen[bool]):
    """Asks once, with the consequence; the answer is no unless the person says yes.

    Both buttons say what they do. No act that asks has `y` for its key: one held down or hit twice
    changes nothing.
    """

    CSS_PATH = sheet("dialogs")
    HELP = "Answers a question. Nothing happens unless you choose to go on."

    BINDINGS = [
        Binding("y", "yes", "Yes", id="confirm.yes"),
        Binding("n,escape", "no", "No", id="confirm.no"),
        Binding("left,right", "app.focus_next", "Other button", id="confirm.other", show=False),
    ]

    def __init__(
        self,
        question: str,
        consequence: str,
        yes_label: str,
        *,
        no_label: str = "Leave it as it is",
    ) -> None:
        super().__init__()
        self._question, self._consequence, self._yes_label = question, consequence, yes_label
        self._no_label = no_label

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm", classes="dialog"):
            yield Static(plain(self._question), id="confirm-question")
            yield Static(plain(self._consequence), id="confirm-consequence")
            with Horizontal(id="confirm-buttons"):
                yield Button(button_label(self._no_label, "n"), id="confirm-no")
                yield Button(button_label(self._yes_label, "y"), id="confirm-yes")

    def on_mount(self) -> None:
        """Focus stands on no."""
        self.query_one("#confirm-no").focus()

    @on(Button.Pressed, "#confirm-yes")
    def action_yes(self) -> None:
        """Go on."""
        self.dismiss(True)

    @on(Button.Pressed, "#confirm-no")
    def action_no(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)


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
