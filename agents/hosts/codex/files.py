"""Where Codex looks for hooks."""

from __future__ import annotations

import os

from ...standing import HookFiles


def folder() -> str:
    """The person's folder of Codex."""
    chosen = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    return os.path.abspath(chosen)


FILES = HookFiles(
    folder,
    ".codex",
    {"user": "hooks.json", "project": "hooks.json"},
)
