"""Theme files become Textual themes, or a sentence that says what is wrong with them.

A theme is a TOML file with the fields of `textual.theme.Theme` and a table `[variables]`
with our meanings and any of Textual's own variables. It is proved before it is handed out:
Textual would stop the app at the first bad colour, and a theme must never do that.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from textual.color import Color, ColorParseError
from textual.css.constants import VALID_STYLE_FLAGS
from textual.theme import Theme

from . import family

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
"""What a theme without a meaning shows for it: literal colours, since the style sheet does not
look up a variable inside a variable."""

BUILT_IN = ("memdeck-dark", "memdeck-light", "high-contrast", "terminal16")
"""The built-in themes in the order in which they are offered; the first is the default."""

TEXTUALS, LEFT_OUT = family.NAMES, family.LEFT_OUT
"""Textual's themes that are offered beside ours; those that are not, and why."""

load_textuals = family.themed

LARGEST_FILE = 64 * 1024  # bytes; a theme is 3 KB, and the parser's time grows with the file

_HERE = os.path.dirname(os.path.abspath(__file__))
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")  # Textual splits theme names at commas
_COLOR_FIELDS = frozenset(
    {field.name for field in fields(Theme)}
    - {"name", "dark", "luminosity_spread", "text_alpha", "variables", "ansi"}
)
_FIELD_TYPES: Mapping[str, tuple[type, ...]] = {
    "dark": (bool,),
    "ansi": (bool,),
    "luminosity_spread": (int, float),
    "text_alpha": (int, float),
}


class ThemeError(ValueError):
    """A theme file that cannot be used; the message names the file and the key."""


def load_themes(user_folder: str | None) -> tuple[list[Theme], list[str]]:
    """The built-in themes and those in `user_folder`, and one sentence per file left out.

    A user's theme replaces a built-in one of the same name. A folder that does not exist
    is no problem. Never raises for anything that a user's file may hold.
    """
    themes = {name: _built_in(name) for name in BUILT_IN}
    problems: list[str] = []
    for path in _theme_files(user_folder, problems):
        try:
            theme = load_theme(path)
        except ThemeError as error:
            problems.append(str(error))
        else:
            themes[theme.name] = theme
    return list(themes.values()), problems


@cache
def _built_in(name: str) -> Theme:
    """The built-in theme of that name: its file is read once, also when one picks from all."""
    return load_theme(os.path.join(_HERE, f"{name}.toml"))


def load_theme(path: str) -> Theme:
    """The theme in the file `path`, proved to be usable; raises `ThemeError`."""
    file = os.path.basename(path)
    data = _read(path, file)
    values, variables = _checked(data, file)
    name = values.pop("name", os.path.splitext(file)[0])
    if not _NAME.fullmatch(name):
        raise ThemeError(f"{file}: name: use letters a-z, digits, - and _ (at most 40).")
    if "primary" not in values:
        raise ThemeError(f"{file}: primary: this colour is required.")
    theme = Theme(name=name, variables=variables, **values)
    try:
        generate = theme.to_color_system().generate()
    except (ColorParseError, ValueError, ArithmeticError) as error:
        raise ThemeError(f"{file}: the colours do not work together ({error}).") from error
    _check_variables(variables, file)
    stand_ins = {
        meaning: values.get(color) or generate[color] for meaning, color in _STAND_INS.items()
    }
    if theme.ansi:  # Textual leaves some of its own names without a colour there
        stand_ins |= dict.fromkeys(_TEXTUAL_NAMES - set(generate), "ansi_default")
    return replace(theme, variables={**stand_ins, **variables})


def _theme_files(folder: str | None, problems: list[str]) -> Iterator[str]:
    if folder is None or not os.path.isdir(folder):
        return
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        problems.append(f"{folder}: the themes could not be read ({error.strerror}).")
        return
    yield from (os.path.join(folder, name) for name in names if name.endswith(".toml"))


def _read(path: str, file: str) -> dict[str, Any]:
    """The file as TOML; the parser's errors name the line."""
    try:
        if not os.path.isfile(path):  # opening a pipe would wait for ever
            raise ThemeError(f"{file}: is not a file.")
        with open(path, "rb") as source:
            raw = source.read(LARGEST_FILE + 1)
        if len(raw) > LARGEST_FILE:
            raise ThemeError(f"{file}: is larger than {LARGEST_FILE // 1024} KB.")
        return tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise ThemeError(f"{file}: could not be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise ThemeError(f"{file}: is not UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise ThemeError(f"{file}: is not valid TOML: {error}.") from error
    except RecursionError as error:
        raise ThemeError(f"{file}: is nested too deeply.") from error


def _checked(data: dict[str, Any], file: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The theme's fields and variables, each of the type that Textual wants."""
    names = {field.name for field in fields(Theme)}
    values = dict(data)
    variables = values.pop("variables", {})
    for key, value in values.items():
        if key not in names:
            raise ThemeError(f"{file}: {key}: is not a key of a theme.{_nearest(key, names)}")
        wanted = _FIELD_TYPES.get(key, (str,))
        # bool is an int for Python, not for the author of a theme
        if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
            kinds = " or ".join(_words_for(kind) for kind in wanted)
            raise ThemeError(f"{file}: {key}: should be {kinds}.")
        if key in _COLOR_FIELDS and isinstance(value, str) and not _is_color(value):
            raise ThemeError(f"{file}: {key}: {value!r} is not a colour.")
        if isinstance(value, int | float) and not 0 <= value <= 1:
            raise ThemeError(f"{file}: {key}: should be from 0 to 1.")
    if not isinstance(variables, dict):
        raise ThemeError(f"{file}: variables: should be a table.")
    return values, variables


def _check_variables(variables: Mapping[str, Any], file: str) -> None:
    """Each variable is one that something reads, with a value that the style sheet can parse."""
    for key, value in variables.items():
        where = f"{file}: variables.{key}"
        if key not in _TEXTUAL_NAMES and key not in MEANINGS:
            raise ThemeError(f"{where}: nothing has this name.{_nearest(key, _TEXTUAL_NAMES)}")
        if not isinstance(value, str):
            raise ThemeError(f"{where}: should be text in quotes.")
        if key.endswith("text-style") or key.startswith("link-style"):
            if not value.split() or not VALID_STYLE_FLAGS.issuperset(value.split()):
                raise ThemeError(f"{where}: {value!r} is not a text style such as 'bold'.")
        elif not (_is_color(value) if key in MEANINGS else _is_color_rule(value)):
            raise ThemeError(f"{where}: {value!r} is not a colour.")


def _is_color(value: str) -> bool:
    try:
        Color.parse(value)
    except (ColorParseError, ValueError):
        return False
    return not value.startswith("auto")


def _is_color_rule(value: str) -> bool:
    """A colour as the style sheet takes it: `#123456`, `#123456 40%`, `auto 87%`, `initial`."""
    if value in {"initial", "transparent", "auto"}:
        return True
    color, space, alpha = value.rpartition(" ")
    if space and re.fullmatch(r"\d{1,3}%", alpha):
        return color == "auto" or _is_color(color)
    return _is_color(value)


def _nearest(key: str, names: set[str] | frozenset[str]) -> str:
    close_matches = difflib.get_close_matches(key, sorted(names | set(MEANINGS)), 1)
    return f" Did you mean {close_matches[0]}?" if close_matches else ""


def _words_for(kind: type) -> str:
    return {bool: "true or false", int: "a number", float: "a number"}.get(kind, "text in quotes")


_TEXTUAL_NAMES = frozenset(Theme("names", primary="#000000").to_color_system().generate()) | {
    "background-muted"
}
