"""What a sentence names and says to hold no longer: "this no longer holds: …", "… is obsolete".

Unlike a correction it says the earlier statement again, nearly in its own words, so that what it
ends need not be guessed: only a memory that says the same is meant.
"""

from __future__ import annotations

import re

from ...text.content import content_of
from ...text.sameness import says_the_same
from ...text.sentences import masked_quotes
from . import correction_words as known

_QUOTES = " \t\"'`“”„‚‘’«»"
_FRAME = re.compile(
    r"^(?:from (?:now|today) on|remember(?: that)?|always|ab (?:jetzt|sofort)|von nun an|merke dir"
    r"|immer|a partir de ahora|recuerda(?: que)?|siempre)\b[\s,:—–-]*",
    re.IGNORECASE,
)
LEAST = 4
"""Words of a statement that is named: fewer name nothing."""

SHARED = 2
"""Telling words that two sentences about the same thing have in common."""


def revoked_in(text: str) -> str:
    """The statement that a sentence says to hold no longer; "" where it says no such thing.

    A question, a guess and what is only supposed revoke nothing.
    """
    masked = masked_quotes(text)
    skipped = known.FILLER.match(masked)
    start = skipped.end() if skipped else 0
    if before := known.REVOKES_BEFORE.match(masked[start:]):
        lead, rest = text[: start + before.end()], text[start + before.end() :]
    elif after := known.REVOKES_AFTER.search(masked):
        lead, rest = text[after.start() :], text[start : after.start()]
    else:
        return ""
    if known.DOUBTS.search(lead) or text.rstrip(_QUOTES).endswith("?"):
        return ""
    rest = rest.strip(_QUOTES)
    return rest if len(rest.split()) >= LEAST else ""


def is_of_the_same(text: str, statement: str) -> bool:
    """Whether a sentence that follows a statement speaks of what that spoke of."""
    said, other = content_of(text), content_of(statement)
    return len((said.telling | said.marks) & (other.telling | other.marks)) >= SHARED


def is_revoked(statement: str, memory: str) -> bool:
    """Whether a memory's text is the statement that is said to hold no longer."""
    return says_the_same(_FRAME.sub("", statement), _FRAME.sub("", memory))
