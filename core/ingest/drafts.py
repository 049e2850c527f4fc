"""A memory's image: made from a draft, changed by an edit. Redaction happens here, for all fields.

Nothing that a user or an agent wrote reaches an image except through `redact`. The fields of a
type's own table are those given, else derived from the memory's own words.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ...db.errors import BadInput
from ...db.images import EARLIEST_MS, LATEST_MS, Image, dumps, headline
from ...db.keepers import LARGEST, MEMORY, empty_details, plain
from ..extensions import must_be_type
from ..language.phrases import is_refuted
from ..redaction.redact import EVERYTHING, Choice, Counts, redact, redact_record
from ..text.tokens import strict_tokens
from ..text.words import MOST_KEY, MOST_NAME, fingerprint
from ..values import CATEGORIES, NOWHERE, PRIVACIES, REFUTED, SCOPES, STATUSES, TYPES, Origin, to_ms
from .kinds import category_of, memory_type

WORKING_LIFE_MS = 5 * 60 * 1000  # working memory that is not cleared expires after five minutes
MAX_CONCEPT = 60  # characters of a fact's subject

WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "episodic": {"event_type": ("user_query", "agent_response", "decision", "error")},
    "semantic": {"category": ("pattern", "fact", "principle", "domain_knowledge")},
    "prospective": {
        "intention_type": ("todo", "reminder", "followup", "commitment"),
        "trigger_type": ("time", "event", "context"),
        "status": ("pending", "active", "completed", "cancelled"),
    },
    "procedural": {"category": ("workflow", "pattern", "technique", "tool_usage")},
    "working": {
        "context_type": ("task_context", "variables", "state", "references"),
        "scope": ("task", "subtask", "session"),
    },
}
"""The allowed values of a field."""

MOMENTS = ("timestamp", "due_at", "completed_at", "last_used_at", "expires_at", "cleared_at")
NUMBERS: Mapping[str, tuple[float, float]] = {
    "emotional_valence": (-2, 2),
    "priority": (1, 5),
    "success_rate": (0, 1),
    "evidence_count": (0, 2**31),
    "usage_count": (0, 2**31),
    **dict.fromkeys(MOMENTS, (EARLIEST_MS, LATEST_MS)),
}
"""Smallest and largest value of a field, both allowed; moments are in milliseconds."""

FRACTIONS = ("success_rate",)

SHAPES = {list: "list", dict: "mapping", str: "text"}


def own_fields(kind: str) -> Image:
    """The fields of a type with their defaults; of one that another package brings, its own."""
    if kind in TYPES:
        return empty_details(kind)
    from ..extensions import kind_called

    return dict(kind_called(kind).fields)


def details_of(image: Image, values: Mapping[str, Any]) -> Image:
    """Return the fields of the type's own table: those given, else derived from the memory.

    Unknown fields are dropped: they belong to another type.
    """
    kind = image["type"]
    if kind not in TYPES:  # of another package; its values are any JSON
        from ..extensions import kind_called

        brought = kind_called(kind)
        made = {**brought.fields, **plain(brought.fields_in(image["content"])), **values}
        return {name: made[name] for name in brought.fields}
    details, follows = empty_details(kind), _follows(image)
    existing = {
        name: _checked(kind, name, value, {**details, **follows}[name])
        for name, value in values.items()
        if name in details
    }
    return {**details, **follows, **existing}


def file_awaited(kind: str, details: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files with which a task is injected, by its trigger; () if it waits for none.

    A condition of one word that has a dot or a slash is a path, else a sentence may name some.
    """
    condition = details.get("trigger_condition")
    if kind != "prospective" or details.get("trigger_type") != "context" or not condition:
        return ()
    from ..sessions.shape import files_in, relative

    is_path = len(condition.split()) == 1 and ("." in condition or "/" in condition)
    return (relative(condition, None),) if is_path else files_in(condition, None)


def _follows(image: Image) -> Image:
    """Return the defaults of a type's fields, derived from the memory's own words."""
    # The modules of capture compile their rules when they are imported, which an interface that
    # only reads shall not wait for: hence the imports inside.
    kind, content, category = image["type"], image["content"], image["category"]
    if kind == "episodic":
        speaker = "agent_response" if image["agent"] else "user_query"
        event = category if category in ("decision", "error") else speaker
        return {"timestamp": image["created_at"], "event_type": event}
    if kind == "semantic":
        from ..sessions.shape import files_in, shortened, tags_in

        natures = {"pattern": "pattern", "preference": "principle", "warning": "principle"}
        names = map(os.path.basename, files_in(content, None))
        return {
            "concept": shortened(headline(image["title"], content), MAX_CONCEPT),
            "category": natures.get(category, "fact"),
            "related_concepts": [*tags_in(content), *names],
            "source_sessions": [image["session"]] if image["session"] else [],
        }
    if kind == "prospective":
        from ..sessions.wishes import intention

        by_day = {} if image["due"] is None else {"trigger_type": "time"}
        return {**intention(content, None).details, **by_day, "due_at": image["due"]}
    if kind == "procedural":
        from ..sessions.shape import prerequisites_in, steps_in

        return {
            "procedure_name": headline(image["title"], content),
            "category": "workflow",
            "steps": list(steps_in(content, is_procedure=True)),
            "prerequisites": list(prerequisites_in(content)),
        }
    expires = image["expires"] or image["created_at"] + WORKING_LIFE_MS
    return {"context_type": "task_context", "expires_at": expires}


