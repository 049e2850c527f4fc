"""What a session is at work on: the files its tools touched, and those that git calls changed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from ..core.capture.subjects import relative
from ..core.capture.turns import Turn

PATIENCE_S = 2.0
"""How long git may take to say what has changed; a huge repository then has said nothing."""

MOST_FILES = 30

_ARGUMENTS = ("file_path", "notebook_path", "path")
_TOOLS = frozenset(("Read", "Edit", "Write", "MultiEdit", "NotebookEdit"))


def touched_in(turns: Sequence[Turn], root: str | None) -> list[str]:
    """Files that the tool calls among `turns` name, the last one first, relative to `root`."""
    found: dict[str, None] = {}
    for turn in reversed(turns):
        if turn.kind != "tool_call" or turn.tool not in _TOOLS:
            continue
        for name in _ARGUMENTS:
            path = turn.tool_input.get(name)
            if isinstance(path, str) and path.isprintable() and path.strip():
                found[relative(path, root)] = None
    return list(found)[:MOST_FILES]


def changed_in(folder: str) -> list[str]:
    """Files that differ from the last commit, relative to the repository's top; none without git.

    No program that the repository's settings name is started.
    """
    command = ["git", "-c", "core.fsmonitor=false", "-C", folder, "status"]
    command += ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"]
    try:
        done = subprocess.run(
            [*command, "--ignore-submodules=all"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []
    if done.returncode != 0:
        return []
    entries = done.stdout.decode("utf-8", "replace").split("\0")
    names = [entry[3:] for entry in entries if len(entry) > 3]
    return [name for name in names if name.isprintable() and not name.endswith("/")][:MOST_FILES]
