"""What the app remembers from one run to the next: theme, view, order, history, the last memory.

A small private file beside the store. It is a convenience: a file that cannot be read counts as
empty, and one that cannot be written costs nothing. What was typed passes through redaction
before it is written, as everything that reaches the disk does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

MOST_QUERIES = 50
MOST_PROJECTS = 50
MOST_SKIPPED = 1_000
MOST_RECENT = 8
MOST_OF = {"queries": MOST_QUERIES, "skipped": MOST_SKIPPED, "recent": MOST_RECENT}
"""How many are kept of each list, the newest."""

TEXTS = ("theme", "theme_instead_of", "view", "sort", "group", "rows", "free_column",
         "list_instead_of")  # fmt: skip
LARGEST_FILE = 256 * 1024  # bytes; ours has a few KB


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is carried over. Every field may be empty."""

    theme: str = ""
    theme_instead_of: str = ""  # what the settings said when it was chosen: a change there wins
    view: str = ""
    sort: str = ""
    group: str = ""  # what the headings of the Deck's list are
    queries: Sequence[str] = ()  # oldest first
    memories: Mapping[str, str] = field(default_factory=dict)  # project -> id under the cursor
    skipped: Sequence[str] = ()  # what was not to be tidied, oldest first
    recent: Sequence[str] = ()  # what the palette was last asked for, the newest at the end
    rows: str = ""  # "one" or "two" lines in the Deck's list
    columns: Sequence[str] = ()  # beside its titles
    widths: Mapping[str, int] = field(default_factory=dict)  # in cells, by column
    free_column: str = ""  # the column that takes what is free
    list_instead_of: str = ""  # what the settings said when these were chosen
    panes: Mapping[str, float] = field(default_factory=dict)  # by name: the share of the room, 0-1
    was_welcomed: bool = False  # the first run's offer was answered or left


def path_in(home: str) -> str:
    """Where it is kept."""
    return os.path.join(home, "app.json")


def load(home: str) -> Remembered:
    """What was remembered in this home; nothing when there is nothing, or nothing readable."""
    try:
        with open(path_in(home), encoding="utf-8") as file:
            found = json.loads(file.read(LARGEST_FILE))
    except (OSError, ValueError):
        return Remembered()
    return _checked(found) if isinstance(found, dict) else Remembered()


def _checked(found: Mapping[str, Any]) -> Remembered:
    """Only what has the form it should have."""
    known: dict[str, Any] = {}
    for one in fields(Remembered):
        value = found.get(one.name)
        if one.name in MOST_OF and isinstance(value, list):
            texts = tuple(text for text in value if isinstance(text, str))
            known[one.name] = texts[-MOST_OF[one.name] :]
        elif one.name == "memories" and isinstance(value, dict):
            pairs = ((key, text) for key, text in value.items() if isinstance(text, str))
            known[one.name] = dict(pairs)
        elif one.name == "columns" and isinstance(value, list):
            known[one.name] = tuple(text for text in value if isinstance(text, str))
        elif one.name == "widths" and isinstance(value, dict):
            cells = ((name, wide) for name, wide in value.items() if type(wide) is int)
            known[one.name] = {name: wide for name, wide in cells if 0 < wide < 100}
        elif one.name == "panes" and isinstance(value, dict):
            shares = ((name, share) for name, share in value.items() if isinstance(share, float))
            known[one.name] = {name: share for name, share in shares if 0.0 < share < 1.0}
        elif one.name == "was_welcomed":
            known[one.name] = value is True
        elif one.name in TEXTS and isinstance(value, str):
            known[one.name] = value
    return Remembered(**known)


def save(home: str, what: Remembered) -> None:
    """Keep it for the next run, 0600, whole or not at all. Touches the disk: not on the loop."""
    from ..core.redaction.redact import redact  # only leaving pays for it

    path = path_in(home)
    if os.path.islink(path) or not os.path.isdir(home):
        return
    queries = [redact(text).value for text in what.queries[-MOST_QUERIES:]]
    memories = dict(list(what.memories.items())[-MOST_PROJECTS:])
    skipped = list(what.skipped)[-MOST_SKIPPED:]
    values = {**asdict(what), "queries": queries, "memories": memories, "skipped": skipped}
    draft = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(values, file, ensure_ascii=False, indent=1)
        os.replace(draft, path)


class LastRun:
    """What was carried over into this run, and what this one carries over."""

    def __init__(self, app: App[None], home: str) -> None:
        self._app, self._home = app, home
        self._writing = threading.Lock()  # a save that nobody waits for any more still writes
        self.now = load(home)

    def keep(self, **what: object) -> None:
        """Carry this over to the next run."""
        self.now = replace(self.now, **what)  # type: ignore[arg-type]
        self._app.run_worker(self.save(), group="remember", exclusive=True)

    async def save(self, **what: object) -> None:
        """Write down what is carried over, and this with it; not on the event loop."""
        self.now = replace(self.now, **what)  # type: ignore[arg-type]
        await asyncio.to_thread(self._write)

    def _write(self) -> None:
        with self._writing:
            save(self._home, self.now)
