"""Where Claude Code looks for hooks."""

from __future__ import annotations

from ...standing import HookFiles

FILES = HookFiles(
    variables=(("CLAUDE_CONFIG_DIR", ""),),
    usual="~/.claude",
    project_folder=".claude",
    names={"user": "settings.json", "project": "settings.json", "local": "settings.local.json"},
)
