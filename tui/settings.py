"""What the user set for the app, the themes, and what is carried over from run to run."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, cast

from textual.app import App
from textual.theme import Theme

from ..core.errors import BadInput
from ..themes.loader import LEFT_OUT, MEANINGS, TEXTUALS, load_textuals
from .glyphs import ASCII, UNICODE, Glyphs, names_plain_text

DEFAULT_THEME = "memdeck-dark"
KEY_NAME = re.compile(r"(?:(?:ctrl|alt|shift|super)\+)*([a-z0-9_]+|[A-Z])")
Motion = Literal["full", "basic", "none"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person set for the app: `AppPolicy`, without the library that checks it."""

    theme: str = DEFAULT_THEME
    ascii_glyphs: bool = field(default_factory=lambda: names_plain_text(os.environ))
    motion: Motion = "none"
    keymap: Mapping[str, str] = field(default_factory=dict)

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        return ASCII if self.ascii_glyphs else UNICODE


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
    return Settings(app.theme, plain, cast("Motion", app.motion), app.keymap), problems


def is_key(name: str) -> bool:
    """Whether a terminal can send a key of this name: an act with another could not be reached."""
    from textual.keys import KEY_NAME_REPLACEMENTS, Keys

    match = KEY_NAME.fullmatch(name)
    if match is None:
        return False
    bare = match[1]
    if len(bare) == 1 or bare in {*(key.value for key in Keys), *KEY_NAME_REPLACEMENTS.values()}:
        return True
    with contextlib.suppress(KeyError):
        return bool(unicodedata.lookup(bare.replace("_", " ")))
    return False


def usable_keys(keymap: Mapping[str, str], existing: set[str]) -> tuple[dict[str, str], list[str]]:
    """The user's keys, and what is wrong with the others: an id that does not exist is named and
    ignored.
    """
    usable, problems = dict(keymap), []
    for act, keys in keymap.items():
        if act not in existing:
            del usable[act]
            problems.append(f"keymap: no act is called {act}.")
        elif not all(is_key(key.strip()) for key in keys.split(",")):
            del usable[act]
            problems.append(f"keymap: {act} = {keys!r} is no key.")
    return usable, problems


def can_wear(app: App[Any], name: str) -> bool:
    """Whether the app can put `name` on now; one of Textual's is made readable first, unless the
    person has one of that name."""
    theme = app.available_themes.get(name)
    if theme is not None and not _is_ours(theme):
        if name in LEFT_OUT:
            return False
        app.register_theme(load_textuals(name))
    return theme is not None


def register_family(app: App[Any]) -> None:
    """Make each of Textual's own themes readable, and remove those that are left out."""
    for name in TEXTUALS:
        can_wear(app, name)
    for name in LEFT_OUT:
        app.unregister_theme(name)


def _is_ours(theme: Theme) -> bool:
    """Whether it names our meanings: then somebody looked at its contrast."""
    return MEANINGS.keys() <= theme.variables.keys()


MOST_QUERIES = 50
MOST_PROJECTS = 50
MOST_SKIPPED = 1_000
MOST_OF = {"queries": MOST_QUERIES, "skipped": MOST_SKIPPED}
"""How many are kept of each list, the newest."""

TEXTS = ("theme", "theme_instead_of", "sort")
LARGEST_FILE = 256 * 1024  # bytes; ours has a few KB


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is carried over. Every field may be empty."""

    theme: str = ""
    theme_instead_of: str = ""  # the theme of the settings when it was chosen
    sort: str = ""
    queries: Sequence[str] = ()  # oldest first
    memories: Mapping[str, str] = field(default_factory=dict)  # project -> id under the cursor
    skipped: Sequence[str] = ()  # what was skipped in Review, oldest first
    seen: Mapping[str, int] = field(default_factory=dict)  # project -> newest entry of History
    was_welcomed: bool = False  # whether the first step of Setup was taken or left
    is_connected: bool = True  # whether an agent was connected when Setup last looked


def path_in(home: str) -> str:
    """Where it is kept."""
    return os.path.join(home, "app.json")


def load(home: str) -> Remembered:
    """What was remembered in this home; nothing when there is nothing, or nothing readable."""
    try:
        with open(path_in(home), encoding="utf-8") as file:
            matches = json.loads(file.read(LARGEST_FILE))
    except (OSError, ValueError):
        return Remembered()
    return _checked(matches) if isinstance(matches, dict) else Remembered()


def _checked(matches: Mapping[str, Any]) -> Remembered:
    """Only what has the form it should have."""
    existing: dict[str, Any] = {}
    for item in fields(Remembered):
        value = matches.get(item.name)
        if item.name in MOST_OF and isinstance(value, list):
            texts = tuple(text for text in value if isinstance(text, str))
            existing[item.name] = texts[-MOST_OF[item.name] :]
        elif item.name == "memories" and isinstance(value, dict):
            pairs = ((key, text) for key, text in value.items() if isinstance(text, str))
            existing[item.name] = dict(pairs)
        elif item.name == "seen" and isinstance(value, dict):
            existing[item.name] = {key: seq for key, seq in value.items() if type(seq) is int}
        elif item.name in ("was_welcomed", "is_connected"):
            existing[item.name] = value is True
        elif item.name in TEXTS and isinstance(value, str):
            existing[item.name] = value
    return Remembered(**existing)


def save(home: str, what: Remembered) -> None:
    """Keep it for the next run, 0600, whole or not at all. Touches the disk: not on the loop."""
    from ..core.redaction.redact import redact  # only leaving pays for it

    path = path_in(home)
    if os.path.islink(path) or not os.path.isdir(home):
        return
    queries = [redact(text).value for text in what.queries[-MOST_QUERIES:]]
    memories = dict(list(what.memories.items())[-MOST_PROJECTS:])
    skipped = list(what.skipped)[-MOST_SKIPPED:]
    seen = dict(list(what.seen.items())[-MOST_PROJECTS:])
    values = {**asdict(what), "queries": queries, "memories": memories, "skipped": skipped,
              "seen": seen}  # fmt: skip
    draft = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(values, file, ensure_ascii=False, indent=1)
        os.replace(draft, path)


class LastRun:
    """What was carried over into this run, and what this one carries over."""

    def __init__(self, app: App[None], home: str) -> None:
        self._app, self._home = app, home
        self._writing = threading.Lock()  # a save that nobody waits for any more still writes
        self.now = load(home)

    def keep(self, **what: object) -> None:
        """Carry this over to the next run."""
        self.now = replace(self.now, **what)  # type: ignore[arg-type]
        self._app.run_worker(self.save(), group="remember", exclusive=True)

    async def save(self, **what: object) -> None:
        """Write down what is carried over, and this with it; not on the event loop."""
        self.now = replace(self.now, **what)  # type: ignore[arg-type]
        await asyncio.to_thread(self._write)

    def _write(self) -> None:
        with self._writing:
            save(self._home, self.now)
