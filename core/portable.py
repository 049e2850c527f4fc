"""Memories as files: the import format checked, the export formats written.

The import format is one JSON object a line: `content` (required) and any of type, title,
category, scope, importance (0-1), confidence, status, tags, files, session, agent, role, created_at
(ISO 8601), due, expires, key, privacy, details. It only grows.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..db.errors import BadInput
from .extensions import must_be_type
from .ingest.drafts import MOST_FILES, MOST_TAGS, MOST_WRITTEN, Draft
from .values import CATEGORIES, PRIVACIES, SCOPES, STATUSES, Memory, Origin, to_ms


class ImportedMemory(BaseModel):
    """One object of the import format. Unknown fields are ignored: the format grows."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    content: str = Field(min_length=1, max_length=MOST_WRITTEN)
    type: str | None = None
    title: str = Field("", max_length=1_000)
    category: Literal[CATEGORIES] | None = None  # type: ignore[valid-type]
    scope: Literal[SCOPES] | None = None  # type: ignore[valid-type]
    importance: float = Field(0.5, ge=0, le=1)
    confidence: float = Field(1.0, ge=0, le=1)
    status: Literal[STATUSES] = "confirmed"  # type: ignore[valid-type]
    privacy: Literal[PRIVACIES] = "public"  # type: ignore[valid-type]
    tags: tuple[str, ...] = Field((), max_length=MOST_TAGS)
    files: tuple[str, ...] = Field((), max_length=MOST_FILES)
    session: str | None = None
    agent: str | None = None
    role: str | None = None
    created_at: datetime | None = None
    due: datetime | None = None
    expires: datetime | None = None
    key: str | None = Field(None, max_length=500)
    details: dict[str, Any] = Field(default_factory=dict)

    @field_validator("type")
    @classmethod
    def _check_type(cls, name: str | None) -> str | None:
        if name is not None:
            must_be_type(name)
        return name

    @field_validator("key", mode="before")
    @classmethod
    def _numbers_are_keys(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def draft_of_object(item: Mapping[str, Any]) -> Draft:
    """Return the draft of one imported object. Raises BadInput with the field and its error."""
    if not isinstance(item, Mapping):
        raise BadInput("the object: a mapping of fields was expected.")
    try:
        named = {name: value for name, value in item.items() if value is not None}
        imported = ImportedMemory.model_validate(named)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "the object"
        is_list = first["type"] == "tuple_type"  # what JSON has for it is a list
        wrong = "input should be a list of texts" if is_list else first["msg"].lower()
        raise BadInput(
            f"{field}: {wrong}.", hint="`memdeck import --help` lists the fields and their ranges."
        ) from None
    fields = dict(imported)
    origin = Origin(**{name: fields.pop(name) for name in ("session", "agent", "role")})
    fields |= {name: to_ms(fields[name]) for name in ("due", "expires", "created_at")}
    return Draft(**fields, origin=origin, metadata=imported.details)


def object_of(memory: Memory) -> dict[str, Any]:
    """Return a memory in the import format, so that exports can be imported."""
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
    """Yield a document to read: one section a category, one paragraph a memory."""
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
    """Yield a table for a spreadsheet; lists are joined by spaces, formulas are disarmed."""
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
