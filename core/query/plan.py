"""Turn a parsed query, or a program's filters, into a request for the store.

Several values of one key are alternatives, except that bounds (importance, times) must all match.
Different keys must all match, excluded values never. Filters are fields with a value, a list of
values, or operators:

    {"type": ["semantic", "procedural"], "tags": "tide", "importance": {"$gte": 0.7}}

A mistyped filter must not match everything, so it is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from ...db.memories import Asked, Condition
from ..clock import to_ms
from ..errors import BadInput
from ..text.clean import clean
from ..values import HALF_STEP, importance_from_10
from .language import FIELDS, KEYS, MAX_TERMS, Broken, Filter, Query, accept, parse

EVERY_PROJECT = "*"
"""Value of `project:` for all projects."""

RELEVANCE = ("relevance",)
"""Orders of the index, not of a column."""


def asked_of(
    query: Query,
    *,
    words: Sequence[str],
    project: str,
    projects: Mapping[str, str],
    now: datetime,
    prefix_last: bool = False,
) -> Asked:
    """Return the request for the store. `projects` maps names and ids of projects to ids.

    `project:*` searches every project. `words` are those for the index: the query's own, or the
    rest of a question.
    """
    position: str | None = project
    retired: bool | None = False
    groups: dict[tuple[str, bool], list[Condition]] = {}
    bounds: list[tuple[Condition, ...]] = []
    for item in query.filters:
        if item.key == "project" and item.value == EVERY_PROJECT:
            position = project if item.negated else None
        elif item.key == "project" and not item.negated:
            position = projects.get(item.value, f"unknown-{item.value}")
        elif item.key == "project":
            bounds.append((Condition("project", projects.get(item.value, ""), "=", True),))
        elif item.key == "is" and item.value in ("retired", "live"):
            retired = (item.value == "retired") != item.negated
        elif item.key == "at":  # says of which store it is asked
            continue
        elif item.is_time or item.key == "importance":
            bounds += _bounds(item, now)
        else:
            condition = Condition(item.key, item.value, "=", item.negated)
            if item.negated:
                bounds.append((condition,))
            else:
                groups.setdefault((item.key, item.negated), []).append(condition)
    return Asked(
        project=position,
        words=tuple(words),
        phrases=query.phrases,
        excluded=query.excluded,
        conditions=(*(tuple(group) for group in groups.values()), *bounds),
        prefix_last=prefix_last,
        retired=retired,
        now=to_ms(now) or 0,
    )


def project_asked(text: str) -> str | None:
    """Return the project that a query names; None without one."""
    named = [item.value for item in parse(text).of("project") if not item.negated]
    return named[-1] if named else None


def _bounds(item: Filter, now: datetime) -> list[tuple[Condition, ...]]:
    """Return the comparisons of a filter by importance or time."""
    if item.key == "importance":
        middle = importance_from_10(item.number)
        low, high = middle - HALF_STEP, middle + HALF_STEP
        comparisons = {
            ">=": [(">=", low)],
            ">": [(">=", high)],
            "<": [("<", low)],
            "<=": [("<", high)],
            "=": [(">=", low), ("<", high)],
        }[item.op]
        field = "importance"
    else:
        since, until = item.window(now)
        comparisons = [(">=", float(to_ms(since) or 0))] if since else []
        comparisons += [("<", float(to_ms(until) or 0))] if until else []
        field = "updated" if item.key == "updated" else "created"
    if item.negated and len(comparisons) == 2:
        (_, low), (_, high) = comparisons
        return [(Condition(field, low, "<"), Condition(field, high, ">="))]
    return [(Condition(field, value, op, item.negated),) for op, value in comparisons]


# --- filters of programs

Filters = Mapping[str, Any]
Alternatives = tuple[Condition, ...]
"""Conditions of which one must match."""

ORDERS = ("timestamp", "created_at", "updated_at", "importance", "title")
"""Values of `order_by`: newest or largest first, titles from A. A leading `-` reverses."""

_COMPARED = {"$eq": "=", "$ne": "!=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
OPERATORS = (*_COMPARED, "$in")
_TIMES = ("created", "updated")


def conditions_of(filters: Filters, now: datetime) -> tuple[Alternatives, ...]:
    """Return the conditions of `filters`. Every group must match.

    A time is a datetime, or a text: a moment, or a whole day in the zone of `now`. Raises BadInput
    with the invalid field, operator or value.
    """
    if not isinstance(filters, Mapping):
        raise BadInput(
            f"Filters are fields with their values, not {type(filters).__name__}.",
            hint='Such as {"type": "semantic", "importance": {"$gte": 0.7}}.',
        )
    groups: list[Alternatives] = []
    for name, wanted in filters.items():
        field = FIELDS.get(name) if isinstance(name, str) else None
        if field is None:
            raise BadInput(
                f"There is no field {_shown(name)} to filter by.",
                hint=f"Use: {', '.join(FIELDS)}.",
            )
        for operator, value in _comparisons(name, wanted):
            groups += _alternatives(name, field, operator, value, now)
    if sum(map(len, groups)) > MAX_TERMS:
        raise BadInput(f"The filters name more than {MAX_TERMS} values.", hint="Ask in parts.")
    return tuple(groups)


def order_of(name: str) -> str:
    """Return the store's name of an order. Raises BadInput."""
    if not isinstance(name, str) or name.removeprefix("-") not in ORDERS:
        raise BadInput(
            f"There is no order {_shown(name)}.",
            hint=f"Use: {', '.join(ORDERS)}; a leading - turns it round.",
        )
    field = name.removeprefix("-")
    return f"{'-' if name.startswith('-') else ''}{FIELDS.get(field, field)}"


