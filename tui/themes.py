"""Which themes can be put on: ours, the person's, and Textual's own made readable."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.theme import Theme

from ..themes.loader import LEFT_OUT, MEANINGS, TEXTUALS, load_textuals


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
