"""The fields of a memory that a person edits: as text in a form or a file, and back as values.

One table serves both. A value that cannot be read is a problem with its field, in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..core.values import (
    CATEGORIES,
    PRIVACIES,
    SCOPES,
    TYPES,
    Memory,
    importance_10,
    importance_from_10,
)

FIELDS = ("title", "type", "category", "scope", "importance", "tags", "files", "due", "expires",
          "privacy", "content")  # fmt: skip
"""In the order in which form and file show them."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "type": TYPES,
    "category": CATEGORIES,
    "scope": SCOPES,
    "privacy": PRIVACIES,
}

HINTS: Mapping[str, str] = {
    "title": "made from the text when empty",
    "importance": "1 to 10",
    "tags": "parted by commas",
    "files": "parted by commas",
    "due": "2026-11-30, or 2026-11-30 14:00",
    "expires": "2026-12-31, or empty for never",
    "content": "what is to be remembered",
}


def fields_of(memory: Memory) -> dict[str, str]:
    """The fields of a memory as text."""
    return {
        "title": memory.title,
        "type": memory.type,
        "category": memory.category,
        "scope": memory.scope,
        "importance": str(importance_10(memory.importance)),
        "tags": ", ".join(memory.tags),
        "files": ", ".join(memory.files),
        "due": _moment_text(memory.due),
        "expires": _moment_text(memory.expires),
        "privacy": memory.privacy,
        "content": memory.content,
    }


def read_fields(texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """(values as the core takes them, problems by field). Empty choices are left out."""
    values: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for name, text in texts.items():
        try:
            value = _read(name, text.strip() if name != "content" else text)
        except ValueError as error:
            problems[name] = str(error)
            continue
        if value is not None or name in ("due", "expires"):
            values[name] = value
    return values, problems


def _read(name: str, text: str) -> Any:
    """The value of one field; None when it is not given. ValueError with a sentence."""
    if name == "content":
        if not text.strip():
            raise ValueError("There is nothing to remember.")
        return text
    if not text and name not in ("title", "tags", "files"):
        return None
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise ValueError(f"One of {', '.join(CHOICES[name])}.")
        return text
    if name == "importance":
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 10):
            raise ValueError("A whole number from 1 to 10.")
        return importance_from_10(int(text))
    if name in ("tags", "files"):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if name in ("due", "expires"):
        return _moment(text)
    return text


def _moment(text: str) -> datetime:
    """A day or a moment, in the local zone unless it names one."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("A day such as 2026-11-30, or with a time: 2026-11-30 14:00.") from None
    return moment if moment.tzinfo else moment.astimezone()


def _moment_text(moment: datetime | None) -> str:
    if moment is None:
        return ""
    local = moment.astimezone()
    is_day = not (local.hour or local.minute or local.second or local.microsecond)
    return f"{local:%Y-%m-%d}" if is_day else local.isoformat(sep=" ", timespec="seconds")


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The names of the fields that differ."""
    return [name for name in after if after[name] != before.get(name, "")]
