"""Does it touch security? A fourth reviewer, one line to add to the three (001-14)."""

from __future__ import annotations

import re

from .reviewer import BUILT_IN, SHOWN, Subject, Vote

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
