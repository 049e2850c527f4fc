"""Read theme files as Textual themes, or return a sentence on their problem.

A theme is a TOML file with the fields of `textual.theme.Theme` and a table `[variables]` with our
meanings and Textual's own variables. A user's is checked first: a bad colour would stop the app.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import fields, replace
from functools import cache
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

MEANINGS: dict[str, str] = {
    "pinned": "#e5c67b",
    "conflict": "#f4958c",
    "stale": "#a3aebd",
    "candidate": "#b9a8f2",
    "retired": "#9ba3b0",
    "expiring": "#e8a875",
    "score": "#86b6e8",
    "over-budget": "#ff8f8f",
}
"""Our meanings, as the default theme shows them; for `get_theme_variable_defaults`."""

_STAND_INS = {
    "pinned": "warning",
    "conflict": "error",
    "stale": "foreground-muted",
    "candidate": "secondary",
    "retired": "foreground-muted",
    "expiring": "warning",
    "score": "primary",
    "over-budget": "error",
}
"""Colours for meanings that a theme lacks: literal ones, as no variable may name another."""

BUILT_IN = ("memdeck-dark", "memdeck-light", "high-contrast", "terminal16")
"""The built-in themes in the order in which they are offered; the first is the default."""

LARGEST_FILE = 64 * 1024  # bytes; a theme is 3 KB, and the parser's time grows with the file
_HERE = os.path.dirname(os.path.abspath(__file__))
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")  # Textual splits theme names at commas
_FIELDS = {field.name: "text" for field in fields(Theme)} | {
    **dict.fromkeys(("dark", "ansi"), "true or false"),
    **dict.fromkeys(("luminosity_spread", "text_alpha"), "a number from 0 to 1"),
}
"""The fields of a theme, and their kinds."""


class ThemeError(ValueError):
    """A theme file that cannot be used; the message names the key."""


def load_themes(folder: str) -> tuple[list[Theme], list[str]]:
    """Return the built-in themes and those in `folder`, and one sentence per file left out.

    A user's theme replaces a built-in one of the same name. A folder that does not exist
    is no problem. Never raises for anything that a user's file may hold.
    """
    themes = {name: _built_in(name) for name in BUILT_IN}
    problems: list[str] = []
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for file in (name for name in names if name.endswith(".toml")):
        try:
            theme = load_theme(os.path.join(folder, file))
        except (OSError, ValueError, ArithmeticError, RecursionError) as error:
            problems.append(f"{file}: {error}")
        else:
            themes[theme.name] = theme
    return list(themes.values()), problems


@cache
def _built_in(name: str) -> Theme:
    """Return the built-in theme of that name; its file is read once."""
    return load_theme(os.path.join(_HERE, f"{name}.toml"), is_built_in=True)


def load_theme(path: str, *, is_built_in: bool = False) -> Theme:
    """Return the theme in the file `path`, proved to be usable.

    Raises OSError, ValueError (ThemeError is one), ArithmeticError and RecursionError.
    """
    if not os.path.isfile(path):  # opening a pipe would wait for ever
        raise ThemeError("is not a file.")
    with open(path, "rb") as source:
        raw = source.read(LARGEST_FILE + 1)
    if len(raw) > LARGEST_FILE:
        raise ThemeError(f"is larger than {LARGEST_FILE // 1024} KB.")
    values: dict[str, Any] = tomllib.loads(raw.decode("utf-8"))
    variables = values.pop("variables", {})
    name = values.pop("name", os.path.splitext(os.path.basename(path))[0])
    if not _NAME.fullmatch(str(name)):
        raise ThemeError("name: use letters a-z, digits, - and _ (at most 40).")
    if "primary" not in values:
        raise ThemeError("primary: this colour is required.")
    for key, value in values.items():
        if key not in _FIELDS:
            raise ThemeError(f"{key}: is not a key of a theme.")
        if not _is_a(_FIELDS[key], value):
            raise ThemeError(f"{key}: should be {_FIELDS[key]}.")
        if isinstance(value, str) and not _is_color(value):
            raise ThemeError(f"{key}: {value!r} is not a colour.")
    theme = Theme(name=name, **values)
    generate = theme.to_color_system().generate()
    if not isinstance(variables, dict):
        raise ThemeError("variables: should be a table.")
    for key, value in variables.items() if not is_built_in else ():
        if key not in _TEXTUAL_NAMES and key not in MEANINGS:
            raise ThemeError(f"variables.{key}: nothing has this name.")
        if not _is_color(value):
            raise ThemeError(f"variables.{key}: {value!r} is not a colour.")
    stand_ins = {
        meaning: values.get(color) or generate[color] for meaning, color in _STAND_INS.items()
    }
    if theme.ansi:  # Textual leaves some of its own names without a colour there
        stand_ins |= dict.fromkeys(_TEXTUAL_NAMES - set(generate), "ansi_default")
    return replace(theme, variables={**stand_ins, **variables})


def _is_a(kind: str, value: object) -> bool:
    if kind == "a number from 0 to 1":  # bool is an int for Python, not for the author of a theme
        return type(value) in (int, float) and 0 <= value <= 1  # type: ignore[operator]
    return isinstance(value, str if kind == "text" else bool)


def _is_color(value: object) -> bool:
    try:
        Color.parse(str(value))
    except (ColorParseError, ValueError):
        return False
    return isinstance(value, str) and not value.startswith("auto")


_TEXTUAL_NAMES = frozenset(Theme("names", primary="#000000").to_color_system().generate()) | {
    "background-muted"
}
