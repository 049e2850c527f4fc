"""Two notes laid beside each other, word by word: what has its like in the other, what has not."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from .pairs_note import LEAST_LETTERS, Note, Token, letters_of, read

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
        return math.fsum([r * near for r, near in zip(self.rarity, self.likeness, strict=True)])


Partner: TypeAlias = tuple[float, int, float]
"""How like the most like word of another note is, 0-1, its place there (-1: none is), and how alike
any is spelt, 0-1."""

NONE: Partner = (0.0, -1, 0.0)


def beside(one: Note, other: Note, rarity: Mapping[str, float]) -> tuple[Side, Side]:
    """Each of the two beside the other."""
    mine, theirs = partners(one, other)
    return _side(one, other, mine, rarity), _side(other, one, theirs, rarity)


def _side(
    note: Note, other: Note, partners: Mapping[int, Partner], rarity: Mapping[str, float]
) -> Side:
    unseen, first, there = rarity.get(UNSEEN, 7.0), note.first, other.first
    found = [
        (1.0, there[token.root], 1.0)
        if token.root in there
        else partners.get(first[token.root], NONE)
        for token in note.tokens
    ]
    near, places, spelt = zip(*found, strict=True) if found else ((), (), ())
    rare = tuple([rarity.get(token.root, unseen) for token in note.tokens])
    return Side(note, near, places, spelt, rare)


def partners(one: Note, other: Note) -> tuple[dict[int, Partner], dict[int, Partner]]:
    """The partners of the words that do not stand in both, by their place: of the one, of the
    other. Both at once, since what two words share is the same either way."""
    mine: dict[int, Partner] = {}
    theirs: dict[int, Partner] = {}
    sizes, tokens = one.sizes, one.tokens
    for root, place in other.roots:
        letters, is_shared = letters_of(root), root in one.first
        size, may_be_form = len(letters), len(root) >= LEAST_LETTERS
        for at, count in _sharing(letters, one).items():
            known = tokens[at].root
            is_known = known in other.first
            if is_shared and is_known:
                continue
            alike = 2 * count / (size + sizes[at])
            is_long = count > 1 and may_be_form and len(known) >= LEAST_LETTERS  # forms share two
            form = _form(root, known) if is_long else 0.0
            if not is_known:
                mine[at] = _better(mine.get(at, NONE), form, place, alike)
            if not is_shared:
                theirs[place] = _better(theirs.get(place, NONE), form, at, alike)
    return mine, theirs


def _sharing(letters: Collection[str], note: Note) -> dict[int, int]:
    """The words of a note that share threes of letters, by their place, and how many they share."""
    counts: dict[int, int] = {}
    spelt = note.spelt
    for three in note.threes.intersection(letters):  # what a pair costs is decided here
        for at in spelt[three]:
            counts[at] = counts.get(at, 0) + 1
    return counts


def _better(partner: Partner, form: float, place: int, alike: float) -> Partner:
    near, at, spelt = partner
    if form and (form, place) > (near, at):
        near, at = form, place
    return near, at, alike if alike > spelt else spelt


def partner_of(token: Token, other: Note) -> float:
    """How like the most like word of `other` is, 0-1."""
    root = token.root
    if root in other.first:
        return 1.0
    if token.quantity is not None or len(root) < LEAST_LETTERS:
        return 0.0
    shared = _sharing(letters_of(root), other)
    likely = [other.tokens[at].root for at, count in shared.items() if count > 1]
    return max(
        (_form(root, known) for known in likely if len(known) >= LEAST_LETTERS),
        default=0.0,
    )


def _form(one: str, other: str) -> float:
    """How likely two roots are forms of one word: by their beginnings, or one within the other."""
    enough = max(LEAST_LETTERS, math.ceil(0.7 * max(len(one), len(other))))
    if len(one) >= enough <= len(other) and one[:enough] == other[:enough]:
        return 0.85
    return CONTAINED if one in other or other in one else 0.0


def may_be_same(one: str, other: str) -> bool:
    """Whether no number, unit, name, path or denial of the one differs from the other's, and the
    two do not take opposite sides."""
    first, second = read(one), read(other)
    return not (
        first.amounts != second.amounts
        or first.denials % 2 != second.denials % 2
        or opposed(first, second) > 0
        or (_has_own_name(first, second) and _has_own_name(second, first))
    )


def opposed(one: Note, other: Note) -> int:
    """On how many things the two take opposite sides: always, never; before, after."""
    return sum(not one.poles[axis] & other.poles[axis] for axis in one.poles.keys() & other.poles)


def _has_own_name(note: Note, other: Note) -> bool:
    return any(not _is_named(root, other) for root in note.names)


def _is_named(root: str, other: Note) -> bool:
    """Whether the name stands there too, maybe in another form or further up or down a path."""
    return root in other.first or any(
        known.endswith("/" + root) or root.endswith("/" + known) or _form(root, known) > CONTAINED
        for known, _ in other.roots
        if len(known) >= LEAST_LETTERS
    )
