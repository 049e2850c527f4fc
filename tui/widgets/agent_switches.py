"""The two switches as a small table: how each stands in sessions, in the project, everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from ..switches import rows
from ..text import fit

if TYPE_CHECKING:
    from ...core.services.preferences import Switches

NAME_WIDTH = 12
WIDTHS = (8, 8, 10)  # cells of each place; the last is said shorter where there is no room
USUAL = {"auto-memory": "on", "incognito": "off"}
ACTS = {"auto-memory": "app.setup('auto_memory')", "incognito": "app.setup('incognito')"}


class AgentSwitches(Static):
    """Three lines: the places, auto-memory, incognito. What is not as usual stands out."""

    class Chosen(Message):
        """A switch was clicked; `action` turns it."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id, markup=False)
        self._switches: Switches | None = None

    def show(self, switches: Switches) -> None:
        """Show how these stand."""
        self._switches = switches
        self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        if self._switches is not None and self.size.width:
            self.update(table(self._switches, self.size.width))

    def on_click(self, event: Any) -> None:
        action = event.style.meta.get("memdeck_switch")
        if action:
            event.stop()
            self.post_message(self.Chosen(action))


def table(switches: Switches, cells: int) -> Content:
    """The table in `cells` cells; a note beneath when the settings decide."""
    has_room = cells >= 3 + NAME_WIDTH + sum(WIDTHS) + 2
    names = ("session", "project", "everywhere" if has_room else "all")
    widths = WIDTHS if has_room else (*WIDTHS[:2], 3)
    words = " ".join(fit(name, width) for name, width in zip(names, widths, strict=True))
    head = " " * (NAME_WIDTH + 3) + words
    lines = [Content.styled(head.rstrip(), "$text-muted")]
    for name, *standing in rows(switches):
        parts = [Content.assemble((" : ", "bold $footer-key-foreground"), fit(name, NAME_WIDTH))]
        for said, width in zip(standing, widths, strict=True):
            style = "$text-muted" if said == USUAL[name] else "bold $text-warning"
            parts.append(Content.styled(fit(said, width), style) + Content(" "))
        line = Content("").join(parts)
        lines.append(line.stylize(Style.from_meta({"memdeck_switch": ACTS[name]})))
    if not switches.by_settings:
        lines.append(Content.styled(" The settings keep auto-memory off.", "$text-warning"))
    return Content("\n").join(lines)
