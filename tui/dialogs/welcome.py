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
from textual.screen import ModalScreen
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from ...core.agents import HOSTS, AgentState, Host
from ..instructions import Instructions, tilde
from ..text import counted, fit, plain
from .plan import button_label

ABOUT = (
    "memdeck remembers what you and your agents decide, and tells it to them again when it "
    "matters. Choose what to connect and what to bring along: before anything is written, you "
    "see every line of it."
)
NAME_WIDTH = 15
COUNT_WIDTH = 17


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to be connected, and which files' instructions are to be remembered."""

    hosts: tuple[Host, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """One line that can be chosen."""

    id: str  # "host:claude", "file:0"
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


class Welcome(ModalScreen[Chosen | None]):
    """Answers what was chosen, or None when it was left. Nothing is done here."""

    HELP = "`space` chooses, `enter` shows what would change. `esc` leaves everything as it is."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Not now", id="welcome.leave"),
    ]

    def __init__(
        self,
        agents: Sequence[AgentState],
        files: Sequence[Instructions],
        before: Chosen | None = None,
        *,
        mark: str,
    ) -> None:
        super().__init__()
        self._mark = mark
        self._files = files
        self._hosts = [_host_offer(agent, before) for agent in agents]
        self._imports = [_file_offer(number, file, before) for number, file in enumerate(files)]
        self._chosen = {one.id for one in (*self._hosts, *self._imports) if one.is_chosen}

    def compose(self) -> ComposeResult:
        with Vertical(id="welcome", classes="dialog"):
            yield Static("Welcome to memdeck", classes="dialog-title")
            yield Static(ABOUT, id="welcome-about", markup=False)
            yield Boxes(*self._options(), id="welcome-list")
            yield Static(self._says(), id="welcome-says", markup=False)
            with Horizontal(classes="agents-buttons"):
                yield Button(button_label("Not now", "esc"), id="welcome-leave")
                yield Button(button_label("Show what would change", "enter"), id="welcome-go-on")

    def _options(self) -> list[Option]:
        options = [_heading("Connect", "where your agents' hooks call memdeck")]
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
        if not hosts and not files:
            return Content.styled("Nothing is chosen.", "$text-muted")
        parts = [counted(hosts, "agent")] * bool(hosts) + [counted(files, "file")] * bool(files)
        return Content.styled(f"{' and '.join(parts)} chosen.", "$text-muted")

    def on_mount(self) -> None:
        """Stand on the first that can be chosen."""
        boxes = self.query_one(Boxes)
        boxes.focus()
        boxes.action_first()

    @on(OptionList.OptionSelected)
    def _turned(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        offer = next(
            (one for one in (*self._hosts, *self._imports) if one.id == event.option.id), None
        )
        if offer is not None:
            self._chosen ^= {offer.id}
            event.option_list.replace_option_prompt(offer.id, self._prompt(offer))
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
        self.dismiss(Chosen(hosts, tuple(paths)))

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


def _file_offer(number: int, file: Instructions, before: Chosen | None) -> Offer:
    folder, _, name = file.path.rpartition("/")
    note = f"{fit(counted(len(file.entries), 'instruction'), COUNT_WIDTH)} {tilde(folder)}"
    chosen = before is None or file.path in before.paths
    return Offer(f"file:{number}", name, note, bool(file.entries), chosen and bool(file.entries))


def _heading(words: str, about: str) -> Option:
    return Option(
        Content.assemble((words, "bold $foreground"), (f"  {about}", "$text-muted")), disabled=True
    )
