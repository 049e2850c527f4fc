"""Where OpenCode looks for hooks."""

from __future__ import annotations

from ...standing import HookFiles

FILES = HookFiles(
    variables=(("OPENCODE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "opencode")),
    usual="~/.config/opencode",
    project_folder=".opencode",
    names={"user": "plugins/memdeck.js", "project": "plugins/memdeck.js"},
)
