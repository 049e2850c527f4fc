"""One value of a TOML file changed where it stands, so that comments and order stay.

The standard library reads TOML and writes none. A value is found by its lines, and what comes of
the change is read again: where it is not exactly what was wanted, nothing is written.
"""

from __future__ import annotations

import copy
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput

Place = tuple[str, ...]

LARGEST_FILE = 1 << 20  # bytes; settings are a few hundred
MOST_LINES = 200  # of one value
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"\s*\[(?!\[).*\]\s*(#.*)?")
_ARRAY_HEADER = re.compile(r"\s*\[\[.*\]\]\s*(#.*)?")


class Unwritable(ValueError):
    """The file is written in a way that one value of it cannot be changed by a program."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A header, or an assignment with its value, by lines."""

    table: Place
    place: Place  # of a header the table itself
    first: int
    last: int
    before: str = ""  # what stands in front of the value in its first line; "" of a header
    value: str = ""
    behind: str = ""  # the comment behind it

    @property
    def is_header(self) -> bool:
        return not self.before


def read_bytes(path: str) -> bytes:
    """What a settings file holds. Raises OSError, and BadInput for one that is too large.

    A project's may be a link to anything: to what never ends, or never answers.
    """
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise OSError("it is no file")
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise BadInput(f"{path} is too large.", hint="Settings are a few lines.")
    return data.removeprefix(b"\xef\xbb\xbf")  # the mark that some editors begin a file with


def place_of(key: str) -> Place:
    """The tables down to a key in TOML: `app.keymap."memory.forget"`. Raises ValueError."""
    return _path(tomllib.loads(f"{key} = 0"))


