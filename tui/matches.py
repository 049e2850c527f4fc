"""Where the words of a query stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable


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
