"""What the user set for the app, and what is carried over from run to run."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..db.errors import BadInput
from .text import names_plain_text

DEFAULT_THEME = "memdeck-dark"
LARGEST_FILE = 256 * 1024  # bytes; ours has less than one KB


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person set for the app: `AppPolicy`, without the library that checks it."""

    theme: str = DEFAULT_THEME
    is_ascii: bool = field(default_factory=lambda: names_plain_text(os.environ))
    keymap: Mapping[str, str] = field(default_factory=dict)


def read_settings(home: str, project: str | None) -> tuple[Settings, list[str]]:
    """What `[app]` in the home's settings says, and what in it cannot be used, to be said once.

    The checks are imported only where there is a file.
    """
    from ..core.projects import identify

    root = ""
    if project is None or os.path.isdir(project):
        with contextlib.suppress(FileNotFoundError):  # the folder we are in may be gone
            root = identify(project or os.curdir).root
    files = [os.path.join(home, "config.toml"), os.path.join(root, ".memdeck.toml")]
    if not any(os.path.exists(path) for path in files):
        return Settings(), []
    from ..core.config.settings import files_of, load_policy, problems_in

    problems = [str(problem) for problem in problems_in(files_of(files[0], root))]
    try:
        app = load_policy(files[:1]).app
    except BadInput:
        return Settings(), problems
    plain = app.glyphs == "ascii" or (app.glyphs == "auto" and names_plain_text(os.environ))
    return Settings(app.theme, plain, app.keymap), problems


class Carried:
    """What one run carries over to the next, in `app.json` of the home.

    `seen`: by project, the newest entry of History that was seen. `is_welcomed`: the first step of
    Setup was taken or left. `is_connected`: an agent was connected when Setup last looked.
    """

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, "app.json")
        self.seen: dict[str, int] = {}
        self.is_welcomed, self.is_connected = False, True
        with contextlib.suppress(OSError, ValueError, AttributeError):
            with open(self._path, encoding="utf-8") as file:
                values: dict[str, Any] = json.loads(file.read(LARGEST_FILE))
            self.is_welcomed = values.get("is_welcomed") is True
            self.is_connected = values.get("is_connected") is not False
            entries = values.get("seen", {}).items()
            self.seen = {name: seq for name, seq in entries if type(seq) is int}

    def save(self) -> None:
        """Write it, 0600, whole or not at all."""
        folder = os.path.dirname(self._path)
        if os.path.islink(self._path) or not os.path.isdir(folder):
            return
        values = {"seen": self.seen, "is_welcomed": self.is_welcomed,
                  "is_connected": self.is_connected}  # fmt: skip
        draft = f"{self._path}.{os.getpid()}"
        with contextlib.suppress(OSError):
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(values, file)
            os.replace(draft, self._path)
