"""Extensions by entry point: types of memory, reviewers, search strategies, stores, encoders.

A package names its extensions in its own `pyproject.toml`, under one of the groups below; there is
nothing to configure but its name. docs/reference/extensions.md has examples. An extension runs in
our process with our rights, as any installed code does. A project's `.memdeck.toml` can only choose
among the installed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from ..db.errors import BadInput
from .values import TYPES

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUPS: Mapping[str, str] = {
    "encoder": "memdeck.encoders",
    "reviewer": "memdeck.reviewers",
    "store": "memdeck.stores",
    "strategy": "memdeck.strategies",
    "type": "memdeck.types",
}
"""Entry point groups by kind of extension."""

WORDS = {"strategy": "search strategy"}  # the user's word for a kind, if it differs

STRATEGIES = ("plain", "time-weighted", "reviewed")
"""Our own search strategies, by name; `core/recall/ranking.py` makes them."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A further type of memory; its entry point has the same name."""

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)  # its own, with their defaults
    recognises: Callable[[str], bool] = lambda _: False  # True if a session's text is of this type
    fields_in: Callable[[str], Mapping[str, Any]] = lambda _: {}  # the fields by a text's words


def must_be_type(name: str) -> None:
    """Raise BadInput for a type of memory that neither we nor another package has."""
    if name in TYPES:
        return
    brought = names("type")
    if name not in brought:
        visible = repr(name)[:60]
        raise BadInput(
            f"type cannot be {visible}.", hint=f"Use one of: {', '.join((*TYPES, *brought))}."
        )


def kind_called(name: str) -> Kind:
    """Return the type of this name that another package brings. Raises BadInput."""
    kind = extension("type", name)
    if not isinstance(kind, Kind) or kind.name != name:
        raise BadInput(
            f"The type {name!r} is no Kind of that name.", hint="docs/reference/extensions.md"
        )
    return kind


def recognised(text: str) -> str | None:
    """Return the other package's type that recognises a text; None without one.

    One that cannot be loaded, or fails, recognises nothing.
    """
    for name in _brought_types():
        try:
            if kind_called(name).recognises(text):
                return name
        except Exception:  # foreign code; a capture has a type without it
            continue
    return None


@cache
def _brought_types() -> tuple[str, ...]:
    """Return the types of other packages. Cached, since a drain needs them for each text."""
    return names("type")


def names(kind: str) -> tuple[str, ...]:
    """Return the sorted names of installed extensions of a kind, without loading them."""
    return tuple(sorted(_points(kind)))


def unknown(kind: str, ours: Sequence[str], wanted: Sequence[str]) -> str:
    """Return the message for the first of these names that is unknown, or ""."""
    if not (strange := [name for name in wanted if name not in ours]):
        return ""
    existing = (*ours, *names(kind))
    for name in strange:
        if name not in existing:
            there_are = ", ".join(map(repr, existing))
            return f"there is no {WORDS.get(kind, kind)} {name[:60]!r}: there are {there_are}"
    return ""


def extension(kind: str, name: str) -> Any:
    """Return the extension `name`. Raises BadInput if it is not installed or cannot be loaded."""
    point = _points(kind).get(name)
    if point is None:
        hint = f"Install the package that brings it under `{GROUPS[kind]}`."
        raise BadInput(f"There is no {kind} {name!r}.", hint=hint)
    try:
        return point.load()
    except Exception as error:  # a foreign module may raise anything
        package = point.dist.name if point.dist else point.value
        raise BadInput(
            f"The {kind} {name!r} of {package} cannot be loaded: {type(error).__name__}: {error}",
            hint=f"Correct or remove {package}, or take {name!r} out of the settings.",
        ) from error


def _points(kind: str) -> dict[str, EntryPoint]:
    """Return the entry points of a kind. The first of each name counts, as for imports."""
    from importlib.metadata import entry_points  # as dear as all the rest of a short command

    matches: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUPS[kind]):
        matches.setdefault(point.name, point)
    return matches
