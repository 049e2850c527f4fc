"""Panes to read and their keys: one `Static` in a scroll, written again for each width."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

Write = Callable[[int], Content]
"""From the cells of a line to what is to be read."""


_SCROLLING = (
    ("j,down", "scroll_down", "Down"),
    ("k,up", "scroll_up", "Up"),
    ("g,home", "scroll_home", "Top"),
    ("G,end", "scroll_end", "Bottom"),
    ("ctrl+d,pagedown", "page_down", "Page down"),
    ("ctrl+u,pageup", "page_up", "Page up"),
)


def scroll_keys(name: str, *, letters: bool = True) -> list[BindingType]:
    """The keys by which a pane of text scrolls, `name` in front of their ids; without `letters`
    those go on to the view."""
    return [
        Binding(
            keys if letters or "ctrl" in keys else keys.partition(",")[2],
            action,
            label,
            show=False,
            id=f"{name}.{label.lower().replace(' ', '_')}",
        )
        for keys, action, label in _SCROLLING
    ]


class TextPane(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Text to read; arrows and letters scroll it."""

    HELP = """\
## Reading
The text as the host gets it, a budget, or one memory and the parts of its score. Arrows scroll.
"""
    BINDINGS: ClassVar[list[BindingType]] = scroll_keys("pane")

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.text = Static("", markup=False, classes="pane-text")
        self.border_title = Content(title)
        self._write: Write = lambda _: Content("")
        self.written = Content("")

    def compose(self) -> ComposeResult:
        yield self.text

    def name_it(self, title: str, says: str = "") -> None:
        """The words in the frame; never read as markup."""
        self.border_title = Content(title)
        self.border_subtitle = Content(says)

    def show(self, write: Write, *, from_top: bool) -> None:
        """Show what `write` says; something else is read from its top."""
        self._write = write
        self._rewrite()
        if from_top:
            self.scroll_home(animate=False, immediate=True)

    def _rewrite(self) -> None:
        width = self.scrollable_content_region.width - 1
        if width > 0 and not (written := self._write(width)).is_same(self.written):
            self.written = written
            self.text.update(written)  # lays out the screen

    def on_resize(self) -> None:
        self._rewrite()
