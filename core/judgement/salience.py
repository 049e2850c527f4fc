"""Is a sentence worth keeping? A fitted score, and the signs that made it, in words.

Logistic regression over words, shape, place and what was said around the sentence
(`salience_features`), fitted on sentences of real sessions that several judges graded 0 to 2:
2, a careful colleague keeps it; 1, borderline. `fitted/manifest.json` has the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..answers import Salience
from .weights import linear

if TYPE_CHECKING:
    from .salience_features import Utterance

MODEL = "salience"
MOST_REASONS = 5


def salience(one: Utterance, *, bias: float = 0.0) -> Salience:
    """How much `one` is worth keeping. `bias` shifts the score: what a project's person taught it.

    Raises DamagedWeights.
    """
    from .salience_features import features  # who only asks for a bar does without

    model = linear(MODEL)
    total = model.sum(features(one)) + bias
    return Salience(
        total,
        model.probability("look", total),
        model.probability("keep", total),
        total >= bar(is_person=one.is_person),
        total >= bar("established", is_person=one.is_person),
        bias=bias,
    )


def reasons(one: Utterance, most: int = MOST_REASONS) -> tuple[tuple[str, float], ...]:
    """The signs that counted most, in words a person reads, with what each added (may be < 0).

    Raises DamagedWeights.
    """
    from .salience_features import features
    from .salience_words import in_words

    told: dict[str, float] = {}
    for name, part in linear(MODEL).parts(features(one)):
        if words := in_words(name):
            told[words] = told.get(words, 0.0) + part
    ranked = sorted(told.items(), key=lambda item: -abs(item[1]))
    return tuple((words, round(part, 2)) for words, part in ranked[:most] if abs(part) >= 0.05)


def bar(threshold: str = "candidate", *, is_person: bool) -> float:
    """The least score of a candidate, or of an established one. Raises DamagedWeights."""
    return linear(MODEL).thresholds[f"{threshold}-{'person' if is_person else 'agent'}"]
