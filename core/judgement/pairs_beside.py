"""Two notes laid beside each other, word by word: what has its like in the other, what has not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter

from .pairs_reading import LEAST_LETTERS, Note, Token, read

UNSEEN = ""
"""The entry of `rarity` for words that it does not hold."""

MATCHED = 0.6
"""From this likeness on, of 0-1, two words are one in two forms."""


@dataclass(frozen=True, slots=True)
class Side:
    """One note beside the other."""

    note: Note
    likeness: tuple[float, ...]  # of each token to its partner in the other note, 0-1
    partner: tuple[int, ...]  # its place there, -1 without one
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
        tuple(near for near, _ in partners),
        tuple(place for _, place in partners),
        tuple(rarity.get(token.root, unseen) for token in note.tokens),
    )


def partner_of(token: Token, other: Note) -> tuple[float, int]:
    """How like the most like word of `other` is, 0-1, and its place there."""
    root = token.root
    if (place := other.first.get(root)) is not None:
        return 1.0, place
    best = (0.0, -1)
    if token.quantity is None and len(root) >= LEAST_LETTERS:
        start = root[:LEAST_LETTERS]
        for known, place in other.long:  # most are passed over here: the loop decides the cost
            if known.startswith(start) or known in root or root in known:
                best = max(best, (_form(root, known), place), key=itemgetter(0))
    return best


def _form(one: str, other: str) -> float:
    """How likely two roots are forms of one word: by their beginnings, or one within the other."""
    least, most = sorted((len(one), len(other)))
    shared = next((n for n in range(least) if one[n] != other[n]), least)
    if shared >= LEAST_LETTERS and shared >= 0.7 * most:
        return 0.85
    return 0.7 if one in other or other in one else 0.0


def differs(one: str, other: str) -> bool:
    """Whether a number, a unit, a name, a path or a denial of the one is not the other's."""
    first, second = read(one), read(other)
    return (
        first.quantities() != second.quantities()
        or first.denials % 2 != second.denials % 2
        or (_has_own_name(first, second) and _has_own_name(second, first))
    )


def _has_own_name(note: Note, other: Note) -> bool:
    return any(token.is_name and partner_of(token, other)[0] < MATCHED for token in note.tokens)
