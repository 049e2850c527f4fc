"""Where OpenCode looks for hooks."""

from __future__ import annotations

import os

from ...standing import HookFiles


def folder() -> str:
    """The person's folder of OpenCode."""
    if chosen := os.environ.get("OPENCODE_CONFIG_DIR"):
        return os.path.abspath(chosen)
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(os.path.abspath(base), "opencode")


FILES = HookFiles(
    folder,
    ".opencode",
    {"user": "plugins/memdeck.js", "project": "plugins/memdeck.js"},
)