def _checked(kind: str, name: str, value: Any, default: Any) -> Any:
    """Return the value, if it is valid. Raises BadInput with the field and its allowed values."""
    if value is None:
        return default
    hint = ""
    if name in NUMBERS:
        low, high = NUMBERS[name]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:
            hint = f"Give {low:g} to {high:g}."
        elif name in FRACTIONS:
            return float(value)
        elif value != int(value):
            hint = "Give a whole number."
        else:
            return int(value)
    elif words := WORDS.get(kind, {}).get(name):
        hint = f"Use: {', '.join(words)}." if value not in words else ""
    else:
        shape = next((item for item in SHAPES if isinstance(default, item)), str)
        hint = f"Give a {SHAPES[shape]}." if not isinstance(value, shape) else ""
    if hint:
        raise BadInput(f"details.{name} cannot be {value!r}.", hint=hint)
    return value


MOST_WRITTEN = 4_000  # characters that a user may write (requirements, "Limits on content")
MOST_CAPTURED = 500  # characters of an automatic capture

MOST_TITLE = 120
MOST_TAGS = 24
MOST_FILES = 48
LONGEST_TAG = 200
MOST_LOOKED_AT = 64_000
"""Characters of one text that are searched for secrets; a longer one is refused unread."""

DEFAULT_IMPORTANCE = 0.6


@dataclass(frozen=True, slots=True)
class Draft:
    """The content of a memory to be made, without id and place."""

    content: str
    title: str = ""
    type: str | None = None
    category: str | None = None
    scope: str | None = None
    status: str = "confirmed"
    importance: float = DEFAULT_IMPORTANCE
    confidence: float = 1.0
    privacy: str = "public"
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    key: str | None = None
    due: int | None = None  # milliseconds
    expires: int | None = None
    created_at: int | None = None
    origin: Origin = NOWHERE
    details: Mapping[str, Any] = field(default_factory=dict)  # of the type's own, no others
    metadata: Mapping[str, Any] = field(default_factory=dict)  # of any name, kept as given


_OF_NAMES = Choice(use_entropy=False)
_ORIGIN = tuple(Origin.__annotations__)


def redacted(value: str) -> str:
    """Return a text without secrets. Raises BadInput for more than `MOST_LOOKED_AT` characters."""
    return redact(_bounded(value, "A text", MOST_LOOKED_AT)).value


def _bounded(value: str, what: str, most: int) -> str:
    """`value` itself. Raises BadInput unless it is a text of at most `most` characters."""
    if not isinstance(value, str):
        raise BadInput(f"{what} was expected, not {type(value).__name__}.")
    if len(value) > most:
        raise BadInput(f"{what} has {len(value)} characters; {most} is the limit.")
    return value


def texts(name: str, values: Any) -> tuple[str, ...]:
    """`values` as a tuple. Raises BadInput unless it is a list of texts."""
    if isinstance(values, list | tuple | set | frozenset) and all(
        isinstance(value, str) for value in values
    ):
        return tuple(values)
    raise BadInput(f"{name} must be a list of texts, not {type(values).__name__}.")


def outside_name(value: str | None) -> str | None:
    """Return an outside name, of a session or an agent: clean, and without known secrets.

    Merely random strings stay. Raises BadInput for more than `MOST_NAME` characters.
    """
    if value is None:
        return None
    return redact(_bounded(value, "A name", MOST_NAME), choice=_OF_NAMES).value


def name_of(value: str) -> str:
    """Return a name that a host gave as the store has it; "" for none."""
    return outside_name(value) or ""


def path_of(value: str) -> str:
    """Return a path as the store can have it: in a file's name, not every byte is a letter."""
    return value.encode("utf-8", "backslashreplace").decode()


