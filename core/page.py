"""A memory as a page for the user's editor, and the files that a memory names."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .errors import BadInput
from .text.clean import decoded
from .text.times import moment
from .values import CATEGORIES, PRIVACIES, SCOPES, TYPES, Memory, importance_10, importance_from_10

if TYPE_CHECKING:
    from .compat import MemoryCoordinator

FENCE = "---"


def to_page(memory: Memory) -> str:
    values = {
        "title": memory.title.replace("\n", " ").replace("\t", " "),
        "type": memory.type,
        "category": memory.category,
        "scope": memory.scope,
        "importance": importance_10(memory.importance),
        "confidence": f"{memory.confidence:g}",
        "privacy": memory.privacy,
        "tags": ", ".join(memory.tags),
        "files": ", ".join(memory.files),
        "due": _local(memory.due),
        "expires": _local(memory.expires),
    }
    head = "\n".join(f"{name}: {value}".rstrip() for name, value in values.items())
    return f"{FENCE}\n{head}\n{FENCE}\n{memory.content}\n"


def changed(memory: Memory, page: str) -> dict[str, Any]:
    """The fields that the page changes. Raises BadInput with the line that cannot be used."""
    head, content = parted(page)
    unchanged, _ = parted(to_page(memory))
    changes: dict[str, Any] = {}
    for name, value in head.items():
        if name not in READERS:
            raise BadInput(f"There is no field {name!r}; there are {', '.join(READERS)}.")
        if value != unchanged[name]:
            changes[name] = READERS[name](name, value)
    if not content:
        raise BadInput("The text is empty. `memdeck forget` retires a memory.")
    if content != memory.content.strip():
        changes["content"] = content
    return changes


def parted(page: str) -> tuple[dict[str, str], str]:
    """The fields and the text of a page. Raises BadInput."""
    lines = without_remarks(page).split("\n")
    if lines[0].strip() != FENCE or FENCE not in (line.strip() for line in lines[1:]):
        raise BadInput(f"The fields stand between two lines of {FENCE}; one of them is gone.")
    end = next(at for at, line in enumerate(lines[1:], 1) if line.strip() == FENCE)
    head: dict[str, str] = {}
    for line in lines[1:end]:
        name, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise BadInput(f"{line.strip()!r} is not a field and its value.")
        if line.strip():
            head[name.strip().lower()] = value.strip()
    return head, "\n".join(lines[end + 1 :]).strip()


def without_remarks(page: str) -> str:
    """The page without what we wrote above its first line of dashes."""
    lines = page.lstrip("\ufeff").replace("\r\n", "\n").split("\n")
    while len(lines) > 1 and (lines[0].startswith("#") or not lines[0].strip()):
        del lines[0]
    return "\n".join(lines)


def editor_words() -> list[str]:
    """The words of `$VISUAL`, else of `$EDITOR`; none where neither says one."""
    for name in ("VISUAL", "EDITOR"):
        line = os.environ.get(name, "")
        try:
            words = shlex.split(line)
        except ValueError:  # a quote that is never closed: /home/o'neil/bin/edit
            words = line.split()
        if words:
            return words
    return []


def page_left(path: str, page: str, code: int) -> tuple[str, str]:
    """What an editor that ended with `code` left of a page, and why it cannot be used, or ""."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return page, "The editor left no page."
    try:
        text = decoded(data)
    except UnicodeDecodeError:
        return data.decode("latin-1"), "The page is not UTF-8. Save it as UTF-8."
    return text, f"The editor ended with code {code}." if code else ""


def _local(moment_: datetime | None) -> str:
    return "" if moment_ is None else moment_.astimezone().strftime("%Y-%m-%dT%H:%M")


def _text(_name: str, value: str) -> str:
    return value


def _list(_name: str, value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _when(_name: str, value: str) -> datetime | None:
    try:
        return moment(value, ahead=True) if value else None
    except ValueError as error:
        raise BadInput(str(error)) from None


def _ten(name: str, value: str) -> float:
    if not value.isdecimal() or not 1 <= int(value) <= 10:
        raise BadInput(f"{name}: A whole number from 1 to 10, not {value!r}.")
    return importance_from_10(int(value))


def _share(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise BadInput(f"{name} is a number from 0 to 1, not {value!r}.")
    return number


def _one_of(choices: tuple[str, ...]) -> Callable[[str, str], str]:
    def read(name: str, value: str) -> str:
        if value not in choices:
            raise BadInput(f"{name} is one of {', '.join(choices)}, not {value!r}.")
        return value

    return read


READERS: Mapping[str, Callable[[str, str], Any]] = {
    "title": _text,
    "type": _one_of(TYPES),
    "category": _one_of(CATEGORIES),
    "scope": _one_of(SCOPES),
    "importance": _ten,
    "confidence": _share,
    "privacy": _one_of(PRIVACIES),
    "tags": _list,
    "files": _list,
    "due": _when,
    "expires": _when,
}


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
    files, root = memory.files, core.context.root
    if memory.project not in ("", core.project_id):
        roots = {project.id: project.root for project in core.projects()}
        root = roots.get(memory.project, "")
    lines: dict[str, int | None] = dict.fromkeys(files)
    for name, number in _MENTION.findall(f"{memory.title}\n{memory.content}"):
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
