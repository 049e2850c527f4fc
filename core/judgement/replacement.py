"""Does a correction take the place of an earlier claim? Each is what it affirms and what it denies.

The fitted judge of pairs alone is right too seldom for a memory to be retired on its word: it
takes "the admin API listens on 9090" for the opposite of "the API listens on 8080". So a correction
must name what it replaces, or say the same with another amount. What is doubtful replaces nothing.
On 448 real sessions other ways of telling found nothing, or what was not meant. Standard library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from . import pairs_words as known
from .pairs_beside import MATCHED, UNSEEN, partner_of
from .pairs_note import Note, Token, read
from .weights import boosted

COVERED = 0.5
"""Share of a text's words, by rarity, that the other must have to speak of the same thing."""

_CLAUSE = re.compile(
    r"[,;:]\s+|[.!?…]+(?:\s+|$)|\s[–—-]+\s|\s+(?:but|sondern|sino|pero|aber)\s+", re.IGNORECASE
)
_REASON = re.compile(
    r"^(?:because|since|as|so that|weil|da|damit|porque|ya que|para que)\b", re.IGNORECASE
)
_BEFORE_REASON = re.compile(
    r"\s+(?=(?:because|since|so that|weil|damit|porque|ya que|para que)\b)", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:not|never|no longer|instead of|rather than|over|nicht(?: mehr)?|kein(?:e[nmrs]?)?|nie"
    r"|anstatt|statt|anstelle von|nunca|ya no|no|en vez de|en lugar de)\b"
    r"(?!\s+(?:only|just|more|less|later|earlier|fewer|nur|mehr als|sólo|solo|más|menos)\b)",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r"\s+any ?more\b", re.IGNORECASE)
_ASIDE = re.compile(r"\b(?:over|more than)\s+\d")
_PLAIN = frozenset(known.PLAIN)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, cut where it begins to deny."""

    affirmed: str
    denied: str
    is_reason: bool


@lru_cache(maxsize=256)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of `text` in order."""
    found = []
    text = text.replace("’", "'").replace("can't", "can not").replace("won't", "will not")
    text = _ANY_MORE.sub("", text.replace("n't", " not"))
    for piece in _CLAUSE.split(text):
        for part in _BEFORE_REASON.split(piece):
            stop = None if _ASIDE.search(part) else _DENIED.search(part)
            affirmed, denied = (part[: stop.start()], part[stop.end() :]) if stop else (part, "")
            if part.strip():
                found.append(Clause(affirmed, denied, _REASON.match(part.strip()) is not None))
    return tuple(found)


def says_instead(text: str) -> bool:
    """Whether `text` says what is so, and not only what is not."""
    return any(not one.denied and read(one.affirmed).tokens for one in clauses(text))


def affirmed_in(text: str) -> Note:
    """What `text` says is so, read."""
    return read("; ".join(one.affirmed for one in clauses(text)))


def denied_in(text: str) -> Note:
    """What `text` says is not so, read."""
    return read("; ".join(one.denied for one in clauses(text)))


def replaces(correction: str, claim: str) -> bool:
    """Whether `claim` no longer holds when `correction` does. Raises DamagedWeights.

    It must deny what the claim affirms, or say the same with another amount.
    """
    if read(correction) == read(claim):
        return False
    return _denies_it(correction, claim) or _gives_another_amount(correction, claim)


def speaks_of(denial: str, claim: str) -> bool:
    """Whether a denial of what was just said is about `claim`.

    It begins with a name that the claim has, or half of its words, and two at least, stand there.
    """
    said, told = read(denial), read(claim)
    words = _words(said)
    if not words:
        return False
    common = _in(words, told)
    if words[0].is_name and any(_is_called(words[0].root, one.root) for one in told.tokens):
        return True
    return len({token.root for token in common}) >= 2 and _covered(said, told) >= COVERED


def _denies_it(correction: str, claim: str) -> bool:
    """Whether it denies what the claim affirms and says what holds instead, or the reverse."""
    said, denied = affirmed_in(correction), denied_in(correction)
    told, refused = affirmed_in(claim), denied_in(claim)
    left = [one for one in denied.tokens if not _in([one], said)]
    old = _in(left, told)
    is_named = (2 * len(old) > len(left) or any(one.is_name for one in old)) and not any(
        one.is_name for one in _out(denied.tokens, told)
    )
    is_named = is_named and bool(_out(said.tokens, told) or _is_retracted(correction, told))
    shared = _in(said.tokens, told)
    is_turned = bool(refused.tokens and shared) and not _out(refused.tokens, said)
    if not (is_named or is_turned):
        return False
    fresh = [one for one in _out(_words(said), told) if one.is_scoped]
    return (
        (len(shared) > 0 or len(old) > 1)
        and len(fresh) <= max(1, len(old))
        and not _is_narrower(said, told)
        and ((is_named and is_turned) or _covered(_stated(claim), read(correction)) >= COVERED)
    )


def _is_narrower(said: Note, told: Note) -> bool:
    """Whether a word that only the one has stands right before what both speak of: "admin API"."""
    return any(
        not (_in([before], told) or before.quantity or before.is_scoped or after.is_scoped)
        and bool(_in([after], told))
        for before, after in pairwise(said.tokens)
    )


def _gives_another_amount(correction: str, claim: str) -> bool:
    """Whether one says the other's words and no more, with another amount of one kind."""
    mine, theirs = affirmed_in(correction), affirmed_in(claim)
    if _out(_words(mine), theirs) or _out(_words(theirs), mine):
        return False
    own, other = mine.amounts, theirs.amounts
    kinds = [kind for kind in {*own, *other} if own.get(kind) != other.get(kind)]
    return len(kinds) == 1 and all(len(each.get(kinds[0], ())) == 1 for each in (own, other))


def _is_called(name: str, other: str) -> bool:
    """Whether two names are one, perhaps with a folder before or a line behind: orders/a.py:88."""
    return other == name or f"/{name}" in other or other.startswith(f"{name}:")


def _stated(text: str) -> Note:
    """What it affirms, reasons left out."""
    return read("; ".join(one.affirmed for one in clauses(text) if not one.is_reason))


def _is_retracted(correction: str, told: Note) -> bool:
    """Whether one clause has a subject that is known and denies something of it."""
    return any(one.denied and _in(read(one.affirmed).tokens, told) for one in clauses(correction))


def _covered(note: Note, other: Note) -> float:
    whole = sum(map(_rarity, note.tokens))
    return sum(map(_rarity, _in(note.tokens, other))) / whole if whole else 0.0


def _words(note: Note) -> list[Token]:
    return [one for one in note.tokens if not one.quantity and one.root not in _PLAIN]


def _rarity(token: Token) -> float:
    rarity = boosted("pairs").rarity
    return rarity.get(token.root, rarity.get(UNSEEN, 7.0))


def _in(tokens: Sequence[Token], note: Note) -> list[Token]:
    return [one for one in tokens if partner_of(one, note) >= MATCHED]


def _out(tokens: Sequence[Token], note: Note) -> list[Token]:
    return [one for one in tokens if partner_of(one, note) < MATCHED]
