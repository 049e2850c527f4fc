"""Does a correction take the place of an earlier claim? Each is what it affirms and what it denies.

The fitted judge of pairs alone is right too seldom for a memory to be retired on its word: it
takes "the admin API listens on 9090" for the opposite of "the API listens on 8080". So a correction
must name what it replaces, or give another value of the very same thing, where the judge must not
think that both hold. What is doubtful replaces nothing. Standard library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from . import pairs_words as known
from .pairs import judge
from .pairs_beside import MATCHED, UNSEEN, partner_of
from .pairs_note import Note, Token, read
from .weights import boosted

BOTH_MAY_HOLD = 0.7
"""From this probability on that two notes both hold, neither takes the place of the other."""

COVERED = 0.5
"""Share of a text's words, by rarity, that the other must have to speak of the same thing."""

COMMON = 4.7
"""Rarity up to which a word stands in many notes; a single word of a subject weighs more."""

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
_BIT = r"[^,;:.!?]{1,80}?"
_LEFT = tuple(
    re.compile(
        pattern.replace("WHAT", r"(?P<what>[^,;:.!?]{0,80}?)")
        .replace("OLD", f"(?P<old>{_BIT})")
        .replace("NEW", r"(?P<new>[^,;:.!?]+)"),
        re.IGNORECASE,
    )
    for pattern in (
        r"\b(?:moved|switched|migrated|changed)\bWHAT\s(?:away )?from OLD\s(?:over )?to\sNEW",
        r"\breplaced OLD\s(?:with|by)\sNEW",
        r"\b(?P<new>\S+(?:\s\S+){0,2})(?<!which)(?<!that) (?:replaces|ha(?:s|ve) replaced)"
        r" (?P<old>[^,;:.!?]+)",
        r"\b(?:dropped|abandoned|ditched|gave up on|got rid of)\s(?P<old>[^,;:.!?]+)",
        r"(?:^|(?<=[,;.!?:]\s))(?P<old>\S+(?:\s\S+){0,3}) (?:is|are) (?:gone|history)\b",
        r"\bvon OLD (?:auf|zu) (?P<new>[^,;:.!?]+?) (?:umgestiegen|gewechselt|umgestellt)\b",
        r"\bOLD durch (?P<new>[^,;:.!?]+?) ersetzt\b",
        r"\b(?:pasado|cambiado|migrado|pasamos|cambiamos|migramos)WHAT\sde OLD\sa\sNEW",
    )
)
"""Says that one thing was left for another: what was left is denied."""

_ASIDE = re.compile(r"\b(?:over|more than)\s+\d")
_LABEL = re.compile(r"\b([^\W\d_]{2,}) (\d{1,3})\b(?! ?[\w%°€$£])")
_FINITE = frozenset(
    "is are was were has have will must may can should ist sind war waren wird werden muss müssen"
    " soll sollen es son está están era eran debe deben".split()
)
_PLAIN = frozenset(known.PLAIN)
_WORD = re.compile(r"[^\s()\[\]{}\"“”„`]+")


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
    for way in _LEFT:
        text = way.sub(_turned, text)
    for piece in _CLAUSE.split(text):
        for part in _BEFORE_REASON.split(piece):
            stop = None if _ASIDE.search(part) else _DENIED.search(part)
            affirmed, denied = (part[: stop.start()], part[stop.end() :]) if stop else (part, "")
            if part.strip():
                found.append(Clause(affirmed, denied, _REASON.match(part.strip()) is not None))
    return tuple(found)


def _turned(found: re.Match[str]) -> str:
    """ "switched from npm to pnpm" as "to pnpm, not npm"."""
    told = {"what": "", "new": "", **{k: v or "" for k, v in found.groupdict().items()}}
    return f"{told['what']} {told['new']}, not {told['old']}, "


def leaves(text: str) -> bool:
    """Whether `text` says that one thing was left for another."""
    return any(way.search(text) for way in _LEFT)


def says_instead(text: str) -> bool:
    """Whether `text` says what is so, and not only what is not."""
    return any(not one.denied and read(one.affirmed).tokens for one in clauses(text))


def affirmed_in(text: str) -> Note:
    """What `text` says is so, read."""
    return read("; ".join(one.affirmed for one in clauses(text)))


def denied_in(text: str) -> Note:
    """What `text` says is not so, read."""
    return read("; ".join(one.denied for one in clauses(text)))


def replaces(correction: str, claim: str, *, is_near: bool = False) -> bool:
    """Whether `claim` no longer holds when `correction` does. Raises DamagedWeights.

    `is_near`: the claim was said just before, so that the correction need not name what both are
    about. Elsewhere it must, and of a value the judge of pairs must not think that both hold.
    """
    if read(correction) == read(claim):
        return False
    if _denies_it(correction, claim, is_near):
        return True
    if not _gives_another_value(correction, claim, is_near):
        return False
    return is_near or judge(correction, claim).both < BOTH_MAY_HOLD


def speaks_of(denial: str, claim: str) -> bool:
    """Whether a denial of what was just said is about `claim`.

    It begins with a name that the claim has, or half of its words, and two at least, stand there.
    """
    said, told = read(denial), read(claim)
    words = _words(said)
    if not words:
        return False
    name = words[0].root  # perhaps with a folder before it or a line behind: orders/a.py:88
    called = (r == name or f"/{name}" in r or r.startswith(f"{name}:") for r in told.first)
    if words[0].is_name and any(called):
        return True
    common = {token.root for token in _in(words, told)}
    return len(common) >= 2 and _covered(said, told) >= COVERED


