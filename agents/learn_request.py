"""Whether an agent is asked to record what it learns, and by which command. An agent waits."""

from __future__ import annotations

import os
import sys

from ..core.retrieval.request import recording_request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..db.fast_reader import Reader

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")


def request_for(
    reader: Reader, project: str, session: str, tables: Mapping[str, Mapping[str, Any]]
) -> str:
    """The lines for a session that begins; "" where the settings or the switches say no.

    `tables` are those of the settings files, with what stands at the top under "".
    """
    if tables.get("capture", {}).get("learn") is False:
        return ""
    if tables.get("", {}).get("auto_memory") is False:
        return ""
    if not session or not reader.projects.is_taken_down(project, session):
        return ""
    return lines_for(session, os.environ.get("MEMDECK_HOME"))


def lines_for(session: str, home: str | None) -> str:
    """The lines themselves; `home` is what the environment names as the store's, if anything."""
    place = _quoted(os.path.abspath(os.path.expanduser(home))) if home else ""
    return recording_request(_quoted(_program()), _quoted(session), place)


def _program() -> str:
    """`memdeck` where a shell finds it, else its path beside us."""
    name = "memdeck.exe" if sys.platform == "win32" else "memdeck"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, name), os.X_OK):
            return "memdeck"
    started = sys.argv[0] if sys.argv[0] != "-c" else ""  # the drain's, which stands for the hook
    for beside in (started, sys.executable):
        if not beside:
            continue
        path = os.path.join(os.path.dirname(os.path.abspath(beside)), name)
        if os.access(path, os.X_OK):
            return path
    return "memdeck"


def _quoted(word: str) -> str:
    """`word` as one word of a shell."""
    if word and _PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"
