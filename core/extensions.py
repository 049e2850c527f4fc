"""What other packages bring by entry point: reviewers (001-14), search strategies (002-15).

A package names what it brings in its own `pyproject.toml`, under one of the groups below; there is
nothing to configure but its name. docs/extending.md has an example of each. What a package brings
runs in our process with our rights, as any installed code does; a project's `.memdeck.toml` can
choose among what is installed, and bring nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .errors import BadInput

GROUPS: Mapping[str, str] = {
    "reviewer": "memdeck.reviewers",
    "strategy": "memdeck.strategies",
}
"""Entry point groups by what they bring."""


def names(kind: str) -> tuple[str, ...]:
    """What installed packages bring of a kind, by name, sorted; nothing of it is loaded."""
    return tuple(sorted(_points(kind)))


def extension(kind: str, name: str) -> Any:
    """What `name` stands for. Raises BadInput when no package brings it, or it cannot be loaded."""
    point = _points(kind).get(name)
    if point is None:
        raise BadInput(
            f"There is no {kind} {name!r}.",
            hint=f"Install the package that brings it under `{GROUPS[kind]}`.",
        )
    try:
        return point.load()
    except Exception as error:  # somebody else's module: it may raise anything
        package = point.dist.name if point.dist else point.value
        raise BadInput(
            f"The {kind} {name!r} of {package} cannot be loaded: {type(error).__name__}: {error}",
            hint=f"Mend or remove {package}, or take {name!r} out of the settings.",
        ) from error


def _points(kind: str) -> dict[str, EntryPoint]:
    """The first of each name counts, as it does for imports."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUPS[kind]):
        found.setdefault(point.name, point)
    return found
