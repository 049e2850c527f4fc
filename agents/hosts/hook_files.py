"""Where a host looks for its hooks: one file in each scope, whatever stands in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from ...frozen import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...core.agents import Scope


@dataclass(frozen=True, slots=True)
class HookFiles:
    """The files in which one host could call us; that they are there is not said."""

    folder: Callable[[], str]  # the person's, absolute
    project_folder: str  # below a project
    names: Mapping[Scope, str]  # the file's name below its folder, by scope

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where the host's settings can stand."""
        return tuple(self.names)

    def path(self, scope: Scope, project_dir: str | None) -> str:
        """The file of `scope`; `project_dir` is the current folder by default."""
        if scope == "user":
            return os.path.join(self.folder(), self.names[scope])
        base = os.path.abspath(project_dir or os.getcwd())
        return os.path.join(base, self.project_folder, self.names[scope])
