"""How much of a prompt a memory speaks of, and whether that is enough to be shown.

The index finds whatever shares a word. One word in common is weak evidence, unless it is the
name of a very thing or nearly all that was asked.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .keywords import Term, split_name

SYNONYM_VALUE = 0.7
"""How much a term counts when only a synonym of it is there."""

PARTS_VALUE = 0.9
"""How much an identifier counts when all its parts are there, but not itself."""

MIN_RELATIVE = 0.25
"""Answers whose BM25 is under this share of the best are not shown."""

RARE = 3
"""A word that at most so many of the memories at hand have tells much."""

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"[a-z0-9][A-Z]")
_SUFFIXES = (
    *("ations", "ation", "ating", "ated", "ates", "ate", "ments", "ment", "ings", "ing"),
    *("ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e"),
)


class Match(NamedTuple):
    """What a prompt and a memory have in common."""

    share: float  # of the prompt's weight, 0.0 to 1.0
    weight: float  # matched weight, from 0.0
    terms: tuple[Term, ...]  # terms that are there at least by half
    names_it: bool  # a path, identifier or error code is there as such

    @property
    def words(self) -> tuple[str, ...]:
        """The matched terms as text."""
        return tuple(term.text for term in self.terms)


NOTHING = Match(0.0, 0.0, (), False)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A crude stem of a lower-case word, at most 7 characters: `retries` and `retry` share one.

    It errs towards too much in common; the index, with a proper stemmer, has spoken before.
    """
    if len(word) > 3:
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                if suffix == "s" and word.endswith("ss"):
                    break
                word = word[: -len(suffix)]
                if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
                    word = word[:-1]  # running, stopped
                break
        if len(word) > 3 and word[-1] == "y" and word[-2] not in "aeiou":
            word = word[:-1]
    return word[:7]


def match(terms: Sequence[Term], image: Mapping[str, Any]) -> Match:
    """What `terms` and the memory of `image` have in common."""
    if not terms:
        return NOTHING
    text = "\n".join(
        (image["title"], image["content"], *image["tags"], *image["files"], image["category"])
    )
    lower = text.lower().replace("\\", "/")
    stems = {stem(word) for word in _WORD.findall(lower)}
    if _HUMP.search(text):
        for name in _WORD.findall(text):
            if _HUMP.search(name):
                stems.update(stem(part) for part in split_name(name))
    total = sum(term.weight for term in terms)
    weight, names_it, found = 0.0, False, []
    for term in terms:
        value = _value(term, lower, stems)
        weight += value * term.weight
        if value >= 0.5:
            found.append(term)
            names_it = names_it or (term.is_specific and value == 1.0)
    return Match(min(weight / total, 1.0), weight, tuple(found), names_it)


def is_relevant(found: Match, *, is_rare: bool = False) -> bool:
    """Whether this is enough in common to show the memory unasked.

    A very thing by its name always is. One ordinary word is enough when it is about half of what
    was asked, or a fifth if few memories have it; a very common word alone never is. Several
    words are enough when they are most of the prompt, or carry some weight of a prompt of
    ordinary length, or much weight of a long one.
    """
    if found.names_it:
        return True
    if not found.terms:
        return False
    if len(found.terms) == 1:
        return found.terms[0].kind != "common" and found.share >= (0.2 if is_rare else 0.45)
    if found.share >= 0.6 or found.weight >= 3.5:
        return True
    return found.weight >= 1.3 and found.share >= 0.15


def frequencies(matches: Iterable[Match]) -> dict[str, int]:
    """In how many of the memories at hand each term was found."""
    counts: dict[str, int] = {}
    for found in matches:
        for term in found.terms:
            counts[term.text] = counts.get(term.text, 0) + 1
    return counts


def stands_out(found: Match, counts: Mapping[str, int], words: float) -> bool:
    """Whether the one word in common is rare, and the memory among the best for it.

    `words` is the BM25 as a share of the best answer's, 0-1.
    """
    return len(found.terms) == 1 and counts[found.terms[0].text] <= RARE and words >= 0.6


def _value(term: Term, lower: str, stems: set[str]) -> float:
    """How well a text has `term`: 1.0 as such, less by parts or synonym, 0.0 not at all."""
    if term.is_specific:
        if term.text in lower:
            return 1.0
        parts = {stem(part) for part in term.parts}
        there = len(parts & stems) / len(parts) if parts else 0.0
        value = PARTS_VALUE * there
    elif term.kind == "run":
        there = sum(pair in lower for pair in term.parts) / len(term.parts)
        value = 1.0 if term.text in lower else PARTS_VALUE * there
    elif not term.text.isalnum():  # 3.11
        value = 1.0 if term.text in lower else 0.0
    else:
        value = 1.0 if stem(term.text) in stems else 0.0
    if value < SYNONYM_VALUE and any(stem(other.lower()) in stems for other in term.synonyms):
        return SYNONYM_VALUE
    return value
