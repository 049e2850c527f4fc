"""One side of a conflict: a `Static` in a scroll that moves together with the other side's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from .text_pane import scroll_keys


class SidePane(VerticalScroll, can_focus=True, inherit_bindings=False):
    """One memory of a conflict."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
    ]

    @dataclass
    class Resized(Message):
        """The room of a side changed: both are to be laid out anew."""

    @dataclass
    class Opened(Message):
        """A double click asks for this side's memory."""

        side: SidePane

    @dataclass
    class MenuWanted(Message):
        """A right click asks for the verdicts."""

    @dataclass
    class LinkClicked(Message):
        """A linked memory was clicked."""

        memory: str

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="pane side")
        self.partner: SidePane | None = None  # scrolls along
        self._text = Static("", markup=False, classes="side-text")

    def compose(self) -> ComposeResult:
        yield self._text

    @property
    def told(self) -> Content:
        """What the pane says, as it is wrapped."""
        shown = self._text.visual
        assert isinstance(shown, Content)
        return shown

    @property
    def room(self) -> int:
        """Cells that a line may take."""
        return max(self.scrollable_content_region.width - 1, 0)

    def show(self, text: Content) -> None:
        """Show this text."""
        self._text.update(text)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take the other side along; while that glides itself, the one that stops last does.

        To move what glides would end its animation in the midst of Textual's round of all of
        them, which does not survive that.
        """
        super().watch_scroll_y(old_value, new_value)
        partner = self.partner
        if partner is None or self.app.animator.is_being_animated(partner, "scroll_y"):
            return
        if round(partner.scroll_y) != round(new_value):
            partner.scroll_to(y=new_value, animate=False, immediate=True)

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def on_click(self, event: events.Click) -> None:
        memory = event.style.meta.get("memdeck_memory")
        if memory:
            event.stop()
            self.post_message(self.LinkClicked(memory))
        elif event.button == 3:
            event.stop()
            self.focus()
            self.post_message(self.MenuWanted())
        elif event.chain == 2:
            event.stop()
            self.post_message(self.Opened(self))
