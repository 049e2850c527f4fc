"""What a session that begins is told, kept ready: a file a project and host, made by the drain.

Derived, and never trusted blindly. It is told only while nothing that recall would look at has
changed: the store's files, the settings files, the project of the folder, the version, the hour. A
session that anything is known of is answered by recall, and so is every start that is no plain one.
What cannot be read, or does not fit, counts as not there. An agent waits: nothing here imports more
than a note does.
"""

from __future__ import annotations

import os
import time
from zlib import crc32

from .. import __version__
from ..core.projects import whereabouts
from ..core.retrieval.request import MARK
from ..db import quick_json
from . import events, learn_request, spool
from .answers import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..db.home import Home
    from .events import Event

HOUR_MS = 3_600_000

OWN = ("id", "at", "session", "latency_ms")
"""What each start's account has for itself."""

MOST_BYTES = 1024 * 1024
"""A larger block is not read."""

PLAIN = "startup"
"""How a session starts that was told nothing before."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def path_of(home: Home, host: str, root: str, remote: str | None) -> str:
    """The block of a project for a host, which says whose it is: two may have one name."""
    key = crc32(f"{root}\n{remote}".encode("utf-8", "surrogateescape"))
    return os.path.join(home.starts, f"{host}-{key:08x}")


def is_plain(event: Event) -> bool:
    """Whether a block may answer: a session that begins anew, and asks nothing yet."""
    return event.kind == events.SESSION_STARTED and event.detail == PLAIN and not event.prompt


def kept(home: Home, event: Event, limit_bytes: int) -> Answer | None:
    """What the block says to `event`; None where recall has to."""
    if not is_plain(event):
        return None
    started = time.perf_counter()
    now_ms = time.time_ns() // 1_000_000
    root, remote = whereabouts(event.cwd)
    block = _read(path_of(home, event.host, root, remote))
    if block is None or not _fits(block, home, event, root, remote, limit_bytes):
        return None
    hour = block["hours"].get(str(now_ms // HOUR_MS))
    if hour is None or now_ms < block["made_at"]:
        return None
    text, receipt = hour
    if asked := block["request"]:
        request = learn_request.lines_for(event.session, os.environ.get("MEMDECK_HOME"))
        if learn_request.lines_for(block["session"], os.environ.get("MEMDECK_HOME")) != asked:
            return None
        if text.endswith(asked):
            text = text.removesuffix(asked) + request
        elif MARK in text:  # the lines for any session
            return None
    if receipt is None:
        return Answer(text, None)
    from ..core.ids import new_id

    latency_ms = round((time.perf_counter() - started) * 1000, 2)
    own = (new_id(now_ms, os.urandom), now_ms, event.session, latency_ms)
    return Answer(text, {**receipt, **dict(zip(OWN, own, strict=True))})


def state_of(home: Home, root: str) -> list[Any]:
    """What would differ if the store or its settings were changed: sizes, times, and numbers.

    The log beside the database counts when anything stands in it.
    """
    wal = _stat(home.database + "-wal")
    settings = [_stat(home.config), _stat(os.path.join(root, ".memdeck.toml")) if root else None]
    return [_stat(home.database), wal if wal and wal[0] else None, *settings]


def shape_of(session: str) -> str:
    """A session's name with each letter and digit as "0": what decides how long a text gets."""
    return "".join("0" if sign.isalnum() else sign for sign in session)


def mark_of(session: str) -> str:
    """A session's name in the list of those that are known."""
    return f" {crc32(session.encode('utf-8', 'replace')):08x}"


def _read(path: str) -> dict[str, Any] | None:
    """The block in a file of our own, whole and private; else None."""
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return None
    try:
        state = os.fstat(handle)
        is_ours = not hasattr(os, "getuid") or state.st_uid == os.getuid()
        if not is_ours or state.st_mode & 0o170077 != 0o100000 or state.st_size > MOST_BYTES:
            return None
        return spool.unsealed(os.read(handle, MOST_BYTES))
    except OSError:
        return None
    finally:
        os.close(handle)


def _fits(
    block: dict[str, Any], home: Home, event: Event, root: str, remote: str | None, limit: int
) -> bool:
    """Whether recall would look at just what it looked at when `block` was made."""
    about = [__version__, event.host, root, remote, limit]
    return (
        block.get("about") == about
        and block["state"] == state_of(home, root)
        and event.session.isascii()
        and shape_of(event.session) == block["session"]
        and mark_of(event.session) not in block["known"]
        and not _is_in_spool(home, event.session)
    )


def _is_in_spool(home: Home, session: str) -> bool:
    """Whether a note of this session waits: it was told something, or did something."""
    mark = quick_json.dumps(session).encode("ascii")
    for path in spool.paths(home):
        try:
            with open(path, "rb") as file:
                if mark in file.read():
                    return True
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return False


def _stat(path: str) -> list[int] | None:
    try:
        state = os.lstat(path)
    except OSError:
        return None
    return [state.st_size, state.st_mtime_ns, state.st_ino, state.st_dev]
