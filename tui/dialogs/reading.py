"""Pages to read, on top of a view: a report of which lines open a memory, and what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...core.errors import ManagerError
from ..lanes import Lane
from ..notices import Said
from ..text import plain
from ..widgets.text_pane import scroll_keys
from .questions import Dialog

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ..reports import Report


class Lines(OptionList):
    """The lines; the cursor stands on those that open a memory."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "cursor_down", "Down", show=False, id="list.down"),
        Binding("k,up", "cursor_up", "Up", show=False, id="list.up"),
        Binding("g,home", "first", "Top", show=False, id="list.first"),
        Binding("G,end", "last", "Bottom", show=False, id="list.last"),
        Binding("ctrl+d,pagedown", "page_down", "Page down", show=False, id="list.page_down"),
        Binding("ctrl+u,pageup", "page_up", "Page up", show=False, id="list.page_up"),
        Binding("enter", "select", "Open", id="reading.open"),
    ]


class Reading(Dialog[str | None]):
    """Answers the id of the memory that is to be opened, or None."""

    HELP = "`j` and `k` go from memory to memory, `enter` opens it on the Deck, `esc` goes back."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", id="reading.leave"),
        Binding("question_mark,f1", "app.help", "Help", key_display="?", id="reading.help"),
    ]

    def __init__(self, title: str, lane: Lane, load: Callable[[MemoryCoordinator], Report]) -> None:
        super().__init__()
        self._title, self._lane, self._load = title, lane, load
        self.lines = Lines(id="reading-lines", markup=False)
        self._head = Static("", classes="dialog-title", markup=False)

    def compose(self) -> ComposeResult:
        with Vertical(id="reading", classes="dialog"):
            yield self._head
            yield self.lines

    def on_mount(self) -> None:
        """Say what is being read; it comes from the lane."""
        self._head.update(plain(f"{self._title} · reading the journal…"))
        self.lines.focus()
        self._read()

    @work(exclusive=True, group="reading")
    async def _read(self) -> None:
        try:
            report = await self._lane.run(self._load)
        except ManagerError as error:
            self._head.update(plain(str(error), "$text-error"))
            return
        if not self.lines.is_attached:
            return  # the app is being taken down
        self._head.update(plain(f"{self._title} · {report.title}"))
        for number, line in enumerate(report.lines):
            if line.is_heading and number:
                self.lines.add_option(Option(Content(" "), disabled=True))
            is_open = line.memory is not None
            name = f"{number}:{line.memory}" if is_open else None
            self.lines.add_option(Option(line.text, id=name, disabled=not is_open))
        self.lines.action_first()
        self.call_after_refresh(self.lines.scroll_home, animate=False)  # its heading, too

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_id is not None:
            self.dismiss(event.option_id.partition(":")[2])

    def action_leave(self) -> None:
        """Back to where one was."""
        self.workers.cancel_node(self)  # an answer that comes late has nowhere to be shown
        self.dismiss(None)


class MessagesText(VerticalScroll, can_focus=True):
    """The text, to scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
    ]


class Messages(Dialog[None]):
    """Answers nothing."""

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
