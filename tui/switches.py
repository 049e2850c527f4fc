"""Auto-memory and incognito in words: for the header, to choose from, and as a small table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from .text import cut, fit

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from ..core.services.preferences import Switches, SwitchName


NAMES: dict[SwitchName, str] = {"auto_memory": "Auto-memory", "incognito": "Incognito"}
ABOUT: dict[SwitchName, str] = {
    "auto_memory": "While it is on, what sessions show is kept by itself.",
    "incognito": "While it is on, nothing is taken down. Memories are still told.",
}
MOST_SESSIONS = 5
"""Sessions that are offered by themselves."""

NAME_CELLS = 40


@dataclass(frozen=True, slots=True)
class Place:
    """One place at which a switch stands, and what turning it does."""

    label: str
    is_on: bool
    turn: Callable[[MemoryCoordinator], object]  # runs in the write lane


def in_words(switches: Switches) -> tuple[str, ...]:
    """What is not as usual, each in a few words; nothing when all is."""
    said = []
    if not (switches.auto_project and switches.by_settings):
        said.append("auto-memory off")
    elif not switches.auto_everywhere:
        said.append("auto-memory off everywhere")
    elif any(not one.auto_memory for one in switches.sessions):
        said.append("auto-memory off: session")
    if switches.incognito_everywhere:
        said.append("incognito: everywhere")
    elif switches.incognito_project:
        said.append("incognito: project")
    elif any(one.incognito for one in switches.sessions):
        said.append("incognito: session")
    return tuple(said)


def rows(switches: Switches) -> tuple[tuple[str, str, str, str], ...]:
    """The name of each switch, and how it stands in sessions, the project and everywhere."""
    off = sum(not one.auto_memory for one in switches.sessions)
    hidden = sum(one.incognito for one in switches.sessions)
    is_auto_here = switches.auto_project and switches.by_settings
    return (
        (
            "auto-memory",
            f"off in {off}" if off else "on",
            "on" if is_auto_here else "off",
            "on" if switches.auto_everywhere else "off",
        ),
        (
            "incognito",
            f"on in {hidden}" if hidden else "off",
            "on" if switches.incognito_project else "off",
            "on" if switches.incognito_everywhere else "off",
        ),
    )


def places(switches: Switches, name: SwitchName) -> list[Place]:
    """Where the switch can be turned: the project, everywhere, and some sessions that go on.

    Those that are not as usual come first: whatever the header says can be taken back here.
    """
    if name == "auto_memory":
        here, everywhere = switches.auto_project, switches.auto_everywhere
    else:
        here, everywhere = switches.incognito_project, switches.incognito_everywhere
    found = [
        Place("this project", here, lambda core: core.set_switch(name, not here)),
        Place(
            "everywhere",
            everywhere,
            lambda core: core.set_switch(name, not everywhere, "everywhere"),
        ),
    ]
    by_use = sorted(switches.sessions, key=lambda one: one.auto_memory and not one.incognito)
    for one in by_use[:MOST_SESSIONS]:
        is_on = one.auto_memory if name == "auto_memory" else one.incognito
        session = one.name or f"session {one.id[:8]}"
        found.append(Place(cut(session, NAME_CELLS), is_on, _turning(name, one.id, not is_on)))
    return found


def _turning(name: SwitchName, session: str, is_on: bool) -> Callable[[MemoryCoordinator], object]:
    if name == "auto_memory":
        return lambda core: core.set_auto_memory_of(session, is_on)
    return lambda core: core.set_incognito(session, is_on)


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
