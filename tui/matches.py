"""Where the words of a query stand in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_TOKEN = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')


def terms_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for the terms, at the beginning of words; None when there is nothing to find.

    Matching is by prefix, as search finds while one is still typing.
    """
    known = sorted({term.strip() for term in terms if term.strip()}, key=len, reverse=True)
    if not known:
        return None
    # Scripts without spaces have no word beginnings to hold on to.
    parts = [rf"(?<!\w){re.escape(term)}" if term.isascii() else re.escape(term) for term in known]
    return re.compile("|".join(parts), re.IGNORECASE)


def filter_of(text: str) -> Callable[[str], bool]:
    """Whether a row that says this has every word and "phrase" of `text`, and none after a `-`.

    For lists that are no memories; those are looked up in the index, in the query language.
    """
    wanted, unwanted = list[str](), list[str]()
    for minus, phrase, word in _TOKEN.findall(text):
        (unwanted if minus else wanted).append(phrase or word)
    must = [one for one in map(_pattern, wanted) if one is not None]
    never = [one for one in map(_pattern, unwanted) if one is not None]
    return lambda said: (
        all(one.search(said) for one in must) and not any(one.search(said) for one in never)
    )


def _pattern(term: str) -> re.Pattern[str] | None:
    return terms_pattern([term])
