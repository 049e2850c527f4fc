"""A digest, what differs between two times, and what was said: pages to read on top of a view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ..core.errors import ManagerError
from ..frozen import dataclass
from .dialogs.questions import Dialog
from .lanes import Lane
from .notices import Said
from .text import counted, one_line, plain
from .typeahead import asks
from .view import Place
from .widgets.text_pane import scroll_keys

if TYPE_CHECKING:
    from ..core.answers import ChangedMemory, Changes
    from ..core.compat import MemoryCoordinator
    from ..core.services.digest import Digest
    from .view import Desk


MOST_SHOWN = 200
"""Memories listed of one kind; `memdeck diff` prints all."""

BY = {"person": "you", "agent": "an agent", "rule": "upkeep"}
SIGNS = {"added": ("+", "$text-success"), "changed": ("~", "$text-warning"),
         "retired": ("−", "$text-error"), "restored": ("^", "$text-success")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One line; a heading stands apart, and `memory` is the id of what enter opens."""

    text: Content
    memory: str | None = None
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a page says: its title, and its lines."""

    title: str
    lines: tuple[Line, ...]


class Reports:
    """Opens pages to read, over any view."""

    def __init__(self, app: Desk) -> None:
        self.app = app

    @asks
    async def digest(self) -> None:
        """What changed in the last seven days."""
        await self.show("Digest", digest_report)

    async def show(self, title: str, load: Callable[[MemoryCoordinator], Report]) -> None:
        """Show a page; the memory that is chosen on it is opened on the Deck. In a worker."""
        chosen = await self.app.ask(Reading(title, self.app.slow, load))
        if chosen is not None:
            await self.app.navigation.open(Place("deck", memory=chosen))


def digest_report(core: MemoryCoordinator) -> Report:
    """What changed in the last seven days. Runs in a lane."""
    made = core.services.digest_book.digest()
    title = f"Since {_day(made.since.at)}"
    return Report(title, tuple(_digest_lines(made)))


def difference_report(
    core: MemoryCoordinator, since: datetime | int, until: datetime | int | None
) -> Report:
    """What differs between two times. Runs in a lane; raises NotFound, BadInput."""
    made = core.changes(since, until)
    title = f"From {_minute(made.since.at)} to {_minute(made.until.at)}"
    return Report(title, tuple(_difference_lines(made)))


def _digest_lines(made: Digest) -> Iterator[Line]:
    if made.is_empty:
        yield Line(plain("Nothing changed, and no agent was told anything.", "$text-muted"))
        return
    if made.new_count:
        waiting = f" · {made.waiting:,} waiting in the Inbox" if made.waiting else ""
        yield _heading("New", counted(made.new_count, "memory", "memories") + waiting)
        for one in made.new:
            yield _item("★" if one.status == "pinned" else "+", "$text-success", one.title, one.id)
    if made.corrected_count:
        yield _heading("Corrected", counted(made.corrected_count, "memory", "memories"))
        for said in made.corrected:
            yield _item("−", "$text-error", said.before, None)
            if said.after:
                yield _item("+", "$text-success", said.after, said.id)
    if made.retired_count:
        yield _heading("Retired, and why", counted(made.retired_count, "memory", "memories"))
        for left in made.retired:
            why = f": {one_line(left.reason)}" if left.reason else ""
            told = f"{left.count:,} {left.retired_as or 'taken back'} by {BY[left.actor]}{why}"
            yield Line(plain(f"  {told}", "$text-muted"))
            for one in left.memories:
                yield _item("  ·", "$text-muted", one.title, one.id)
    if made.restored_count:
        yield _heading("Restored", counted(made.restored_count, "memory", "memories"))
        for one in made.restored:
            yield _item("^", "$text-success", one.title, one.id)
    if made.opened or made.decided:
        yield _heading("Conflicts", f"{made.opened:,} found, {made.decided:,} decided")
        for pair in made.conflicts:
            sign = "≠" if pair.verdict is None else "✓"
            both = f"{one_line(pair.first)} ≠ {one_line(pair.second)}"
            yield _item(sign, "$text-warning", both, None)
    if agents := made.agents.prompts:
        hosts = ", ".join(made.agents.hosts)
        texts = counted(agents, "text")
        told = counted(made.agents.memories, "memory", "memories")
        yield _heading("Agents", f"{hosts} were given {texts} with {told}")
        times = [
            f"{one.told:,}×" + (f", used {one.used:,}×" if one.used else "")
            for one in made.agents.used
        ]
        widest = max(map(len, times), default=0)
        for used, told in zip(made.agents.used, times, strict=True):
            yield _item(f"{told:<{widest}}", "$text-accent", used.title, used.id)


def _difference_lines(made: Changes) -> Iterator[Line]:
    if not any((made.added, made.changed, made.retired, made.restored)):
        yield Line(plain("Nothing differs.", "$text-muted"))
    for name, ones in (
        ("added", made.added),
        ("changed", made.changed),
        ("retired", made.retired),
        ("restored", made.restored),
    ):
        if ones:
            yield _heading(name.capitalize(), counted(len(ones), "memory", "memories"))
            yield from _changed(name, ones)


def _changed(name: str, ones: Sequence[ChangedMemory]) -> Iterator[Line]:
    for one in ones[:MOST_SHOWN]:
        yield _item(*SIGNS[name], one.title, one.id)
        if name == "changed":
            yield Line(
                plain(f"    {', '.join(field for field, _, _ in one.fields)}", "$text-muted")
            )
        elif name == "retired":
            why = f"{one.retired_as or 'taken back'} by {BY[one.actor]}"
            told = f"{why}: {one_line(one.reason)}" if one.reason else why
            yield Line(plain(f"    {told}", "$text-muted"))
    if (left := len(ones) - MOST_SHOWN) > 0:
        yield Line(plain(f"  and {left:,} more: `memdeck diff` prints all", "$text-muted"))


def _heading(name: str, told: str) -> Line:
    text = Content.assemble((name, "bold $text-accent"), plain(f"  {told}", "$text-muted"))
    return Line(text, is_heading=True)


def _item(sign: str, style: str, text: str, memory: str | None) -> Line:
    return Line(Content.assemble((f"  {sign} ", style), plain(one_line(text))), memory)


def _day(at: datetime) -> str:
    return f"{at.astimezone():%a %d %b %Y}"


def _minute(at: datetime) -> str:
    return f"{at.astimezone():%a %Y-%m-%d %H:%M}"


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
