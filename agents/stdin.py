"""What arrives on standard input: bounded in size and time, tolerant of its form."""

from __future__ import annotations

import os
import time

from ..db import quick_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

LIMIT_BYTES = 8 * 1024 * 1024
"""A larger payload is refused unread; hosts send a few kilobytes."""

PATIENCE_S = 2.0
"""How long to wait for a host that never closes the pipe."""

_CHUNK_BYTES = 1 << 20
_PAUSE_MS = 50  # after so long without news a complete object counts as the whole payload


def read(stream: IO[bytes] | None) -> bytes:
    """At most `LIMIT_BYTES` + 1 bytes of `stream`, or of standard input when it is None."""
    if stream is not None:
        return stream.read(LIMIT_BYTES + 1)
    return _read_handle(0)


def parse(data: bytes) -> dict[str, Any] | None:
    """The JSON object in `data`; None for anything else.

    Bytes that are no UTF-8 become U+FFFD, a byte order mark is skipped. Raises ValueError
    when the payload is larger than `LIMIT_BYTES`.
    """
    if len(data) > LIMIT_BYTES:
        raise ValueError("payload too large")
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip("\0 \t\r\n")
    if not text.startswith("{"):
        return None
    try:
        found = quick_json.loads(text)
    except (ValueError, RecursionError):  # not JSON, a number of 5,000 digits, too deep
        return None
    return found if isinstance(found, dict) else None


def _read_handle(handle: int) -> bytes:
    """Read until the end, the limit, or `PATIENCE_S` without a complete object."""
    wait = _waiter(handle)
    if wait is None:
        return _read_blocking(handle)
    deadline = time.monotonic() + PATIENCE_S
    parts: list[bytes] = []
    size = 0
    looked_at = 0  # size at which the object was last found to be incomplete
    while size <= LIMIT_BYTES:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        if wait(min(left, _PAUSE_MS / 1000)):
            part = os.read(handle, min(_CHUNK_BYTES, LIMIT_BYTES + 1 - size))
            if not part:
                break
            parts.append(part)
            size += len(part)
        elif size > looked_at and parts[-1].rstrip().endswith(b"}"):
            looked_at = size
            if parse(b"".join(parts)) is not None:
                break  # complete, though the host keeps the pipe open
    return b"".join(parts)


def _read_blocking(handle: int) -> bytes:
    """Read to the end or the limit, where a pipe cannot be polled (Windows)."""
    parts: list[bytes] = []
    size = 0
    while size <= LIMIT_BYTES and (part := os.read(handle, LIMIT_BYTES + 1 - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _waiter(handle: int) -> Callable[[float], bool] | None:
    """A function that waits so many seconds for news from `handle`; None without poll(2)."""
    import select

    if not hasattr(select, "poll"):
        return None
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return lambda seconds: bool(poll.poll(seconds * 1000))
