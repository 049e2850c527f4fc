"""The first run: which agents are here, which instructions they read, and what to do with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from ...core.agents import HOSTS, AgentState, Host
from ..setup import Instructions, tilde
from ..text import button_label, counted, fit, plain
from .questions import Dialog

ABOUT = (
    "memdeck remembers what you and your agents decide, and tells it to them again when it "
    "matters. Choose what to connect and what to bring along: before anything is written, you "
    "see every line of it."
)
WIDTH = 84  # cells of the dialog where there is room
LOW, SHORT = 16, 24  # lines of a screen that has less room than others, as the app counts them
MOST_WIDTH, DIALOG_SHARE = 0.96, 0.92  # of the screen's columns and lines
NAME_WIDTH = 18  # GitHub Copilot CLI
COUNT_WIDTH = 17


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to be connected, and which files' instructions are to be remembered."""

    hosts: tuple[Host, ...]
    paths: tuple[str, ...]
    reader: Host | None = None  # whose model is to read each session, once


@dataclass(frozen=True, slots=True)
class Offer:
    """One line that can be chosen."""

    id: str  # "host:claude", "file:0", "reader:claude"
    label: str
    note: str
    is_open: bool  # whether it can be chosen
    is_chosen: bool


class Boxes(OptionList, inherit_bindings=False):
    """Offers with a box each: `space` or a click chooses, `enter` goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "cursor_down", "Down", show=False, id="welcome.down"),
        Binding("k,up", "cursor_up", "Up", show=False, id="welcome.up"),
        Binding("g,home", "first", "Top", show=False, id="welcome.top"),
        Binding("G,end", "last", "Bottom", show=False, id="welcome.bottom"),
        Binding("space", "select", "Choose", show=False, id="welcome.choose"),
        Binding("enter", "screen.go_on", "Go on", show=False, id="welcome.go_on"),
    ]


class Welcome(Dialog[Chosen | None]):
    """Answers what was chosen, or None when it was left. Nothing is done here."""

    HELP = "`space` chooses, `enter` shows what would change. `esc` leaves everything as it is."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Not now", id="welcome.leave"),
        Binding("m", "reader", "Model", show=False, id="welcome.model"),
    ]

    def __init__(
        self,
        agents: Sequence[AgentState],
        files: Sequence[Instructions],
        before: Chosen | None = None,
        *,
        mark: str,
        reading: tuple[int, int] | None = None,
    ) -> None:
        """`reading`: what it costs to have a session read, and on how many of the person's own
        that was measured; None offers it not."""
        super().__init__()
        self._mark = mark
        self._files = files
        self._hosts = [_host_offer(agent, before) for agent in agents]
        self._imports = [_file_offer(number, file, before) for number, file in enumerate(files)]
        self._readers = [] if reading is None else _reader_offers(agents, before)
        self._cost = "" if reading is None else in_words(*reading)
        self._chosen = {one.id for one in self._all if one.is_chosen}

    def compose(self) -> ComposeResult:
        with Vertical(id="welcome", classes="dialog"):
            yield Static("Welcome to memdeck", classes="dialog-title")
            yield Static(ABOUT, id="welcome-about", markup=False)
            yield Boxes(*self._options(), id="welcome-list")
            yield Static(self._says(), id="welcome-says", markup=False)
            with Horizontal(classes="agents-buttons"):
                yield Button(button_label("Not now", "esc"), id="welcome-leave")
                yield Button(button_label("Show what would change", "enter"), id="welcome-go-on")

    @property
    def _all(self) -> tuple[Offer, ...]:
        return (*self._readers, *self._hosts, *self._imports)

    def _options(self) -> list[Option]:
        options = [_heading("Read", self._cost)] if self._readers else []
        options += [self._option(one) for one in self._readers]
        options += [_heading("Connect", "where your agents' hooks call memdeck")]
        options += [self._option(one) for one in self._hosts]
        options.append(_heading("Remember", "what they were told to go by"))
        if self._imports:
            options += [self._option(one) for one in self._imports]
        else:
            nothing = plain("    No CLAUDE.md, AGENTS.md or GEMINI.md holds anything new.")
            options.append(Option(nothing, disabled=True))
        return options

    def _option(self, offer: Offer) -> Option:
        return Option(self._prompt(offer), id=offer.id, disabled=not offer.is_open)

    def _prompt(self, offer: Offer) -> Content:
        mark = self._mark if offer.id in self._chosen else " "
        box = f"[{mark}]" if offer.is_open else "   "
        return Content.assemble(
            (f"{box} ", "bold $text-accent"),
            plain(fit(offer.label, NAME_WIDTH)),
            "  ",
            plain(offer.note),
        )

    def _says(self) -> Content:
        """What is chosen, in words."""
        hosts = sum(one.id in self._chosen for one in self._hosts)
        files = sum(one.id in self._chosen for one in self._imports)
        reads = any(one.id in self._chosen for one in self._readers)
        if not hosts and not files and not reads:
            return Content.styled("Nothing is chosen.", "$text-muted")
        parts = [counted(hosts, "agent")] * bool(hosts) + [counted(files, "file")] * bool(files)
        parts += ["a model"] * reads
        return Content.styled(f"{' and '.join(parts)} chosen.", "$text-muted")

    def on_mount(self) -> None:
        """Stand on the first that can be chosen."""
        boxes = self.query_one(Boxes)
        boxes.focus()
        boxes.action_first()
        if self._readers:
            boxes.highlighted = boxes.get_option_index(self._first_of_agents())

    def on_resize(self) -> None:
        """The list takes what the words and the buttons leave; beyond that it scrolls."""
        is_low, is_short = (self.size.height < lines for lines in (LOW, SHORT))
        around = 4 if is_low else 8 if is_short else 10
        about = 0 if is_low or is_short else self._about_lines() + 1
        room = int((self.size.height - 1) * DIALOG_SHARE) - around - about
        self.query_one(Boxes).styles.max_height = max(room, 3)

    def _about_lines(self) -> int:
        cells = min(WIDTH, int(self.size.width * MOST_WIDTH)) - 6
        return len(Content(ABOUT).wrap(max(cells, 8)))

    def _first_of_agents(self) -> str:
        """Where the cursor stands first: what is offered unchosen is above it."""
        offers = (*self._hosts, *self._imports, *self._readers)
        return next(one.id for one in offers if one.is_open)

    def action_reader(self) -> None:
        """Have a model read each session, or not."""
        if self._readers:
            self._turn(self._readers[0])

    @on(OptionList.OptionSelected)
    def _turned(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        offer = next((one for one in self._all if one.id == event.option.id), None)
        if offer is not None:
            self._turn(offer)

    def _turn(self, offer: Offer) -> None:
        self._chosen ^= {offer.id}
        self.query_one(Boxes).replace_option_prompt(offer.id, self._prompt(offer))
        self.query_one("#welcome-says", Static).update(self._says())

    @on(Button.Pressed, "#welcome-go-on")
    def action_go_on(self) -> None:
        """Answer what is chosen; with nothing chosen there is nothing to show."""
        if not self._chosen:
            self.notify("Nothing is chosen. Leave with esc, or choose with space.", markup=False)
            return
        hosts = tuple(host for host in HOSTS if f"host:{host}" in self._chosen)
        paths = (
            file.path for number, file in enumerate(self._files) if f"file:{number}" in self._chosen
        )
        reader = next((host for host in HOSTS if f"reader:{host}" in self._chosen), None)
        self.dismiss(Chosen(hosts, tuple(paths), reader))

    @on(Button.Pressed, "#welcome-leave")
    def action_leave(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)


def _host_offer(agent: AgentState, before: Chosen | None) -> Offer:
    if agent.scopes:
        note, is_open = f"connected already ({', '.join(agent.scopes)})", False
    elif agent.is_present:
        note, is_open = tilde(agent.program) if agent.program else "its settings are here", True
    else:
        note, is_open = "not found on this machine", False
    chosen = is_open and (before is None or agent.host in before.hosts)
    return Offer(f"host:{agent.host}", agent.name, note, is_open, chosen)


def _reader_offers(agents: Sequence[AgentState], before: Chosen | None) -> list[Offer]:
    """The first agent that can be asked without a person, unchosen; none where there is none."""
    found = next((agent for agent in agents if agent.program), None)
    if found is None:
        return []
    note = "m: its small model reads each session once"
    chosen = before is not None and before.reader == found.host
    return [Offer(f"reader:{found.host}", found.name, note, is_open=True, is_chosen=chosen)]


def in_words(tokens: int, sessions: int) -> str:
    """`off; about 5,900 tokens a session (median of 9 of yours)`."""
    whose = f"{sessions} of yours" if sessions else "public ones"
    return f"off; about {tokens:,} tokens a session (median of {whose})"


def _file_offer(number: int, file: Instructions, before: Chosen | None) -> Offer:
    folder, _, name = file.path.rpartition("/")
    note = f"{fit(counted(len(file.entries), 'instruction'), COUNT_WIDTH)} {tilde(folder)}"
    chosen = before is None or file.path in before.paths
    return Offer(f"file:{number}", name, note, bool(file.entries), chosen and bool(file.entries))


def _heading(words: str, about: str) -> Option:
    return Option(
        Content.assemble((words, "bold $foreground"), (f"  {about}", "$text-muted")), disabled=True
    )