def _comparisons(name: str, wanted: Any) -> Iterator[tuple[str, Any]]:
    """Return each operator with its value. A bare value is `$eq`, a bare list `$in`."""
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


def _alternatives(
    name: str, field: str, operator: str, value: Any, now: datetime
) -> list[Alternatives]:
    if field in _TIMES:
        return _of_time(name, field, operator, value, now)
    values = value if operator == "$in" else [value]
    if field == "importance":
        compared = "=" if operator == "$in" else _COMPARED[operator]
        return [tuple(Condition(field, _share(name, item), compared) for item in values)]
    if operator not in ("$eq", "$ne", "$in"):
        raise BadInput(
            f"{name}: words cannot be compared with {operator}.", hint="Use: $eq, $ne, $in."
        )
    is_negated = operator == "$ne"
    return [tuple(Condition(field, _word(name, field, item), "=", is_negated) for item in values)]


def _of_time(name: str, field: str, operator: str, value: Any, now: datetime) -> list[Alternatives]:
    if operator == "$in":
        raise BadInput(f"{name}: a list of times cannot be used.", hint="Use: $gte with $lt.")
    start, end = _moment_or_day(name, value, now)
    since, until = Condition(field, start, ">="), Condition(field, end, "<")
    before, after = Condition(field, start, "<"), Condition(field, end, ">=")
    held: Mapping[str, Sequence[Alternatives]] = {
        "$eq": ((since,), (until,)),
        "$ne": ((before, after),),
        "$gt": ((after,),),
        "$gte": ((since,),),
        "$lt": ((before,),),
        "$lte": ((until,),),
    }
    return list(held[operator])


def _moment_or_day(name: str, value: Any, now: datetime) -> tuple[int, int]:
    """Return the milliseconds from the start (included) to the end (not) of a moment or a day."""
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
    """Return a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadInput(f"{name}: {_shown(value)} is no number from 0 to 1.", hint="Such as 0.7.")
    return float(value)


def _word(name: str, field: str, value: Any) -> str:
    """Return a text as a valid value of the key `field`, normalised."""
    if not isinstance(value, str) or not (text := clean(value).strip()):
        raise BadInput(f"{name}: {_shown(value)} is no text that a memory could have.")
    try:
        return accept(field, text)[1]
    except Broken as broken:
        choices = ", ".join(KEYS[field].choices)
        raise BadInput(f"{name}: there is no {_shown(text)}.", hint=f"Use: {choices}.") from broken


def _shown(value: Any) -> str:
    """Return the beginning of an input, as a program writes it."""
    try:
        return repr(value)[:60]
    except (ValueError, RecursionError):  # a number of too many digits, a list within itself
        return f"a value of the kind {type(value).__name__}"
