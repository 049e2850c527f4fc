"""Values of the core as JSON: the fields of a dataclass by their names.

Importance and confidence are 0-1. Moments are ISO 8601 in UTC, fractions have six digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from ..core.values import importance_10
from .output import emit, iso

FLAT = {
    "Memory": "origin",
    "Hit": "memory",
    "SessionOverview": "session",
    "SessionDetail": "overview",
}
"""By class, the field whose fields stand in the object itself."""

COMPUTED = {
    "Memory": ("source",),
}
"""By class, properties that stand beside its fields."""


def encode(value: Any) -> Any:
    """Return the JSON of a value."""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {name: encode(part) for name, part in value.items()}
    if names := getattr(value, "__match_args__", ()):
        return _object(value, names)
    if isinstance(value, list | tuple):
        return [encode(part) for part in value]
    return value


def _object(value: Any, names: Iterable[str]) -> dict[str, Any]:
    kind = type(value).__name__
    made: dict[str, Any] = {}
    for name in names:
        part = encode(getattr(value, name))
        made |= part if name == FLAT.get(kind) else {name: part}
    made |= {name: encode(getattr(value, name)) for name in COMPUTED.get(kind, ())}
    if kind == "Memory":
        made["importance_10"] = importance_10(value.importance)
    elif kind == "StoreResult":
        made["id"] = value.memory_id
    return made


def emit_all(values: Iterable[Any]) -> None:
    """Print each value as one JSON object on one line."""
    for value in values:
        emit(encode(value))
