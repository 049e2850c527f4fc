"""What was found for a subagent's task, from the moment it is given to the subagent's start.

A host that starts a subagent says its kind and not its task, which it said just before as that of a
tool call. So what fits is looked for then, and noted: ids of memories, no word of the task. A note
belongs to the first start of its kind in its session, and to no second.
"""

from __future__ import annotations

import json
import os
import time

from ..db.home import create_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..db.home import Home
    from ..hosts.wire import Event

KEPT_MS = 10 * 60 * 1000
"""How long a start is waited for: a tool call that was refused has none."""

MOST_BYTES = 64 * 1024


def folder(home: Home) -> str:
    """Where the notes lie."""
    return os.path.join(home.spool, "tasks")


def keep(home: Home, event: Event, memories: Sequence[str]) -> None:
    """Note which `memories` fit the task that `event` gives, best first; old notes go."""
    at = time.time_ns()
    place = folder(home)
    os.makedirs(place, mode=0o700, exist_ok=True)
    for name in _names(place):
        if _age_ms(name, at) > KEPT_MS:
            _taken(os.path.join(place, name))
    path = os.path.join(place, f"{at:020x}{os.urandom(4).hex()}.json")
    note = {"session": event.session, "role": event.role, "memories": list(memories)}
    create_private(f"{path}.new")
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(note, file)
    os.replace(f"{path}.new", path)  # whole, for whoever looks meanwhile


def take(home: Home, event: Event) -> tuple[str, ...] | None:
    """What was noted for the subagent that starts with `event`; None when no task is known.

    Of several of its kind that wait, the one that was asked for first.
    """
    at, place = time.time_ns(), folder(home)
    for name in _names(place):
        path = os.path.join(place, name)
        note = _read(path) if _age_ms(name, at) <= KEPT_MS else None
        if note is None or note.get("session") != event.session:
            continue
        if note.get("role") in ("", event.role) and _taken(path):
            memories = note.get("memories")
            ids = memories if isinstance(memories, list) else []
            return tuple(one for one in ids if isinstance(one, str))
    return None


def _names(place: str) -> list[str]:
    """The notes, oldest first."""
    try:
        return sorted(name for name in os.listdir(place) if name.endswith(".json"))
    except OSError:
        return []


def _age_ms(name: str, now_ns: int) -> int:
    try:
        return (now_ns - int(name[:20], 16)) // 1_000_000
    except ValueError:
        return KEPT_MS + 1


def _read(path: str) -> dict[str, object] | None:
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(MOST_BYTES))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _taken(path: str) -> bool:
    """Whether this process took the note away: of several that start at once one does."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
