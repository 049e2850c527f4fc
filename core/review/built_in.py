"""The reviewers that ask nobody: what the fitted score says, what is known, what the person did.

The score knows what is worth keeping; who votes by it adds no opinion of the text. What a person
did next is an act and no sign among others: it holds an agent's word below what is established, and
refuses it where the score alone would hardly have let it in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ..answers import Salience
from ..judgement.salience import bar
from ..judgement.weights import DamagedWeights
from ..values import importance_10
from .decision import ANALYZER, ARCHAEOLOGIST, PATTERNS
from .reviewer import BUILT_IN, SHOWN, Subject, Vote, headline

BARELY = 1.0
"""How far above the bar for candidates a score is barely above it:
there about one sentence of three is at least borderline."""

OBJECTED = 3.0
"""Score (1-10) of what is refused for what the person did next."""

RESTATED = 3.0
"""Relevance (1-10) of what is known already; it is refused."""

RESTATED_FROM = 0.85
"""Likeness (0-1) from which a memory says the same (001-06), however strict the settings are."""

USABLE = 5.0
"""Relevance (1-10) of what is at the bar: the least that passes (000-29)."""

OBJECTIONS: Mapping[str, str] = {
    "interrupted": "The person interrupted the agent there",
    "rejected": "The person turned down what the agent was about to do",
    "contested": "The person contradicted it in the next words",
}


def objection(subject: Subject) -> str:
    """What the person did that speaks against an agent's sentence, in words; "" for nothing."""
    return "" if subject.is_person else OBJECTIONS.get(subject.exchange.reaction, "")


def is_barely_above(subject: Subject) -> bool:
    """Whether the score lets it in by a hair; False of what has none."""
    if subject.salience is None:
        return False
    try:
        return subject.salience.score - bar(is_person=subject.is_person) < BARELY
    except DamagedWeights:
        return False


def outweighed(subject: Subject) -> Salience | None:
    """The subject's score; not established any more where the person spoke against it."""
    score = subject.salience
    return replace(score, is_established=False) if score and objection(subject) else score


class Analyzer:
    """Scores importance 1-10 (000-26), whole: as the score or the rule that found it gives it."""

    engine = BUILT_IN
    is_instant = True

    @property
    def name(self) -> str:
        return ANALYZER

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        importance = float(importance_10(min(1.0, max(0.0, subject.importance))))
        if subject.salience is None:
            why = "It is taken at the word of whoever offers it."
        else:
            why = f"{subject.salience.worth_keeping:.0%} likely worth keeping{_first(subject)}."
        return _vote(self.name, subject, importance, why)


class Patterns:
    """Scores relevance 1-10 (000-26): from 5 at the bar to 10 for what is surely worth a look."""

    engine = BUILT_IN
    is_instant = True

    @property
    def name(self) -> str:
        return PATTERNS

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        if subject.salience is None:
            share, why = subject.importance, "Nothing had to be judged."
        else:
            share = subject.salience.worth_a_look
            why = f"{share:.0%} likely worth a second look."
        relevance = round(USABLE + 5 * min(1.0, max(0.0, share)), 1)
        if subject.likeness >= RESTATED_FROM:
            why = f"A memory says it already: “{headline(subject.neighbours[0])}”."
            return Vote(self.name, score=RESTATED, reason=why)
        return _vote(self.name, subject, relevance, why)


def _vote(name: str, subject: Subject, score: float, why: str) -> Vote:
    against = objection(subject)
    if against and is_barely_above(subject):
        why = f"{against}, and the score is barely above the bar."
        return Vote(name, score=min(score, OBJECTED), is_trivial=True, reason=why)
    if against:
        why = f"{against}: it is not established. {why}"
    return Vote(name, score=score, reason=why)


def _first(subject: Subject) -> str:
    """The sign that speaks for it most: `, since it gives a reason`; "" without one."""
    assert subject.salience is not None
    told = [words for words, part in subject.salience.reasons if part > 0]
    return f", mostly for “{told[0]}”" if told else ""


UNHEARD_OF = 9.0  # novelty, 1-10, of what shares nothing with the store
KNOWN = 2.0  # of what the store says already
LITTLE = 0.35  # likeness (0-1) under which nothing is named


class Archaeologist:
    """Scores novelty against what is known, 1-10."""

    engine = BUILT_IN
    is_instant = True

    @property
    def name(self) -> str:
        return ARCHAEOLOGIST

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        score, why = novelty(subject)
        return Vote(self.name, score=score, reason=why)


def novelty(subject: Subject) -> tuple[float, str]:
    """Novelty, `UNHEARD_OF` to `KNOWN`, and the reason."""
    if not subject.neighbours:
        return UNHEARD_OF, "Nothing like it is known."
    likeness = min(1.0, max(0.0, subject.likeness))
    score = round(UNHEARD_OF - (UNHEARD_OF - KNOWN) * likeness, 1)
    if likeness < LITTLE:
        return score, "Little like it is known."
    return score, f"{likeness:.0%} like what is known: “{headline(subject.neighbours[0])}”."


BASE = 5.0
ON_SECURITY = 3.0

_WORDS = re.compile(
    r"auth(?!or(?:s|ed|ing|ship)?\b|orit)|password|passwd|token|encrypt|decrypt|vulnerab",
    re.IGNORECASE,
)
"""Auth in all its forms, authorisation too; authors and authorities are somebody else."""


class Security:
    """Scores 5, and 3 more for what speaks of auth, password, token, encryption, vulnerability.

    `(*built_in_panel(), Security())` makes a panel of four.
    """

    engine = BUILT_IN
    is_instant = True

    @property
    def name(self) -> str:
        return "security"

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        found = _WORDS.search(subject.content[:SHOWN])
        if not found:
            return Vote(self.name, score=BASE, reason="It has nothing to do with security.")
        score = min(10.0, BASE + ON_SECURITY)
        return Vote(self.name, score=score, reason="It is about access, secrets or their defence.")
