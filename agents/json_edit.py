"""Small textual changes to a JSON file of somebody else: what we do not touch stays as it is.

Text goes in and comes out; key order, indentation, line ends and a byte order mark survive,
because only the inserted or removed piece differs.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..frozen import dataclass

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")
_LINE_START = re.compile(r"[\r\n]([ \t]*)$")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands in the text; `parts` are the members or items, in order."""

    start: int
    end: int
    value: Any
    parts: tuple[Part, ...] = ()
    is_object: bool = False
    is_array: bool = False

    def member(self, key: str) -> Node | None:
        """The member of that name, or None."""
        return next((part.node for part in self.parts if part.key == key), None)

    def index(self, key: str) -> int:
        """Where the member of that name stands among the parts. Raises StopIteration."""
        return next(i for i, part in enumerate(self.parts) if part.key == key)


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object (with its key) or an item of an array; `start` counts the key in."""

    start: int
    key: str | None
    node: Node


def parse(text: str) -> Node:
    """The root of `text`. Raises ValueError for anything that is no strict JSON."""
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
        return _value(text, _skip(text, 1 if text.startswith("\ufeff") else 0))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def insert(text: str, box: Node, key: str | None, value: object) -> str:
    """`text` with `value` as the last part of `box`, laid out as its neighbours are."""
    if box.parts:
        last = box.parts[-1]
        before = box.start + 1 if len(box.parts) == 1 else box.parts[-2].node.end
        if len(box.parts) > 1:
            before = text.index(",", before) + 1
        space = text[before : _skip(text, before)]
        piece = "," + space + _render(text, key, value, space)
        return text[: last.node.end] + piece + text[last.node.end :]
    if _is_one_line(text):
        piece = _render(text, key, value, "")
        return text[: box.start + 1] + piece + text[box.end - 1 :]
    outer = _newline(text) + _indent_of_line(text, box.start)
    space = outer + _unit(text)
    piece = space + _render(text, key, value, space) + outer
    return text[: box.start + 1] + piece + text[box.end - 1 :]


def remove(text: str, box: Node, index: int) -> str:
    """`text` without the part of `box` at `index`, and without the comma it no longer needs."""
    parts = box.parts
    if len(parts) == 1:
        return text[: box.start + 1] + text[box.end - 1 :]
    if index == len(parts) - 1:
        return text[: parts[index - 1].node.end] + text[parts[index].node.end :]
    return text[: parts[index].start] + text[parts[index + 1].start :]


def _render(text: str, key: str | None, value: object, space: str) -> str:
    """`value` as it reads behind `space`: over several lines when `space` has a line end."""
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    line = _LINE_START.search(space)
    if line is None:
        return name + json.dumps(value, ensure_ascii=False)
    shown = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return name + shown.replace("\n", _newline(text) + line.group(1))


def _is_one_line(text: str) -> bool:
    """Whether the file is written in a single line; an empty object may become several."""
    shown = text.strip("\ufeff \t\r\n")
    return not re.search(r"[\r\n]", shown) and not re.fullmatch(r"\{\s*\}", shown)


def _unit(text: str) -> str:
    """One step of indentation: that of the first indented line, else two blanks."""
    found = re.search(r"[\r\n]([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of_line(text: str, position: int) -> str:
    """The blanks at the start of the line that `position` is in."""
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    found = re.match(r"[ \t]*", text[start:position])
    return found.group() if found else ""


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _value(text: str, position: int) -> Node:
    """The node at `position` of a text that is known to be valid."""
    if text[position] == "{":
        parts, end = _parts(text, position, "}")
        members = {part.key: part.node.value for part in parts}
        return Node(position, end, members, parts, is_object=True)
    if text[position] == "[":
        parts, end = _parts(text, position, "]")
        return Node(position, end, [part.node.value for part in parts], parts, is_array=True)
    if text[position] == '"':
        value, end = _DECODER.raw_decode(text, position)
        return Node(position, end, value)
    found = _SCALAR.match(text, position)
    end = found.end() if found else position + 1
    return Node(position, end, json.loads(text[position:end]))


def _parts(text: str, start: int, closing: str) -> tuple[tuple[Part, ...], int]:
    """The parts of the object or array that begins at `start`, and the position behind it."""
    parts = list[Part]()
    position = _skip(text, start + 1)
    while text[position] != closing:
        begins, key = position, None
        if closing == "}":
            key, position = _DECODER.raw_decode(text, position)
            position = _skip(text, _skip(text, position) + 1)  # over the colon
        part = Part(begins, key, _value(text, position))
        parts.append(part)
        position = _skip(text, part.node.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return tuple(parts), position + 1


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
