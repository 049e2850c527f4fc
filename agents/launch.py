"""The command line that a host runs for an event: an absolute path, and never an exit code of 2.

A host takes 2 for a veto, and Python ends with it when a script is gone; `|| exit 0` makes
whatever happens harmless.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
from collections.abc import Iterable

from ..db.home import Home

PROGRAM = "memdeck-hook"


def find_executable() -> str | None:
    """The absolute path of `memdeck-hook`: beside this interpreter, else on the PATH."""
    name = f"{PROGRAM}.exe" if sys.platform == "win32" else PROGRAM
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), name)
    if os.access(beside, os.X_OK):
        return beside
    import shutil

    found = shutil.which(PROGRAM)
    return os.path.abspath(found) if found else None


def sibling(executable: str) -> str:
    """The path of `memdeck` beside the hook's program."""
    folder, name = os.path.split(executable)
    return os.path.join(folder, name.replace(PROGRAM, "memdeck"))


def command(executable: str, host: str, event: str, home: Home) -> str:
    """The shell command for `event`. It cannot exit 2, which would block the agent."""
    place = chosen_home(home)
    prefix = f"MEMDECK_HOME={shlex.quote(place)} " if place else ""
    return f"{prefix}{shlex.quote(executable)} {host} {event} || exit 0"


def chosen_home(home: Home) -> str:
    """The home's path where a hook would not find it by itself, else ""."""
    is_chosen = os.environ.get("MEMDECK_HOME") or home.path != Home().path
    return home.path if is_chosen else ""


def is_ours(handler: object, host: str) -> bool:
    """Whether `handler` runs our hook for `host`, in this spelling or an older one."""
    line = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(line, str):
        return False
    return any(found["host"] == host for found in _OURS.finditer(line))


def named_in(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(executables, homes) that commands of ours name: the first by an absolute path."""
    programs, homes = set[str](), set[str]()
    for line in lines:
        with contextlib.suppress(ValueError):  # no words of a shell
            words = shlex.split(line)[:2]
            programs |= {word for word in words if os.path.isabs(word)}
            homes |= {one[13:] for one in words[:1] if one.startswith("MEMDECK_HOME=")}
    return tuple(sorted(programs)), tuple(sorted(homes))


_OURS = re.compile(
    r"(?:^|[\s/\\'\"])memdeck(?:-hook(?:\.exe)?|\s+hook)['\"]?\s+(?:--cli[= ])?(?P<host>[a-z]+)\b"
)
