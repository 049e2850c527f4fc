"""The files that a memory names, where each of them is, and how an editor is told to open one.

A memory's text may be anybody's: what is opened is an absolute path to a file that is there, so
no name can be taken for an option of the editor.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .compat import MemoryCoordinator
    from .values import Memory

MOST_PLACES = 30
"""Files of one memory that are looked for."""

BY_COLON = {
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor", "windsurf"), ("-g",)),
    **dict.fromkeys(("subl", "zed", "hx", "helix"), ()),
}
"""Editors that take a place as `path:line`, with their option for it; others take `+line path`."""

_MENTION = re.compile(r"(?<![\w:/.~-])(~?/?[\w.@-]+(?:/[\w.@-]+)*)(?:(?::|#L)([1-9][0-9]{0,6}))?")
"""A path in a text, and its line where one is named: `src/queue.py:42`, `queue.py#L42`."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A file that a memory names."""

    name: str  # as the memory has it
    path: str  # absolute; "" of a relative name in a project without a folder
    line: int | None  # from 1; None where the memory names none
    is_there: bool

    @property
    def label(self) -> str:
        """`src/queue.py:42`."""
        return self.name if self.line is None else f"{self.name}:{self.line}"


def file_places(core: MemoryCoordinator, memory: Memory) -> list[FilePlace]:
    """The files of a memory in its own project's folder, those that are there first.

    Files of its own, and those that its text names with their line or that are there. A line that
    the text names counts for the file of that name. Looks at the disk.
    """
    root = core.context.root if memory.project in ("", core.project_id) else _root_of(core, memory)
    return places_in(root, memory.files, f"{memory.title}\n{memory.content}")


def _root_of(core: MemoryCoordinator, memory: Memory) -> str:
    return next((project.root for project in core.projects() if project.id == memory.project), "")


def places_in(root: str, files: Sequence[str], text: str) -> list[FilePlace]:
    """The same, of these files and this text, where relative names stand in the folder `root`."""
    lines: dict[str, int | None] = dict.fromkeys(files)
    for name, number in _MENTION.findall(text):
        line = int(number) if number else None
        name = name.rstrip(".")
        owner = next((file for file in files if _is_same(file, name)), None)
        if owner is not None:
            lines[owner] = lines[owner] or line
        elif "." in name[1:] and (line or "/" in name) and not lines.get(name):
            lines[name] = line
    places = [_place(root, name, line) for name, line in list(lines.items())[:MOST_PLACES]]
    existing = [file for file in places if file.is_there or file.line or file.name in files]
    return sorted(existing, key=lambda file: not file.is_there)


def _is_same(file: str, mention: str) -> bool:
    """Whether a text's word for a file means this one: its path, or the end of it."""
    return file == mention or file.endswith(f"/{mention}") or mention.endswith(f"/{file}")


def _place(root: str, name: str, line: int | None) -> FilePlace:
    path = os.path.expanduser(name)
    path = path if os.path.isabs(path) else os.path.join(root, path) if root else ""
    is_there = bool(path) and "\0" not in path and os.path.isfile(path)
    return FilePlace(name, os.path.normpath(path) if path else "", line, is_there)


def opened_with(command: Sequence[str], path: str, line: int | None) -> list[str]:
    """The words that start an editor on a file, at a line where one is known."""
    if line is None:
        return [*command, path]
    editor = os.path.basename(command[0])
    if editor in BY_COLON:
        return [*command, *BY_COLON[editor], f"{path}:{line}"]
    return [*command, f"+{line}", path]
