"""The hosts by name, as core asks for them: each is imported when it is asked for.

Core stands below the doors and imports none of them. A host is plugged in: it is a folder in
`agents/hosts`, which this room finds by name (`agents/hosts/host.py` says what it offers).
`wire` is light enough for an agent that waits; `host` brings everything along.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from .ingest.extract.transcripts import Transcript
    from .review.command_dialect import Dialect

    class Host(Protocol):
        """What core asks a host for."""

        @property
        def name(self) -> str:
            """In settings, on command lines, in the store."""

        @property
        def transcript(self) -> Transcript:
            """How its session files are read."""

        @property
        def headless(self) -> Dialect | None:
            """How it is asked one question; None where that is not known."""


_ROOT = __package__.rpartition(".")[0]
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "agents/hosts")
_PACKAGE = f"{_ROOT}.agents.hosts"


def names() -> tuple[str, ...]:
    """The names of all hosts, in the order of the alphabet."""
    with os.scandir(_FOLDER) as entries:
        found = [
            entry.name for entry in entries if os.path.isfile(os.path.join(entry.path, "wire.py"))
        ]
    return tuple(sorted(found))


def wire(name: str) -> Any:
    """The room that speaks the dialect of the host of this name; None where there is none."""
    return room(name, "wire")


def hook_files(name: str) -> Any:
    """Where the host of this name looks for its hooks; None where there is no such host."""
    files = room(name, "files")
    return files.FILES if files is not None else None


def host(name: str) -> Host | None:
    """All that there is about the host of this name; None where there is none."""
    found = room(name, "host")
    return found.HOST if found is not None else None


def hosts() -> list[Host]:
    """All hosts, in the order of their names."""
    return [found for name in names() if (found := host(name)) is not None]


def running(environ: Mapping[str, str]) -> set[str]:
    """The hosts in whose shell we run, as far as they say so in the environment.

    A host's mark has the host's name in it, so that most hosts need not be asked.
    """
    variables = " ".join(environ).upper()
    dialects = [wire(name) for name in names() if name.upper() in variables]
    return {one.HOST for one in dialects if environ.get(one.MARK)}


def room(name: str, kind: str) -> Any:
    """The module of this kind in the folder of the host of this name; None without a host."""
    path = f"{_PACKAGE}.{name}.{kind}"
    if path not in sys.modules:
        if name not in names():
            return None
        __import__(path)
    return sys.modules[path]
