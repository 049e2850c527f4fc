"""A question before what cannot be taken back."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from ..sheets import sheet
from ..text import one_line, plain


class Confirm(ModalScreen[bool]):
    """Asks once, with the consequence; the answer is no unless the person says yes.

    Both buttons say what they do. With `typed` the word must be written out before yes is
    possible. `asked_with` is the key that asked: it never says yes, so that a key held down or
    hit twice changes nothing.
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
        typed: str | None = None,
        *,
        no_label: str = "Leave it as it is",
        asked_with: str = "",
    ) -> None:
        super().__init__()
        self._question, self._consequence, self._yes_label = question, consequence, yes_label
        self._typed, self._no_label = typed, no_label
        self._asked_with = asked_with

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm", classes="dialog"):
            yield Static(plain(self._question), id="confirm-question")
            yield Static(plain(self._consequence), id="confirm-consequence")
            if self._typed is not None:
                yield Static(plain(f"Type {self._typed} to go on."), id="confirm-how")
                yield Input(placeholder=one_line(self._typed), id="confirm-word")
            with Horizontal(id="confirm-buttons"):
                yield Button(
                    self._label(self._no_label, "n" if self._typed is None else "esc"),
                    id="confirm-no",
                )
                key = "y" if self._can_say_y else "" if self._typed is None else "enter"
                yes = self._label(self._yes_label, key)
                yield Button(yes, id="confirm-yes", disabled=self._typed is not None)

    @staticmethod
    def _label(words: str, key: str) -> Content:
        """What a button says, with the key that presses it."""
        return Content.assemble(plain(words), (f"  {key}" if key else "", "$text-muted"))

    def on_mount(self) -> None:
        """Focus stands on no, or where the word is to be typed."""
        self.query_one("#confirm-no" if self._typed is None else "#confirm-word").focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`y` is no key where a word is asked for, nor where it is the key that asked."""
        if action == "yes":
            return self._can_say_y
        return super().check_action(action, parameters)

    @property
    def _can_say_y(self) -> bool:
        return self._typed is None and self._asked_with != "y"

    def _is_typed(self) -> bool:
        return self.query_one("#confirm-word", Input).value.strip() == self._typed

    @on(Input.Changed, "#confirm-word")
    def _typed_on(self) -> None:
        self.query_one("#confirm-yes", Button).disabled = not self._is_typed()

    @on(Input.Submitted, "#confirm-word")
    def _submitted(self) -> None:
        if self._is_typed():
            self.dismiss(True)

    @on(Button.Pressed, "#confirm-yes")
    def action_yes(self) -> None:
        """Go on."""
        self.dismiss(True)

    @on(Button.Pressed, "#confirm-no")
    def action_no(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)
