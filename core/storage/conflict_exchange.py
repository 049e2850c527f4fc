"""Two sentences give one thing different values: a port, a version, a limit, a tool, a path."""

from __future__ import annotations

from collections.abc import Sequence

from . import conflict_words as words
from .conflict_reading import Item, Sentence, has_phrase
from .conflict_subjects import Found, is_conditional, same_thing, shown_of
from .conflict_values import FAMILY_WORDS

_NEEDS_EQUAL_REST = frozenset(("name", "path", "host"))
"""Kinds without a measure: any other name may stand beside, unless all the rest is equal."""

_NO_VALUES = frozenset(("word", "polar"))


def by_value(new: Sentence, known: Sentence) -> Found | None:
    """Which values of one kind both give to the same thing; None if they agree or are apart."""
    if new.adds or known.adds or _may_both_hold(new, known):
        return None
    for kind in _kinds(new.claims):
        if found := _other_value(new, known, kind):
            return found
    return None


def _may_both_hold(new: Sentence, known: Sentence) -> bool:
    """Whether they name one way among others, or one an upper and the other a lower bound."""
    if has_phrase(new.lows, words.POSSIBLE) or has_phrase(known.lows, words.POSSIBLE):
        return True
    bounds = [
        (has_phrase(one.lows, words.UPPER_BOUNDS), has_phrase(one.lows, words.LOWER_BOUNDS))
        for one in (new, known)
    ]
    return bounds[0] != bounds[1] and all(any(bound) for bound in bounds)


def _kinds(items: Sequence[Item]) -> list[str]:
    """The kinds of value among `items`: families of tools first, bare names last."""
    kinds = [family for item in items for family in sorted(item.families)]
    kinds += [i.kind for i in items if i.kind not in _NO_VALUES and i.kind != "tool"]
    return sorted(dict.fromkeys(kinds), key=lambda kind: kind in _NEEDS_EQUAL_REST)


def _other_value(new: Sentence, known: Sentence, kind: str) -> Found | None:
    mine, theirs = new.claims, known.claims
    values, other_values = _values(mine, kind), _values(theirs, kind)
    if kind in _NEEDS_EQUAL_REST:  # what both name is no value of either
        both = values.keys() & other_values.keys()
        values = {root: shown for root, shown in values.items() if root not in both}
        other_values = {root: shown for root, shown in other_values.items() if root not in both}
    if not values or not other_values or len(values) > 2 or len(other_values) > 2:
        return None
    if values.keys() & _all_of(theirs, kind):
        return None
    implied = FAMILY_WORDS.get(kind, frozenset())
    rest = _without(mine, kind, implied, values)
    other_rest = _without(theirs, kind, implied, other_values)
    if kind in _NEEDS_EQUAL_REST:
        if not _are_objects(mine, values) or not _are_objects(theirs, other_values):
            return None
        if {i.stem for i in rest if i.weight == 1} != {i.stem for i in other_rest if i.weight == 1}:
            return None
        if not rest or not _has_predicate(new) or not _has_predicate(known):
            return None
    elif (kind == "nth" or kind.startswith("of:")) and not (
        _are_objects(mine, values) and _are_objects(theirs, other_values)
    ):
        return None
    is_partial = _same_subject(rest, other_rest, kind, _has_predicate(new))
    if is_partial is None:
        return None
    shared = {i.stem for i in rest} & {i.stem for i in other_rest}
    return Found(
        said=", ".join(values.values()),
        other=", ".join(other_values.values()),
        subject=shown_of(theirs, shared) or kind.rpartition(":")[2],
        is_value=True,
        is_partial=is_partial or is_conditional(new, known),
        denies_known=bool(other_values.keys() & _all_of(mine, kind)),
    )


def _has_predicate(sentence: Sentence) -> bool:
    return not words.PREDICATES.isdisjoint(sentence.lows)


def _same_subject(
    rest: Sequence[Item], other_rest: Sequence[Item], kind: str, is_statement: bool
) -> bool | None:
    """Whether one says more than the other; None if they are about different things."""
    heavy = [i for i in rest if i.weight == 1]
    other_heavy = [i for i in other_rest if i.weight == 1]
    if not heavy and not other_heavy:
        return False if is_statement and (kind in FAMILY_WORDS or kind[:3] == "of:") else None
    if not heavy or not other_heavy:
        more = heavy or other_heavy
        if kind not in FAMILY_WORDS:
            return None
        if all(i.part == "place" for i in more):
            return True
        return False if len(more) == 1 and not more[0].opens else None
    return same_thing(rest, other_rest)


def _without(
    items: Sequence[Item], kind: str, implied: frozenset[str], values: dict[str, str]
) -> list[Item]:
    """`items` without the values, what goes without saying, and files named after a value."""
    return [
        item
        for item in items
        if not _is_of(item, kind)
        and item.stem not in implied
        and not (item.kind in ("path", "name") and item.stem.partition(".")[0] in values)
    ]


def _values(items: Sequence[Item], kind: str) -> dict[str, str]:
    where = ("main",) if kind in _NEEDS_EQUAL_REST else ("main", "place")
    return {i.stem: i.shown for i in items if _is_of(i, kind) and i.sign >= 0 and i.part in where}


def _all_of(items: Sequence[Item], kind: str) -> set[str]:
    return {i.stem for i in items if _is_of(i, kind)}


def _is_of(item: Item, kind: str) -> bool:
    return item.kind == kind or kind in item.families


def _are_objects(items: Sequence[Item], values: dict[str, str]) -> bool:
    return all(item.is_object for item in items if item.stem in values)
