"""Jump mode of the workbench, where digits are verdicts: here a digit goes to a view again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ..dialogs.jump import Jump
from ..stage import VIEWS


class JumpAway(Jump):
    """Focuses the pane whose letter is pressed, or goes to the view of a digit."""

    HELP = "Press the letter of a pane, or the digit of a view, to go there."

    def __init__(
        self, targets: Sequence[tuple[str, Widget, Widget]], go: Callable[[str], object]
    ) -> None:
        super().__init__(targets)
        self._go = go

    def compose(self) -> ComposeResult:
        yield from super().compose()
        parts = [
            Content.assemble((f" {view.key} ", "bold $accent"), f"{view.label} ")
            for view in VIEWS.values()
        ]
        yield Static(Content("").join(parts), id="jump-views")

    def on_key(self, event: events.Key) -> None:
        """A digit leads to its view; Jump sees to the panes."""
        for view in VIEWS.values():
            if event.character == view.key:
                self._go(view.name)
