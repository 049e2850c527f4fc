"""A pane of Recall to read: as in the Inbox, and letters scroll it too."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from .inbox_pane import InboxPane


class RecallPane(InboxPane, inherit_bindings=False):
    """Text to read."""

    HELP = """\
## Reading
The text as the host gets it, a budget, or one memory and the parts of its score. Arrows scroll.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", show=False, id="pane.down"),
        Binding("k,up", "scroll_up", "Up", show=False, id="pane.up"),
        Binding("g,home", "scroll_home", "Top", show=False, id="pane.top"),
        Binding("G,end", "scroll_end", "Bottom", show=False, id="pane.bottom"),
        Binding("ctrl+d,pagedown", "page_down", "Page down", show=False, id="pane.page_down"),
        Binding("ctrl+u,pageup", "page_up", "Page up", show=False, id="pane.page_up"),
    ]

    def name_it(self, title: str, says: str = "") -> None:
        """The words in the frame; never read as markup."""
        self.border_title = Content(title)
        self.border_subtitle = Content(f" {says} ") if says else ""
