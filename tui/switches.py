"""Auto-memory and incognito in words: for the header, for the Agents view, and to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..frozen import dataclass
from .text import cut

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
