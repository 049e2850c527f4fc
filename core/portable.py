"""Memories as files: the import format checked, the export formats written.

The import format is one JSON object a line: `content` (required) and any of type, title,
category, scope, importance (0-1), confidence, status, tags, files, session, agent, role, created_at
(ISO 8601), due, expires, key, privacy, details. It only grows.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from .clock import to_ms
from .errors import BadInput
from .ingest.drafts import MOST_FILES, MOST_TAGS, Draft, texts
from .values import Memory, Origin

TEXTS = (
    *("content", "type", "title", "category", "scope", "status", "privacy", "key"),
    *("session", "agent", "role"),
)
NUMBERS, MOMENTS = ("importance", "confidence"), ("created_at", "due", "expires")
LISTS = {"tags": MOST_TAGS, "files": MOST_FILES}
"""Fields of the import format by kind. Others are ignored: the format grows."""


def draft_of_object(item: Mapping[str, Any]) -> Draft:
    """The draft of one imported object. Raises BadInput naming the field and what is wrong.

    Which words and ranges a field may have is checked when the memory is made.
    """
    if not isinstance(item, Mapping):
        raise BadInput("the object: a mapping of fields was expected.")
    names = (*TEXTS, *NUMBERS, *MOMENTS, *LISTS, "details")
    fields = {name: item[name] for name in names if item.get(name) is not None}
    if type(key := fields.get("key")) is int and key.bit_length() < 64:
        fields["key"] = str(key)
    for name, value in fields.items():
        wrong = ""
        if name in TEXTS:
            is_text = isinstance(value, str) and value.encode("utf-8", "ignore").decode() == value
            wrong = "" if is_text else "a text"
        elif name in NUMBERS:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            wrong = "" if is_number else "a number from 0 to 1"
        elif name in LISTS:
            wrong = "" if isinstance(value, list | tuple) else "a list of texts"
            fields[name] = value if wrong else texts(name, value)
            wrong = wrong or (f"at most {LISTS[name]} items" if len(value) > LISTS[name] else "")
        elif name in MOMENTS:
            try:
                fields[name] = to_ms(
                    value if isinstance(value, datetime) else datetime.fromisoformat(value)
                )
            except (TypeError, ValueError):
                wrong = "a moment such as 2026-03-01T12:00:00Z"
        elif not isinstance(value, Mapping):
            wrong = "an object"
        if wrong:
            hint = "`memdeck import --help` lists the fields and their ranges."
            raise BadInput(f"{name}: {wrong} was expected.", hint=hint)
    if not fields.get("content"):
        raise BadInput("content: a text was expected.")
    origin = Origin(**{name: fields.pop(name, None) for name in ("session", "agent", "role")})
    importance = fields.pop("importance", 0.5)
    return Draft(**fields, importance=importance, origin=origin, metadata=fields.get("details", {}))


def object_of(memory: Memory) -> dict[str, Any]:
    """A memory in the import format, so that what is exported can be imported."""
    same = "id key content title type category scope status privacy importance confidence"
    return {
        **{name: getattr(memory, name) for name in same.split()},
        "tags": list(memory.tags),
        "files": list(memory.files),
        "session": memory.origin.session,
        "agent": memory.origin.agent,
        "role": memory.origin.role,
        "created_at": memory.created_at.isoformat(),
        "due": memory.due.isoformat() if memory.due else None,
        "expires": memory.expires.isoformat() if memory.expires else None,
        "details": dict(memory.details),
    }


def to_markdown(memories: Iterable[Memory]) -> Iterator[str]:
    """A document to read: one section a category, one paragraph a memory."""
    by_category: dict[str, list[Memory]] = {}
    for memory in memories:
        by_category.setdefault(memory.category, []).append(memory)
    yield "# Memories"
    for category in sorted(by_category):
        yield f"\n## {category.replace('_', ' ').capitalize()}"
        for memory in by_category[category]:
            marks = [memory.type, memory.status, f"{memory.created_at:%Y-%m-%d}", *memory.files]
            yield f"\n### {memory.title}\n\n{memory.content}\n\n_{' · '.join(marks)}_"


CSV_FIELDS = (
    *("id", "key", "type", "category", "scope", "status", "title", "content", "importance"),
    *("confidence", "tags", "files", "session", "agent", "created_at"),
)


def to_csv(memories: Iterable[Memory]) -> Iterator[str]:
    """A table for a spreadsheet; lists are joined by spaces, formulas are disarmed."""
    yield _csv_line(CSV_FIELDS)
    for memory in memories:
        item = object_of(memory)
        yield _csv_line([_cell(item[name]) for name in CSV_FIELDS])


def _cell(value: Any) -> str:
    text = " ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    is_formula = text.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
    return "'" + text if is_formula or text.startswith(("\t", "\r")) else text


def _csv_line(values: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(values)  # quotes what holds a line break
    return buffer.getvalue().removesuffix("\r\n")
