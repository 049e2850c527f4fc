"""Opens the user's editor, on a file or on a page of a memory (`core/page.py`)."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from typing import Any

from textual.app import App, SuspendNotSupported

from ..core.page import editor_words, opened_with, page_left

_SAFE = re.compile(r"[^A-Za-z0-9-]+")


def open_at(app: App[Any], path: str, line: int | None) -> bool:
    """Open a file in the user's editor at a line, from 1; return True if there is an editor."""
    command = editor_words() or ["vi"]
    try:
        with app.suspend():
            return subprocess.call(opened_with(command, path, line)) == 0
    except (SuspendNotSupported, OSError):
        return False


def edit_text(app: App[Any], text: str, name: str) -> tuple[str, str] | None:
    """Return `text` as the user left it in the editor, and why it cannot be used, or "".

    None where no editor can be had.

    The file is private, named after the memory, and gone afterwards.
    """
    command = editor_words() or ["vi"]
    with tempfile.TemporaryDirectory(prefix="memdeck-") as folder:  # made with mode 0700
        path = os.path.join(folder, f"{_SAFE.sub('-', name).strip('-')[:40] or 'memory'}.md")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            with app.suspend():
                done = subprocess.call([*command, path])
        except (SuspendNotSupported, OSError):
            return None
        return page_left(path, text, done)
