"""What a person's verdicts say of the score: a shift of it, for their project alone.

The score is fitted on other people's sessions. Each accepted or rejected candidate says whether its
score was right here; the shift makes the curve that the score came with fit these verdicts best. So
only the last layer moves: what a sign is worth stays as it was fitted. Verdicts that agree with the
score as it is stand beside them, so that a few move little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...frozen import dataclass
from .weights import SALIENCE, Linear, bar, linear

LEAST, MOST = -1.5, 1.5
"""The furthest that verdicts move the score, either way; the bars for candidates and for
established ones lie about 2.5 apart."""

PRIOR = 30.0
"""Verdicts that are taken to agree with the score as it was fitted, at the same scores."""

NEWEST = 200
"""Verdicts on each speaker's sentences that count: what one wanted long ago may no longer hold."""

FELT = 0.05
"""A shift nearer to nothing than this is not worth telling."""

_QUESTION = "look"  # accepted: kept, if only after some hesitation
_HALVINGS = 30


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person made of one candidate."""

    score: float  # as it was fitted, without any shift
    is_kept: bool
    is_person: bool  # whether the sentence is a person's; else an agent's


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the verdicts on one speaker's sentences come to."""

    bias: float = 0.0  # LEAST to MOST: added to the score of what is captured next
    kept: int = 0
    rejected: int = 0
    asked: float = 0.0  # least probability, 0-1, of being worth a look to become a candidate
    asked_before: float = 0.0  # the same, as fitted

    @property
    def is_felt(self) -> bool:
        """Whether it moves the bar by so much that it is worth telling."""
        return abs(self.bias) >= FELT


@dataclass(frozen=True, slots=True)
class Lessons:
    """The lessons of a project, by whose sentences they are."""

    person: Lesson = Lesson()
    agent: Lesson = Lesson()

    def lesson(self, *, is_person: bool) -> Lesson:
        """That of a person's sentences, or of an agent's."""
        return self.person if is_person else self.agent


NO_LESSONS = Lessons()


def lessons_of(verdicts: Iterable[Verdict]) -> Lessons:
    """What `verdicts`, newest first, come to. Raises DamagedWeights."""
    listed = list(verdicts)
    persons, agents = ([v for v in listed if v.is_person is who][:NEWEST] for who in (True, False))
    return Lessons(_lesson(persons, is_person=True), _lesson(agents, is_person=False))


def bias_from(verdicts: Sequence[Verdict]) -> float:
    """The shift of the score, LEAST to MOST, under which `verdicts` are likeliest; 0 for none.

    A logistic regression with one weight: the score's own curve moved sideways. PRIOR further
    verdicts, at the same scores, are decided as the curve expects. Raises DamagedWeights.
    """
    if not verdicts:
        return 0.0
    model, share = linear(SALIENCE), PRIOR / len(verdicts)
    pairs = [(one.score, one.is_kept + share * _expected(model, one.score)) for one in verdicts]
    low, high = LEAST, MOST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        # How many more were kept than the moved curve expects: falls as the curve moves up.
        excess = sum(kept - (1 + share) * _expected(model, score + middle) for score, kept in pairs)
        low, high = (middle, high) if excess > 0 else (low, middle)
    return round((low + high) / 2, 3)


def in_words(lesson: Lesson, *, is_person: bool) -> str:
    """The lesson and its effect, one sentence for a person to read."""
    whose = "your own sentences" if is_person else "agents' sentences"
    count = lesson.kept + lesson.rejected
    if not count:
        return f"No verdict on {whose} yet: the bar is as it was fitted."
    more_kept = lesson.kept > lesson.rejected
    did = f"kept {lesson.kept}" if more_kept else f"rejected {lesson.rejected}"
    told = f"You {did} of {count} of {whose}"
    if not lesson.is_felt:
        return f"{told}: the bar stays as it was fitted."
    side = "lower" if lesson.bias > 0 else "higher"
    return (
        f"{told}: the bar here is {side} ({lesson.bias:+.1f}); from {lesson.asked:.0%} likely worth"
        f" a look on they wait for you, instead of {lesson.asked_before:.0%}."
    )


def _lesson(verdicts: Sequence[Verdict], *, is_person: bool) -> Lesson:
    model, bias, least = linear(SALIENCE), bias_from(verdicts), bar(is_person=is_person)
    kept = sum(one.is_kept for one in verdicts)
    return Lesson(
        bias,
        kept,
        len(verdicts) - kept,
        round(_expected(model, least - bias), 3),
        round(_expected(model, least), 3),
    )


def _expected(model: Linear, score: float) -> float:
    return model.probability(_QUESTION, score)
