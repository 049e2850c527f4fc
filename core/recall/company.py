"""What stood around a memory in its session: a memory is also what its neighbours speak of.

People say what they are at once, and then "the limit is 40". So each hit lends some of its score
to the memories of the same session, near ones more. Computed over the first hits only, when asked:
the index knows nothing of it and stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .relevance import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FIRST_HITS = 30
"""Hits that lend their score, at most."""

REACH = 12
"""How many memories away a neighbour may stand."""

FADING = 0.06
"""What each memory between two takes from what one lends the other."""

_FADED = tuple((1 - FADING * abs(steps)) if steps else 0.0 for steps in range(-REACH, REACH + 1))
"""What is left of a score by the steps away; nobody lends to itself."""

NEW_NEIGHBOURS = 40
"""Memories without a hit of their own that come in because of their neighbours, at most."""


SHORT, LONG = 4, 60
"""Words: up to the first a memory is what its neighbours are about; from the second on it stands
alone."""

LEAST_LEANING = 0.6
"""What its session still tells of a memory that stands alone."""


def standing_alone(words: int) -> float:
    """How much a memory of so many words says itself what it is about: 0.0 to 1.0."""
    return min(max((words - SHORT) / (LONG - SHORT), 0.0), 1.0)


def leaning(words: int) -> float:
    """How much a memory of so many words is also about what stood around it, to 1.0.

    "The limit is 40" is about what the turns before it are about; a note of some sentences says
    itself what it is about, and leans by `LEAST_LEANING`.
    """
    return 1 - (1 - LEAST_LEANING) * standing_alone(words)


def lent(scores: Mapping[int, float], sessions: Iterable[Sequence[int]]) -> dict[int, float]:
    """What each memory gets from the others of its session, 0.0 to the best score.

    `scores` are the first hits'; `sessions` hold row numbers in order. What gets nothing is
    left out.
    """
    found: dict[int, float] = {}
    for session in sessions:
        for num in scores.keys() & session:
            place, score = session.index(num), scores[num]
            first = max(place - REACH, 0)
            near = session[first : place + REACH + 1]
            for other, left in zip(near, _FADED[first - place + REACH :], strict=False):
                share = score * left
                if share > found.get(other, 0.0):
                    found[other] = share
    return found


def together(
    matches: Sequence[tuple[Mapping[str, Any], Match]], weights: Mapping[str, float]
) -> dict[int, float]:
    """By number, the share of the question's weight that the session adds to a memory's own.

    A memory gets the terms of all memories of its session that are at hand. `weights` are those
    of the question's terms.
    """
    total = sum(weights.values())
    by_session: dict[str, dict[str, None]] = {}
    own = [(image, image.get("session"), found.words) for image, found in matches]
    for _, session, words in own:
        if session and words:
            by_session.setdefault(session, {}).update(dict.fromkeys(words))
    result: dict[int, float] = {}
    for image, session, words in own:
        said = by_session.get(session or "", {})
        if len(said) > len(words) and total > 0:  # its own are among those of its session
            others = [weights.get(word, 0.0) for word in said if word not in words]
            result[image["num"]] = sum(others) / total
    return result


def before(
    matches: Sequence[tuple[Mapping[str, Any], Match]], weights: Mapping[str, float]
) -> dict[int, float]:
    """By number, the share of the question's weight that the memory just before adds, 0-1.

    An answer often leaves out what was asked: "what about the queue?", "we moved it to Redis".
    Only the one before in the same session counts. `weights` are those of the question's terms.
    """
    total = sum(weights.values())
    said = {image["num"]: (image.get("session"), found.words) for image, found in matches}
    result: dict[int, float] = {}
    for num, (session, words) in said.items():
        other, earlier = said.get(num - 1, (None, ()))
        if session and session == other and earlier and total > 0:
            added = [weights.get(word, 0.0) for word in earlier if word not in words]
            result[num] = sum(added) / total
    return result
