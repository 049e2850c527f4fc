"""What is seen of two notes before it is weighed: what they share, what differs, and where.

Each sign is the same whichever note comes first. Content words of the one are laid beside those of
the other, each counting by how rare it is (`rarity`); what stays alone, and whether it is a number,
a name, the subject or the end, is what the model weighs. Standard library.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from .pairs_beside import MATCHED, UNSEEN, Side, beside
from .pairs_note import Note, Token, read
from .pairs_order import clauses, letters, mean, two, wording
from .pairs_slots import coverage, marks


def glance(first: Note, second: Note, rarity: Mapping[str, float]) -> dict[str, float]:
    """The signs at a glance, by name. Symmetric; `rarity` says of each word how rare it is.

    Enough to see of half of the pairs that meet that nothing comes of laying them side by side.
    """
    unseen = rarity.get(UNSEEN, 7.0)
    shared = first.first.keys() & second.first.keys()
    weights = [rarity.get(root, unseen) for root in shared]
    squares = [
        math.fsum([rarity.get(root, unseen) ** 2 for root in note.first])
        for note in (first, second)
    ]
    return {
        **letters(first, second),
        **two("length", len(first.tokens), len(second.tokens)),
        "angle": math.fsum([weight**2 for weight in weights])
        / math.sqrt(squares[0] * squares[1] or 1.0),
        "roots-shared": len(shared),
        "root-rarest": max(weights, default=0.0),
        "steps-shared": len(first.steps & second.steps),
        "names-shared": len(first.names & second.names),
        "numbers-shared": len(first.numbers & second.numbers),
    }


def features(one: str, other: str, rarity: Mapping[str, float]) -> dict[str, float]:
    """The signs of two notes, by name. Symmetric."""
    first, second = read(one), read(other)
    return beyond(first, second, rarity, glance(first, second, rarity))


def beyond(
    first: Note, second: Note, rarity: Mapping[str, float], seen: Mapping[str, float]
) -> dict[str, float]:
    """The signs of two notes, with those that were `seen` at a glance."""
    a, b = beside(first, second, rarity)
    signs = {**seen, **_coverage(a, b)}
    alone = (a.alone, b.alone)
    signs |= _left_alone(a, b)
    signs |= _numbers(first, second, alone, signs)
    signs |= _names(alone, signs)
    signs |= _denials(first, second, signs)
    signs |= coverage(a, b) | marks(a, b)
    signs |= wording(first, second)
    signs |= clauses(first, second, rarity, rarity.get(UNSEEN, 7.0))
    signs |= {f"both-{word}": 1.0 for word in first.plain & second.plain}
    signs |= {f"one-{word}": 1.0 for word in first.plain ^ second.plain}
    return signs


def _coverage(a: Side, b: Side) -> dict[str, float]:
    all_a, all_b = math.fsum(a.rarity) or 1.0, math.fsum(b.rarity) or 1.0
    got_a, got_b = a.shared, b.shared
    matched = [n for n, near in enumerate(a.likeness) if near >= MATCHED]
    order = [a.partner[n] for n in matched]
    turns = sum(x > y for x, y in pairwise(order))
    mine, theirs = a.likeness, b.likeness
    return {
        **two("covered", got_a / all_a, got_b / all_b),
        "covered": (got_a + got_b) / (all_a + all_b),
        "shared": (got_a + got_b) / 2,
        "shared-words": len(matched),
        "shared-rarest": max([a.rarity[n] for n in matched], default=0.0),
        "shared-names": sum(a.note.tokens[n].is_name for n in matched),
        "shared-numbers": sum(bool(a.note.tokens[n].quantity) for n in matched),
        **two("head", mean(mine[:2]), mean(theirs[:2])),
        **two("first", mean(mine[:1]), mean(theirs[:1])),
        **two("tail", mean(mine[-2:]), mean(theirs[-2:])),
        "turned": turns / max(1, len(order) - 1),
        "length-ratio": min(len(mine), len(theirs)) / max(1, len(mine), len(theirs)),
    }


def _left_alone(a: Side, b: Side) -> dict[str, float]:
    alone = a.alone, b.alone
    places = [token.place for side in alone for token in side]
    weights = (
        [r for r, n in zip(s.rarity, s.likeness, strict=True) if n < MATCHED] for s in (a, b)
    )
    return {
        **two("alone", len(alone[0]), len(alone[1])),
        **two("alone-weight", *map(math.fsum, weights)),
        **two("alone-scoped", *(sum(token.is_scoped for token in side) for side in alone)),
        "alone-place": sum(places) / len(places) if places else 0.5,
        "alone-first": min(places, default=1.0),
    }


def _numbers(
    first: Note, second: Note, alone: tuple[list[Token], list[Token]], signs: Mapping[str, float]
) -> dict[str, float]:
    mine, theirs = first.amounts, second.amounts
    shared = mine.keys() & theirs.keys()
    differ = [kind for kind in shared if not _close(mine[kind], theirs[kind])]
    words = [sum(not token.quantity for token in side) for side in alone]
    told = {
        "numbers-differ": float(len(differ)),
        "numbers-agree": float(len(shared) - len(differ)),
        "numbers-in-one": float(bool(mine) != bool(theirs)),
        "numbers-nowhere": float(not mine and not theirs),
        "numbers-apart": float(bool(mine) and bool(theirs) and not shared),
        **two("alone-words", *words),
    }
    if differ:
        told["numbers-differ-alone"] = 1.0 / (1 + min(words))
        told["numbers-differ-covered"] = signs["covered"]
        told["numbers-differ-head"] = signs["head-least"]
    return told


def _close(mine: set[float], theirs: set[float]) -> bool:
    return any(math.isclose(x, y, rel_tol=0.02) for x in mine for y in theirs)


def _names(alone: tuple[list[Token], list[Token]], signs: Mapping[str, float]) -> dict[str, float]:
    names = [[token for token in side if token.is_name] for side in alone]
    told = {
        **two("names-alone", len(names[0]), len(names[1])),
        "names-first": float(sum(any(t.place < 0.2 for t in side) for side in names)),
    }
    if all(names):
        told["names-differ-alone"] = 1.0 / (1 + signs["alone-most"])
        told["names-differ-covered"] = signs["covered"]
    return told


def _denials(first: Note, second: Note, signs: Mapping[str, float]) -> dict[str, float]:
    told = {
        "denied": float(first.denials + second.denials > 0),
        "denied-both": float(first.denials > 0 and second.denials > 0),
    }
    if (first.denials - second.denials) % 2:
        told["denied-one"] = 1.0
        told["denied-one-covered"] = signs["covered"]
        told["denied-one-covered-most"] = signs["covered-most"]
        told["denied-one-head"] = signs["head-least"]
    return told