def draft_image(
    draft: Draft, *, memory_id: str, num: int, project: str, now: int, choice: Choice = EVERYTHING
) -> tuple[Image, Counts]:
    """Return the image of a new memory, and the count of removed secrets by field and kind.

    The fields are redacted together: a secret found in one is removed from all. `choice` is the
    policy's (`redaction`). Raises BadInput for a text that is empty or too long and for words
    outside the closed sets.
    """
    draft, counts = _redacted(draft, choice)
    content = checked_content(draft.content)
    kind, category, scope = _checked_words(draft, content)
    origin, title = clean_origin(draft.origin), " ".join(draft.title.split())[:MOST_TITLE]
    created = draft.created_at if draft.created_at is not None else now
    image: Image = {
        **{name: getattr(draft, name) for name in ("status", "privacy", "due", "expires")},
        **{name: getattr(origin, name) for name in _ORIGIN},
        "num": num,
        "id": memory_id,
        "key": (draft.key or "").strip() or None,
        "type": kind,
        "category": category,
        "scope": scope,
        "project": "" if scope == "global" else project,
        "title": "" if title == headline("", content) else title,
        "content": content,
        "importance": float(draft.importance),
        "confidence": float(draft.confidence),
        "tags": distinct((*draft.tags, *((REFUTED,) * is_refuted(content))), MOST_TAGS),
        "files": distinct(draft.files, MOST_FILES),
        "fingerprint": fingerprint(content),
        "tokens": strict_tokens(content),
        "created_at": created,
        "updated_at": created,
        "retired_at": None,
        "retired_as": None,
    }
    details = details_of(image, draft.details)
    details = {**draft.metadata, **details}
    image["files"] = distinct((*image["files"], *file_awaited(kind, details)), MOST_FILES)
    image["details"] = details
    return {name: image[name] for name in MEMORY.columns}, counts


def _redacted(draft: Draft, choice: Choice) -> tuple[Draft, Counts]:
    """Return the draft without secrets, and the counts. Raises BadInput for too long a text."""
    for value in draft.tags:
        _bounded(value, "A tag", LONGEST_TAG)
    for value in draft.files:
        _bounded(value, "A path", MOST_NAME)
    clean = redact_record(
        {
            "content": _bounded(draft.content, "A text", MOST_LOOKED_AT),
            "title": _bounded(draft.title, "A title", MOST_LOOKED_AT),
            "tags": list(draft.tags),
            "files": list(draft.files),
            "key": None if draft.key is None else _bounded(draft.key, "A key", MOST_KEY),
            "details": _own_fields(draft.details),
            "metadata": _own_fields(draft.metadata),
        },
        names=("key", "source_sessions"),
        choice=choice,
    )
    fields = clean.fields
    lists = {name: tuple(fields[name]) for name in ("tags", "files")}
    return replace(draft, **{**fields, **lists}), clean.counts


def distinct(values: Iterable[str], most: int = MOST_TAGS) -> list[str]:
    """Tags or paths, stripped, without doubles, at most `most`."""
    stripped = (value.strip() for value in values)
    return list(dict.fromkeys(value for value in stripped if value))[:most]


def _checked_words(draft: Draft, content: str) -> tuple[str, str, str]:
    """Type, category and scope, given or by rule. Raises BadInput outside the closed sets."""
    for name in ("type", "category", "scope"):
        if not isinstance(getattr(draft, name), str | None):
            raise BadInput(f"{name} must be a word, not {type(getattr(draft, name)).__name__}.")
    category = draft.category or category_of(content)
    kind = draft.type or memory_type(content, category)
    scope = draft.scope or ("task" if kind == "working" else "project")
    must_be_type(kind)
    for name, value, allowed in (
        ("category", category, CATEGORIES),
        ("scope", scope, SCOPES),
        ("status", draft.status, STATUSES),
        ("privacy", draft.privacy, PRIVACIES),
    ):
        one_of(name, value, allowed)
    in_range("importance", draft.importance)
    in_range("confidence", draft.confidence)
    for name in ("due", "expires", "created_at"):
        moment = getattr(draft, name)
        if moment is not None and not EARLIEST_MS <= moment <= LATEST_MS:
            raise BadInput(f"{name} lies beyond the years 1 to 9999.")
    return kind, category, scope


