"""What a person set for the app, read once, before the event loop runs; which themes there are."""

from __future__ import annotations

import contextlib
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from textual.app import App
from textual.theme import Theme

from ..core.errors import BadInput
from ..frozen import dataclass, field
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
    compact_list: bool = False
    columns: Sequence[str] = ()
    column_widths: Mapping[str, int] = field(default_factory=dict)
    free_column: str = "title"
    motion: Motion = "full"
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
    widths = {str(name): cells for name, cells in app.column_widths.items()}
    form = app.compact_list, app.columns, widths, app.free_column
    return Settings(app.theme, plain, *form, app.motion, app.keymap), problems


def is_key(name: str) -> bool:
    """Whether a terminal can send a key of this name: an act with another could not be reached."""
    from textual.keys import KEY_NAME_REPLACEMENTS, Keys

    found = KEY_NAME.fullmatch(name)
    if found is None:
        return False
    bare = found[1]
    if len(bare) == 1 or bare in {*(key.value for key in Keys), *KEY_NAME_REPLACEMENTS.values()}:
        return True
    with contextlib.suppress(KeyError):
        return bool(unicodedata.lookup(bare.replace("_", " ")))
    return False


def usable_keys(keymap: Mapping[str, str], own: set[str]) -> tuple[dict[str, str], list[str]]:
    """The person's own keys, and what is wrong with the others: an id that does not exist is
    said, not obeyed. `own`: the ids of the app's own bindings.
    """
    if not keymap:
        return {}, []
    from .acts import every_act

    known = every_act().keys() | own
    usable, problems = dict(keymap), []
    for act, keys in keymap.items():
        if act not in known:
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


def offered(app: App[Any]) -> list[Theme]:
    """Every theme that can be put on: ours and the person's, then Textual's."""
    ours = [theme for theme in app.available_themes.values() if _is_ours(theme)]
    names = [theme.name for theme in ours if theme.name not in TEXTUALS]
    known = app.available_themes
    names += [name for name in TEXTUALS if name in known and can_wear(app, name)]
    return [app.available_themes[name] for name in names]


def _is_ours(theme: Theme) -> bool:
    """Whether it names our meanings: then somebody looked at its contrast."""
    return MEANINGS.keys() <= theme.variables.keys()
