"""Jump mode: a letter on each pane, and the key that goes there."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from ..sheets import sheet
from ..stage import VIEWS


class Jump(ModalScreen[None]):
    """Targets are (key, where its label stands, what gets the focus).

    Focuses the pane whose letter is pressed; a digit goes to its view; any other key leaves."""

    CSS_PATH = sheet("dialogs")
    HELP = "Press the letter of a pane, or the digit of a view, to go there."

    def __init__(self, targets: Sequence[tuple[str, Widget, Widget]]) -> None:
        super().__init__()
        self._targets = [one for one in targets if one[1].region.area]

    def compose(self) -> ComposeResult:
        for key, place, _ in self._targets:
            label = Static(f" {key} ", classes="jump-label", markup=False)
            label.styles.offset = (place.region.x + 1, place.region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        chosen = [target for key, _, target in self._targets if key == event.character]
        self.dismiss(None)
        if chosen:
            chosen[0].focus()
        elif event.character in {view.key for view in VIEWS.values()}:
            self.app.call_later(self.app.simulate_key, event.key)  # what it is everywhere
