"""Where Gemini CLI looks for hooks."""

from __future__ import annotations

from ...standing import HookFiles

FILES = HookFiles(
    variables=(("GEMINI_CLI_HOME", ".gemini"),),
    usual="~/.gemini",
    project_folder=".gemini",
    names={"user": "settings.json", "project": "settings.json"},
)
