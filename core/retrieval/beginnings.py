"""How early, often and densely a memory says the words of a question, by how those words begin.

A stem misses `assertWalletIsAllowed` for "wallet", `predictive` for "prediction"; the first letters
of a word stand in both. What a memory says first it is about, what it says more than once too, and
what it says in few words.
Another word for a word counts as the word: "waiting list" is said by "the waitlist".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log1p

from ...frozen import NamedTuple
from .keywords import Term

LETTERS = 5
"""Of a word its first letters are looked for, anywhere in the text: in a name, behind a prefix."""

OTHER_LETTERS = 7
"""The same of another word for it: by five letters `waitlist` would be said by who waits."""

OFTEN = 3
"""Of a word so many places count, each less than the one before."""

EARLY = 60
"""Characters from the start at which a word counts half of what it does at the start."""

DENSE = 5
"""A text is as full of the question's words as can be when one of so many words is one of them."""

_COUNTED = tuple(log1p(times) / log1p(OFTEN) for times in range(OFTEN + 1))

Starts = tuple[str, ...]
"""The first letters of a word, then those of the other words for it."""


def beginnings(terms: Sequence[Term]) -> tuple[Starts, ...]:
    """The first letters of the words of a question, of the parts of its names; none twice."""
    found: dict[str, dict[str, None]] = {}
    for term in terms:
        if term.kind != "question":
            others = dict.fromkeys(other.lower()[:OTHER_LETTERS] for other in term.synonyms)
            for word in term.parts or (term.text,):
                start = word[:LETTERS]
                found.setdefault(start, {start: None}).update(others)
    return tuple(map(tuple, found.values()))


class Said(NamedTuple):
    """How a text says the words of a question: 0.0 to 1.0 each."""

    often: float  # 1.0 when each is said `OFTEN` times
    early: float  # 1.0 when each stands at the very start, half of it at `EARLY` characters
    dense: float  # 1.0 when a word of `DENSE` is one of the question's


def said(words: Sequence[Starts], texts: Sequence[str], lengths: Sequence[int]) -> list[Said]:
    """How often, how early and in how few words each text (lower case) says `words`.

    What few of the texts have weighs more, but for the last. `lengths` are in words.
    """
    if not texts:
        return []
    columns = []
    whole = 0.0
    for starts in words:
        if len(starts) == 1:
            places = [text.find(starts[0]) for text in texts]
        else:
            places = [_first(starts, text) for text in texts]
        weight = log(1 + len(texts) / (len(texts) - places.count(-1) + 0.5))
        columns.append((starts, weight, places))
        whole += weight
    often, early, every = [0.0] * len(texts), [0.0] * len(texts), [0] * len(texts)
    for starts, weight, places in columns:
        share = weight / whole
        for number, place in enumerate(places):
            if place >= 0:
                early[number] += share * EARLY / (EARLY + place)
                times = sum([texts[number].count(start, place) for start in starts])
                often[number] += share * _COUNTED[min(times, OFTEN)]
                every[number] += times
    dense = [
        min(DENSE * times / max(length, 1), 1.0)
        for times, length in zip(every, lengths, strict=True)
    ]
    return list(map(Said, often, early, dense))


def _first(starts: Starts, text: str) -> int:
    """Where the first of these stands; -1 without one."""
    return min([place for place in map(text.find, starts) if place >= 0], default=-1)
