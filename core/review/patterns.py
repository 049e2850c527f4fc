"""Will it apply again? The value of a text as a pattern, and not as noise (000-26)."""

from __future__ import annotations

from .analyzer import sentence
from .archaeologist import restated
from .decision import PATTERNS
from .reading import Reading, asks_once, is_empty, is_vouched, read
from .reviewer import Subject, Vote

BASE = 3.9
SPECIFIC = 0.4  # what each look-up-able thing adds
RULE_WEIGHT = 6.0  # how far the extraction rule's importance over 0.5 speaks for a pattern
FOUND_BY_RULE = 0.4  # what it adds that an extraction rule noticed the text at all
RESTATED = 3.0  # relevance of what is known word for word


class Patterns:
    """Scores how well a text carries over to other sessions, 1-10."""

    is_instant = True

    @property
    def name(self) -> str:
        return PATTERNS

    def review(self, subject: Subject, _timeout_s: float) -> Vote:
        """Its vote. It computes, so the time does not matter."""
        reading = read(subject.content)
        score, why = relevance(subject, reading)
        is_trivial = reading.is_talk or is_empty(subject, reading)
        if known := restated(subject):
            score, why = min(score, RESTATED), f"A memory says it already: “{known}”."
        return Vote(self.name, score=score, is_trivial=is_trivial, reason=why)


def relevance(subject: Subject, reading: Reading) -> tuple[float, str]:
    """Relevance 1-10, and the reason."""
    parts = (
        (reading.stands, 1.5, "holds for every session"),
        (reading.has_reason, 1.0, "gives its reason"),
        (reading.has_decision, 0.8, "records a decision"),
        (reading.has_cause, 0.8, "explains a cause"),
        (reading.has_fix, 2.0, "shows what works"),
        (reading.has_limit, 0.5, "names a limit"),
        (reading.has_contrast, 0.5, "rules something out"),
        (reading.has_plan or _is_planned(subject), 0.8, "keeps a task for later"),
        (reading.has_warning, 0.8, "warns of a trap"),
        (reading.is_question, -2.5, "asks instead of stating"),
        (reading.talk > 0, -0.4, "is partly talk"),
        (reading.is_talk, -3.0, "is talk"),
        (reading.is_truism, -2.0, "says what nobody would deny"),
        (reading.is_output, -4.0, "is a line of output or code"),
        (reading.is_hedged, -2.0, "is a guess"),
        (reading.is_vague, -0.5, "is vague"),
        (reading.is_of_the_moment, -2.5, "is about this moment"),
        (asks_once(subject, reading), -2.5, "asks for one piece of work"),
        (reading.is_report, -2.0, "reports a finished step"),
        (reading.leans, -1.0, "leans on a sentence that is not there"),
        (
            reading.specifics < 1.2,
            -0.5 if is_vouched(subject) else -1.5,
            "names nothing in particular",
        ),
    )
    applied = [(weight, words) for applies, weight, words in parts if applies]
    vouched = min(2.0, max(0.0, (subject.importance - 0.5) * RULE_WEIGHT))
    vouched += FOUND_BY_RULE if subject.rule else 0.0
    score = BASE + SPECIFIC * reading.specifics + vouched + sum(weight for weight, _ in applied)
    score = round(min(10.0, max(1.0, score)), 1)
    return score, sentence(
        applied, score >= 5, "It is concrete." if score >= 5 else "It fits no pattern."
    )


def _is_planned(subject: Subject) -> bool:
    """Whether an extraction rule took it for something that is to be done."""
    return subject.type == "prospective" and bool(subject.rule)
