"""The demo store: ninety days of an invented project, read from a recording.

The recording, made by `benchmarks/demo_recording.py`, is a journal, derived rows, transcripts, and
agents' own memories. Its moments are moved by whole days, so that the last of them is less than a
day old.
"""

from __future__ import annotations

import json
import lzma
import os
import re
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ..agents.desk import Desk
from ..core.agents import NAMES, Finding, SetupPlan
from ..db import journal, rebuild
from ..db.errors import Refused
from ..db.home import Home
from ..db.store import Store

PROJECT = "quayside"
RECORDED_AT = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
"""The moment at which the recorded story ends."""

RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "store.json.xz")
HERE = "{home}"  # the recording's placeholder for the folder of the store
_FIRST_MS = 1_700_000_000_000  # a number from here on is a moment, in milliseconds


@dataclass(frozen=True, slots=True)
class DemoStore:
    """A demo store that was written, and the arguments to open it."""

    home: str
    project_root: str
    project: str  # the project's id
    memories: int  # in the store, retired ones included
    now: datetime  # when the story ends


def write_demo_store(home: str, now: datetime | None = None) -> DemoStore:
    """Fill the empty folder `home` with the story, which ends at most a day before `now` (UTC)."""
    days = ((now or datetime.now(UTC)) - RECORDED_AT).days
    position = Home(os.path.abspath(home))
    position.prepare()
    with lzma.open(RECORDING) as file:
        recording = _moved(json.load(file), position.path, timedelta(days=days))
    for name, text in recording["files"].items():
        path = Path(position.path, name)
        for folder in reversed(path.parents[: len(Path(name).parents) - 1]):
            folder.mkdir(mode=0o700, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write(_MOMENT.sub(lambda matches: _later(matches[0], days), text))
    start = journal.Position(0, journal.FIRST_HASH, 0, 0)
    journal.append(position, start, recording["records"])
    with closing(Store(position)) as store:
        rebuild.add_derived(store.database, recording["derived"])
        [(project, root)] = store.connection.execute("SELECT id, root FROM project").fetchall()
        [(memories,)] = store.connection.execute("SELECT count(*) FROM memory").fetchall()
    return DemoStore(position.path, root, project, memories, RECORDED_AT + timedelta(days=days))


_MOMENT = re.compile(r"2026-\d\d-\d\dT[\d:.]+Z")


def _later(moment: str, days: int) -> str:
    moved = datetime.fromisoformat(moment) + timedelta(days=days)
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _moved(value: Any, home: str, by: timedelta) -> Any:
    """Return a value of the recording with each moment moved by `by`, at the place `home`."""
    ms = round(by.total_seconds() * 1000)

    def moved(value: Any) -> Any:
        if isinstance(value, dict):
            return {key.replace(HERE, home): moved(item) for key, item in value.items()}
        if isinstance(value, list):
            return [moved(item) for item in value]
        if isinstance(value, str):
            return value.replace(HERE, home)
        is_moment = isinstance(value, int) and value >= _FIRST_MS
        return value + ms if is_moment else value

    return moved(value)


WHY = "This is the demo."
HINT = "Nothing was changed. `memdeck` alone opens the app on your own store, where it works."


class DemoDesk(Desk):
    """The agents of this machine: surveys and plans truly, refuses to write."""

    def __init__(self, root: str | None = None) -> None:
        super().__init__()
        self._root = root

    def examine(self) -> tuple[Finding, ...]:
        """Return the agents' own memories of the demo's project. Its store needs no checks."""
        from ..agents.doctor import remembered_here

        return tuple(remembered_here(self._root))

    def apply(self, plan: SetupPlan) -> None:
        """Raise Refused: settings of this machine are not the demo's to write."""
        raise Refused(f"{WHY} {NAMES[plan.host]} stays as it is.", hint=HINT)

    def fix(self, finding: Finding) -> str:
        """Raise Refused: this machine is not the demo's to fix."""
        raise Refused(f"{WHY} “{finding.name}” stays as it is.", hint=HINT)
