"""Jump mode: a letter on each pane, or on each field and button of a dialog, and the key that goes
there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Button, Static

from ..stage import VIEWS
from .questions import Dialog

if TYPE_CHECKING:
    from ..view import View

Target = tuple[str, Widget, Widget]
"""A key, where its label stands, and what gets the focus or is pressed."""


class Jump(Dialog[None]):
    """Focuses the pane whose letter is pressed, or presses the button; a digit goes to its view;
    any other key leaves."""

    HELP = "Press the letter of a pane, or the digit of a view, to go there."

    def __init__(self, targets: Sequence[Target], at: int = 1) -> None:
        """`at`: cells from where a target begins to its letter."""
        super().__init__()
        self._targets, self._at = [one for one in targets if one[1].region.area], at

    def compose(self) -> ComposeResult:
        for key, place, _ in self._targets:
            label = Static(f" {key} ", classes="jump-label", markup=False)
            label.styles.offset = (max(place.region.x + self._at, 0), place.region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        chosen = [target for key, _, target in self._targets if key == event.character]
        self.dismiss(None)
        if chosen and isinstance(chosen[0], Button):
            self.app.call_later(chosen[0].press)  # when its dialog is the one on top again
        elif chosen:
            chosen[0].focus()
        elif event.character in {view.key for view in VIEWS.values()}:
            self.app.call_later(self.app.simulate_key, event.key)  # what it is everywhere


def jump(top: Screen[Any], view: View | None) -> None:
    """Show the letters of what is on top, a dialog or the view; where they stand, put them away."""
    if isinstance(top, Jump):
        top.dismiss(None)
    elif isinstance(top, ModalScreen):
        top.app.push_screen(Jump([*_in_dialog(top)], at=-3))  # no frame there to stand in
    elif view is not None:
        top.app.push_screen(Jump(view.panes()))


def _in_dialog(dialog: Screen[Any]) -> Iterator[Target]:
    """All that can be used in it, each under the first letter of its name that is free."""
    free = list(ascii_lowercase)
    for widget in dialog.focus_chain:
        if isinstance(widget, Button):
            name = str(widget.label)
        else:
            name = (widget.id or "").rpartition("-")[2]
        letter = next((one for one in (*name.lower(), *free) if one in free), None)
        if letter is not None:
            free.remove(letter)
            yield letter, widget, widget
