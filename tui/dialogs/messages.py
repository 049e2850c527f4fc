"""What was said in this run, the newest first: each notice, and what lay behind an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ..notices import Said
from ..sheets import sheet
from ..text import plain
from ..widgets.text_pane import scroll_keys


class MessagesText(VerticalScroll, can_focus=True):
    """The text, to scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
    ]


class Messages(ModalScreen[None]):
    """Answers nothing."""

    CSS_PATH = sheet("dialogs")
    HELP = "Everything that was said since the app was opened. `esc` goes back."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "leave", "Back", id="messages.leave"),
        Binding("question_mark", "app.help", "Help", key_display="?", id="messages.help"),
    ]

    def __init__(self, said: Iterable[Said]) -> None:
        super().__init__()
        self._said = tuple(said)

    def compose(self) -> ComposeResult:
        with Vertical(id="reading"):
            yield Static("Messages", classes="dialog-title", markup=False)
            with MessagesText():
                yield Static(Content("\n").join(list(_lines(self._said))), markup=False)
            yield Static(plain("j k scroll  esc back", "$text-muted"), markup=False)

    def on_mount(self) -> None:
        """Keys scroll."""
        self.query_one(MessagesText).focus()

    def action_leave(self) -> None:
        """Back to where one was."""
        self.dismiss(None)


def _lines(said: tuple[Said, ...]) -> Iterator[Content]:
    if not said:
        yield plain("Nothing was said yet.", "$text-muted")
    for one in reversed(said):
        moment = f"{datetime.fromtimestamp(one.at).astimezone():%H:%M:%S}  "
        yield Content.assemble((moment, "$text-muted"), plain(one.title or one.text, "bold"))
        if one.title and one.text:
            yield plain(f"          {one.text}")
        for line in one.cause.splitlines():
            yield plain(f"          {line}", "$text-muted")
        yield Content("")
