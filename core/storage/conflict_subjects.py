"""Are two sentences about the same thing, in the same situation?

A false conflict costs a person's time and trust, so what opposes is not enough: the rest of both
sentences must agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from . import conflict_words as words
from .conflict_reading import Item, Sentence
from .conflict_stems import stems

ENOUGH = 0.75
"""Share of the shorter sentence's words that the other must have, the opposing ones aside."""

ENOUGH_OF_BOTH = 0.4
"""Share of all their words that both must have."""

PLAIN = 0.6
"""With less in common than this, one says more than the other: perhaps another case."""


@dataclass(frozen=True, slots=True)
class Found:
    """How two sentences oppose each other."""

    said: str  # the opposing words of the new one
    other: str  # the opposing words of the known one
    subject: str  # what both are about
    is_value: bool  # two values of one kind; else one denies what the other affirms
    is_partial: bool  # they may hold in different cases
    denies_known: bool  # the new one denies by name what the known one affirms


def are_elsewhere(new: Sentence, known: Sentence) -> bool:
    """Whether they speak of different situations: one of tests, one of production."""
    for dimension, here in new.situations.items():
        there = known.situations.get(dimension)
        if there and not here & there:
            return True
    when_new, when_known = roots_of(new.of("when")), roots_of(known.of("when"))
    if when_new and when_known:
        return len(when_new & when_known) < 0.5 * min(len(when_new), len(when_known))
    return _narrows(new, known) and _narrows(known, new)


def _narrows(one: Sentence, other: Sentence) -> bool:
    """Whether the one holds under a condition or in a place that the other does not name."""
    places = {item.stem for item in one.of("place") if _tells_where(item)}
    return (
        bool(one.of("when")) > bool(other.of("when"))
        or bool(one.situations.keys() - other.situations.keys())
        or bool(places - roots_of(other.items))
    )


def is_conditional(new: Sentence, known: Sentence) -> bool:
    """Whether just one of them says where or when it holds."""
    if bool(new.of("when")) != bool(known.of("when")):
        return True
    return any(
        new.situations.get(name, frozenset()) != known.situations.get(name, frozenset())
        for name in {*new.situations, *known.situations}
    )


def same_thing(
    mine: Sequence[Item], theirs: Sequence[Item], is_broader: bool = False
) -> bool | None:
    """False: about the same thing. True: one says more than the other. None: not the same."""
    weights = {item.stem: item.weight for item in (*mine, *theirs)}
    roots, other_roots = roots_of(mine), roots_of(theirs)
    shared = roots & other_roots
    both = sum(weights[root] for root in shared)
    least = min(_weight(roots, weights), _weight(other_roots, weights))
    if not shared or both < ENOUGH * least or not any(weights[root] == 1 for root in shared):
        return None
    if both < ENOUGH_OF_BOTH * _weight(roots | other_roots, weights):
        return None
    if _is_exchanged(mine, theirs):
        return None
    more = {i.stem for i in mine if _tells_where(i)} - other_roots
    other_more = {i.stem for i in theirs if _tells_where(i)} - roots
    if more and other_more:
        return None
    if more or other_more:
        return True
    return not is_broader and both < PLAIN * _weight(roots | other_roots, weights)


def _tells_where(item: Item) -> bool:
    """Whether it narrows where the sentence holds: "in the docs folder", but not "for 30 s"."""
    return (
        item.part == "place"
        and item.kind in ("word", "polar", "name", "path")
        and item.stem not in _EVERYWHERE
    )


_EVERYWHERE = stems(words.EVERYWHERE)


def _is_exchanged(mine: Sequence[Item], theirs: Sequence[Item]) -> bool:
    """Whether a word of one stands where the other has another: "login timeout", "upload timeout".

    Two such words, each beside the same word, name two different things.
    """
    roots, other_roots = roots_of(mine), roots_of(theirs)
    places = _neighbourhoods(mine, other_roots)
    other_places = _neighbourhoods(theirs, roots)
    return bool(places & other_places)


def _neighbourhoods(items: Sequence[Item], known: set[str]) -> set[tuple[str, str]]:
    """("after" or "before", shared word) of each word that only this sentence has.

    ("after", "") for the first word that counts.
    """
    found = set()
    for at, item in enumerate(items):
        if item.stem in known or item.weight < 1 or item.kind == "polar":
            continue
        if all(earlier.weight < 1 for earlier in items[:at]):
            found.add(("after", ""))  # what the sentence begins with
        if at and items[at - 1].stem in known:
            found.add(("after", items[at - 1].stem))
        if at + 1 < len(items) and items[at + 1].stem in known:
            found.add(("before", items[at + 1].stem))
    return found


def is_named(item: Item) -> bool:
    """Whether it is a name: of a tool, a file, a host, a thing."""
    return item.kind in ("tool", "name", "path", "host")


def roots_of(items: Iterable[Item]) -> set[str]:
    """The words of `items` in their plain form."""
    return {item.stem for item in items}


def _weight(roots: Iterable[str], weights: dict[str, float]) -> float:
    return sum(weights[root] for root in roots)


def jaccard(mine: Sequence[Item], theirs: Sequence[Item]) -> float:
    """The share (0-1) of all words that both have, whatever their weight."""
    roots, other_roots = roots_of(mine), roots_of(theirs)
    return len(roots & other_roots) / max(1, len(roots | other_roots))


def shown_of(items: Sequence[Item], roots: set[str]) -> str:
    """These words as the sentence has them, each once, in its order."""
    return " ".join(dict.fromkeys(item.shown for item in items if item.stem in roots))
