"""Where two notes put another word, number or name in the same place, and what they deny."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from .pairs_beside import Side, opposed
from .pairs_note import Note, Token
from .pairs_order import mean, two

UNLIKE = 0.5
"""Spelt less alike than this, 0-1, two words are two."""

MOST_ALONE = 20
"""Words without their like that are laid against the other's, of each note."""

PARTS = ("-begin", "-middle", "-end", "")
BOUNDS = (0.34, 0.67)
"""Of the places 0-1 where one third of a note ends and the next begins."""


def coverage(a: Side, b: Side) -> dict[str, float]:
    """How much of each note is spelt like something in the other: whole, by thirds, its rarest."""
    mine, theirs = _covered(a), _covered(b)
    told = {"spelt": (mine[-1] + theirs[-1]) / 2}
    for name, one, other in zip(PARTS, mine, theirs, strict=True):
        told |= two(f"spelt{name}", one, other)
    told |= two("spelt-head", *(mean(side.spelt[:2]) for side in (a, b)))
    ranked = [sorted(zip(side.rarity, side.spelt, strict=True), reverse=True) for side in (a, b)]
    for count in (1, 3):
        told |= two(f"rarest-{count}", *(mean([near for _, near in r[:count]]) for r in ranked))
    alone, rare, places = zip(*map(_alone, (a, b)), strict=True)
    told |= two("unlike", *map(len, alone))
    told |= two("unlike-rarest", *(max(each, default=0.0) for each in rare))
    told |= two("unlike-first", *(min(each, default=1.0) for each in places))
    return told | _slots(a.note, b.note, alone[0][:MOST_ALONE], alone[1][:MOST_ALONE])


def _alone(side: Side) -> tuple[list[int], list[float], list[float]]:
    """The words that are spelt like nothing in the other: number, rarity and place of each."""
    alone = [n for n, near in enumerate(side.spelt) if near < UNLIKE]
    return alone, [side.rarity[n] for n in alone], [side.note.tokens[n].place for n in alone]


def _covered(side: Side) -> list[float]:
    """The shares of the three thirds, and of the whole."""
    got, whole = [0.0] * 3, [0.0] * 3
    for token, near, rare in zip(side.note.tokens, side.spelt, side.rarity, strict=True):
        part = bisect_right(BOUNDS, token.place)
        got[part] += rare * near
        whole[part] += rare
    shares = [part / all if all else 0.0 for part, all in zip(got, whole, strict=True)]
    return [*shares, sum(got) / (sum(whole) or 1.0)]


def _slots(
    mine: Note, theirs: Note, alone: Sequence[int], other: Sequence[int]
) -> dict[str, float]:
    """For numbers, names and words: how alike the surroundings are of two that differ."""
    best = {"number": (0.0, -1.0), "name": (0.0, -1.0), "word": (0.0, -1.0)}
    there = {n: theirs.around[n] for n in other}
    holds: dict[str, list[int]] = {}
    for n, near in there.items():
        for root in near:
            holds.setdefault(root, []).append(n)
    for n in alone:
        token, near = mine.tokens[n], mine.around[n]
        shared = Counter(place for root in near for place in holds.get(root, ()))
        for place, count in shared.items():  # most share no surroundings and are not looked at
            known = theirs.tokens[place]
            if kind := _kind(token, known):
                share = count / min(len(near), len(there[place]))
                if share >= best[kind][0]:
                    best[kind] = max(best[kind], (share, (token.place + known.place) / 2))
    told = {f"slot-{kind}": share for kind, (share, _) in best.items()}
    return told | {f"slot-{kind}-place": where for kind, (_, where) in best.items()}


def _kind(one: Token, other: Token) -> str:
    if one.quantity or other.quantity:
        kinds = {token.quantity and token.quantity[0] for token in (one, other)}
        return "number" if len(kinds) == 1 else ""
    return "name" if one.is_name and other.is_name else "word"


def marks(a: Side, b: Side) -> dict[str, float]:
    """Numbers, names and denials that stand in both, or in one only."""
    first, second = a.note, b.note
    numbers, names = (first.numbers, second.numbers), (first.names, second.names)
    known = names[0] & second.first.keys(), names[1] & first.first.keys()
    lone = (first.denied & second.first.keys()) - second.denied
    other = (second.denied & first.first.keys()) - first.denied
    means = [math.fsum(side.rarity) / max(1, len(side.rarity)) for side in (a, b)]
    return {
        "opposed": opposed(first, second),
        "denied-lone": len(lone) + len(other),
        "denied-shared": len(first.denied & second.denied),
        **two("numbers-alone", len(numbers[0] - numbers[1]), len(numbers[1] - numbers[0])),
        "names-known-least": min(
            len(k) / max(1, len(n)) for k, n in zip(known, names, strict=True)
        ),
        "names-weight": math.fsum([a.rarity[first.first[r]] for r in known[0] | known[1]]),
        **two("names", len(names[0]), len(names[1])),
        "rarity": sum(means) / 2,
    }
