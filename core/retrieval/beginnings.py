"""How early and how often a memory says the words of a question, by how those words begin.

A stem misses `assertWalletIsAllowed` for "wallet", `predictive` for "prediction"; the first letters
of a word stand in both. What a memory says first it is about, and what it says more than once too.
"""

from collections.abc import Sequence
from math import log, log1p

from .keywords import Term

LETTERS = 5
"""Of a word its first letters are looked for, anywhere in the text: in a name, behind a prefix."""

OFTEN = 3
"""Of a word so many places count, each less than the one before."""

EARLY = 60
"""Characters from the start at which a word counts half of what it does at the start."""

_COUNTED = tuple(log1p(times) / log1p(OFTEN) for times in range(OFTEN + 1))


def beginnings(terms: Sequence[Term]) -> tuple[str, ...]:
    """The first letters of the words of a question, of the parts of its names; none twice."""
    words = (part for term in terms if term.kind != "question" for part in _words_of(term))
    return tuple(dict.fromkeys(word[:LETTERS] for word in words))


def _words_of(term: Term) -> Sequence[str]:
    return term.parts or (term.text,)


def said(starts: Sequence[str], texts: Sequence[str]) -> list[tuple[float, float]]:
    """How often, and how early, each text (lower case) has what begins with `starts`: 0.0 to 1.0.

    What few of the texts have weighs more. Often: 1.0 when each is said `OFTEN` times; early:
    1.0 when each stands at the very start, half of it at `EARLY` characters.
    """
    if not texts:
        return []
    columns = []
    whole = 0.0
    for start in starts:
        places = [text.find(start) for text in texts]
        weight = log(1 + len(texts) / (len(texts) - places.count(-1) + 0.5))
        columns.append((start, weight, places))
        whole += weight
    often, early = [0.0] * len(texts), [0.0] * len(texts)
    for start, weight, places in columns:
        share = weight / whole
        for number, place in enumerate(places):
            if place >= 0:
                early[number] += share * EARLY / (EARLY + place)
                often[number] += share * _COUNTED[min(texts[number].count(start, place), OFTEN)]
    return list(zip(often, early, strict=True))
