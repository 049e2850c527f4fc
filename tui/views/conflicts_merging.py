"""The form in which two memories become one: the left one's fields, and the right one's words."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from ...core.errors import ManagerError, StaleEdit
from ...core.values import Memory
from ..dialogs.edit_memory import EditMemory, Reread, Save
from ..fields import changed
from ..widgets.side_lines import Pairs, line_content

TITLE = "Merge the two into one"


class MergeMemories(EditMemory):
    """Writes one memory for two; answers what `save` answered, or None.

    Saving without a change is a merge as well: the left text then says it for both.
    """

    HELP = "Write one text for both. `F2` merges, `esc` leaves both as they are."

    def __init__(self, left: Memory, both: Pairs, save: Save, reread: Reread) -> None:
        super().__init__(left, save, reread)
        self._both = both

    def _content_field(self) -> ComposeResult:
        right = (line_content(line) for _, line in self._both if line is not None)
        yield from super()._content_field()
        yield Static("the right one says", classes="merge-label", markup=False)
        with VerticalScroll(id="merge-right", can_focus=False):
            yield Static(Content("\n").join(right), markup=False)

    def on_mount(self) -> None:
        """Called by what it does."""
        self.query_one(".dialog-title", Static).update(TITLE)

    def _keys(self) -> Content:
        keys = [("F2", "merge"), ("tab", "next field"), ("esc", "leave")]
        if self._theirs:
            keys.insert(1, ("ctrl+t", "take theirs"))
        parts = [
            Content.assemble((key, "bold $footer-key-foreground"), (f" {label}   ", "$text-muted"))
            for key, label in keys
        ]
        return Content("").join(parts)

    def action_save(self) -> Worker[None]:
        """Merge; what is wrong is said at its field."""
        if changed(self._before, self.texts()):
            return super().action_save()
        return self.run_worker(self._merge_as_it_is(), group="save", exclusive=True)

    async def _merge_as_it_is(self) -> None:
        try:
            outcome = await self._save_it({}, self._revision)
        except StaleEdit:
            await self._meet_theirs()
        except ManagerError as error:
            self._say(f"{error} {error.hint}".strip())
        else:
            self.dismiss(outcome)
