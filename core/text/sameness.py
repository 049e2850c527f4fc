"""Do two texts say the same? The one place that knows: recall, storage and the Inbox ask here.

Words count by how much they tell. However much two texts share, they say two things when a number,
a denial or a turning word stands in one of them only, or when each has a name or a telling word
that the other lacks. Standard library: asked while a prompt waits.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .content import Content, content_of, pieces
from .words import is_common, is_stop_word, is_trade

ALIKE = 0.85
"""Likeness from which on two texts say the same."""

DISTINCT = 0.8
"""What two texts that say two things are alike at most."""

CONTAINED = 0.9
"""Share of the shorter text that the longer one must hold to contain it."""


_EMPHASIS = re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1")
_EDGES = re.compile(r"(?<!\S)[\"'`“”„‘’«»(\[]+|[.,;:!…\"'`“”„‘’«»)\]]+(?!\S)")


def is_equal(one: str, other: str) -> bool:
    """Return True if two texts differ in nothing but case, spaces, punctuation and markup."""
    return _plain(one) == _plain(other)


@lru_cache(maxsize=256)
def _plain(text: str) -> list[str]:
    bare = _EMPHASIS.sub(r"\2", text) if "*" in text or "~" in text else text
    return _EDGES.sub(" ", bare.lower()).split()


@lru_cache(maxsize=256)  # each of a text's neighbours is asked about for more than one question
def likeness(one: str, other: str) -> float:
    """How near the texts are: 0 nothing in common, 1 the same words. Symmetric."""
    if is_equal(one, other):
        return 1.0
    first, second = content_of(one), content_of(other)
    if not first.weights or not second.weights:
        return 0.0
    near = _share(_shared(first, second), first, second)
    return min(near, DISTINCT if says_otherwise(one, other) else 1.0)


def says_the_same(one: str, other: str, least: float = ALIKE) -> bool:
    """Whether the texts are alike by `least`, 0-1, and neither says what the other does not."""
    return likeness(one, other) >= least and not says_otherwise(one, other)


def _shared(one: Content, other: Content) -> float:
    """The weight of the words that both texts have."""
    words = sorted(one.weights.keys() & other.weights.keys())
    return sum(one.weights[word] + other.weights[word] for word in words) / 2


def _share(both: float, one: Content, other: Content) -> float:
    """How much of the texts so much weight in common is; the more of it, the more."""
    least, most = sorted((one.weight, other.weight))
    near = 2 * both / (least + most)
    if both >= CONTAINED * least:
        near = max(near, both / least * (0.6 + 0.4 * least / most))
    return near


def says_otherwise(one: str, other: str) -> bool:
    """Whether two texts say two things, however alike they are."""
    if is_equal(one, other):
        return False
    return _otherwise(content_of(one), content_of(other)) or are_opposite(one, other)


def _otherwise(one: Content, other: Content) -> bool:
    if one.numbers != other.numbers or one.turns != other.turns:
        return True
    return _denies_otherwise(one, other) or bool(_own(one, other) and _own(other, one))


def denies_otherwise(one: str, other: str) -> bool:
    """Whether one of the texts denies what the other does not."""
    return _denies_otherwise(content_of(one), content_of(other)) or are_opposite(one, other)


def _denies_otherwise(one: Content, other: Content) -> bool:
    if one.denials % 2 != other.denials % 2:
        return True
    if one.denied & other.denied:
        return False
    return bool(one.denied & other.weights.keys() and other.denied & one.weights.keys())


def _own(one: Content, other: Content) -> frozenset[str]:
    """The telling words and names of `one` that `other` lacks."""
    return (one.telling | one.marks) - other.weights.keys()


OPPOSITES = {"enable": "disable", "enabled": "disabled", "add": "remove", "added": "removed"}
_AFFIRMED = {negative: positive for positive, negative in OPPOSITES.items()}
_AUXILIARY = frozenset(("always", "ever", "to", "from"))


def are_opposite(one: str, other: str) -> bool:
    """Whether the texts have the same words, and one denies what the other affirms."""
    first, second = _affirmed(one), _affirmed(other)
    if not first[0] or first[1] == second[1]:
        return False
    return all(is_common(word) for word in first[0] ^ second[0]) and _tells(first[0] & second[0])


def _tells(words: frozenset[str]) -> bool:
    return any(not is_common(word) or is_trade(word) for word in words)


@lru_cache(maxsize=256)  # a note is laid beside thirty others
def _affirmed(text: str) -> tuple[frozenset[str], bool]:
    """The words of a text as if it affirmed them, and whether it does."""
    words, affirms = set(), True
    for piece in pieces(text):
        low = piece.shown.lower()
        if piece.kind == "denial" or low in _AFFIRMED:
            affirms = not affirms
        if low in _AFFIRMED:
            words.add(_AFFIRMED[low])
        elif piece.kind != "denial" and low not in _AUXILIARY and not is_stop_word(low):
            words.add(low if low in OPPOSITES else piece.key)
    return frozenset(words), affirms
