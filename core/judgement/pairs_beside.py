"""Two notes laid beside each other, word by word: what has its like in the other, what has not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .pairs_reading import LEAST_LETTERS, Note, Token, letters_of, read

UNSEEN = ""
"""The entry of `rarity` for words that it does not hold."""

MATCHED = 0.6
"""From this likeness on, of 0-1, two words are one in two forms."""

CONTAINED = 0.7
"""The likeness of a word to a longer one that holds it."""


@dataclass(frozen=True, slots=True)
class Side:
    """One note beside the other."""

    note: Note
    likeness: tuple[float, ...]  # of each token to its partner in the other note, 0-1
    partner: tuple[int, ...]  # its place there, -1 without one
    spelt: tuple[float, ...]  # how alike the two are spelt, 0-1
    rarity: tuple[float, ...]

    @property
    def alone(self) -> list[Token]:
        pairs = zip(self.note.tokens, self.likeness, strict=True)
        return [token for token, near in pairs if near < MATCHED]

    @property
    def shared(self) -> float:
        return math.fsum(r * near for r, near in zip(self.rarity, self.likeness, strict=True))

    def head(self, count: int) -> float:
        return sum(self.likeness[:count]) / max(1, len(self.likeness[:count]))

    def tail(self, count: int) -> float:
        return sum(self.likeness[-count:]) / max(1, len(self.likeness[-count:]))


def beside(note: Note, other: Note, rarity: Mapping[str, float]) -> Side:
    unseen = rarity.get(UNSEEN, 7.0)
    partners = [partner_of(token, other) for token in note.tokens]
    return Side(
        note,
        tuple(near for near, _, _ in partners),
        tuple(place for _, place, _ in partners),
        tuple(spelt for _, _, spelt in partners),
        tuple(rarity.get(token.root, unseen) for token in note.tokens),
    )


def partner_of(token: Token, other: Note) -> tuple[float, int, float]:
    """How like the most like word of `other` is, 0-1, its place there, and how alike any is spelt,
    0-1."""
    root = token.root
    if (place := other.first.get(root)) is not None:
        return 1.0, place, 1.0
    if token.quantity is not None:
        return 0.0, -1, 0.0
    letters, near, at, spelt = letters_of(root), 0.0, -1, 0.0
    shared: dict[int, int] = {}
    for three in letters:  # only what shares letters is looked at: the loop decides the cost
        for place in other.spelt.get(three, ()):
            shared[place] = shared.get(place, 0) + 1
    for place, count in shared.items():
        known = other.tokens[place].root
        alike = 2 * count / (len(letters) + len(letters_of(known)))
        spelt = alike if alike > spelt else spelt
        if count > 1 and len(root) >= LEAST_LETTERS <= len(known):  # forms share two threes
            form = _form(root, known)
            if (form, place) > (near, at):
                near, at = form, place
    return near, at if near else -1, spelt


def _form(one: str, other: str) -> float:
    """How likely two roots are forms of one word: by their beginnings, or one within the other."""
    least, most = sorted((len(one), len(other)))
    shared = next((n for n in range(least) if one[n] != other[n]), least)
    if shared >= LEAST_LETTERS and shared >= 0.7 * most:
        return 0.85
    return CONTAINED if one in other or other in one else 0.0


def differs(one: str, other: str) -> bool:
    """Whether a number, unit, name, path or denial of the one is not the other's, or the two take
    opposite sides."""
    first, second = read(one), read(other)
    return (
        first.quantities() != second.quantities()
        or first.denials % 2 != second.denials % 2
        or opposed(first, second) > 0
        or (_has_own_name(first, second) and _has_own_name(second, first))
    )


def opposed(one: Note, other: Note) -> int:
    """On how many things the two take opposite sides: always, never; before, after."""
    return sum(not one.poles[axis] & other.poles[axis] for axis in one.poles.keys() & other.poles)


def _has_own_name(note: Note, other: Note) -> bool:
    return any(token.is_name and not _is_named(token.root, other) for token in note.tokens)


def _is_named(root: str, other: Note) -> bool:
    """Whether the name stands there too, maybe in another form or further up or down a path."""
    return root in other.first or any(
        known.endswith("/" + root) or root.endswith("/" + known) or _form(root, known) > CONTAINED
        for known, _ in other.long
    )
