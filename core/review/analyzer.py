"""How important is it for the work to come, and is it worth anybody's time at all (000-26)?

Starts from what the extraction rule gives it, and corrects that by what the text itself shows.
"""

from __future__ import annotations

from collections.abc import Sequence

from .decision import ANALYZER
from .reading import Reading, asks_once, is_empty, read
from .reviewer import Subject, Vote

TRIVIAL_AT_MOST = 3.0  # importance of what is called trivial


class Analyzer:
    """Scores importance 1-10 and says what is trivial; corrects a type that was unsure."""

    is_instant = True

    @property
    def name(self) -> str:
        return ANALYZER

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        reading = read(subject.content)
        trivial = trivial_reason(subject, reading)
        score, why = importance(subject, reading)
        if trivial:
            score, why = min(score, TRIVIAL_AT_MOST), trivial
        return Vote(
            self.name,
            score=score,
            is_trivial=trivial is not None,
            reason=why,
            type=better_type(subject, reading) if subject.is_type_unsure else None,
        )


def trivial_reason(subject: Subject, reading: Reading) -> str | None:
    """Why a text is trivial, for a person to read; None if it is not."""
    if reading.is_talk:
        if reading.is_question:
            return "It asks something and states nothing."
        return "It is talk of the moment: thanks, progress or what comes next."
    if is_empty(subject, reading):
        if reading.is_truism:
            return "It says what nobody would deny."
        return "It names nothing one could look up."
    return None


def importance(subject: Subject, reading: Reading) -> tuple[float, str]:
    """Importance 1-10, and the reason."""
    score = 1 + 9 * min(1.0, max(0.0, subject.importance))
    parts = (
        (reading.stands, 0.3, "lays down a rule"),
        (reading.has_decision and reading.has_reason, 0.5, "gives a decision with its reason"),
        (reading.has_fix, 0.5, "tells what fixed a failure"),
        (reading.has_cause and reading.specifics >= 2, 0.5, "names a cause"),
        (reading.has_warning, 0.3, "warns of a trap"),
        (reading.specifics >= 3, 0.3, "is concrete"),
        (reading.specifics < 1.0, -0.5, "hardly names anything"),
        (reading.is_output, -3.0, "is a line of output or code"),
        (reading.is_hedged, -1.5, "is a guess"),
        (asks_once(subject, reading), -1.5, "asks for one piece of work"),
        (reading.is_report and not reading.has_reason, -1.5, "reports a finished step"),
        (reading.is_of_the_moment, -1.0, "is about this moment"),
    )
    applied = [(weight, words) for applies, weight, words in parts if applies]
    score += sum(weight for weight, _ in applied)
    score = round(min(10.0, max(1.0, score)), 1)
    return score, sentence(
        applied, score >= 5, "It is an ordinary fact." if score >= 5 else "It weighs little."
    )


def sentence(applied: Sequence[tuple[float, str]], for_it: bool, otherwise: str) -> str:
    """The two weightiest parts that speak for the score, or against it, as one short sentence."""
    told = [pair for pair in applied if (pair[0] > 0) == for_it]
    told.sort(key=lambda pair: -abs(pair[0]))
    return f"It {' and '.join(words for _, words in told[:2])}." if told else otherwise


def better_type(subject: Subject, reading: Reading) -> str | None:
    """The type that the text shows plainly, where it is not the one it has."""
    if reading.has_fix:
        shown = "procedural"
    elif reading.has_plan and not reading.has_cause:
        shown = "prospective"
    elif reading.stands or reading.has_decision:
        shown = "semantic"
    elif reading.is_report:
        shown = "episodic"
    else:
        return None
    return shown if shown != subject.type else None