def _denies_it(correction: str, claim: str, is_near: bool) -> bool:
    """Whether it denies what the claim affirms and says what holds instead, or the reverse."""
    said, denied = affirmed_in(correction), denied_in(correction)
    told, refused = affirmed_in(claim), denied_in(claim)
    everything = read(correction)
    stated = read("; ".join(one.affirmed for one in clauses(claim) if not one.is_reason))
    is_retracted = any(
        one.denied and _in(read(one.affirmed).tokens, told) for one in clauses(correction)
    )
    left = [one for one in denied.tokens if not _in([one], said)]
    old = _in(left, told)
    is_named = (2 * len(old) > len(left) or any(one.is_name for one in old)) and not any(
        one.is_name for one in _out(denied.tokens, told)
    )
    shared = _in(said.tokens, told)
    is_turned = bool(refused.tokens and shared) and not _out(refused.tokens, said)
    if is_named and (_out(said.tokens, told) or is_retracted):
        if is_near:
            return bool(shared) or len(said.tokens) <= 2
    elif not is_turned:
        return False
    fresh = [one for one in _out(_words(said), told) if one.is_scoped]
    return (
        (len(shared) > 0 or len(old) > 1)
        and len(fresh) <= max(1, len(old))
        and ((is_named and is_turned) or _covered(stated, everything) >= COVERED)
        and not _is_narrower(correction, claim)
    )


def _gives_another_value(correction: str, claim: str, is_near: bool) -> bool:
    """Whether a clause of each gives one number or amount, of one kind, and they differ."""
    for mine, theirs in product(_valued(correction), _valued(claim)):
        one, other = read(mine.affirmed), read(theirs.affirmed)
        if _labels(mine.affirmed) != _labels(theirs.affirmed):
            continue
        if not _differ(_unlabelled(mine.affirmed), _unlabelled(theirs.affirmed)):
            continue
        shared = _in(_words(one), other)
        if not shared or _covered(one, other, of_words=True) < COVERED:
            continue
        alone = [*_out(_words(other), one), *_out(_words(one), other)]
        if is_near or (
            not (mine.is_reason or theirs.is_reason)
            and max(map(_rarity, shared)) > COMMON
            and not any(token.is_name or token.is_scoped for token in alone)
            and _covered(other, one, of_words=True) >= COVERED
            and not _is_narrower(mine.affirmed, theirs.affirmed)
            and not _is_narrower(theirs.affirmed, mine.affirmed)
        ):
            return True
    return False


def _valued(text: str) -> list[Clause]:
    return [one for one in clauses(text) if read(one.affirmed).amounts]


def _differ(one: Note, other: Note) -> bool:
    mine, theirs = one.amounts, other.amounts
    kinds = mine.keys() & theirs.keys()
    return bool(kinds) and all(
        len(mine[kind]) == len(theirs[kind]) == 1 and mine[kind] != theirs[kind] for kind in kinds
    )


def _labels(text: str) -> set[str]:
    """What is told apart by a number behind a noun: "service 7", "crane 12"; not "keep 9 days"."""
    return {found[0].lower() for found in _LABEL.finditer(text) if _is_noun(found[1])}


def _unlabelled(text: str) -> Note:
    return read(_LABEL.sub(lambda found: found[1] if _is_noun(found[1]) else found[0], text))


def _is_noun(word: str) -> bool:
    return word.lower() not in _FINITE | known.PREPOSITIONS


def _is_narrower(text: str, other: str) -> bool:
    """Whether a word that only `text` has stands right before one that both have: "admin API".

    A common first word of a clause without "is" or "must" is taken for a verb: "Keep backups".
    """
    note = read(other)
    for clause in clauses(text):
        words = [word.lower() for word in _WORD.findall(clause.affirmed)]
        is_order = not _FINITE & {*words}
        is_first, before = True, ""
        for word, following in pairwise(words):
            mine = read(word).tokens
            if mine and word[-1] not in ",;:" and not mine[0].quantity:
                is_verb = is_order and is_first and _rarity(mine[0]) <= COMMON
                is_first = False
                may_narrow = not (is_verb or before in known.PREPOSITIONS or _in(mine, note))
                if may_narrow and _in(_words(read(following)), note):
                    return True
            before = word
    return False


def _covered(note: Note, other: Note, *, of_words: bool = False) -> float:
    tokens = _words(note) if of_words else note.tokens
    whole = sum(map(_rarity, tokens))
    return sum(map(_rarity, _in(tokens, other))) / whole if whole else 0.0


def _words(note: Note) -> list[Token]:
    return [one for one in note.tokens if not one.quantity and one.root not in _PLAIN]


def _rarity(token: Token) -> float:
    rarity = boosted("pairs").rarity
    return rarity.get(token.root, rarity.get(UNSEEN, 7.0))


def _in(tokens: Sequence[Token], note: Note) -> list[Token]:
    return [one for one in tokens if partner_of(one, note) >= MATCHED]


def _out(tokens: Sequence[Token], note: Note) -> list[Token]:
    return [one for one in tokens if partner_of(one, note) < MATCHED]
