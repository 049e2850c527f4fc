"""The form in which two memories become one: the left one's fields, and the right one's words."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ...core.values import Memory
from ..widgets.side_lines import Pairs, line_content
from .edit_memory import EditMemory, Reread, Save


class MergeMemories(EditMemory):
    """Writes one memory for two; answers what `save` answered, or None.

    Saving without a change is a merge as well: the left text then says it for both.
    """

    HELP = "Write one text for both. `F2` merges, `esc` leaves both as they are."
    TITLE_SAYS = "Merge the two into one"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,ctrl+g", "save", "Merge", id="form.save", priority=True),
    ]

    def __init__(self, left: Memory, both: Pairs, save: Save, reread: Reread) -> None:
        super().__init__(left, save, reread, saves_unchanged=True)
        self._both = both

    def _content_field(self) -> ComposeResult:
        right = (line_content(line) for _, line in self._both if line is not None)
        yield from super()._content_field()
        yield Static("the other one says", classes="merge-label", markup=False)
        with VerticalScroll(id="merge-right", can_focus=False):
            yield Static(Content("\n").join(right), markup=False)
