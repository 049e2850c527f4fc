"""Who writes, and when among all who write: what lets the logs of several homes be read as one.

Each journal line names its home and carries a hybrid logical clock (Kulkarni et al., 2014): the
wall clock's milliseconds, never behind the line before, and a count for lines within the same
millisecond. Sorted as text by clock, then by writer, lines of several homes stand in one order
that every reader finds alike, and a wall clock that is put back changes nothing about it. Lines
of older versions have neither. Standard library only.
"""

import os
import re

from .errors import of_the_system
from .home import Home, create_private, refuse_link, sync_folder

MOST_AT_ONCE = 99_999
"""Lines of one millisecond; the next one counts as a millisecond later."""

_WRITER = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_FILE = "writer"


def writer_of(home: Home) -> str:
    """The id of this home, a random UUID (RFC 9562) made once. The caller holds the write lock.

    One that cannot be read as an id is replaced: no line may go without. Raises StoreFull,
    StoreUnusable.
    """
    path = os.path.join(home.path, _FILE)
    refuse_link(path)
    try:
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                known = file.read(64).strip()
        except FileNotFoundError:
            known = ""
        return known if re.fullmatch(_WRITER, known) else _make(path)
    except OSError as error:
        raise of_the_system(error, "The writer's id") from error


def _make(path: str) -> str:
    import uuid  # once a home

    made = str(uuid.uuid4())
    beside = path + ".tmp"
    create_private(beside)
    with open(beside, "w", encoding="ascii") as file:
        file.write(made + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    sync_folder(os.path.dirname(path))
    return made


def tick(before: str, at: int) -> str:
    """The clock of a line written at `at` (milliseconds) after one with the clock `before`.

    14 digits of milliseconds, a dash, 5 of count: "01700000000000-00000". `before` is "" for the
    first line, or where the line before is of an older version.
    """
    time, count = (int(part) for part in before.split("-")) if before else (-1, 0)
    if max(at, 0) > time:
        time, count = max(at, 0), 0
    elif count < MOST_AT_ONCE:
        count += 1
    else:
        time, count = time + 1, 0
    return f"{time:014d}-{count:05d}"
