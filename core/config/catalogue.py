"""Every setting by its place, with what it may be: read from the policy, so none is missing."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ...db.errors import BadInput
from .policy import Policy

Kind = Literal["switch", "number", "word", "text", "list", "table"]

ON, OFF = ("true", "on", "yes"), ("false", "off", "no")
_SOURCES = re.compile(
    r"\s*\((?:\d{3}-\d+(?: to \d+)?(?:, )?)+\)|\s+as in \d{3}-\d+"
)  # where a rule comes from
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting: where it stands, what it means, and what it may be."""

    place: str  # as TOML writes it: `recall.top_k`
    section: str  # "" of those at the top
    name: str
    kind: Kind
    about: str  # its manual, in plain words
    is_whole: bool = False  # a number without a fraction
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()  # of a word, or of each in a list
    needs: str = ""  # what it may be, where its kind does not say it

    @property
    def allowed(self) -> str:
        """What it may be, in words."""
        if self.needs:
            return self.needs
        match self.kind:
            case "switch":
                return "on or off"
            case "number":
                return f"{text_of(self.low)} to {text_of(self.high)}"
            case "word":
                return ", ".join(self.choices)
            case "list":
                return f"any of {', '.join(self.choices)}" if self.choices else "words with commas"
            case "table":
                return "a table as TOML: { name = value }"
            case _:
                return "text"


def knobs() -> Iterator[Knob]:
    """All settings, in the order of the manual."""
    yield from _knobs_of(Policy, "")


def titles() -> Mapping[str, str]:
    """What each section is about, by its name."""
    manual = _manual_of(Policy)
    return {
        name: _plain(manual.get(name, "")).partition(". ")[0].rstrip(".")
        for name, field in Policy.model_fields.items()
        if _is_section(field)
    }


def value_of(knob: Knob, text: str) -> Any:
    """What a person means by `text`. Raises BadInput where it is nothing of the kind.

    Whether it is within its range is for `core/config/settings.py` to say.
    """
    given = text.strip()
    match knob.kind:
        case "switch":
            if given.lower() in (*ON, *OFF):
                return given.lower() in ON
        case "number":
            digits = given.replace(",", "").replace("_", "")
            try:
                return int(digits) if knob.is_whole else float(digits)
            except ValueError:
                pass
        case "word":
            if given.lower() in knob.choices:
                return given.lower()
        case "list":
            return [part.strip() for part in given.split(",") if part.strip()]
        case "table":
            return _table(knob, given)
        case _:
            return given
    raise BadInput(f"{knob.name} is {knob.allowed}.", hint="")


def text_of(value: object) -> str:
    """A value as a person reads and writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    if isinstance(value, Mapping):
        from .toml_text import toml_of

        return toml_of(_dumped(value)) if value else ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value)


def _dumped(value: object) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_defaults=True)
    return (
        {key: _dumped(one) for key, one in value.items()} if isinstance(value, Mapping) else value
    )


def _table(knob: Knob, text: str) -> Any:
    try:
        return tomllib.loads(f"v = {text or '{}'}")["v"]
    except tomllib.TOMLDecodeError:
        raise BadInput(f"{knob.name} is {knob.allowed}.", hint="") from None


def _manual_of(model: type[BaseModel]) -> Mapping[str, str]:
    """The text under each field of a table, by the field's name.

    Pydantic would read the sources for them as the class is made: in every process that reads
    settings, and a third of what making the classes costs.
    """
    return _manuals_in(model.__module__)[model.__name__]


@cache
def _manuals_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """The same of all tables of a module, which is read once."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {table.name: _texts(table) for table in tree.body if isinstance(table, ast.ClassDef)}


def _texts(table: ast.ClassDef) -> Mapping[str, str]:
    texts = dict[str, str]()
    for pair in pairwise(table.body):
        match pair:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                texts[name] = inspect.cleandoc(text)
    return texts


def _knobs_of(model: type[BaseModel], section: str) -> Iterator[Knob]:
    manual = _manual_of(model)
    for name, field in model.model_fields.items():
        if _is_section(field):
            continue
        yield _knob(section, name, field, manual.get(name, ""))
    for name, field in model.model_fields.items():
        if _is_section(field):
            assert isinstance(field.annotation, type)
            yield from _knobs_of(field.annotation, name)


def _is_section(field: FieldInfo) -> bool:
    return isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)


def _knob(section: str, name: str, field: FieldInfo, manual: str) -> Knob:
    kind, choices = _kind(field.annotation)
    lows = [one.ge for one in field.metadata if hasattr(one, "ge")]
    highs = [one.le for one in field.metadata if hasattr(one, "le")]
    return Knob(
        place=f"{section}.{name}" if section else name,
        section=section,
        name=name,
        kind=kind,
        about=_plain(manual),
        is_whole=field.annotation is int,
        low=lows[0] if lows else None,
        high=highs[0] if highs else None,
        choices=choices,
    )


def _kind(annotation: Any) -> tuple[Kind, tuple[str, ...]]:
    if annotation is bool:
        return "switch", ()
    if annotation in (int, float):
        return "number", ()
    if get_origin(annotation) is Literal:
        return "word", get_args(annotation)
    if isinstance(origin := get_origin(annotation), type):
        if issubclass(origin, Mapping):
            return "table", ()
        if issubclass(origin, Sequence):
            [inside] = get_args(annotation)
            return "list", get_args(inside) if get_origin(inside) is Literal else ()
    return "text", ()


def _plain(text: str) -> str:
    """A manual's Markdown as one line of words."""
    return " ".join(_LINK.sub(r"\1", _SOURCES.sub("", text)).replace("`", "").split())
