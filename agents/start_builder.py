"""Makes the start block of a project and host: recall's own answers, for the hours to come.

The drain calls it when it has worked everything off and closed the store. What recall says of a
start depends on the store, on settings and on the time, by the hour (`core/retrieval/times.py`); an
hour in which anything else changes, something expires or falls due, has no answer here.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeAlias

from .. import __version__
from ..core import hosts
from ..core.projects import whereabouts
from ..db.fast_reader import Reader, open_reader
from ..db.home import Home, create_private, refuse_link
from ..db.kept import Kept
from . import events, learn_request, spool, start_block
from .answers import Answer
from .events import Event
from .recall import answer

HOURS, HOURS_IN_A_SESSION = 24, 2
"""Hours told ahead after a session's end, and in its midst, when the next turn makes them anew."""

SETTLED_NS = 40_000_000
"""A file's time says that it did not change since when it is older than a clock's coarsest tick.

Such a tick is 10 ms; where a file system counts whole seconds, nothing is told ahead.
"""

_OTHER = str.maketrans("0", "a")

Told: TypeAlias = "tuple[str, dict[str, Any] | None]"
"""A text, and the account of it."""

Said: TypeAlias = "Callable[[int], Told | None]"
"""What is told at a moment (ms)."""


def build(home: Home, host: str, session: str, cwd: str, now_ms: int, hours: int = HOURS) -> bool:
    """Make the block for the host and the project of `cwd`; whether there is one now.

    `session` is any session of the host, by whose name it is seen how long such a name is.
    """
    adapter = hosts.wire(host)
    name = next((one for one in adapter.GROUPS["sessions"] if one in adapter.ANSWERED), "")
    if not name or not session.isascii():
        return False
    root, remote = whereabouts(cwd)
    path = start_block.path_of(home, host, root, remote)
    state = start_block.state_of(home, root)
    if not _is_settled(state):
        return _drop(path)
    shape = start_block.shape_of(session)
    event = Event(
        events.SESSION_STARTED, host, name, session=shape, cwd=cwd, detail=start_block.PLAIN
    )
    limit = adapter.REPLY_BYTES
    first = now_ms // start_block.HOUR_MS
    ahead = range(first, first + hours)
    reader = open_reader(home, now_ms)
    if reader is None:
        return _drop(path)
    try:  # whatever is written meanwhile changes the state
        kept = Kept()  # by all the hours

        @cache
        def said(at_ms: int) -> Told | None:
            return _said(home, event, Reader(reader.connection, at_ms, kept), limit)

        told = {str(hour): one for hour, one in _by_hour(reader, said, ahead)}
        known = _known(reader)
        is_same = start_block.state_of(home, root) == state
        if not (told and is_same and _is_anybodys(home, event, said(now_ms), reader, limit)):
            return _drop(path)
    finally:
        reader.close()
    request = learn_request.lines_for(shape, os.environ.get("MEMDECK_HOME"))
    is_asked = any(text.endswith(request) for text, _ in told.values())
    block = {
        "about": [__version__, host, root, remote, limit],
        "state": state,
        "session": shape,
        "known": known,
        "request": request if is_asked else "",
        "made_at": now_ms,
        "hours": told,
    }
    return _write(home, path, spool.sealed(block))


def _by_hour(reader: Reader, said: Said, hours: range) -> Iterator[tuple[int, Told]]:
    """What is told in each hour, those left out in which it changes.

    Ages, and what fades, go one way: what is said at both ends of a time is said all through it,
    unless two things change by themselves, so that one may be gone again; where the ends differ,
    each half is looked at. Within an hour nothing else is new.
    """
    changing = reader.changing(hours.stop * start_block.HOUR_MS)
    begins = {hour: max(hour * start_block.HOUR_MS, reader.now_ms) for hour in hours}

    def spread(hours: range) -> Iterator[tuple[int, Told]]:
        begin, end = begins[hours[0]], (hours[-1] + 1) * start_block.HOUR_MS - 1
        count = sum(begin <= moment <= end for moment in changing)
        first, half = said(begin), len(hours) // 2
        if (count < 2 or not half) and first == said(end if count else begins[hours[-1]]):
            yield from ((hour, first) for hour in hours if first is not None)
        elif half:
            yield from spread(hours[:half])
            yield from spread(hours[half:])

    yield from spread(hours)


def _is_anybodys(home: Home, event: Event, first: Told | None, reader: Reader, limit: int) -> bool:
    """Whether a session of another name hears the same as `first`, but for its name."""
    other = event.moment(event.kind, session=event.session.translate(_OTHER))
    second = _said(home, other, reader, limit)
    if first is None or second is None or first[1] != second[1]:
        return False
    place = os.environ.get("MEMDECK_HOME")
    own = (learn_request.lines_for(one.session, place) for one in (event, other))
    texts = [text.removesuffix(next(own)) for text, _ in (first, second)]
    return texts[0] == texts[1]


def _said(home: Home, event: Event, reader: Reader, limit: int) -> Told | None:
    """Recall's text and account as of a moment, without what is a session's own."""
    found: Answer | None = answer(home, event, limit_bytes=limit, opened=reader)
    if found is None:
        return None
    if found.receipt is None:
        return found.text, None
    return found.text, {**found.receipt, **dict.fromkeys(start_block.OWN)}


def _known(reader: Reader) -> str:
    """The marks of all sessions that anything is known of."""
    return "".join(sorted(start_block.mark_of(one) for one in reader.receipts.known_sessions()))


def _is_settled(state: list[Any]) -> bool:
    """Whether a change from now on would show in the files' times; waits a moment for it."""
    newest = max((one[1] for one in state if one), default=0)
    left = newest + SETTLED_NS - time.time_ns()
    if left > SETTLED_NS or not any(state) or newest % 1_000_000_000 == 0:
        return False  # a time to come, no store, or a file system that counts whole seconds
    time.sleep(max(left, 0) / 1e9)
    return True


def _write(home: Home, path: str, data: bytes) -> bool:
    if len(data) > start_block.MOST_BYTES:
        return _drop(path)
    refuse_link(home.starts)
    os.makedirs(home.starts, mode=0o700, exist_ok=True)
    beside = f"{path}.{os.getpid()}.new"
    create_private(beside)
    try:
        with open(beside, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    return True


def _drop(path: str) -> bool:
    with contextlib.suppress(OSError):
        os.unlink(path)
    return False
