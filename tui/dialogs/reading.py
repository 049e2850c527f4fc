"""A page to read, on top of a view: headings, and lines of which some open a memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...core.errors import ManagerError
from ..lanes import Lane
from ..sheets import sheet
from ..text import plain

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


class Reading(ModalScreen[str | None]):
    """Answers the id of the memory that is to be opened, or None."""

    CSS_PATH = sheet("dialogs")
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
