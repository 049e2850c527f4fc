"""The reviewers that ask nobody: what the fitted score says, what is known, what the person did.

The score knows what is worth keeping; who votes by it adds no opinion of the text. What a person
did next is an act and no sign among others: it holds an agent's word below what is established, and
refuses it where the score alone would hardly have let it in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..answers import Salience
from ..judgement.weights import threshold
from ..values import importance_10
from .decision import ANALYZER, ARCHAEOLOGIST, PATTERNS
from .reviewer import BUILT_IN, SHOWN, Subject, Vote, headline

BARELY = 1.0
"""How far above the bar for candidates a score is barely above it:
there about one sentence of three is at least borderline."""

REFUSED = 3.0
"""Score (1-10) of what is refused: for what the person did next, or since it is known already."""

RESTATED_FROM = 0.85
"""Likeness (0-1) from which a memory says the same, however strict the settings are."""

USABLE = 5.0
"""Relevance (1-10) of what is at the bar: the least that passes."""

UNHEARD_OF, KNOWN = 9.0, 2.0  # novelty, 1-10, of what shares nothing with the store, and all
LITTLE = 0.35  # likeness (0-1) under which nothing is named
BASE, ON_SECURITY = 5.0, 8.0

OBJECTIONS: Mapping[str, str] = {
    "interrupted": "The person interrupted the agent there",
    "rejected": "The person turned down what the agent was about to do",
    "contested": "The person contradicted it in the next words",
}

_SECURITY = re.compile(
    r"auth(?!or(?:s|ed|ing|ship)?\b|orit)|password|passwd|token|encrypt|decrypt|vulnerab",
    re.IGNORECASE,
)
"""Auth in all its forms, authorisation too; authors and authorities are somebody else."""


@dataclass(frozen=True)
class Scorer:
    """A reviewer that computes, so that it needs neither time nor a thread."""

    name: str
    vote: Callable[[str, Subject], Vote]
    engine = BUILT_IN
    is_instant = True

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote."""
        return self.vote(self.name, subject)


def outweighed(subject: Subject) -> Salience | None:
    """The subject's score; not established any more where the person spoke against it."""
    score = subject.salience
    return replace(score, is_established=False) if score and _objection(subject) else score


def _objection(subject: Subject) -> str:
    """What the person did that speaks against an agent's sentence, in words; "" for nothing."""
    return "" if subject.is_person else OBJECTIONS.get(subject.exchange.reaction, "")


def _is_barely_above(subject: Subject) -> bool:
    """Whether the score lets it in by a hair; False of what has none."""
    if subject.salience is None:
        return False
    return subject.salience.score - threshold(is_person=subject.is_person) < BARELY


def _weighed(name: str, subject: Subject, score: float, why: str) -> Vote:
    """A vote by the score, where the person did not speak against it."""
    against = _objection(subject)
    if against and _is_barely_above(subject):
        why = f"{against}, and the score is barely above the bar."
        return Vote(name, score=min(score, REFUSED), is_trivial=True, reason=why)
    if against:
        why = f"{against}: it is not established. {why}"
    return Vote(name, score=score, reason=why)


def _importance(name: str, subject: Subject) -> Vote:
    """Importance 1-10, whole: as the score or the rule that found it gives it."""
    importance = float(importance_10(min(1.0, max(0.0, subject.importance))))
    if subject.salience is None:
        return _weighed(name, subject, importance, "It is taken at the word of whoever offers it.")
    signs = [words for words, part in subject.salience.reasons if part > 0]
    most = f", mostly for “{signs[0]}”" if signs else ""
    why = f"{subject.salience.worth_keeping:.0%} likely worth keeping{most}."
    return _weighed(name, subject, importance, why)


def _relevance(name: str, subject: Subject) -> Vote:
    """Relevance 1-10: from 5 at the bar to 10 for what is surely worth a look."""
    if subject.likeness >= RESTATED_FROM:
        why = f"A memory says it already: “{headline(subject.neighbours[0])}”."
        return Vote(name, score=REFUSED, reason=why)
    share, why = subject.importance, "Nothing had to be judged."
    if subject.salience is not None:
        share = subject.salience.worth_a_look
        why = f"{share:.0%} likely worth a second look."
    return _weighed(name, subject, round(USABLE + 5 * min(1.0, max(0.0, share)), 1), why)


def _novelty(name: str, subject: Subject) -> Vote:
    """Novelty against what is known, `UNHEARD_OF` to `KNOWN`."""
    if not subject.neighbours:
        return Vote(name, score=UNHEARD_OF, reason="Nothing like it is known.")
    likeness = min(1.0, max(0.0, subject.likeness))
    why = f"{likeness:.0%} like what is known: “{headline(subject.neighbours[0])}”."
    why = "Little like it is known." if likeness < LITTLE else why
    return Vote(name, score=round(UNHEARD_OF - (UNHEARD_OF - KNOWN) * likeness, 1), reason=why)


def _security(name: str, subject: Subject) -> Vote:
    """Scores 5, and 3 more for what speaks of auth, password, token, encryption, vulnerability."""
    if _SECURITY.search(subject.content[:SHOWN]):
        return Vote(name, score=ON_SECURITY, reason="It is about access, secrets or their defence.")
    return Vote(name, score=BASE, reason="It has nothing to do with security.")


SCORERS: Mapping[str, Scorer] = {
    name: Scorer(name, vote)
    for name, vote in (
        (ANALYZER, _importance),
        (PATTERNS, _relevance),
        (ARCHAEOLOGIST, _novelty),
        ("security", _security),
    )
}
"""By name."""
