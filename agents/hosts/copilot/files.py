"""Where Copilot CLI looks for hooks."""

from __future__ import annotations

import os

from ...standing import HookFiles


def folder() -> str:
    """The person's folder of Copilot CLI."""
    return os.path.abspath(os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot"))


FILES = HookFiles(
    folder,
    ".github",
    {"user": "hooks/memdeck.json", "project": "hooks/memdeck.json"},
)
