"""Filters as programs write them: fields with a value, a list of values, or operators.

    {"type": ["semantic", "procedural"], "tags": "tide", "importance": {"$gte": 0.7}}

All fields must hold; of a list any value, of several operators each. They become the conditions
that the query language becomes, so both find the same. A program that mistypes a filter must not
get everything: what is not understood is refused by its name.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from ...db.lists import Condition
from ..clock import to_ms
from ..errors import BadInput
from ..text.clean import clean
from .keys import KEYS, Broken, accept
from .language import MAX_TERMS

Filters = Mapping[str, Any]
Group = tuple[Condition, ...]
"""Alternatives: one of them must hold."""

FIELDS: Mapping[str, str] = {
    "type": "type",
    "category": "category",
    "scope": "scope",
    "status": "status",
    "tier": "tier",
    "tags": "tag",
    "files": "file",
    "session": "session",
    "agent": "agent",
    "importance": "importance",
    "timestamp": "created",
    "created_at": "created",
    "updated_at": "updated",
}
"""A memory's fields that can be filtered by, each with the store's name for it.

Tags and files hold when one of the memory's own does. As in the query language, a file is named
by any part of its path, and a session by the beginning of its id or goal. Importance goes from 0
to 1.
"""

ORDERS: Mapping[str, str] = {
    "timestamp": "created",
    "created_at": "created",
    "updated_at": "updated",
    "importance": "importance",
    "title": "title",
}
"""What `order_by` takes: newest or largest first, titles from A; a leading `-` turns it round."""

_COMPARED = {"$eq": "=", "$ne": "!=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
OPERATORS = (*_COMPARED, "$in")
_TIMES = ("created", "updated")


def conditions_of(filters: Filters, now: datetime) -> tuple[Group, ...]:
    """The conditions that `filters` stand for; every group must hold.

    A time is a datetime, or a text: a moment, or a day in the zone of `now`, which counts whole.
    Raises BadInput, naming the field, the operator or the value that cannot be used.
    """
    if not isinstance(filters, Mapping):
        raise BadInput(
            f"Filters are fields with their values, not {type(filters).__name__}.",
            hint='Such as {"type": "semantic", "importance": {"$gte": 0.7}}.',
        )
    groups: list[Group] = []
    for name, wanted in filters.items():
        field = FIELDS.get(name) if isinstance(name, str) else None
        if field is None:
            raise BadInput(
                f"There is no field {_shown(name)} to filter by.",
                hint=f"Use: {', '.join(FIELDS)}.",
            )
        for operator, value in _comparisons(name, wanted):
            groups += _groups(name, field, operator, value, now)
    if sum(map(len, groups)) > MAX_TERMS:
        raise BadInput(f"The filters name more than {MAX_TERMS} values.", hint="Ask in parts.")
    return tuple(groups)


def order_of(name: str) -> str:
    """The store's name for an order; raises BadInput for one that there is not."""
    field = ORDERS.get(name.removeprefix("-")) if isinstance(name, str) else None
    if field is None:
        raise BadInput(
            f"There is no order {_shown(name)}.",
            hint=f"Use: {', '.join(ORDERS)}; a leading - turns it round.",
        )
    return f"-{field}" if name.startswith("-") else field


def _comparisons(name: str, wanted: Any) -> Iterator[tuple[str, Any]]:
    """Each operator with its value; a bare value is `$eq`, a bare list `$in`."""
    if isinstance(wanted, list | tuple | set | frozenset):
        wanted = {"$in": wanted}
    elif not isinstance(wanted, Mapping):
        wanted = {"$eq": wanted}
    if not wanted:
        raise BadInput(f"{name}: no operator is given.", hint=f"Use: {', '.join(OPERATORS)}.")
    for operator, value in wanted.items():
        if operator not in OPERATORS:
            raise BadInput(
                f"{name}: there is no operator {_shown(operator)}.",
                hint=f"Use: {', '.join(OPERATORS)}.",
            )
        if operator == "$in":
            if not isinstance(value, list | tuple | set | frozenset) or not value:
                raise BadInput(f"{name}: $in takes a list with at least one value.")
            value = sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)
        yield operator, value


def _groups(name: str, field: str, operator: str, value: Any, now: datetime) -> list[Group]:
    if field in _TIMES:
        return _of_time(name, field, operator, value, now)
    values = value if operator == "$in" else [value]
    if field == "importance":
        compared = "=" if operator == "$in" else _COMPARED[operator]
        return [tuple(Condition(field, _share(name, one), compared) for one in values)]
    if operator not in ("$eq", "$ne", "$in"):
        raise BadInput(
            f"{name}: words cannot be compared with {operator}.", hint="Use: $eq, $ne, $in."
        )
    is_negated = operator == "$ne"
    return [tuple(Condition(field, _word(name, field, one), "=", is_negated) for one in values)]


def _of_time(name: str, field: str, operator: str, value: Any, now: datetime) -> list[Group]:
    if operator == "$in":
        raise BadInput(f"{name}: a list of times cannot be used.", hint="Use: $gte with $lt.")
    start, end = _stretch(name, value, now)
    since, until = Condition(field, start, ">="), Condition(field, end, "<")
    before, after = Condition(field, start, "<"), Condition(field, end, ">=")
    held: Mapping[str, Sequence[Group]] = {
        "$eq": ((since,), (until,)),
        "$ne": ((before, after),),
        "$gt": ((after,),),
        "$gte": ((since,),),
        "$lt": ((before,),),
        "$lte": ((until,),),
    }
    return list(held[operator])


def _stretch(name: str, value: Any, now: datetime) -> tuple[int, int]:
    """The milliseconds from the start (included) to the end (not) of a moment or a whole day."""
    long = timedelta(milliseconds=1)
    try:
        if isinstance(value, str):
            value = date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
        if isinstance(value, date) and not isinstance(value, datetime):
            value, long = datetime.combine(value, time()), timedelta(days=1)
        if isinstance(value, datetime):
            start = to_ms(value if value.tzinfo else value.replace(tzinfo=now.tzinfo))
            assert start is not None
            return start, start + long // timedelta(milliseconds=1)
    except ValueError:
        pass  # no day and no moment: said below, as for what is no text
    raise BadInput(
        f"{name}: {_shown(value)} is no day and no moment.",
        hint="Such as 2026-01-31 or 2026-01-31T10:00:00Z.",
    )


def _share(name: str, value: Any) -> float:
    """A number from 0 to 1, both included."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadInput(f"{name}: {_shown(value)} is no number from 0 to 1.", hint="Such as 0.7.")
    return float(value)


def _word(name: str, field: str, value: Any) -> str:
    """A text that the query language would take after the key `field`, in its one spelling."""
    if not isinstance(value, str) or not (text := clean(value).strip()):
        raise BadInput(f"{name}: {_shown(value)} is no text that a memory could have.")
    try:
        return accept(field, text)[1]
    except Broken as broken:
        choices = ", ".join(KEYS[field].choices)
        raise BadInput(f"{name}: there is no {_shown(text)}.", hint=f"Use: {choices}.") from broken


def _shown(value: Any) -> str:
    """The beginning of what was given, as a program writes it."""
    try:
        return repr(value)[:60]
    except (ValueError, RecursionError):  # a number of too many digits, a list within itself
        return f"a value of the kind {type(value).__name__}"
