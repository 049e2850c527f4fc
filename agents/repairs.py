"""What doctor can mend by itself: permissions, our own entries, the spool. It says what it did.

Nothing here decides for a person: no trust is given, no agent connected, nothing of others
changed.
"""

from __future__ import annotations

import os
import stat
from typing import cast

from ..core.agents import NAMES, Host, Scope
from ..db.errors import Refused, StoreUnusable
from ..db.home import Home
from ..hosts import commands as commands
from ..hosts import install, settings
from ..hosts.install import host_of
from . import doctor
from .drain import drain


def mend(fix: str, home: Home, project_dir: str | None) -> str:
    """Do what a finding's `fix` names; returns what was done.

    `permissions`, `drain`, or `install HOST SCOPE`. Raises Refused for anything else and for
    what turns out to be in the way, StoreUnusable when the spool cannot be worked off.
    """
    words = fix.split()
    if words == ["permissions"]:
        return _make_private(home)
    if words == ["drain"]:
        return _drain(home)
    if len(words) == 3 and words[0] == "install":
        return _install(words[1], cast("Scope", words[2]), project_dir, home)
    raise Refused("That can only be mended by hand.", hint="The finding says how.")


def _make_private(home: Home) -> str:
    loose = doctor.open_to_others(home)
    for path in loose:
        try:
            os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & 0o700)
        except FileNotFoundError:
            continue  # a drain was quicker
        except OSError as error:
            raise Refused(f"{path}: {error.strerror}.", hint="Ask its owner.") from error
    return f"{len(loose)} files and folders are yours alone now."


def _drain(home: Home) -> str:
    report = drain(home)
    if report.problem:
        raise StoreUnusable(report.problem, hint="What is left waits for the next drain.")
    if not report.ran:
        return "A drain is at work already."
    return f"{report.records} notes were worked off."


def _install(host: Host, scope: Scope, project_dir: str | None, home: Home) -> str:
    planned = install.plan(host, scope, project_dir, home)
    settings.carry_out(planned, home)
    hooks, *others = planned.changes
    gone = [one.path for one in others if one.is_needed and one.after is None]
    said = []
    if hooks.is_needed or not gone:
        said.append(f"{NAMES[host]}'s entries in {hooks.path} are whole again.")
        if asked := host_of(host).after_mending:
            said.append(asked)
    if gone:
        said.append(f"Ours no longer lie in {commands.folder_of(gone[0])}.")
    return " ".join(said)
