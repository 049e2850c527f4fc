"""Do two notes say the same, contradict each other, or both hold? Fitted probabilities.

Boosted trees over what the notes share and where they differ (`pairs_features`), fitted on pairs
that several authors wrote in groups around one fact. `fitted/manifest.json` has the figures: how
well it held on groups, and on whole authors, that were left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..storage.similarity import are_opposed, content_of
from .pairs_beside import differs
from .pairs_features import features
from .weights import boosted

MODEL = "pairs"


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """How likely each answer is, 0 to 1; together 1."""

    same: float
    contradict: float
    both: float  # both hold
    is_surely_same: bool
    """So likely that who merges them is wrong once in a hundred, and no number, unit, name, path or
    denial differs."""


def judge(one: str, other: str) -> PairVerdict:
    """What two notes are to each other, whichever comes first. Raises DamagedWeights."""
    model = boosted(MODEL)
    told = model.probabilities(features(one, other, model.rarity))
    same, contradict = told["same"], told["contradict"]
    both = max(0.0, 1.0 - same - contradict)
    whole = same + contradict + both
    return PairVerdict(
        same / whole,
        contradict / whole,
        both / whole,
        same >= model.thresholds["surely-same"] and may_be_same(one, other),
    )


def may_be_same(one: str, other: str) -> bool:
    """Whether no number, unit, name, path or denial of the one differs from the other's."""
    return not differs(one, other) and not are_opposed(content_of(one), content_of(other))
