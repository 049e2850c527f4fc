"""The slash commands' files in a plan: ours are written and taken away, others' are left alone.

A command that cannot be had is a note, no problem: the hooks serve without it.
"""

from __future__ import annotations

import os

from ..core.agents import Host, Scope
from ..core.errors import ManagerError
from ..db.home import Home
from . import settings_file
from . import slash_commands as commands
from .changes import change
from .launch import chosen_home, sibling
from .scopes import FilePlan


def plan(
    host: Host, scope: Scope, project_dir: str | None, home: Home, executable: str
) -> list[FilePlan]:
    """What installing would do to each command's file. `executable` is the hook's."""
    folder = os.path.abspath(project_dir or os.getcwd())
    try:
        made = commands.files(
            host, scope, folder, program=sibling(executable), home=chosen_home(home) or None
        )
    except ManagerError as error:
        return [_note(f"No commands were made: {error}")]
    found = []
    for one in made:
        before, why = _look(one.path)
        found.append(_note(why) if why else FilePlan(change(one.path, before, one.data)))
    return [*found, *_removals(commands.earlier_paths(host, scope, folder))]


def plan_uninstall(host: Host, scope: Scope, project_dir: str | None) -> list[FilePlan]:
    """What uninstalling would do to each command's file; those that are not ours stay."""
    folder = os.path.abspath(project_dir or os.getcwd())
    here = [one.path for one in commands.files(host, scope, folder, program="memdeck")]
    return _removals([*here, *commands.earlier_paths(host, scope, folder)])


def left_over(host: Host, scope: Scope, project_dir: str | None) -> list[str]:
    """Our files where an earlier version put them; what a person keeps there is not named."""
    folder = os.path.abspath(project_dir or os.getcwd())
    gone = _removals(commands.earlier_paths(host, scope, folder))
    return [one.change.path for one in gone if one.change is not None]


def _removals(paths: list[str]) -> list[FilePlan]:
    """What takes away those of `paths` that are ours."""
    found = []
    for path in paths:
        before, why = _look(path)
        if before is not None and not why:
            found.append(FilePlan(change(path, before, None)))
    return found


def _note(text: str) -> FilePlan:
    return FilePlan(None, (), (text,))


def _look(path: str) -> tuple[bytes | None, str]:
    """What stands at a command's place, and why it must not be touched."""
    try:
        data = settings_file.bytes_at(path)
    except OSError as error:
        return None, f"{path} cannot be read ({error.strerror}); that command is left as it is."
    if data is not None and not commands.is_ours(data):
        return data, f"{path} is not ours; that command is left as it is."
    return data, ""
