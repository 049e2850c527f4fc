"""A memory as a page in `$EDITOR`: its fields between two lines of dashes, then its text.

What cannot be used goes back to the editor with the reason at its top; what cannot go back
stays in a file whose name is told. Nothing that was typed is lost.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import BadInput, ManagerError, Refused
from ..core.values import (
    CATEGORIES,
    PRIVACIES,
    SCOPES,
    TYPES,
    Memory,
    importance_10,
    importance_from_10,
)
from .options import moment
from .output import narrate, one_line

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

FENCE = "---"
USUAL_EDITORS = ("vi", "nano", "notepad")


def edit_in_editor(
    core: MemoryCoordinator, memory: Memory, save: Callable[..., Memory] | None = None
) -> Memory:
    """The memory as it is after the page was edited and saved, by `core.edit` or `save`.

    Raises BadInput when nothing was changed or the page cannot be used, StaleEdit when
    somebody else changed the memory meanwhile.
    """
    command = editor_command()
    before = to_page(memory)
    page = before
    while True:
        page = _edited(command, page)
        if _without_remarks(page) == before:
            raise BadInput("Nothing was changed.", hint="Save the page to change the memory.")
        try:
            changes = changed(memory, page)
            keep = save or core.edit
            return keep(memory.id, expected_revision=memory.revision, **changes)
        except Refused:
            _keep(page)
            raise
        except (BadInput, ValueError) as error:
            if not _again(str(error)):
                _keep(page)
                raise BadInput(str(error), hint="The memory is as it was.") from error
            page = f"# {one_line(str(error))}\n{_without_remarks(page)}"
        except ManagerError:
            _keep(page)
            raise


def editor_command() -> list[str]:
    """The words of `$VISUAL` or `$EDITOR`; a usual editor where neither is set.

    Raises click.UsageError when there is nobody to look at one.
    """
    for name in ("VISUAL", "EDITOR"):
        if words := shlex.split(os.environ.get(name, "")):
            return words
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("What to change? Give an option such as --content, or set $EDITOR.")
    from shutil import which

    for editor in USUAL_EDITORS:
        if found := which(editor):
            return [found]
    raise click.UsageError("There is no editor here. Set $EDITOR, or use --content.")


def to_page(memory: Memory) -> str:
    """The memory as a page."""
    values = {
        "title": one_line(memory.title),
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
    """The fields that the page changes. Raises ValueError with the line that cannot be used."""
    head, content = _parted(page)
    unchanged, _ = _parted(to_page(memory))
    changes: dict[str, Any] = {}
    for name, value in head.items():
        if name not in _READ:
            raise ValueError(f"There is no field {name!r}; there are {', '.join(_READ)}.")
        if value != unchanged[name]:
            changes[name] = _READ[name](name, value)
    if not content:
        raise ValueError("The text is empty; `memdeck forget` takes a memory out.")
    if content != memory.content.strip():
        changes["content"] = content
    return changes


def _parted(page: str) -> tuple[dict[str, str], str]:
    """The fields and the text of a page."""
    lines = _without_remarks(page).split("\n")
    if lines[0].strip() != FENCE or FENCE not in (line.strip() for line in lines[1:]):
        raise ValueError(f"The fields stand between two lines of {FENCE}; one of them is gone.")
    end = next(at for at, line in enumerate(lines[1:], 1) if line.strip() == FENCE)
    head: dict[str, str] = {}
    for line in lines[1:end]:
        name, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise ValueError(f"{line.strip()!r} is not a field and its value.")
        if line.strip():
            head[name.strip().lower()] = value.strip()
    return head, "\n".join(lines[end + 1 :]).strip()


def _without_remarks(page: str) -> str:
    """The page without what we wrote above its first line of dashes."""
    lines = page.replace("\r\n", "\n").split("\n")
    while len(lines) > 1 and (lines[0].startswith("#") or not lines[0].strip()):
        del lines[0]
    return "\n".join(lines)


def _edited(command: list[str], page: str) -> str:
    """The page after the editor was left. The file is private and gone afterwards."""
    handle, path = tempfile.mkstemp(prefix="memdeck-", suffix=".md")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(page)
        try:
            code = subprocess.call([*command, path])
        except OSError as error:
            raise click.UsageError(f"Cannot start {command[0]}: {error.strerror}.") from error
        if code != 0:
            raise BadInput(f"{command[0]} ended with code {code}; nothing was changed.")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    finally:
        os.unlink(path)


def _again(reason: str) -> bool:
    """Whether the person wants back to the editor; nobody is asked where nobody is."""
    narrate("memdeck: ", reason)
    return sys.stdin.isatty() and click.confirm("Back to the editor?", default=True, err=True)


def _keep(page: str) -> None:
    handle, path = tempfile.mkstemp(prefix="memdeck-edit-", suffix=".md")
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
        file.write(page)
    narrate(f"  What you wrote is in {path}")


def _local(moment_: datetime | None) -> str:
    return "" if moment_ is None else moment_.astimezone().strftime("%Y-%m-%dT%H:%M")


def _text(_name: str, value: str) -> str:
    return value


def _list(_name: str, value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _when(_name: str, value: str) -> datetime | None:
    return moment(value, ahead=True) if value else None


def _ten(name: str, value: str) -> float:
    if not value.isdecimal() or not 1 <= int(value) <= 10:
        raise ValueError(f"{name} is a whole number from 1 to 10, not {value!r}.")
    return importance_from_10(int(value))


def _share(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ValueError(f"{name} is a number from 0 to 1, not {value!r}.")
    return number


def _one_of(choices: tuple[str, ...]) -> Callable[[str, str], str]:
    def read(name: str, value: str) -> str:
        if value not in choices:
            raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}.")
        return value

    return read


_READ: Mapping[str, Callable[[str, str], Any]] = {
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
