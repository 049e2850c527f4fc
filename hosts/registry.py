"""The hosts by name, each imported when it is asked for: a host is a folder beside this module.

`wire` is light enough for an agent that waits; `host` (`hosts/install.py` says what it offers)
brings everything along.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .install import Host

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def names() -> tuple[str, ...]:
    """The names of all hosts, in the order of the alphabet."""
    with os.scandir(_FOLDER) as entries:
        matches = [
            entry.name for entry in entries if os.path.isfile(os.path.join(entry.path, "wire.py"))
        ]
    return tuple(sorted(matches))


def module(name: str, kind: str) -> Any:
    """The module of this kind in the folder of the host of this name; None without such a host.

    By the interpreter's own import: `importlib` costs more, and a hook's host needs no list of
    folders.
    """
    path = f"{__package__}.{name}.{kind}"
    if not name.isidentifier():
        return None
    try:
        __import__(path)  # also of a loaded module: another thread may still be loading it
    except ModuleNotFoundError as error:
        if error.name is not None and path.startswith(error.name):
            return None
        raise
    return sys.modules[path]


def wire(name: str) -> Any:
    """The module that speaks the dialect of the host of this name; None where there is none."""
    return module(name, "wire")


def host(name: str) -> Host | None:
    """All that there is about the host of this name; None where there is none."""
    matches = module(name, "host")
    return matches.HOST if matches is not None else None


def hosts() -> list[Host]:
    """All hosts, in the order of their names."""
    return [matches for name in names() if (matches := host(name)) is not None]


def running(environ: Mapping[str, str]) -> set[str]:
    """The hosts in whose shell we run, as far as they say so in the environment.

    A host's mark has the host's name in it, so that most hosts need not be asked.
    """
    variables = " ".join(environ).upper()
    dialects = [wire(name) for name in names() if name.upper() in variables]
    return {dialect.HOST for dialect in dialects if environ.get(dialect.MARK)}
