"""How people and agents correct or revoke, in every language that has a file.

A cue alone corrects nothing: what it corrects must be found beside it (`corrections`). Who revokes
says the earlier statement again ("this no longer holds: …", "… is obsolete"), so that what ends
need not be guessed. A bare value stands for the sentence that it was put into: "12 days" for "Keep
backups for 9 days". The words are data (`core/language/`, under `corrects`; "~" is a space).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...judgement.pairs_amounts import UNITS
from ...judgement.replacement import affirmed_in, clauses, denied_in, leaves
from ...text.content import content_of
from ...text.sameness import says_the_same
from ...text.sentences import masked_quotes
from .feelings import DENIES, filler_before
from .phrases import GAP, correcting
from .utterances import Spoken

MOST_CUES = 4  # at the beginning of one sentence: "Wait, no, wrong: actually …"
LEAST = 4  # words of a statement that is named to be revoked: fewer name nothing
LEAST_FILLED = 3  # words of a sentence that a value is put into
SHARED = 2  # telling words that two sentences about the same thing have in common

_QUOTES = " \t\"'`“”„‚‘’«»"


_TAKES_BACK = correcting(rf"^<takes_back>\b{GAP}")
_CHANGES = correcting(r"^(?:<from_now_on>|<changes>)\b[\s,:—–-]*")
_IS_CHANGE = correcting(r"\b(?:<from_now_on>|<is_change>)\b")
_REVOKES_BEFORE = correcting(
    r"^(?:(?:(?:<following>\s)?<over>|<revoked>)\s*(?::|\s[–—-]+\s)|<revokes>\b)[\s,]*"
)
_REVOKES_AFTER = correcting(r"[\s,;:—–-]+(?:<it>\s)?<over>[\s.!]*$")
CHANGES_AT_END = correcting(r"[\s,;—–-]*\b(?:<from_now_on>|<changes_at_end>)[\s.!,;]*$")
"""Another thing holds now, or courtesies, at the end of a sentence."""

_SETS = correcting(r"^<sets>\s+(?=\S)")
"""Puts a value in the place of another without saying of what: "make it 14"."""

DOUBTS = correcting(r"\?\s*$|\b<doubts>\b|^<supposes>\b|<mocks>|🙄|🙃|😏")
"""A question, a guess, a case that is only supposed, or the very opposite of what is meant."""

BUT = correcting(r"\b<but>\b")  # what follows is granted
POINTS = correcting(r"^<points>\b")  # begins with what only the sentence before it names

_NUMBER = re.compile(r"(?<![\w./:-])[€$]?\d+(?:[.,]\d+)*(?![\w/:-]|\.\d)")
_UNIT = re.compile(r"\s?([^\W\d_]+|%|€)")
_OWN_DEEDS = re.compile(r"^(?:i|i'\w+|ich|yo)\b", re.IGNORECASE)
_FRAME = re.compile(
    r"^(?:from (?:now|today) on|remember(?: that)?|always|ab (?:jetzt|sofort)|von nun an|merke dir"
    r"|immer|a partir de ahora|recuerda(?: que)?|siempre)\b[\s,:—–-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cue:
    """The cues of one sentence."""

    spoken: Spoken
    kinds: frozenset[str]  # denies, withdraws, changes, sets
    rest: str  # what is said beside them


def cue_of(one: Spoken) -> Cue | None:
    """How a sentence begins to correct; None where it does not."""
    text, said = one.sentence.text, one.utterance
    masked = masked_quotes(text)
    if one.sentence.kind not in ("text", "item") or DOUBTS.search(masked):
        return None
    kinds: set[str] = set()
    ways = {"withdraws": _TAKES_BACK}
    if said.is_person:
        ways |= {"denies": DENIES, "changes": _CHANGES}
    at = 0
    for _ in range(MOST_CUES):
        at += filler_before(masked[at:])
        begun = {kind: found for kind, way in ways.items() if (found := way.match(masked[at:]))}
        if not begun:
            break
        kind, found = next(iter(begun.items()))
        kinds.add(kind)
        at += found.end()
    rest = text[at:].strip()
    if said.is_person:
        is_first_after_refusal = said.after_refusal and said.place == 0
        if _IS_CHANGE.search(masked) or leaves(masked) or is_first_after_refusal:
            kinds.add("changes")
        if _SETS.match(rest) or _is_only_a_value(one):
            kinds.add("sets")
    return Cue(one, frozenset(kinds), rest) if kinds else None


def _is_only_a_value(one: Spoken) -> bool:
    """Whether a prompt is a number and no more, and answers no question."""
    said = one.utterance
    return (
        said.of == 1
        and len(tokens := affirmed_in(one.sentence.text).tokens) == 1
        and tokens[0].quantity is not None
        and not said.other.rstrip().endswith("?")
    )


def has_content(text: str) -> bool:
    """Whether anything is said but courtesies."""
    bare = CHANGES_AT_END.sub("", text)
    return bool(affirmed_in(bare).tokens or denied_in(bare).tokens)


def revoked_in(text: str) -> str:
    """The statement that a sentence says to hold no longer; "" where it says no such thing.

    A question, a guess and what is only supposed revoke nothing.
    """
    masked = masked_quotes(text)
    start = filler_before(masked)
    if before := _REVOKES_BEFORE.match(masked[start:]):
        lead, rest = text[: start + before.end()], text[start + before.end() :]
    elif after := _REVOKES_AFTER.search(masked):
        lead, rest = text[after.start() :], text[start : after.start()]
    else:
        return ""
    rest = rest.strip(_QUOTES)
    is_doubted = DOUBTS.search(lead) or text.rstrip(_QUOTES).endswith("?")
    return "" if is_doubted or len(rest.split()) < LEAST else rest


def is_of_the_same(text: str, statement: str) -> bool:
    """Whether a sentence that follows a statement speaks of what that spoke of."""
    said, other = content_of(text), content_of(statement)
    return len((said.telling | said.marks) & (other.telling | other.marks)) >= SHARED


def is_revoked(statement: str, memory: str) -> bool:
    """Whether a memory's text is the statement that is said to hold no longer."""
    return says_the_same(_FRAME.sub("", statement), _FRAME.sub("", memory))


def filled(words: str, said: str) -> str:
    """`said` with another value, as `words` give it; "" where that is not plain.

    `words` must be a value and nothing else, and `said` hold exactly one of its kind.
    """
    said = said.strip()
    bare = CHANGES_AT_END.sub("", _SETS.sub("", words)).strip(" .,;:!")
    bare = CHANGES_AT_END.sub("", bare).strip(" .,;:!")
    if len(said.split()) < LEAST_FILLED or POINTS.match(said) or _OWN_DEEDS.match(said):
        return ""
    said_now, denied = affirmed_in(bare).tokens, denied_in(bare).tokens
    if len(said_now) != 1 or said_now[0].quantity is None or len(denied) > 1:
        return ""
    if denied and not any(token.root == denied[0].root for token in affirmed_in(said).tokens):
        return ""
    made = _with_number(clauses(bare)[0].affirmed, said)
    return made if made != said else ""


def _with_number(new: str, said: str) -> str:
    given = _NUMBER.search(new)
    if given is None:
        return ""
    unit = _unit_after(new, given.end())
    places = [
        found
        for found in _NUMBER.finditer(said)
        if not unit or _kind(_unit_after(said, found.end())) == _kind(unit)
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
