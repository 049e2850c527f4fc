"""How much of it is not known yet? Its likeness to the nearest of what is known (000-26)."""

from __future__ import annotations

from .decision import ARCHAEOLOGIST
from .reviewer import BUILT_IN, Subject, Vote, headline

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
