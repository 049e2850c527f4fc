"""A memory as a page in `$EDITOR`: its fields between two lines of dashes, then its text.

What cannot be used goes back to the editor with the reason at its top; what cannot go back
stays in a file whose name is told. Nothing that was typed is lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from ..core.errors import BadInput, ManagerError, Refused
from ..core.page import changed, editor_words, page_left, to_page, without_remarks
from ..core.values import Memory
from .options import is_asking
from .output import narrate, one_line

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

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
        page, why_not = _edited(command, page)
        if without_remarks(page) == before:
            says = f"{why_not} Nothing was changed.".lstrip()
            raise BadInput(says, hint="Save the page to change the memory.")
        try:
            if why_not:
                raise BadInput(why_not)
            changes = changed(memory, page)
            keep = save or core.edit
            return keep(memory.id, expected_revision=memory.revision, **changes)
        except Refused:
            _keep(page)
            raise
        except BadInput as error:
            if not _again(str(error)):
                _keep(page)
                raise BadInput(str(error), hint="The memory is as it was.") from error
            page = f"# {one_line(str(error))}\n{without_remarks(page)}"
        except ManagerError:
            _keep(page)
            raise


def editor_command() -> list[str]:
    """The words of `$VISUAL` or `$EDITOR`; a usual editor where neither is set.

    Raises click.UsageError when there is nobody to look at one.
    """
    if words := editor_words():
        return words
    if not (is_asking() and sys.stdout.isatty()):
        raise click.UsageError("What to change? Give an option such as --content, or set $EDITOR.")
    from shutil import which

    for editor in USUAL_EDITORS:
        if matches := which(editor):
            return [matches]
    raise click.UsageError("There is no editor here. Set $EDITOR, or use --content.")


def _edited(command: list[str], page: str) -> tuple[str, str]:
    """As `page_left`, once the editor was left. The file is private and gone afterwards."""
    path = _written(page, "memdeck-")
    try:
        try:
            code = subprocess.call([*command, path])
        except OSError as error:
            raise click.UsageError(f"Cannot start {command[0]}: {error.strerror}.") from error
        return page_left(path, page, code)
    finally:
        with suppress(OSError):
            os.unlink(path)


def _again(reason: str) -> bool:
    """Whether the person wants back to the editor; nobody is asked where nobody is."""
    narrate("memdeck: ", reason)
    return is_asking() and click.confirm("Back to the editor?", default=True, err=True)


def _keep(page: str) -> None:
    narrate(f"  What you wrote is in {_written(page, 'memdeck-edit-')}")


def _written(page: str, prefix: str) -> str:
    """The path of a new private file that holds the page."""
    with tempfile.NamedTemporaryFile(
        "w", prefix=prefix, suffix=".md", encoding="utf-8", errors="replace", delete=False
    ) as file:
        file.write(page)
    return file.name
