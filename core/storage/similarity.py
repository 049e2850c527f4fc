"""How near two texts are, from 0 to 1: by their words, whatever their order and form.

Numbers, names, paths and denials weigh more than words: a text that differs in one of these says
something else, however long the rest is (`says_otherwise`). Recall asks this as well, while a
prompt waits, so that nothing beyond the standard library is loaded for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from ..review.common_words import is_common
from .conflict_reading import Item, read
from .fingerprint import normalised

DISTINCT = 0.8
"""No pair that differs in a value, a name or a denial gets more (0-1)."""

FEW = 2.5
"""With fewer words than this (a common one counts for a third), their letters count as much."""

TYPO = 88.0
"""From this likeness on, of 0-100, two words are one misspelt."""

SLIP = 0.8
"""From this likeness on, of 0-1, two rare words are one in two spellings: quota, quotas."""

MOST_TYPOS = 24
"""Words without a partner that are compared letter by letter, of each text."""

_CODE = re.compile(r"`([^`\s]{1,80})`")
_CONTAINED = 0.9  # share of the shorter text that the longer one must hold to contain it


@dataclass(frozen=True, slots=True)
class Content:
    """What a text is made of, for comparing."""

    weights: Mapping[str, float]  # words and values in their plain form
    marks: frozenset[str]  # those that tell it from a text with others in their place
    signs: Mapping[str, frozenset[int]]  # affirmed, denied
    rare: frozenset[str]  # words that are no everyday ones, or code: mostly names
    denied: frozenset[str]  # by a "not" or a "disable": words that are affirmed nowhere
    order: str  # its words in their plain form, sorted


def similarity(one: str, other: str) -> float:
    """How near the texts are: 0 nothing in common, 1 the same words. Symmetric.

    At most `DISTINCT` for texts that differ in a number, a name, a path, a situation ("tests",
    "production") or in what they deny.
    """
    mine, theirs = normalised(one), normalised(other)
    if mine == theirs:
        return 1.0
    if theirs < mine:
        one, other = other, one
    first, second = content_of(one), content_of(other)
    if not first.weights or not second.weights:
        return min(_by_letters(min(mine, theirs), max(mine, theirs)), DISTINCT)
    near = _by_words(first, second)
    if min(sum(first.weights.values()), sum(second.weights.values())) < FEW:
        near = (near + _by_letters(first.order, second.order)) / 2
    return min(near, DISTINCT) * 0.95 if are_distinct(first, second) else near


def says_otherwise(one: str, other: str) -> bool:
    """Whether two texts say two things, however alike they are: the one place that knows.

    Each has a value, a name or a rare word where the other has another, or denies what the other
    affirms.
    """
    return normalised(one) != normalised(other) and are_distinct(content_of(one), content_of(other))


def are_distinct(one: Content, other: Content) -> bool:
    """Whether each has a value or name that the other lacks, or denies what the other affirms."""
    return are_opposed(one, other) or _replaced(one, other)


def are_opposed(one: Content, other: Content) -> bool:
    """As `are_distinct`, but any word may be said by another one."""
    if _unmatched(one, other) and _unmatched(other, one):
        return True
    shared = one.signs.keys() & other.signs.keys()
    opposed = [
        root
        for root in shared
        if one.signs[root] and other.signs[root] and not one.signs[root] & other.signs[root]
    ]
    return bool(opposed) and not one.denied & other.denied


@lru_cache(maxsize=1024)
def content_of(text: str) -> Content:
    """The words, marks and signs of `text`."""
    weights: dict[str, float] = {}
    signs: dict[str, set[int]] = {}
    marks: set[str] = set()
    denied: set[str] = set()
    rare: set[str] = set()
    coded = {word.lower() for word in _CODE.findall(text)}
    for sentence in read(text):
        for item in sentence.items:
            weights[item.stem] = 1.5 if _is_mark(item) else item.weight
            signs.setdefault(item.stem, set()).add(item.sign)
            if item.sign < 0 and (item.kind != "polar" or item.is_act):
                denied.add(item.stem)
            if _is_mark(item):
                marks.add(item.stem)
            elif item.shown.lower() in coded or (
                item.kind == "word" and not is_common(item.shown.lower())
            ):
                rare.add(item.stem)
        for dimension, situations in sentence.situations.items():
            for situation in situations:
                weights[f"{dimension}:{situation}"] = 1.0
                marks.add(f"{dimension}:{situation}")
    return Content(
        weights,
        frozenset(marks),
        {root: frozenset(found - {0}) for root, found in signs.items()},
        frozenset(rare),
        frozenset(root for root in denied if 1 not in signs[root]),
        " ".join(sorted(weights)),
    )


def _is_mark(item: Item) -> bool:
    return item.kind not in ("word", "polar")


def _unmatched(one: Content, other: Content) -> frozenset[str]:
    missing = one.marks - other.weights.keys()
    return frozenset(mark for mark in missing if not _is_known_path(mark, other.marks))


def _replaced(one: Content, other: Content) -> bool:
    """Whether a rare word or name of each stands where the other has another one, and not the
    same in another spelling."""
    mine = (one.rare | _unmatched(one, other)) - other.weights.keys()
    theirs = (other.rare | _unmatched(other, one)) - one.weights.keys()
    slips = [(word, known) for word in mine for known in theirs if _is_slip(word, known)]
    return bool(mine - {word for word, _ in slips}) and bool(theirs - {word for _, word in slips})


def _is_slip(one: str, other: str) -> bool:
    first, second = sorted((one, other))  # what the matcher finds depends on the order
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= SLIP


def _is_known_path(mark: str, marks: frozenset[str]) -> bool:
    """Whether the file is named there too, from further up or further down the tree."""
    return "." in mark and any(
        "." in other and (other.endswith("/" + mark) or mark.endswith("/" + other))
        for other in marks
    )


def _by_words(one: Content, other: Content) -> float:
    weights = {**one.weights, **other.weights}
    shared = one.weights.keys() & other.weights.keys()
    both = sum(weights[root] for root in shared) + _misspelt(one, other, weights)
    mine, theirs = sum(one.weights.values()), sum(other.weights.values())
    least, most = min(mine, theirs), max(mine, theirs)
    near = 2 * both / (mine + theirs)
    if both >= _CONTAINED * least:
        near = max(near, both / least * (0.6 + 0.4 * least / most))
    return min(near, 1.0)


def _misspelt(one: Content, other: Content, weights: Mapping[str, float]) -> float:
    """The weight of the words that stand in both, in one of them misspelt."""
    mine = _plain_words(one, other)
    theirs = _plain_words(other, one)
    if not mine or not theirs:
        return 0.0
    from rapidfuzz import fuzz, process

    found = 0.0
    for word in mine:
        best = process.extractOne(word, theirs, scorer=fuzz.ratio, score_cutoff=TYPO)
        if best:
            theirs.remove(best[0])
            found += min(weights[word], weights[best[0]])
    return found


def _plain_words(one: Content, other: Content) -> list[str]:
    words = one.weights.keys() - other.weights.keys() - one.marks
    return sorted(word for word in words if len(word) > 4)[:MOST_TYPOS]


def _by_letters(one: str, other: str) -> float:
    """Texts without a word that counts: "yes", signs, a single letter."""
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) / 100
