"""Where Claude Code looks for hooks."""

from __future__ import annotations

import os

from ...standing import HookFiles


def folder() -> str:
    """The person's folder of Claude Code."""
    chosen = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    return os.path.abspath(chosen)


FILES = HookFiles(
    folder,
    ".claude",
    {"user": "settings.json", "project": "settings.json", "local": "settings.local.json"},
)
