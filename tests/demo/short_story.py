"""The demo's story with three memories of each session: built in a fifth of the time.

For what is true of any story: that a build says how far it is, and that it can be repeated.
"""

from collections.abc import Iterator
from typing import Any

from memdeck.demo import history

EACH = 3
ALSO = ("adr-habit", "wait-on", "wait-off", "The offer mail names one berth, not a list")
"""What is undone, retagged, and said to be no conflict."""

ELSEWHERE = ("conflict_with", "supersedes")  # fields that name another memory

Line = dict[str, Any]


def shorten() -> None:
    """From now on, in this process, it is the story that is told."""
    whole = history._lines
    told = {name: list(_begun(whole(name))) for name in history._HISTORY}
    keys = {_name_of(line) for lines in told.values() for line in lines}

    def lines(name: str) -> Iterator[Line]:
        if name in told:
            return (_closed(line, keys) for line in told[name])
        every = whole(name)
        return _acts(every, keys) if name == "curation.jsonl" else _talks(every)

    history._lines = lines  # type: ignore[assignment]


def _begun(lines: Iterator[Line]) -> Iterator[Line]:
    """Of each session how it opens, and its first memories."""
    count = 0
    for line in lines:
        count = 0 if "session" in line else count + 1
        if count <= EACH or _name_of(line) in ALSO:
            yield line


def _name_of(line: Line) -> str:
    return str(line.get("key") or line.get("title"))


def _closed(line: Line, keys: set[str]) -> Line:
    """A line that names no memory which is not told."""
    line = {name: value for name, value in line.items() if name not in ELSEWHERE or value in keys}
    if "link" in line:
        line["link"] = {kind: to for kind, to in line["link"].items() if to in keys}
    return line


def _talks(lines: Iterator[Line]) -> Iterator[Line]:
    is_told = False
    for line in lines:
        if "session" in line:
            is_told = line["session"] == "d1" or bool(line.get("is_tour"))
        if is_told:
            yield line


def _acts(lines: Iterator[Line], keys: set[str]) -> Iterator[Line]:
    """What people did with what is told; an undo is of the act before it."""
    is_done = False
    for line in lines:
        named = {line[name] for name in ("ref", "source", "target") if name in line}
        if line["do"] != "undo":
            is_done = keys >= named | {*line.get("refs", ())} and line.get("session") != "d2"
        if is_done:
            yield line
