"""How people and agents begin to correct, by kind, in every language that has a file.

A cue alone corrects nothing: what it corrects must be found beside it (`corrections`). Patterns
look at a sentence with code and quotations masked. The words are data (`core/language/`, under
`corrects`; "~" stands for a space); how they stand in a sentence is said here once.
"""

from __future__ import annotations

import re

from .phrases import languages

_GAP = r"[\s,.!:;…—–-]*"


def _any(name: str) -> str:
    """The words of that name, of all languages, as one alternative."""
    told = [one["corrects"].get(name, ()) for one in languages() if "corrects" in one]
    words = [word for each in told for word in ([each] if isinstance(each, str) else each)]
    return "(?:" + "|".join(words).replace("~", r"\s") + ")"


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FILLER = _rx(rf"^(?:{_any('filler')}\b{_GAP})+(?=\S)")
"""Stands before a cue and means nothing."""

DENIES = _rx(rf"^{_any('denies')}{_GAP}{_any('please')}?[.!]*")
"""What the other one said is not so."""

TAKES_BACK = _rx(rf"^{_any('takes_back')}\b{_GAP}")
"""The speaker takes their own word back."""

REVOKES_BEFORE = _rx(
    rf"^(?:(?:(?:{_any('following')}\s)?{_any('over')}|{_any('revoked')})\s*(?::|\s[–—-]+\s)"
    rf"|{_any('revokes')}\b)[\s,]*"
)
"""Stands before a statement that holds no longer, which is said again."""

REVOKES_AFTER = _rx(rf"[\s,;:—–-]+(?:{_any('it')}\s)?{_any('over')}[\s.!]*$")
"""The same behind it."""

CHANGES = _rx(rf"^(?:{_any('from_now_on')}|{_any('changes')})\b[\s,:—–-]*")
"""Another thing holds now."""

CHANGES_AT_END = _rx(rf"[\s,;—–-]*\b(?:{_any('from_now_on')}|{_any('changes_at_end')})[\s.!,;]*$")
"""The same at the end of a sentence, with courtesies."""

IS_CHANGE = _rx(rf"\b(?:{_any('from_now_on')}|{_any('is_change')})\b")
"""Says anywhere in a sentence that things changed."""

SETS = _rx(rf"^{_any('sets')}\s+(?=\S)")
"""Puts a value in the place of another without saying of what: "make it 14"."""

DOUBTS = _rx(rf"\?\s*$|\b{_any('doubts')}\b|^{_any('supposes')}\b|{_any('mocks')}|🙄|🙃|😏")
"""A question, a guess, a case that is only supposed, or the very opposite of what is meant."""

BUT = _rx(rf"\b{_any('but')}\b")
"""What follows is granted."""

POINTS = _rx(rf"^{_any('points')}\b")
"""Begins with what only the sentence before it names."""
