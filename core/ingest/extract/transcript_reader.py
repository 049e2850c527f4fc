"""What every reader of a session file gives, and how it takes fields that may hold anything."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from typing import Any

from .lines import LineReader, open_regular
from .turns import Turn, clip

MAX_WHOLE = 64 * 1024 * 1024
"""Bytes of a file that must be read whole, since it is rewritten; larger ones are skipped."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The turns of one reading, and where the next one starts."""

    turns: tuple[Turn, ...]
    offset: int  # bytes; after a newline, or the size of a file that is read whole
    line_no: int  # lines before `offset`; messages, in a file that is read whole
    seen_uuids: frozenset[str]  # given on to the next reading, it repeats nothing
    bad_lines: int = 0  # lines that were no JSON object, or too long
    has_more: bool = False  # the reading was full; read again from `offset`
    restarted: bool = False  # the file had shrunk, so it was read from its start
    skipped: str = ""  # why nothing of the file was read, for the log


def reading_of(lines: LineReader, turns: Iterable[Turn], seen: Iterable[str]) -> Reading:
    """The turns of a file of lines, read as far as `lines` has come."""
    return Reading(
        tuple(turns),
        lines.offset,
        lines.line_no,
        frozenset(seen),
        lines.bad_lines,
        lines.has_more,
        lines.restarted,
    )


def whole_json(path: str, max_bytes: int = MAX_WHOLE) -> tuple[Any, int, str]:
    """(value, bytes read, why there is none) of a file that is one JSON text.

    Raises OSError where there is no readable file.
    """
    with open_regular(path) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        return None, 0, f"larger than {max_bytes:,} bytes"
    try:
        return json.loads(data.decode("utf-8", "replace").lstrip("\ufeff")), len(data), ""
    except (ValueError, RecursionError):
        return None, 0, "not one whole JSON text"


def text_of(value: Any) -> str:
    """`value` if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def mapping_of(value: Any) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """The blocks of a message; a text alone is one block.

    A block that is no object keeps its place, so that `part` names the same block always.
    """
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [block if isinstance(block, dict) else {} for block in content]


def moment_of(value: Any) -> datetime | None:
    """The moment that an ISO text names, UTC unless it says otherwise; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def moment_of_ms(value: Any) -> datetime | None:
    """The moment that a number of milliseconds since 1970 names; None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def clipped(given: Mapping[str, Any]) -> dict[str, Any]:
    """`given` with its long texts cut, those inside lists of objects too."""
    return {name: _clipped(value) for name, value in given.items()}


def digest_of(text: str) -> str:
    """A short name of a text, to know it again."""
    return blake2s(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _clipped(value: Any) -> Any:
    if isinstance(value, str):
        return clip(value)
    if isinstance(value, list):
        return [clipped(item) if isinstance(item, dict) else item for item in value]
    return value
