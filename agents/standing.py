"""How we stand in each host's files of hooks: who is connected, and in what form.

A host whose files are not there is told from their paths alone: what installs is not loaded for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..core import hosts
from ..core.errors import Refused
from ..frozen import dataclass, field

if TYPE_CHECKING:
    from ..core.agents import Host, Scope
    from ..db.home import Home
    from .changes import FilePlan
    from .entries import Entry

Shape = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """What was found in one scope of a host."""

    scope: Scope
    path: str
    problems: tuple[str, ...] = ()  # why the file cannot be understood
    entries: tuple[Entry, ...] = ()  # ours; none when we are not installed there
    programs: tuple[str, ...] = ()  # executables that they name by an absolute path
    homes: tuple[str, ...] = ()  # those that they name; one that names none finds it by itself
    settings: Mapping[str, Any] = field(default_factory=dict)  # all of the file
    others: tuple[str, ...] = ()  # command lines of other tools' hooks

    @property
    def is_installed(self) -> bool:
        """Whether anything of ours stands there."""
        return bool(self.entries)

    @property
    def shapes(self) -> dict[str, Shape]:
        """By event, how we are called for it."""
        return {event: shape_of(group) for event, group in self.entries}


def shape_of(group: Mapping[str, Any]) -> Shape:
    """`group` without the command lines, which differ between machines."""
    shown = dict(group)
    if isinstance(handlers := group.get("hooks"), list):
        shown["hooks"] = [
            {key: value for key, value in handler.items() if key != "command"}
            for handler in handlers
        ]
    return shown


class Installer(Protocol):
    """What one host's room can do."""

    @property
    def host(self) -> Host:
        """Whose it is."""

    @property
    def files(self) -> HookFiles:
        """Where it stands."""

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """By event, how these groups of events would have us called."""

    def plan(self, path: str, home: Home, groups: Sequence[str], program: str) -> FilePlan:
        """What installing the hook's `program` would do to the file at `path`."""

    def plan_uninstall(self, path: str) -> FilePlan:
        """What uninstalling would do to it."""

    def standing(self, path: str, scope: Scope) -> Standing:
        """How it stands; changes nothing."""


def installer(host: Host) -> Installer:
    """The installer of `host`. Raises Refused for a host that we do not know."""
    from .hosts.host import host as host_of

    return host_of(host).installer


def standings(host: Host, project_dir: str | None) -> list[Standing]:
    """How `host` stands in each of its scopes; in the home folder two of them are one file."""
    files = _files(host)
    found: dict[str, Standing] = {}
    for scope in files.scopes:
        path = files.path(scope, project_dir)
        is_there = os.path.lexists(path)
        one = installer(host).standing(path, scope) if is_there else Standing(scope, path)
        found.setdefault(os.path.realpath(path), one)
    return list(found.values())


def _files(host: Host) -> HookFiles:
    found: HookFiles | None = hosts.hook_files(host)
    if found is None:
        raise Refused(f"There is no agent {host!r}.", hint=f"We know {', '.join(hosts.names())}.")
    return found


@dataclass(frozen=True, slots=True)
class HookFiles:
    """The files in which one host could call us; that they are there is not said."""

    variables: tuple[tuple[str, str], ...]  # that may name the person's folder, or one above
    usual: str  # the person's folder otherwise
    project_folder: str  # below a project
    names: Mapping[Scope, str]  # the file's name below its folder, by scope

    def folder(self) -> str:
        """The person's, absolute."""
        for variable, below in self.variables:
            if chosen := os.environ.get(variable):
                return os.path.abspath(os.path.join(chosen, below))
        return os.path.abspath(os.path.expanduser(self.usual))

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
