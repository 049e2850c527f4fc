"""The part of a text that a list shows: its beginning, or what stands around a query's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

LENGTH = 320
"""Characters of an excerpt; more than two lines of a wide screen."""

BEFORE = 32
"""Characters that may stand before the first word that was asked for."""

READ_AS_BEGINNING = 72
"""A word within so many characters is seen from the beginning."""


def excerpt(text: str, words: Sequence[str] = ()) -> str:
    """At most LENGTH characters of `text`, from the first of `words` in it, at a word's start.

    Words are found as search finds them: at the beginning of a word, whatever the case. What was
    left out before it is `…`.
    """
    start = _first(text, words) if words else 0
    if start <= READ_AS_BEGINNING:
        return text[:LENGTH]
    begins = text.rfind(" ", 0, start - BEFORE // 2)
    begins = begins + 1 if begins >= start - BEFORE else start
    return "…" + text[begins : begins + LENGTH - 1]


def _first(text: str, words: Sequence[str]) -> int:
    """Where the first of the words stands; 0 where none does."""
    known = [word.strip() for word in words if word.strip()]
    if not known:
        return 0
    # Scripts without spaces have no word beginnings to hold on to.
    parts = [rf"(?<!\w){re.escape(word)}" if word.isascii() else re.escape(word) for word in known]
    found = re.search("|".join(parts), text, re.IGNORECASE)
    return found.start() if found else 0
