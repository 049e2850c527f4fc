"""The log of the hooks: when, which event, which kind of error, and where in our code.

An error's own message is left out, because it may quote what a person or a model wrote.
Lines go to `log/hooks.log`, mode 0600; at 256 kB the file becomes `hooks.log.1`, so that
both together stay under about half a megabyte. Nothing here ever raises.
"""

from __future__ import annotations

import os
import time

from ..db.errors import ManagerError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..db.home import Home

LIMIT_BYTES = 256 * 1024

PUT_BACK = ", put back for the next drain"
"""Ends the line of what is tried again: no error yet of which a person would have to hear."""

_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


def path_of(home: Home) -> str:
    """The log's file."""
    return os.path.join(home.log, "hooks.log")


def note(home: Home, what: str, error: BaseException | str) -> None:
    """Append one line about `error` in `what` ("claude Stop"); silent when that fails too."""
    try:
        reason = error if isinstance(error, str) else describe(error)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = f"{stamp} {_tame(what)} {_tame(reason)}\n".encode("utf-8", "replace")
        path = path_of(home)
        try:
            handle = os.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            home.prepare()
            handle = os.open(path, _FLAGS, 0o600)
        try:
            os.write(handle, line)
            if os.fstat(handle).st_size > LIMIT_BYTES:
                os.replace(path, path + ".1")
        finally:
            os.close(handle)
    except (OSError, ValueError, ManagerError):
        return  # a log that cannot be written must not become the agent's problem


def describe(error: BaseException) -> str:
    """The kind of `error` and where it arose: "OSError[ENOSPC] spool.py:41"."""
    kind = type(error).__name__
    if isinstance(error, OSError) and error.errno:
        import errno

        kind += f"[{errno.errorcode.get(error.errno, error.errno)}]"
    place = error.__traceback__
    if place is None:
        return kind
    while place.tb_next is not None:
        place = place.tb_next
    return f"{kind} {os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}"


def last_errors(home: Home, limit: int = 5) -> list[str]:
    """The newest lines of the log, oldest first; none when there is no log."""
    try:
        with open(path_of(home), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 16 * 1024))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return lines[-limit:]


def _tame(text: str) -> str:
    """One line of at most 200 printable characters."""
    return "".join(c if c.isprintable() else "?" for c in text[:200])