def _own_fields(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a type's own table as given. Raises BadInput for invalid ones."""
    if not isinstance(details, Mapping):
        raise BadInput(f"details must be a mapping, not {type(details).__name__}.")
    values: dict[str, Any] = plain(details)
    if len(dumps(values)) > MOST_LOOKED_AT:
        raise BadInput(f"details may have {MOST_LOOKED_AT} characters at most.")
    return values


def clean_origin(origin: Origin) -> Origin:
    """Return the origin without secrets, since even a session's name is text from outside."""
    if origin.line is not None and not 0 <= origin.line <= LARGEST:
        raise BadInput("A line's number is negative or too large.")
    names = {name: outside_name(getattr(origin, name)) for name in _ORIGIN if name != "line"}
    return Origin(**names, line=origin.line)


def checked_content(text: str) -> str:
    """Return the text without surrounding space. Raises BadInput when it is empty or too long."""
    content = text.strip()
    if not content:
        raise BadInput("A memory needs a text.", hint="Write one sentence that reads well alone.")
    if len(content) > MOST_WRITTEN:
        raise BadInput(
            f"The text has {len(content)} characters; {MOST_WRITTEN} is the limit.",
            hint="Split it into several memories, or keep the long text in a file and name it.",
        )
    return content


def captured_content(text: str, most: int = MOST_CAPTURED) -> str:
    """Return a captured text within `most` characters, cut at a word's end with an ellipsis."""
    content = text.strip()
    if len(content) <= most:
        return content
    head = content[: most - 1]
    return head[: head.rfind(" ")].rstrip(" ,;:") + "…" if " " in head else head + "…"


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise BadInput unless `value` is one of `allowed`."""
    if value not in allowed:
        visible = repr(value)[:60] if isinstance(value, str) else type(value).__name__
        raise BadInput(f"{name} cannot be {visible}.", hint=f"Use one of: {', '.join(allowed)}.")


def in_range(name: str, value: float) -> None:
    """Raise BadInput unless 0 <= value <= 1."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadInput(f"{name} must be a number between 0 and 1.", hint="Give 0 to 1.")
    if not 0 <= value <= 1:
        text = str(value) if isinstance(value, float) or abs(value) < 1_000 else "far off"
        raise BadInput(f"{name} is {text}, not between 0 and 1.", hint="Give 0 to 1.")


EDITABLE = tuple(
    "title content type category scope importance confidence privacy tags files due expires"
    " details".split()
)
"""The fields that an edit may change. The origin is not among them."""

UNTOUCHED = ("updated_at", "retired_at", "retired_as")  # fields that no edit changes

FOLLOWS = {"due": "due_at", "expires": "expires_at"}
"""Fields of a type's own table that follow the memory's, unless they are given as well."""


def edited(
    image: Image,
    fields: Mapping[str, Any],
    *,
    project: str,
    now: int,
    choice: Choice = EVERYTHING,
    redacted: dict[tuple[str, str], int] | None = None,
) -> Image:
    """Return the image after an edit, with everything derived from it computed again.

    Removed secrets are counted in `redacted` by field. Raises BadInput for an unknown field or a
    value outside its range.
    """
    if unknown := sorted(set(fields) - set(EDITABLE)):
        raise BadInput(
            f"{', '.join(unknown)} cannot be edited.", hint=f"Use: {', '.join(EDITABLE)}."
        )
    fields = {name: _edited_to(name, value) for name, value in fields.items()}
    draft = replace(draft_of(image), **fields)
    values = _own_fields(fields.get("details", {}))
    same_type = fields.get("type", image["type"]) == image["type"]
    for name, followed in FOLLOWS.items():
        if name in fields and followed in image["details"]:
            values = {followed: fields[name], **values}
    gone = set[str]() if same_type else own_fields(image["type"]).keys() - {"context"}
    retained = {name: value for name, value in image["details"].items() if name not in gone}
    draft = replace(draft, details={**retained, **values}, metadata={**retained, **values})
    made, counts = draft_image(
        draft,
        memory_id=image["id"],
        num=image["num"],
        project=image["project"] or project,
        now=now,
        choice=choice,
    )
    if redacted is not None:
        # both hold the same fields: a secret in one of them is one secret
        redacted.update({at: count for at, count in counts.items() if at[0] != "metadata"})
    if all(made[name] == image[name] for name in made if name not in UNTOUCHED):
        return image
    retained = {name: image[name] for name in ("created_at", "retired_at", "retired_as")}
    return {**made, **retained, "updated_at": now}


def _edited_to(name: str, value: Any) -> Any:
    if name in ("tags", "files"):
        return texts(name, value)
    if name not in FOLLOWS:
        return value
    if isinstance(value, datetime):
        return to_ms(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or (is_number and value % 1 == 0):
        return value
    raise BadInput(
        f"{name} cannot be {value!r:.60}.",
        hint="Give a datetime, whole milliseconds since 1970, or None.",
    )


def draft_of(image: Image) -> Draft:
    names = set(Draft.__dataclass_fields__) - {"origin", "metadata"}
    fields = {name: image[name] for name in names}
    lists = {name: tuple(image[name]) for name in ("tags", "files")}
    origin = Origin(**{name: image[name] for name in _ORIGIN})
    return Draft(**{**fields, **lists}, origin=origin)
