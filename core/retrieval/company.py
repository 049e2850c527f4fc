"""What stood around a memory in its session: a memory is also what its neighbours speak of.

People say what they are at once, and then "the limit is 40". So each hit lends some of its score
to the memories of the same session, near ones more. Computed over the first hits only, when asked:
the index knows nothing of it and stays small.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .relevance import Match

FIRST_HITS = 30
"""Hits that lend their score, at most."""

REACH = 12
"""How many memories away a neighbour may stand."""

FADING = 0.06
"""What each memory between two takes from what one lends the other."""

NEW_NEIGHBOURS = 40
"""Memories without a hit of their own that come in because of their neighbours, at most."""


class Company(NamedTuple):
    """What the session around a memory adds."""

    near: float = 0.0  # the best neighbour's score, faded by distance, 0-1
    together: float = 0.0  # share of the question's weight that only neighbours speak of, 0-1


ALONE = Company()


def lent(scores: Mapping[int, float], sessions: Iterable[Sequence[int]]) -> dict[int, float]:
    """What each memory gets from the others of its session, 0.0 to the best score.

    `scores` are the first hits'; `sessions` hold row numbers in order. What gets nothing is
    left out.
    """
    found: dict[int, float] = {}
    for session in sessions:
        for place, num in enumerate(session):
            if num not in scores:
                continue
            for other in range(max(place - REACH, 0), min(place + REACH + 1, len(session))):
                share = scores[num] * (1 - FADING * abs(place - other))
                if other != place and share > found.get(session[other], 0.0):
                    found[session[other]] = share
    return found


def together(
    matches: Sequence[tuple[Mapping[str, Any], Match]], weights: Mapping[str, float]
) -> dict[int, float]:
    """By number, the share of the question's weight that the session adds to a memory's own.

    A memory gets the terms of all memories of its session that are at hand. `weights` are those
    of the question's terms.
    """
    total = sum(weights.values())
    by_session: dict[str, set[str]] = {}
    for image, found in matches:
        if image.get("session"):
            by_session.setdefault(image["session"], set()).update(found.words)
    result: dict[int, float] = {}
    for image, found in matches:
        others = by_session.get(image.get("session") or "", set()) - set(found.words)
        if others and total > 0:
            result[image["num"]] = sum(weights.get(word, 0.0) for word in others) / total
    return result
