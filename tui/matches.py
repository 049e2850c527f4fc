"""Where the words, or the letters, of a query stand in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

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
