"""A bare value in the place of the one that was said: "12 days" for "Keep backups for 9 days"."""

from __future__ import annotations

import re

from ...judgement.pairs_amounts import UNITS
from ...judgement.replacement import affirmed_in, clauses, denied_in
from . import correction_cues as known

LEAST_WORDS = 3
"""Of a sentence that a value is put into."""

_NUMBER = re.compile(r"(?<![\w./:-])[€$]?\d+(?:[.,]\d+)*(?![\w/:-]|\.\d)")
_UNIT = re.compile(r"\s?([^\W\d_]+|%|€)")
_OWN_DEEDS = re.compile(r"^(?:i|i'\w+|ich|yo)\b", re.IGNORECASE)


def filled(words: str, said: str) -> str:
    """`said` with another value, as `words` give it; "" where that is not plain.

    `words` must be a value and nothing else, and `said` hold exactly one of its kind.
    """
    made = _filled(words, said.strip())
    return made if made != said.strip() else ""


def _filled(words: str, said: str) -> str:
    bare = known.CHANGES_AT_END.sub("", known.SETS.sub("", words)).strip(" .,;:!")
    bare = known.CHANGES_AT_END.sub("", bare).strip(" .,;:!")
    if len(said.split()) < LEAST_WORDS or known.POINTS.match(said) or _OWN_DEEDS.match(said):
        return ""
    said_now, denied = affirmed_in(bare).tokens, denied_in(bare).tokens
    if len(said_now) != 1 or said_now[0].quantity is None or len(denied) > 1:
        return ""
    if denied and not any(token.root == denied[0].root for token in affirmed_in(said).tokens):
        return ""
    return _with_number(clauses(bare)[0].affirmed, said)


def _with_number(new: str, said: str) -> str:
    given = _NUMBER.search(new)
    if given is None:
        return ""
    unit = _unit_after(new, given.end())
    kind = _kind(unit)
    places = [
        found
        for found in _NUMBER.finditer(said)
        if not kind or _kind(_unit_after(said, found.end())) == kind
    ]
    if len(places) != 1:
        return ""
    start, end = places[0].span()
    if not unit:
        return f"{said[:start]}{given[0]}{said[end:]}"
    old = _unit_after(said, end)
    end += len(said[end:]) - len(said[end:].lstrip()) + len(old)
    return f"{said[:start]}{new[given.start() :].strip()}{said[end:]}"


def _kind(unit: str) -> str:
    return str(UNITS[unit][0]) if unit else ""


def _unit_after(text: str, end: int) -> str:
    """The unit that stands right behind a number; "" where none does."""
    found = _UNIT.match(text, end)
    unit = str(found[1]).lower() if found else ""
    return unit if unit in UNITS else ""
