"""Do two texts say the same? The one place that knows: recall, storage and the Inbox ask here.

Words count by how much they tell. However much two texts share, they say two things when a number,
a denial or a turning word stands in one of them only, or when each has a name or a telling word
that the other lacks. Standard library: asked while a prompt waits.
"""

from __future__ import annotations

from functools import lru_cache

from .content import Content, content_of
from .opposites import are_opposite

ALIKE = 0.85
"""Likeness from which on two texts say the same (001-06)."""

DISTINCT = 0.8
"""What two texts that say two things are alike at most."""

CONTAINED = 0.9
"""Share of the shorter text that the longer one must hold to contain it."""

SLIP = 0.8
"""From this likeness on, 0-1, two telling words are one in two spellings: quota, quotas."""

MOST_SLIPS = 12
"""Telling words without a like that are compared letter by letter, of each text."""

MOST_LETTERS = 60
"""Longer words are no slips of each other: comparing them takes the square of their length."""


def is_equal(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case and spacing."""
    return one.lower().split() == other.lower().split()


@lru_cache(maxsize=256)  # each of a text's neighbours is asked about for more than one question
def likeness(one: str, other: str) -> float:
    """How near the texts are: 0 nothing in common, 1 the same words. Symmetric."""
    if is_equal(one, other):
        return 1.0
    first, second = content_of(one), content_of(other)
    if not first.weights or not second.weights:
        return 0.0
    both = _shared(first, second)
    both += sum(min(first.weights[a], second.weights[b]) for a, b in _slips(first, second))
    near = _share(both, first, second)
    return min(near, DISTINCT if says_otherwise(one, other) else 1.0)


def says_the_same(one: str, other: str, least: float = ALIKE) -> bool:
    """Whether the texts are alike by `least`, 0-1, and neither says what the other does not."""
    if is_equal(one, other):
        return least <= 1.0
    if _is_far(content_of(one), content_of(other), least):
        return False
    return likeness(one, other) >= least and not says_otherwise(one, other)


def _is_far(one: Content, other: Content, least: float) -> bool:
    """Whether the texts stay under `least` even if each word that they lack were a slip.

    Nearly all pairs do: letters are compared, and the library for it loaded, for the others only.
    """
    if not one.weights or not other.weights:
        return least > 0.0
    mine = sum(one.weights[word] for word in one.telling - other.weights.keys())
    theirs = sum(other.weights[word] for word in other.telling - one.weights.keys())
    return _share(_shared(one, other) + min(mine, theirs), one, other) < least - 1e-9


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
    if _denies_otherwise(one, other):
        return True
    slips = _slips(one, other)
    mine = _own(one, other) - {word for word, _ in slips}
    theirs = _own(other, one) - {word for _, word in slips}
    return bool(mine and theirs)


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
    missing = (one.telling | one.marks) - other.weights.keys()
    return frozenset(word for word in missing if not _is_known_path(word, other.marks))


def _is_known_path(mark: str, marks: frozenset[str]) -> bool:
    """Whether the file is named there too, from further up or further down the tree."""
    return "." in mark and any(
        "." in other and (other.endswith("/" + mark) or mark.endswith("/" + other))
        for other in marks
    )


def _slips(one: Content, other: Content) -> list[tuple[str, str]]:
    """Telling words that are one in two spellings, each once."""
    left = sorted(other.telling - one.weights.keys())[:MOST_SLIPS]
    found = []
    for word in sorted(one.telling - other.weights.keys())[:MOST_SLIPS]:
        like = next((near for near in left if near[0] == word[0] and _is_slip(word, near)), None)
        if like is not None:
            left.remove(like)
            found.append((word, like))
    return found


def _is_slip(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 3 or len(one) > MOST_LETTERS:
        return False
    return _are_near(*sorted((one, other)))  # what the matcher finds depends on the order


@lru_cache(maxsize=4096)  # the same few words meet again in each pair of notes
def _are_near(first: str, second: str) -> bool:
    from difflib import SequenceMatcher  # seldom needed, and a prompt waits

    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.quick_ratio() >= SLIP and matcher.ratio() >= SLIP
