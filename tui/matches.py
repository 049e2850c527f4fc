"""Where the words, or the letters, of a query stand in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

_TOKEN = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')


def terms_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for the terms, at the beginning of words; None when there is nothing to find.

    Matching is by prefix, as search finds while one is still typing.
    """
    existing = sorted({term.strip() for term in terms if term.strip()}, key=len, reverse=True)
    if not existing:
        return None
    # Scripts without spaces have no word beginnings to hold on to.
    parts = [
        rf"(?<!\w){re.escape(term)}" if term.isascii() else re.escape(term) for term in existing
    ]
    return re.compile("|".join(parts), re.IGNORECASE)


def filter_of(text: str) -> Callable[[str], bool]:
    """Whether a row that says this has every word and "phrase" of `text`, and none after a `-`.

    For lists that are no memories; those are looked up in the index, in the query language.
    """
    wanted, unwanted = dict[str, None](), dict[str, None]()
    for minus, phrase, word in _TOKEN.findall(text):
        if term := (phrase or word).strip():
            (unwanted if minus else wanted)[term] = None

    @cache  # of thousands of words a row mostly lacks the first
    def pattern(term: str) -> re.Pattern[str] | None:
        return terms_pattern([term])

    def has(term: str, message: str) -> bool:
        matches = pattern(term)
        return matches is not None and matches.search(message) is not None

    return lambda message: (
        all(has(term, message) for term in wanted)
        and not any(has(term, message) for term in unwanted)
    )


WHOLE, START, INSIDE, LETTERS = range(4)
"""How it fits, the best first: from its beginning, from the beginning of words, inside of words,
or only its letters in their order."""


class Fit(NamedTuple):
    """How typed letters fit a text. The smaller the better."""

    grade: int  # WHOLE to LETTERS
    spread: int  # letters between the first and the last that fit, or where the first stands
    places: tuple[int, ...]  # in the text, from 0


def fuzzy(typed: str, text: str) -> Fit | None:
    """How `typed` fits `text`, in whatever case; None where it does not, or nothing was typed.

    Its words may stand in any order; letters of one word may leave others out, but begin a word.
    """
    low = text.lower()
    words = typed.lower().split()
    if not words or len(low) != len(text):  # a few letters have more than one small form
        return _plain(words, low)
    if low.startswith(whole := " ".join(words)):
        return Fit(WHOLE, len(low) - len(whole), tuple(range(len(whole))))
    grade, spread, places = START, 0, set[int]()
    for word in words:
        at = _at_word(low, word)
        if at < 0:
            at, grade = low.find(word), max(grade, INSIDE)
        if at >= 0:
            places.update(range(at, at + len(word)))
            spread += at
            continue
        letters = _letters(low, word)
        if letters is None:
            return None
        grade = LETTERS
        places.update(letters)
        spread += letters[-1] - letters[0]
    return Fit(grade, spread, tuple(sorted(places)))


def _plain(words: list[str], low: str) -> Fit | None:
    if not words or not all(word in low for word in words):
        return None
    return Fit(INSIDE, 0, ())


def _at_word(low: str, word: str) -> int:
    """Where a word of `low` begins with `word`; -1 for nowhere."""
    at = low.find(word)
    while at > 0 and low[at - 1].isalnum():
        at = low.find(word, at + 1)
    return at


def _letters(low: str, word: str) -> list[int] | None:
    """The letters of `word` in their order, close to each other, from the beginning of a word."""
    if len(word) < 2:
        return None
    start = _at_word(low, word[0])
    if start < 0:
        return None
    places = [start]
    for letter in word[1:]:
        at = low.find(letter, places[-1] + 1)
        if at < 0:
            return None
        places.append(at)
    return places if places[-1] - start < 4 * len(word) else None
