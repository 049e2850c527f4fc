"""The `:` line: acts by name, completed from the same registry that keys and palette use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ..acts import Act
from ..text import fit

MOST_SHOWN = 8


def matching(acts: Sequence[Act], words: str) -> list[Act]:
    """The acts whose name or id has all the words: those that begin with them first.

    What two keys do, such as leaving, stands there once.
    """
    wanted = words.lower().split()
    known: dict[str, Act] = {}
    for act in acts:
        known.setdefault(act.action, act)
    found = [act for act in known.values() if all(word in _haystack(act) for word in wanted)]
    text = " ".join(wanted)
    return sorted(found, key=lambda act: not act.label.lower().startswith(text))


def _haystack(act: Act) -> str:
    return f"{act.label} {act.id}".lower()


class CommandLine(ModalScreen[Act | None]):
    """Answers the act that was named, or None."""

    HELP = "Type the name of an act; `tab` completes it, `enter` carries out the first."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="command.leave"),
        Binding("tab", "complete", "Complete", id="command.complete", priority=True),
        Binding("down", "choose(1)", "Next", show=False, id="command.next"),
        Binding("up", "choose(-1)", "Previous", show=False, id="command.previous"),
    ]

    def __init__(self, acts: Sequence[Act]) -> None:
        super().__init__()
        self._acts = acts
        self._found: list[Act] = []
        self._chosen = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="command"):
            yield Static("", id="command-offers", markup=False)
            with Horizontal(id="command-box"):
                yield Static(":", id="command-colon", markup=False)
                box = Input(placeholder="name of an act", id="command-line", compact=True)
                box.cursor_blink = False
                yield box

    def on_mount(self) -> None:
        self.query_one("#command-line").focus()
        self._narrow("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._narrow(event.value)

    def _narrow(self, words: str) -> None:
        self._found, self._chosen = matching(self._acts, words)[:MOST_SHOWN], 0
        self._paint()

    def _paint(self) -> None:
        here = "on $block-cursor-background"
        lines = [
            Content.assemble(
                (f" {fit(act.label, 14)}", "bold"), (f"{fit(act.help, 48)} ", "$text-muted")
            ).stylize(here if row == self._chosen else "")
            for row, act in enumerate(self._found)
        ]
        nothing = Content.styled(" No act is called so. ", "$text-warning")
        self.query_one("#command-offers", Static).update(
            Content("\n").join(lines) if lines else nothing
        )

    def action_choose(self, step: int) -> None:
        """Another one of the acts offered."""
        if self._found:
            self._chosen = (self._chosen + step) % len(self._found)
            self._paint()

    def action_complete(self) -> None:
        """Write the name out."""
        if self._found:
            box = self.query_one("#command-line", Input)
            box.value = self._found[self._chosen].label.lower()
            box.cursor_position = len(box.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.dismiss(self._found[self._chosen] if self._found else None)

    def action_leave(self) -> None:
        self.dismiss(None)
