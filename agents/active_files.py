"""What a session is at work on: the files its tools touched, and those that git calls changed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence

from ..core.ingest.extract.subjects import relative
from ..core.ingest.extract.turns import Turn
from ..core.projects import is_for_git

PATIENCE_S = 2.0
"""How long git may take to say what has changed; a huge repository then has said nothing."""

MOST_FILES = 30

_FILTER = re.compile(r"filter\..+\.(?:clean|process)\Z", re.DOTALL)
_REDIRECTS = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
)
_HARMLESS = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # from 2.45 on; before, no way of fetching is allowed
    "GIT_ALLOW_PROTOCOL": "none",
}

_ARGUMENTS = ("file_path", "notebook_path", "path")
_TOOLS = frozenset(("Read", "Edit", "Write", "MultiEdit", "NotebookEdit"))


def in_project(paths: Iterable[str], folder: str, root: str | None) -> list[str]:
    """Each of `paths` once, as it is called within `root`; a relative one is meant in `folder`."""
    whole = (os.path.realpath(os.path.join(folder, path)) for path in paths)
    return list(dict.fromkeys(relative(path, root) for path in whole))


def touched_in(turns: Sequence[Turn], folder: str, root: str | None) -> list[str]:
    """Files that the tool calls among `turns` name, the last one first, as in `in_project`."""
    found: list[str] = []
    for turn in reversed(turns):
        if turn.kind != "tool_call" or turn.tool not in _TOOLS:
            continue
        for name in _ARGUMENTS:
            path = turn.tool_input.get(name)
            if isinstance(path, str) and path.isprintable() and path.strip():
                found.append(path)
    return in_project(found, folder, root)[:MOST_FILES]


def changed_in(folder: str) -> list[str]:
    """Files that differ from the last commit, relative to the repository's top; none without git.

    No program that the repository's settings name is started, nothing is fetched, and a checkout
    that lies elsewhere is not looked at.
    """
    listed = _git(folder, "config", "--list", "-z") if _is_in_checkout(folder) else None
    if listed is None:
        return []
    settings = dict(entry.partition("\n")[::2] for entry in listed.split("\0"))
    drivers = {name.rpartition(".")[0] for name in settings if _FILTER.match(name)}
    if any("=" in name or "\n" in name for name in drivers):
        return []  # `-c` could not switch it off
    if "core.worktree" in settings and not _is_own_top(folder):
        return []
    quiet = ["core.fsmonitor=false"]
    for name in drivers:  # for a file as long as before, git would start them to compare
        quiet += [f"{name}.clean=", f"{name}.process=", f"{name}.required=false"]
    status = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"]
    said = _git(folder, *status, "--ignore-submodules=all", settings=quiet)
    names = [entry[3:] for entry in (said or "").split("\0") if len(entry) > 3]
    return [name for name in names if name.isprintable() and not name.endswith("/")][:MOST_FILES]


def _is_in_checkout(folder: str) -> bool:
    """Whether a repository lies here or above; else git need not be started to say so."""
    try:
        here, below = os.path.realpath(folder), ""
    except ValueError:  # a name with a zero in it
        return False
    while here != below:
        if is_for_git(os.path.join(here, ".git")):
            return True
        here, below = os.path.dirname(here), here
    return False


def _is_own_top(folder: str) -> bool:
    """Whether the checkout that the settings name is a repository's; a submodule's is."""
    top = (_git(folder, "rev-parse", "--show-toplevel") or "").rstrip("\n")
    return bool(top) and os.path.exists(os.path.join(top, ".git"))


def _git(folder: str, *words: str, settings: Sequence[str] = ()) -> str | None:
    """What git prints, the repository being that of `folder`; None when it cannot tell."""
    around = {name: value for name, value in os.environ.items() if name not in _REDIRECTS}
    given = [part for setting in settings for part in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", *given, "-C", folder, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
            env={**around, **_HARMLESS},
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
