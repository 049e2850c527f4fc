"""The files of standing instructions that were found, with what would be remembered of each."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..core.errors import ManagerError
from ..frozen import dataclass

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator


@dataclass(frozen=True, slots=True)
class Instructions:
    """One file, and the texts in it that are not known yet, without secrets."""

    path: str
    entries: tuple[str, ...]
    scope: str  # "project" for a file of the project's, "global" for one of the person's

    @property
    def reach(self) -> str:
        """Whom the memories will be told to, in words."""
        return "for every project" if self.scope == "global" else "for this project"


def read_instructions(core: MemoryCoordinator, paths: Iterable[str]) -> list[Instructions]:
    """What `import_instructions` would keep of these files; runs in a lane.

    A file that cannot be read, or holds nothing new, is left out.
    """
    root = os.path.realpath(core.project.root) if core.project.root else os.getcwd()
    found = []
    for path in paths:
        is_ours = os.path.realpath(path).startswith(root.rstrip(os.sep) + os.sep)
        scope = "project" if is_ours else "global"
        try:
            known = core.instructions_in(path, scope=scope)
        except ManagerError:
            continue
        entries = tuple(one.text for one in known if not one.is_known)
        if entries:
            found.append(Instructions(path, entries, scope))
    return found


def import_shown(core: MemoryCoordinator, file: Instructions) -> tuple[str, ...]:
    """Remember just these texts of the file; the ids of those added. Runs in the write lane.

    The person saw each of them and whom it is for, and said yes.
    """
    with core.context.consent.given():
        return core.import_instructions(file.path, entries=file.entries, scope=file.scope).ids


def tilde(path: str) -> str:
    """A path with the person's folder as `~`."""
    home = os.path.expanduser("~")
    is_inside = path == home or path.startswith(home + os.sep)
    return f"~{path[len(home) :]}" if is_inside else path
