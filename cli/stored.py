"""A stored value as a person reads it."""

from __future__ import annotations

from typing import Any

from ..core.values import at
from .output import local


def readable(field: str, value: Any) -> str:
    """A stored value for a reader: times are stored in milliseconds, lists as JSON."""
    if isinstance(value, int) and (field.endswith("_at") or field in ("due", "expires")):
        moment = at(value)
        return local(moment) if moment else ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:.2f}" if isinstance(value, float) else str(value)
