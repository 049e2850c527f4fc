"""The fields of a type's own table: what was given, checked, and what follows from the memory."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from ...db.images import Image, headline
from ...db.keepers import empty_details, plain
from ..errors import BadInput
from ..values import TYPES

WORKING_LIFE_MS = 5 * 60 * 1000
"""A working memory that nobody clears expires after five minutes."""

MAX_CONCEPT = 60
"""Characters of what a fact is about."""

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
"""What a field may say."""

_MOMENTS = ("timestamp", "due_at", "completed_at", "last_used_at", "expires_at", "cleared_at")
NUMBERS: Mapping[str, tuple[float, float]] = {
    "emotional_valence": (-2, 2),
    "priority": (1, 5),
    "success_rate": (0, 1),
    "evidence_count": (0, 2**31),
    "usage_count": (0, 2**31),
    **dict.fromkeys(_MOMENTS, (-(2**53), 2**53)),
}
"""Smallest and largest value of a field, both allowed; moments are in milliseconds."""

FRACTIONS = ("success_rate",)

SHAPES = {list: "list", dict: "mapping", str: "text"}


def own_fields(kind: str) -> Image:
    """The fields of a type with their defaults; of one that another package brings, its own."""
    if kind in TYPES:
        return empty_details(kind)
    from ..extensions import kind_called  # the dearer look, for what is not ours

    return dict(kind_called(kind).fields)


def details_of(image: Image, given: Mapping[str, Any]) -> Image:
    """The fields of the type's own table: what was given, else what follows from the memory.

    Unknown fields are dropped: they belong to another type.
    """
    kind = image["type"]
    if kind not in TYPES:
        return _brought(kind, image["content"], given)
    details = empty_details(kind)
    follows = _FOLLOWS[kind](image) if kind in _FOLLOWS else {}
    known = {
        name: _checked(kind, name, value, {**details, **follows}[name])
        for name, value in given.items()
        if name in details
    }
    return {**details, **follows, **known}


def file_awaited(kind: str, details: Mapping[str, Any]) -> tuple[str, ...]:
    """The files with which a task is told, by its trigger; none for what waits for none.

    A condition of one word that has a dot or a slash is a path, else a sentence may name some.
    """
    condition = details.get("trigger_condition")
    if kind != "prospective" or details.get("trigger_type") != "context" or not condition:
        return ()
    from ..sessions.shape import files_in, relative

    is_path = len(condition.split()) == 1 and ("." in condition or "/" in condition)
    return (relative(condition, None),) if is_path else files_in(condition, None)


def _brought(kind: str, content: str, given: Mapping[str, Any]) -> Image:
    """The same for a type of another package; its values are whatever JSON can hold."""
    from ..extensions import kind_called

    brought = kind_called(kind)
    said = plain(brought.fields_in(content))
    values = {**brought.fields, **said, **given}
    return {name: values[name] for name in brought.fields}


# The rooms of capture compile their rules when they are imported, which a door that only reads
# shall not wait for: hence the imports inside.


def _of_event(image: Image) -> Image:
    return {
        "timestamp": image["created_at"],
        "event_type": {"decision": "decision", "error": "error"}.get(
            image["category"], "agent_response" if image["agent"] else "user_query"
        ),
    }


def _of_fact(image: Image) -> Image:
    from ..sessions.shape import files_in, tags_in

    natures = {"pattern": "pattern", "preference": "principle", "warning": "principle"}
    content = image["content"]
    return {
        "concept": headline(image["title"], content)[:MAX_CONCEPT],
        "category": natures.get(image["category"], "fact"),
        "related_concepts": [*tags_in(content), *map(os.path.basename, files_in(content, None))],
        "source_sessions": [image["session"]] if image["session"] else [],
    }


def _of_intention(image: Image) -> Image:
    from ..sessions.wishes import intention

    by_day = {} if image["due"] is None else {"trigger_type": "time"}
    return {**intention(image["content"], None).details, **by_day, "due_at": image["due"]}


def _of_procedure(image: Image) -> Image:
    from ..sessions.shape import prerequisites_in, steps_in

    return {
        "procedure_name": headline(image["title"], image["content"]),
        "category": "workflow",
        "steps": list(steps_in(image["content"])),
        "prerequisites": list(prerequisites_in(image["content"])),
    }


def _of_task(image: Image) -> Image:
    return {
        "context_type": "task_context",
        "expires_at": image["expires"] or image["created_at"] + WORKING_LIFE_MS,
    }


_FOLLOWS: Mapping[str, Callable[[Image], Image]] = {
    "episodic": _of_event,
    "semantic": _of_fact,
    "prospective": _of_intention,
    "procedural": _of_procedure,
    "working": _of_task,
}
"""What the fields of a type are when nobody gives them: what the memory's own words say."""


def _checked(kind: str, name: str, value: Any, default: Any) -> Any:
    """The value, if the field takes it. Raises BadInput naming the field and what it takes."""
    if value is None:
        return default
    if name in NUMBERS:
        return _number(name, value)
    if words := WORDS.get(kind, {}).get(name):
        if value not in words:
            raise BadInput(f"details.{name} cannot be {value!r}.", hint=f"Use: {', '.join(words)}.")
        return value
    shape = next((one for one in SHAPES if isinstance(default, one)), str)
    if not isinstance(value, shape):
        raise BadInput(f"details.{name} is {value!r}.", hint=f"Give a {SHAPES[shape]}.")
    return value


def _number(name: str, value: Any) -> float:
    low, high = NUMBERS[name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        raise BadInput(f"details.{name} is {value!r}.", hint=f"Give {low:g} to {high:g}.")
    if name in FRACTIONS:
        return float(value)
    if value != int(value):
        raise BadInput(f"details.{name} is {value!r}.", hint="Give a whole number.")
    return int(value)
