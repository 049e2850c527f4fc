"""The invented history of "quayside", a berth-booking service for marinas, read from its files.

`history_*.jsonl` tell it session by session: a line with `session` opens one (its `summary` is
for readers of the file), the lines after it are what was learned there. `conversations.jsonl`
holds talks that go through the hooks, `curation.jsonl` what people did with the memories later.
Times are days before or after the demo's day (negative: before) and hours of that day, UTC.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

DEMO_NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
"""The moment at which the demo takes place, unless another is given."""

PROJECT = "quayside"
REMOTE = "git@github.com:quayside-berths/quayside.git"

Fields = Mapping[str, Any]

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_HISTORY = tuple(sorted(name for name in os.listdir(_FOLDER) if name.startswith("history_")))
_LAST_WORDS = timedelta(minutes=4)  # from the last memory of a session to its end


class Days:
    """The demo's calendar: days and hours around the day of `now`."""

    def __init__(self, now: datetime) -> None:
        self.now = now.astimezone(UTC)
        self._midnight = self.now.replace(hour=0, minute=0, second=0, microsecond=0)

    def at(self, day: float, hour: float) -> datetime:
        """The moment `day` days from the demo's day at `hour` (0 to 24); at the latest now."""
        return min(self._midnight + timedelta(days=day, hours=hour), self.now)

    def in_days(self, days: float) -> datetime:
        """The moment `days` days after the demo's now."""
        return self.now + timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that was learned, as the files tell it."""

    at: datetime
    fields: Fields

    @property
    def key(self) -> str:
        """The name by which other lines refer to it: its own, or its title."""
        return str(self.fields.get("key") or self.fields["title"])

    @property
    def status(self) -> str:
        return str(self.fields.get("status", "confirmed"))


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session with an agent, and what was learned in it."""

    name: str
    id: str
    agent: str
    starts: datetime
    goal: str
    told: tuple[Told, ...]

    @property
    def ends(self) -> datetime:
        return self.told[-1].at + _LAST_WORDS


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session whose transcript goes through the hooks."""

    name: str
    id: str
    starts: datetime
    branch: str
    model: str
    end: str  # the reason that SessionEnd gives
    is_tour: bool  # kept for the tour, not part of the store
    steps: tuple[Fields, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did one day, or what an agent was told with a prompt."""

    at: datetime
    fields: Fields


def sittings(days: Days) -> list[Sitting]:
    """The sessions with agents, oldest first."""
    found = []
    for head, lines in _groups(_HISTORY):
        if head["session"] is None:
            continue
        starts = days.at(head["day"], head["hour"])
        told = tuple(Told(starts + timedelta(minutes=line["minute"]), line) for line in lines)
        name, agent = head["session"], head["agent"]
        found.append(Sitting(name, session_id(name, agent), agent, starts, head["goal"], told))
    return sorted(found, key=lambda sitting: sitting.starts)


def notes(days: Days) -> list[Told]:
    """What people told memdeck themselves, oldest first."""
    return [
        Told(days.at(line["day"], line["hour"]), line)
        for head, lines in _groups(_HISTORY)
        if head["session"] is None
        for line in lines
    ]


def conversations(days: Days) -> list[Conversation]:
    """The sessions that go through the hooks, oldest first."""
    return [
        Conversation(
            head["session"],
            session_id(head["session"], "claude"),
            days.at(head["day"], head["hour"]),
            head["branch"],
            head["model"],
            head["end"],
            bool(head.get("is_tour")),
            tuple(lines),
        )
        for head, lines in _groups(("conversations.jsonl",))
    ]


def acts(days: Days) -> list[Act]:
    """What people did with the memories, oldest first."""
    return [Act(days.at(line["day"], line["hour"]), line) for line in _lines("curation.jsonl")]


def session_id(name: str, agent: str) -> str:
    """The id of a session as its agent would write it; the same for the same name."""
    made = uuid.uuid5(uuid.NAMESPACE_URL, f"{PROJECT}/{name}")
    return f"ses_{made.hex[:24]}" if agent == "opencode" else str(made)


def _groups(names: tuple[str, ...]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each line that opens a session, with the lines that follow it."""
    head: dict[str, Any] | None = None
    lines: list[dict[str, Any]] = []
    for name in names:
        for line in _lines(name):
            if "session" not in line:
                lines.append(line)
                continue
            if head is not None:
                yield head, lines
            head, lines = line, []
    if head is not None:
        yield head, lines


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
