"""Codex's file of hooks: where it stands, and the trust that a person must give it.

Codex reads `hooks.json` beside its `config.toml`, so that no TOML of anybody's is touched.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ....core.agents import Scope
from ..json_install import JsonHost

TRUST = (
    "Codex skips a hook, without a word, until you trust it: start `codex` and say yes when it"
    " asks, or use /hooks; or let `memdeck install codex --trust` tell Codex that you do."
)


def folder() -> str:
    """The person's folder of Codex."""
    chosen = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    return os.path.abspath(chosen)


def notes(scope: Scope, _settings: Mapping[str, Any]) -> list[str]:
    """What a person should know who installs into this file."""
    found = [TRUST]
    if scope == "project":
        found.append("Codex reads this file only in a project that it trusts.")
        found.append("This file is shared: the command names a path on this machine.")
    return found


INSTALLER = JsonHost(
    host="codex",
    folder=folder,
    project_folder=".codex",
    files={"user": "hooks.json", "project": "hooks.json"},
    timeout=10,  # seconds
    timeouts={"SessionEnd": 3},  # more is cut to 3, with an error in every run
    tool_events=("PreToolUse", "PostToolUse"),
    has_patterns=True,
    notes=notes,
)
