"""The JSON objects of a growing file, one a line, read a piece at a time.

The file belongs to another program that may be writing it at this moment: its last line may
be half there, it may have been cut short or replaced, and any line may be nonsense. Nothing
of that is an error here; what cannot be used is counted and passed over.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from typing import Any, BinaryIO

MAX_READ = 32 * 1024 * 1024  # bytes in one reading
MAX_LINE = 4 * 1024 * 1024  # bytes; longer lines hold pictures and whole files, not words
MAX_WHOLE = 64 * 1024 * 1024  # bytes of a file that is rewritten, and so read whole
LOOK_BACK = 1024 * 1024  # bytes

_CHUNK = 64 * 1024


class LineReader:
    """Iterates over (line number from 1, object); afterwards says where to go on.

    `offset` always follows a newline. `has_more` is set when `max_bytes` ended the reading.
    A line without its newline is left for the next reading. Raises OSError where the file
    is missing, unreadable or not a regular one.
    """

    def __init__(
        self,
        path: str,
        offset: int = 0,
        line_no: int = 0,
        *,
        max_bytes: int = MAX_READ,
        max_line: int = MAX_LINE,
    ) -> None:
        self.path = path
        self.offset = max(offset, 0)
        self.line_no = max(line_no, 0)
        self.bad_lines = 0
        self.has_more = False
        self._max_bytes = max_bytes
        self._max_line = max_line

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        with open_regular(self.path) as file:
            if self.offset and not _ends_line(file, self.offset):  # it shrank, or was replaced
                self.offset = self.line_no = 0
            file.seek(self.offset)
            end = self.offset + self._max_bytes
            while self.offset < end:
                line = file.readline(self._max_line + 1)
                length = len(line)
                if length > self._max_line and not line.endswith(b"\n"):
                    length += _skip_line(file)
                    line = b""
                    if not _ends_line(file, self.offset + length):
                        return
                elif not line.endswith(b"\n"):
                    return
                self.offset += length
                self.line_no += 1
                value = _parsed(line)
                if value is not None:
                    yield self.line_no, value
                elif not line or line.strip():
                    self.bad_lines += 1
            self.has_more = bool(file.read(1))


def look_back(path: str, offset: int, line_no: int, span: int = LOOK_BACK) -> tuple[int, int]:
    """The start of a line at most `span` bytes before `offset`, and the lines before it.

    A command may fail in one reading and work in the next; a reading that starts a little
    earlier sees both.
    """
    start = max(offset - span, 0)
    if start == 0:
        return 0, 0
    with open_regular(path) as file:
        file.seek(start - 1)
        piece = file.read(offset - start + 1)
    first = piece.find(b"\n")
    if first < 0:
        return offset, line_no
    return start + first, max(line_no - piece.count(b"\n", first + 1), 0)


def whole_json(path: str, max_bytes: int) -> tuple[Any, int, str]:
    """(value, bytes read, why there is none) of a file that is one JSON text.

    Raises OSError where there is no readable file.
    """
    with open_regular(path) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        return None, 0, f"larger than {max_bytes:,} bytes"
    try:
        return _loaded(data), len(data), ""
    except (ValueError, RecursionError):
        return None, 0, "not one whole JSON text"


def open_regular(path: str) -> BinaryIO:
    """The file, open for reading; a pipe or a device would make us wait for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return os.fdopen(descriptor, "rb")


def _ends_line(file: BinaryIO, offset: int) -> bool:
    place = file.tell()
    file.seek(offset - 1)
    ended = file.read(1) == b"\n"
    file.seek(place)
    return ended


def _skip_line(file: BinaryIO) -> int:
    """Pass over the rest of the line without keeping it; the bytes passed."""
    passed = 0
    while piece := file.readline(_CHUNK):
        passed += len(piece)
        if piece.endswith(b"\n"):
            break
    return passed


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The object in `line`, or None; a depth bomb is no object either."""
    try:
        value = _loaded(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _loaded(data: bytes) -> Any:
    return json.loads(data.decode("utf-8", "replace").lstrip("\ufeff"))
