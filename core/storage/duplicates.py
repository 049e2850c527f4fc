"""Do we know this already, in other words? Found among the neighbours that search brings.

What contradicts a memory is never its duplicate, and a plan is never the duplicate of a fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..answers import Neighbour
from .conflicts import opposition_of, refutes
from .fingerprint import normalised
from .similarity import are_distinct, content_of, similarity

THRESHOLD = 0.85
"""Similarity (0-1) from which two texts say the same (001-06)."""

_PLAN = re.compile(
    r"^\W{0,4}(?:todo|fixme|reminder|follow[- ]?up)\b|\b(?:todo|remind me|need to|plan to|later)\b",
    re.IGNORECASE,
)


def nearest(text: str, neighbours: Sequence[Neighbour], limit: int = 5) -> tuple[Neighbour, ...]:
    """The `limit` nearest neighbours, nearest first, each with its similarity to `text`.

    Equally near ones keep their order.
    """
    judged = [replace(one, similarity=similarity(text, one.content)) for one in neighbours]
    return tuple(sorted(judged, key=lambda one: -one.similarity)[: max(limit, 0)])


def near_duplicate(
    text: str,
    neighbours: Sequence[Neighbour],
    *,
    threshold: float = THRESHOLD,
    type: str | None = None,
) -> Neighbour | None:
    """The nearest neighbour that says the same, with its similarity; None if none does.

    Exactly `threshold` is near enough. A neighbour that contradicts the text, or differs in a
    value or a name, is passed over whatever the threshold. `type` is the text's type, where it is
    known; else its wording tells a plan from a fact.
    """
    for one in nearest(text, neighbours, len(neighbours)):
        if one.similarity < threshold:
            return None
        if _may_be_same(text, one, type):
            return one
    return None


def _may_be_same(text: str, neighbour: Neighbour, type: str | None) -> bool:
    if type is not None and (type == "prospective") != (neighbour.type == "prospective"):
        return False
    if normalised(text) == normalised(neighbour.content):
        return True
    if type is None and bool(_PLAN.search(text)) != _is_plan(neighbour):
        return False
    if are_distinct(content_of(text), content_of(neighbour.content)):
        return False
    return opposition_of(text, neighbour) is None and not refutes(text, (neighbour,))


def _is_plan(neighbour: Neighbour) -> bool:
    return neighbour.type == "prospective" or bool(_PLAN.search(neighbour.content))