def toml_of(value: object) -> str:
    """`value` as TOML on one line. Raises TypeError for what a settings file has no use for."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {toml_of(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml_of, value))}]"
    raise TypeError(f"{type(value).__name__} is no setting")


def text_at(text: str, place: Place) -> str | None:
    """The value at `place` as it is written, on one line for a part of an inline table; None
    where nothing stands."""
    for one in _statements(text):
        if not one.is_header and one.place == place:
            return one.value
    inner: Any = tomllib.loads(text)
    for name in place:
        if not isinstance(inner, Mapping) or name not in inner:
            return None
        inner = inner[name]
    try:
        return toml_of(inner)
    except TypeError:
        return None


def with_value(text: str, place: Place, value: str | None) -> str:
    """`text` with this TOML at `place`; None takes it out. Everything else stays as it is written.

    Raises Unwritable.
    """
    wanted = copy.deepcopy(tomllib.loads(text))
    _set(wanted, place, None if value is None else tomllib.loads(f"v = {value}")["v"])
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    changed = "\n".join(_changed(lines, list(_statements(text)), place, value))
    try:
        is_right = _pruned(tomllib.loads(changed)) == _pruned(wanted)
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise Unwritable(".".join(place))
    return changed.replace("\n", newline)


def _changed(
    lines: list[str], statements: Sequence[_Statement], place: Place, value: str | None
) -> list[str]:
    """The lines with the value; whether that is what was wanted is for the caller to see."""
    for one in statements:
        if one.is_header or place[: len(one.place)] != one.place:
            continue
        if one.place == place:
            if value is None:
                return _without(lines, statements, one)
            kept = [f"{one.before}{value}{one.behind}"]
            return [*lines[: one.first], *kept, *lines[one.last + 1 :]]
        table = tomllib.loads(f"v = {one.value}")["v"]  # it is written inline
        if not isinstance(table, dict):
            raise Unwritable(".".join(place))
        _set(table, place[len(one.place) :], None if value is None else _value(value))
        return _changed(lines, statements, one.place, toml_of(table) if table else None)
    return lines if value is None else _with_new(lines, statements, place, value)


def _with_new(
    lines: list[str], statements: Sequence[_Statement], place: Place, value: str
) -> list[str]:
    """A value where none stands: behind the last of its table, or in a table of its own."""
    table = place[:-1]
    inside = [one for one in statements if one.table == table]
    dotted = [one for one in statements if not one.is_header and one.place[:-1] == table]
    if inside or dotted:
        last = (dotted or inside)[-1]
        key = place[len(last.table) :]
        line = f"{key_of(key)} = {value}"
        return [*lines[: last.last + 1], line, *lines[last.last + 1 :]]
    if not table:
        headers = [one.first for one in statements if one.is_header]
        start = headers[0] if headers else len(lines)
        while start and not lines[start - 1].strip():
            start -= 1
        return [*lines[:start], f"{_key(place[-1])} = {value}", "", *lines[start:]]
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    gap = [""] if end else []
    header = f"[{key_of(table)}]"
    return [*lines[:end], *gap, header, f"{_key(place[-1])} = {value}", ""]


def _without(lines: list[str], statements: Sequence[_Statement], gone: _Statement) -> list[str]:
    """The lines without a value; a header that has nothing else under it goes too."""
    start, end = gone.first, gone.last + 1
    at = statements.index(gone)
    is_last = at + 1 == len(statements) or statements[at + 1].is_header
    if at and statements[at - 1].is_header and statements[at - 1].table == gone.table and is_last:
        header = statements[at - 1]
        until = statements[at + 1].first if at + 1 < len(statements) else len(lines)
        others = [*lines[header.first + 1 : start], *lines[end:until]]
        if not any(line.strip() for line in others) and "#" not in lines[header.first]:
            before = header.first
            while before and not lines[before - 1].strip():
                before -= 1
            gap = [""] if before or until == len(lines) else []
            return [*lines[:before], *gap, *lines[until:]]
    return [*lines[:start], *lines[end:]]


def _statements(text: str) -> Iterator[_Statement]:
    """Headers and assignments in their order. Raises Unwritable."""
    lines = text.replace("\r\n", "\n").split("\n")
    table: Place = ()
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip() or line.lstrip().startswith("#"):
            at += 1
        elif _ARRAY_HEADER.fullmatch(line):
            table = ("[]", line.strip())  # no setting stands in one
            yield _Statement(table, table, at, at)
            at += 1
        elif _HEADER.fullmatch(line) and (named := _parsed(line)) is not None:
            table = _path(named)
            yield _Statement(table, table, at, at)
            at += 1
        else:
            one = _assignment(lines, at, table)
            yield one
            at = one.last + 1


def _assignment(lines: Sequence[str], at: int, table: Place) -> _Statement:
    for last in range(at, min(at + MOST_LINES, len(lines))):
        whole = "\n".join(lines[at : last + 1])
        if _parsed(whole) is None:
            continue
        for equals in (found.start() for found in re.finditer("=", whole)):
            named = _parsed(f"{whole[:equals]}= 0")
            if named is None:
                continue
            rest = whole[equals + 1 :]
            lead = rest[: len(rest) - len(rest.lstrip(" \t"))]
            value, behind = _parted(rest[len(lead) :])
            place = (*table, *_path(named))
            return _Statement(table, place, at, last, f"{whole[:equals]}={lead}", value, behind)
    raise Unwritable(lines[at].strip()[:60])


def _parted(text: str) -> tuple[str, str]:
    """A value, and what stands behind it: blanks and a comment."""
    for found in re.finditer("#", text):
        if _parsed(f"v = {text[: found.start()]}") is not None:
            value = text[: found.start()].rstrip()
            return value, text[len(value) :]
    value = text.rstrip()
    return value, text[len(value) :]


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _value(text: str) -> Any:
    return tomllib.loads(f"v = {text}")["v"]


def _path(named: Mapping[str, Any]) -> Place:
    """The keys down to the end of a table that has one key at each level."""
    place: list[str] = []
    inner: Any = named
    while isinstance(inner, Mapping) and inner:
        [(name, inner)] = inner.items()
        place.append(name)
    return tuple(place)


def key_of(place: Place) -> str:
    """The same as `place_of`, from the tables to the key."""
    return ".".join(map(_key, place))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else toml_of(name)


def _set(settings: dict[str, Any], place: Place, value: Any) -> None:
    """Put a value into nested tables; None takes it out. Raises Unwritable where no table is."""
    for name in place[:-1]:
        settings = settings.setdefault(name, {})
        if not isinstance(settings, dict):
            raise Unwritable(".".join(place))
    if value is None:
        settings.pop(place[-1], None)
    else:
        settings[place[-1]] = value


def _pruned(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same without tables that hold nothing."""
    inner = {
        name: _pruned(value) if isinstance(value, Mapping) else value
        for name, value in settings.items()
    }
    return {name: value for name, value in inner.items() if value != {}}
