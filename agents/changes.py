"""What would happen to files of an agent, shown as a diff, and carried out in one go.

A settings file is copied aside before our first change and the copy goes when the file is again
what it was. Folders that held only our files go with them.
"""

from __future__ import annotations

import contextlib
import os

from ..core.agents import FileChange, SetupPlan
from ..db.errors import Refused
from ..db.home import Home
from ..frozen import dataclass
from . import settings_file
from .entries import entries_in

_SHARED = ".agents"  # several agents look there, none of them owns it
_INNER = frozenset(("plugins", "commands", "skills", "hooks"))


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What would become of one file; without a change there is only something to say."""

    change: FileChange | None
    problems: tuple[str, ...] = ()  # reasons why it cannot be done
    notes: tuple[str, ...] = ()  # what the person should know or do


def change(
    path: str, before: bytes | None, after: bytes | None, *, is_shared: bool = False
) -> FileChange:
    """One file's change with its diff; None stands for no file.

    A file that `is_shared` is written by others too; all others are ours from the first byte on.
    """
    if before == after:
        return FileChange(path, before, after, "", is_shared)
    import difflib

    lines = difflib.unified_diff(
        (before or b"").decode("utf-8", "replace").splitlines(keepends=True),
        (after or b"").decode("utf-8", "replace").splitlines(keepends=True),
        path if before is not None else os.devnull,
        path if after is not None else os.devnull,
    )
    shown = "".join(line if line.endswith("\n") else line + "\n" for line in lines)
    return FileChange(path, before, after, shown, is_shared)


def carry_out(plan: SetupPlan, home: Home) -> None:
    """Do what `plan` says.

    Raises Refused when it has problems, when a file changed since, when a copy's place is taken by
    a link, or when another installer is at work; nothing is written then. Raises Refused as well
    for a file that cannot be written.
    """
    if plan.problems:
        raise Refused(" ".join(plan.problems), hint="Nothing was changed.")
    needed = [one for one in plan.changes if one.is_needed]
    if not needed:
        return
    home.prepare()
    with settings_file.installing(home):
        for one in needed:
            if settings_file.bytes_at(one.path) != one.before:
                raise Refused(f"{one.path} was changed meanwhile.", hint="Run it again.")
            if os.path.islink(backup := one.path + settings_file.BACKUP_SUFFIX):
                raise Refused(f"{backup} is a link.", hint="Remove it: a copy is to stand there.")
        for one in needed:
            try:
                _carry_out(plan, one)
            except OSError as error:
                why = f"{one.path} cannot be written: {error.strerror}."
                raise Refused(why, hint="Mend that and run it again.") from error


def _carry_out(plan: SetupPlan, one: FileChange) -> None:
    backup = one.path + settings_file.BACKUP_SUFFIX
    if one.is_shared and one.before is not None and not _has_ours(plan, one.before):
        settings_file.write(backup, one.before, new_mode=0o600)
    if one.after is None:
        settings_file.delete(one.path)
        _remove_empty_folders(os.path.dirname(one.path), is_of_person=plan.scope == "user")
        return
    mode = 0o600 if plan.scope == "user" else 0o644
    settings_file.write(one.path, one.after, new_mode=mode)
    if plan.is_removal and one.is_shared and settings_file.bytes_at(backup) == one.after:
        os.unlink(backup)


def _has_ours(plan: SetupPlan, data: bytes) -> bool:
    try:
        return bool(entries_in(data.decode(), plan.host))
    except ValueError:
        return False  # no JSON: an edited plugin


def _remove_empty_folders(folder: str, *, is_of_person: bool) -> None:
    """Remove `folder` and those above it as far as they are empty and only ours could need them.

    The agent's own folder goes in a project; the person's (`~/.claude`) stays.
    """
    with contextlib.suppress(OSError):
        while _is_inner(folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)
        name = os.path.basename(folder)
        if name == _SHARED or (name.startswith(".") and not is_of_person):
            os.rmdir(folder)


def _is_inner(folder: str) -> bool:
    """Whether `folder` lies inside an agent's own, for plugins, commands, skills or hooks."""
    nearest = folder.split(os.sep)[-3:]  # a skill has a folder, and one more in it
    return not nearest[-1].startswith(".") and not _INNER.isdisjoint(nearest)
