"""What a story must know of a client, and what several of them have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from ..dialects import Call, Json
from ..surroundings import Place

LIST = ("Raise the retry budget", "Run the checks")
"""What the agent plans to do; its tools for that differ."""

TRACE = "others.log"
"""Where the hook of another tool writes, in the user's folder."""


class Agent(Protocol):
    """One client."""

    host: str
    name: str
    package: str
    version: str
    program: str  # in the package's folder of programs
    tools: str  # how the names of our MCP tools begin
    asks_trust: bool = False  # runs a hook only when the user has said that they trust it
    settings: str  # the file that our hooks go into, below the user's folder
    asks_first: Mapping[str, str] = {}  # what it asks on a screen before anything else: words, key
    leaving: str = "/exit"  # what the user types to leave it
    theirs: str = ""  # words of all its subagents' requests and no others; "" where it has no such

    def prepare(self, place: Place) -> None:
        """Write what the client has from its person, before memdeck is installed."""

    def command(self, prompt: str, url: str) -> list[str]:
        """The words after the program's name for one turn without a screen."""

    def slash(self, name: str, words: str, url: str) -> list[str]:
        """The same for one of our slash commands and what the user writes after it."""
        return self.command(f"/{name} {words}", url)

    def on_screen(self, url: str) -> list[str]:
        """The words after the program's name for a session on a screen."""
        return []

    def environment(self, url: str) -> dict[str, str]:
        """Return the client's variables beside `Place.environment`."""
        return {}

    def shell(self, command: str) -> Call:
        """The call that runs `command`."""

    def open(self, path: str) -> Call:
        """The call that reads the file at `path`, or changes it where a tool for reading lacks."""

    def plan(self) -> Call:
        """The call that writes down what is to do."""

    def planned(self) -> Call:
        """The call that ticks it off."""

    def send(self, task: str) -> list[Call]:
        """The calls that start a subagent with `task` and wait for it; none without such hooks."""
        return []


def others(event: str) -> Json:
    """Another tool's hook, which leaves a trace."""
    command = f'echo {event} >> "$HOME/{TRACE}"'
    return {event: [{"hooks": [{"type": "command", "command": command}]}]}


def todos(key: str, *states: str, **more: str) -> Json:
    """What a tool for todos takes: the `LIST` under `key`, each in its state."""
    steps = zip(LIST, states, strict=True)
    return {"todos": [{key: text, "status": state, **more} for text, state in steps]}


def write(path: Path, value: Json) -> None:
    """Write `value` where the user's settings lie."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
    path.chmod(0o600)
