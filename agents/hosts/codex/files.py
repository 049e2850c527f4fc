"""Where Codex looks for hooks."""

from __future__ import annotations

from ...standing import HookFiles

FILES = HookFiles(
    variables=(("CODEX_HOME", ""),),
    usual="~/.codex",
    project_folder=".codex",
    names={"user": "hooks.json", "project": "hooks.json"},
)
