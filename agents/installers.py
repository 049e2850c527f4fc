"""Connecting an agent and leaving it: the plan for all its files, whichever agent it is.

A plan is made without writing anything; `changes.carry_out` does what it says.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..core.agents import NAMES, Host, Scope, SetupPlan
from ..core.errors import Refused
from ..db.home import Home
from . import subscriptions as asked
from .changes import FilePlan
from .hosts.host import host as host_of
from .launch import PROGRAM, find_executable
from .standing import Installer, installer, standings


def plan(host: Host, scope: Scope, project_dir: str | None, home: Home) -> SetupPlan:
    """What connecting `host` in `scope` would change; writes nothing.

    Raises Refused for a scope that the host does not have, BadInput when our settings cannot be
    read.
    """
    room = _with_scope(host, scope)
    program = find_executable()
    if program is None:
        return SetupPlan(host, scope, False, (), (f"{PROGRAM} was not found.",))
    groups = asked.wanted_groups(home)
    path = room.files.path(scope, project_dir)
    hooks = room.plan(path, home, groups, program)
    if hooks.problems:
        return _joined(host, scope, False, [hooks])
    from . import slash_commands  # who only asks how things stand does without

    commands = slash_commands.plan(host, scope, project_dir, home, program)
    parts = [hooks, *_shared(host, scope), *commands]
    out = _leading_out(scope, project_dir, parts)
    return _joined(host, scope, False, [*parts, *out, *_elsewhere(room, scope, project_dir)])


def plan_uninstall(host: Host, scope: Scope, project_dir: str | None) -> SetupPlan:
    """What leaving `host` in `scope` would change; writes nothing."""
    room = _with_scope(host, scope)
    hooks = room.plan_uninstall(room.files.path(scope, project_dir))
    if hooks.problems:
        return _joined(host, scope, True, [hooks])
    from . import slash_commands

    parts = [hooks, *slash_commands.plan_uninstall(host, scope, project_dir)]
    return _joined(host, scope, True, [*parts, *_leading_out(scope, project_dir, parts)])


def _with_scope(host: Host, scope: Scope) -> Installer:
    room = installer(host)
    if scope not in room.files.scopes:
        known = ", ".join(room.files.scopes[:-1]) + f" or {room.files.scopes[-1]}"
        raise Refused(f"{NAMES[host]} has no scope {scope!r}.", hint=f"Use {known}.")
    return room


def _shared(host: Host, scope: Scope) -> list[FilePlan]:
    """What to say of a file that others of the project get as well."""
    if scope != "project":
        return []
    notes = (host_of(host).in_project, "This file is shared: it names a path on this machine.")
    return [FilePlan(None, (), tuple(filter(None, notes)))]


def _leading_out(
    scope: Scope, project_dir: str | None, parts: Sequence[FilePlan]
) -> list[FilePlan]:
    """What to say of a project whose links lead out of it: its author is not this person."""
    if scope == "user":
        return []
    top = os.path.join(os.path.realpath(project_dir or os.getcwd()), "")
    needed = [part.change.path for part in parts if part.change and part.change.is_needed]
    return [
        FilePlan(None, (f"{path} is a link that leads out of the project.",))
        for path in needed
        if not os.path.realpath(path).startswith(top)
    ]


def _elsewhere(room: Installer, scope: Scope, project_dir: str | None) -> list[FilePlan]:
    """What to say when another scope calls us already."""
    here = os.path.realpath(room.files.path(scope, project_dir))
    return [
        FilePlan(None, (), (f"{one.path} calls memdeck as well; each event arrives twice.",))
        for one in standings(room.host, project_dir)
        if one.is_installed and os.path.realpath(one.path) != here
    ]


def _joined(host: Host, scope: Scope, is_removal: bool, parts: list[FilePlan]) -> SetupPlan:
    return SetupPlan(
        host,
        scope,
        is_removal,
        tuple(part.change for part in parts if part.change is not None),
        tuple(problem for part in parts for problem in part.problems),
        tuple(note for part in parts for note in part.notes),
    )
