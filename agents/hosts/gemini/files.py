"""Where Gemini CLI looks for hooks."""

from __future__ import annotations

import os

from ...standing import HookFiles


def folder() -> str:
    """The person's folder of Gemini CLI."""
    base = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    return os.path.join(os.path.abspath(base), ".gemini")


FILES = HookFiles(
    folder,
    ".gemini",
    {"user": "settings.json", "project": "settings.json"},
)
