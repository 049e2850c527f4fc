"""Where Copilot CLI looks for hooks."""

from __future__ import annotations

from ...standing import HookFiles

FILES = HookFiles(
    variables=(("COPILOT_HOME", ""),),
    usual="~/.copilot",
    project_folder=".github",
    names={"user": "hooks/memdeck.json", "project": "hooks/memdeck.json"},
)
