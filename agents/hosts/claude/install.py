"""Claude Code's settings files: where they stand, and what else in them bears on our hooks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ....core.agents import Scope
from ..json_install import JsonHost


def folder() -> str:
    """The person's folder of Claude Code."""
    chosen = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    return os.path.abspath(chosen)


def notes(scope: Scope, settings: Mapping[str, Any]) -> list[str]:
    """What a person should know who installs into these settings."""
    found = ["Claude Code reads the change at once; a new workspace must be trusted first."]
    if scope == "project":
        found.append("This file is shared: the command names a path on this machine.")
    if settings.get("disableAllHooks") is True:
        found.append("disableAllHooks is set, so that no hook runs.")
    return found


INSTALLER = JsonHost(
    host="claude",
    folder=folder,
    project_folder=".claude",
    files={
        "user": "settings.json",
        "project": "settings.json",
        "local": "settings.local.json",
    },
    timeout=10,  # seconds; also lifts SessionEnd over its default of 1.5
    tool_events=("PreToolUse", "PostToolUse"),
    notes=notes,
)
