"""What the app asks of the machine: its clipboard, and the user's editor.

OSC 52 also works over SSH, but is never acknowledged, and terminals drop long texts. So a
clipboard tool is used besides, and a private file is the last resort.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from textual.app import App, SuspendNotSupported

from ..core.projects import program_outside

LONGEST_FOR_TERMINAL = 74_000
"""Bytes of text sent by OSC 52: with Base64 and the frame it stays below xterm's 100,000."""

TOOL_SECONDS = 2.0
"""How long a clipboard tool may take before it is given up."""


def copy(app: App[Any], text: str) -> str:
    """Copy `text` and say how, as a sentence for a notice (plain text, not markup)."""
    raw = text.encode("utf-8", "replace")
    clean = raw.decode("utf-8")
    fits = len(raw) <= LONGEST_FOR_TERMINAL
    if fits:
        app.copy_to_clipboard(clean)  # also fills the app's own clipboard, for ctrl+v in a field
    if os.environ.get("TMUX"):
        # `-w` passes the text on to tmux's own terminal; it needs tmux 3.2
        tmux = program_outside("tmux")
        if tmux and _run([tmux, "load-buffer", "-w", "-"], raw):
            return "Copied through tmux."
        fits = False
    elif (tool := _tool()) and _run(tool, raw):
        return f"Copied with {os.path.basename(tool[0])}."
    if fits and not app.is_headless:
        return "Copied through the terminal (OSC 52)."
    return f"No clipboard could take it. Written to {_to_file(raw)}"


def _tool() -> list[str] | None:
    """The command that fills this machine's clipboard; None over SSH, where it is the wrong one."""
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        return None
    for needed, command in (
        (os.environ.get("WAYLAND_DISPLAY"), ["wl-copy"]),
        (os.environ.get("DISPLAY"), ["xclip", "-selection", "clipboard"]),
        (sys.platform == "darwin", ["pbcopy"]),
    ):
        if needed and (program := program_outside(command[0])):
            return [program, *command[1:]]
    return None


def _run(command: list[str], raw: bytes) -> bool:
    """Whether the command took the text."""
    try:
        subprocess.run(
            command,
            input=raw,
            stdout=subprocess.DEVNULL,  # xclip stays behind and would hold a pipe open
            stderr=subprocess.DEVNULL,
            timeout=TOOL_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _to_file(raw: bytes) -> str:
    """The path of a new file that only its owner can read, with the text in it."""
    descriptor, path = tempfile.mkstemp(prefix="memdeck-copy-", suffix=".txt")
    with os.fdopen(descriptor, "wb") as file:
        file.write(raw)
    return path


def open_at(app: App[Any], path: str, line: int | None) -> bool:
    """Open a file in the user's editor at a line, from 1; return True if there is an editor."""
    command = editor_words() or ["vi"]
    try:
        with app.suspend():
            return subprocess.call(opened_with(command, path, line)) == 0
    except (SuspendNotSupported, OSError):
        return False


BY_COLON = {
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor", "windsurf"), ("-g",)),
    **dict.fromkeys(("subl", "zed", "hx", "helix"), ()),
}
"""Editors that take a place as `path:line`, with their option for it; others take `+line path`."""


def editor_words() -> list[str]:
    """The words of `$VISUAL`, else of `$EDITOR`; none where neither says one."""
    for name in ("VISUAL", "EDITOR"):
        line = os.environ.get(name, "")
        try:
            words = shlex.split(line)
        except ValueError:  # a quote that is never closed: /home/o'neil/bin/edit
            words = line.split()
        if words:
            return words
    return []


def opened_with(command: Sequence[str], path: str, line: int | None) -> list[str]:
    """The words that start an editor on a file, at a line where one is known."""
    if line is None:
        return [*command, path]
    editor = os.path.basename(command[0])
    if editor in BY_COLON:
        return [*command, *BY_COLON[editor], f"{path}:{line}"]
    return [*command, f"+{line}", path]
