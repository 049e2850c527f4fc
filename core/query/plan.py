"""From a parsed query to what the store is asked.

Several values of one key are alternatives, except that bounds (importance, times) all hold;
different keys must all hold; an excluded value never may.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ...db.index import has_token
from ...db.lists import Asked, Condition
from ..clock import to_ms
from ..values import HALF_STEP, importance_from_10
from .language import Filter, Query, parse

EVERY_PROJECT = "*"
"""What `project:` takes for all of them."""

RELEVANCE = ("relevance",)
"""Orders that the index gives, not a column."""


def asked_of(
    query: Query,
    *,
    words: Sequence[str],
    project: str,
    projects: Mapping[str, str],
    now: datetime,
    prefix_last: bool = False,
) -> Asked:
    """The question for the store. `projects` maps the names and ids of projects to ids.

    `project:*` looks into every project.
    `words` are what the index shall look for: the query's own, or what is left of a question.
    """
    place: str | None = project
    retired: bool | None = False
    groups: dict[tuple[str, bool], list[Condition]] = {}
    bounds: list[tuple[Condition, ...]] = []
    for one in query.filters:
        if one.key == "project" and one.value == EVERY_PROJECT:
            place = project if one.negated else None
        elif one.key == "project" and not one.negated:
            place = projects.get(one.value, f"unknown-{one.value}")
        elif one.key == "project":
            bounds.append((Condition("project", projects.get(one.value, ""), "=", True),))
        elif one.key == "is" and one.value in ("retired", "live"):
            retired = (one.value == "retired") != one.negated
        elif one.is_time or one.key == "importance":
            bounds += _bounds(one, now)
        else:
            condition = Condition(one.key, one.value, "=", one.negated)
            if one.negated:
                bounds.append((condition,))
            else:
                groups.setdefault((one.key, one.negated), []).append(condition)
    return Asked(
        project=place,
        words=tuple(words),
        phrases=query.phrases,
        excluded=query.excluded,
        conditions=(*(tuple(group) for group in groups.values()), *bounds),
        prefix_last=prefix_last,
        retired=retired,
        now=to_ms(now) or 0,
    )


def project_asked(text: str) -> str | None:
    """The project that a query looks into, as it names it; None where it names none."""
    named = [one.value for one in parse(text).of("project") if not one.negated]
    return named[-1] if named else None


def narrowing(query: Query) -> Query:
    """The query with every word required, for lists that are narrowed and not ranked."""
    usable = [word for word in query.words if has_token(word)]
    return replace(query, words=tuple(usable[-1:]), phrases=(*query.phrases, *usable[:-1]))


def _bounds(one: Filter, now: datetime) -> list[tuple[Condition, ...]]:
    """The comparisons that a filter about importance or time stands for."""
    if one.key == "importance":
        middle = importance_from_10(one.number)
        low, high = middle - HALF_STEP, middle + HALF_STEP
        comparisons = {
            ">=": [(">=", low)],
            ">": [(">=", high)],
            "<": [("<", low)],
            "<=": [("<", high)],
            "=": [(">=", low), ("<", high)],
        }[one.op]
        field = "importance"
    else:
        since, until = one.window(now)
        comparisons = [(">=", float(to_ms(since) or 0))] if since else []
        comparisons += [("<", float(to_ms(until) or 0))] if until else []
        field = "created"
    if one.negated and len(comparisons) == 2:
        (_, low), (_, high) = comparisons
        return [(Condition(field, low, "<"), Condition(field, high, ">="))]
    return [(Condition(field, value, op, one.negated),) for op, value in comparisons]
