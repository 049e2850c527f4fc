"""When each event of each host last came: the time of an empty file's last change.

Costs a hook some 20 microseconds; nothing is read, and what cannot be marked is left unmarked.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..db.home import Home


def folder(home: Home) -> str:
    """Where the marks lie."""
    return os.path.join(home.log, "fired")


def mark(home: Home, host: str, name: str) -> None:
    """Note that `host` sent `name` now; never raises. Both are names of our own adapters."""
    path = os.path.join(folder(home), f"{host}.{name}")
    try:
        os.utime(path)
    except FileNotFoundError:
        _begin(home, path)
    except OSError:
        return


def _begin(home: Home, path: str) -> None:
    """Make a mark; a home that does not exist yet is not begun for it."""
    try:
        if os.path.isdir(home.log):
            os.makedirs(folder(home), mode=0o700, exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError:
        return


def read(home: Home) -> dict[str, dict[str, float]]:
    """By host, by event: seconds since 1970 at which it last came."""
    found: dict[str, dict[str, float]] = {}
    try:
        marks = list(os.scandir(folder(home)))
    except OSError:
        return {}
    for entry in marks:
        host, _, name = entry.name.partition(".")
        if name:
            found.setdefault(host, {})[name] = entry.stat(follow_symlinks=False).st_mtime
    return found
