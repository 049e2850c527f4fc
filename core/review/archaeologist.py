"""How much of it is not known yet? Compares a text with the memories near to it (000-26)."""

from __future__ import annotations

import re

from ..answers import Neighbour
from .common_words import is_common, is_trade
from .decision import ARCHAEOLOGIST
from .reading import is_empty, read
from .reviewer import SHOWN, Subject, Vote

MOST_COMPARED = 8  # neighbours looked at, nearest first
RESTATED_FROM = 0.85  # part of a text's telling words that one neighbour must have (0-1)
LEAST_TERMS = 3  # under so many telling words, likeness proves nothing
NOTHING_NEW = 2.0
SOMETHING_NEW = 3.0
UNHEARD_OF = 9.0

_TERM = re.compile(r"[\w./-]*\w")
_NUMBER = re.compile(r"\d+")
_DENIED = re.compile(
    r"\b(?:not|never|no|don't|cannot|can't|without|instead of|rather than|nicht|nie|kein\w*|pas"
    r"|jamais|nunca)\b([^,;.:]{0,80})"
)


class Archaeologist:
    """Scores novelty against what is known, 1-10."""

    is_instant = True

    @property
    def name(self) -> str:
        return ARCHAEOLOGIST

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        reading = read(subject.content)
        if reading.is_talk or is_empty(subject, reading):
            return Vote(
                self.name,
                score=NOTHING_NEW,
                is_trivial=True,
                reason="It tells nothing that could be new.",
            )
        score, why = novelty(subject)
        return Vote(self.name, score=score, reason=why)


def novelty(subject: Subject) -> tuple[float, str]:
    """Novelty 1-10, and the reason."""
    if not subject.neighbours:
        return UNHEARD_OF, "Nothing like it is known."
    if known := restated(subject):
        return NOTHING_NEW, f"It is known already: “{known}”."
    near, share = max(
        ((one, _share_known(subject.content, one)) for one in subject.neighbours[:MOST_COMPARED]),
        key=lambda pair: pair[1],
    )
    score = round(UNHEARD_OF - (UNHEARD_OF - SOMETHING_NEW) * share, 1)
    if share < 0.35:
        return score, "Little like it is known."
    return score, f"It adds to what is known: “{_headline(near)}”."


def restated(subject: Subject) -> str | None:
    """The headline of a neighbour that says all of it already, or None.

    Another name, another number or another thing denied makes it another statement, however
    alike the words are.
    """
    for one in subject.neighbours[:MOST_COMPARED]:
        if _says_all_of(one.content, subject.content):
            return _headline(one)
    return None


def _says_all_of(known: str, content: str) -> bool:
    own, theirs = terms(content), terms(known)
    if len(own) < LEAST_TERMS or len(own & theirs) < RESTATED_FROM * len(own):
        return False
    names = {term for term in own if not is_common(term)}
    numbers = set(_NUMBER.findall(content[:SHOWN]))
    return (
        names <= theirs
        and numbers <= set(_NUMBER.findall(known[:SHOWN]))
        and _denied(content) == _denied(known)
    )


def _denied(content: str) -> frozenset[str]:
    """The telling words that stand behind a "not": what the text speaks against."""
    return terms(" ".join(_DENIED.findall(content[:SHOWN].lower())))


def _share_known(content: str, known: Neighbour) -> float:
    """The part of the telling words of `content` that `known` has too, 0-1."""
    own = terms(content)
    return len(own & terms(known.content)) / len(own) if own else 0.0


def terms(content: str) -> frozenset[str]:
    """The words that carry a text, small and without the commonest endings."""
    words = (word.lower() for word in _TERM.findall(content[:SHOWN]))
    return frozenset(
        _stem(word) for word in words if len(word) > 1 and (is_trade(word) or not is_common(word))
    )


def _headline(known: Neighbour) -> str:
    """What a person knows it by, at most 80 characters."""
    told = (known.title or known.content).strip().rstrip(".")
    return told if len(told) <= 80 else told[:79].rstrip() + "…"


def _stem(word: str) -> str:
    """`word` without the ending that grammar gives it: store, stores, stored and storing agree."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word.removesuffix("e") if len(word) > 3 else word
