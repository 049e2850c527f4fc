"""Do two notes say the same, contradict each other, or both hold? Fitted probabilities.

Boosted trees over what the notes share and where they differ (`pairs_features`), fitted on pairs
that several authors wrote in groups around one fact. `fitted/manifest.json` has the figures: how
well it held on groups, and on whole authors, that were left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from .pairs_beside import may_be_same
from .pairs_features import beyond, glance
from .pairs_note import read
from .weights import Boosted, DamagedWeights, boosted

MODEL = "pairs"

Band: TypeAlias = Literal["same", "conflict", "near", "none"]
"""Surely the same, surely in conflict, speak of the same thing, nothing. The first two are so sure
that one may act on them unasked; "near" is for a person to look at."""


@dataclass(frozen=True, slots=True)
class Bias:
    """What a person's own verdicts add to the two log-odds of every pair."""

    same: float = 0.0
    contradict: float = 0.0


NO_BIAS = Bias()

GLANCE = "glance"
"""The question to which a low sum says that nothing will come of a pair."""


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """How likely each answer is, 0 to 1; together 1. And what follows from them: the band."""

    same: float
    contradict: float
    both: float  # both hold
    band: Band

    @property
    def is_surely_same(self) -> bool:
        """So likely that who merges them is wrong once in a hundred, and no number, unit, name,
        path or denial differs."""
        return self.band == "same"

    @property
    def near(self) -> float:
        """How likely they speak of the same thing: one repeats or contradicts the other, 0 to 1."""
        return 1.0 - self.both


_FOREIGN = PairVerdict(0.0, 0.0, 1.0, "none")


def judge(one: str, other: str, *, bias: Bias = NO_BIAS) -> PairVerdict:
    """What two notes are to each other, whichever comes first. Raises DamagedWeights."""
    model = boosted(MODEL)
    sums = _sums(model, one, other)
    if sums is None:
        return _FOREIGN
    same = model.probability("same", sums["same"], bias.same)
    contradict = model.probability("contradict", sums["contradict"], bias.contradict)
    both = max(0.0, 1.0 - same - contradict)
    whole = same + contradict + both
    same, contradict, both = same / whole, contradict / whole, both / whole
    least = model.thresholds
    band: Band = "none"
    if same >= least["surely-same"] and may_be_same(one, other):
        band = "same"
    elif contradict >= least["surely-conflict"]:
        band = "conflict"
    elif same + contradict >= least["near"]:
        band = "near"
    return PairVerdict(same, contradict, both, band)


def judged(one: str, other: str, bias: Bias) -> PairVerdict | None:
    """What two notes are to each other; None where the weights are lost, of which doctor tells."""
    try:
        return judge(one, other, bias=bias)
    except DamagedWeights:
        return None


@lru_cache(maxsize=16_384)  # the same pairs meet again: for more than one question, and in upkeep
def _sums(model: Boosted, one: str, other: str) -> dict[str, float] | None:
    """None where a glance shows that nothing comes of the two: half of those that meet."""
    first, second = read(one), read(other)
    seen = glance(first, second, model.rarity)
    if model.first.sums(seen)[GLANCE] < model.thresholds[GLANCE]:
        return None
    return model.forest.sums(beyond(first, second, model.rarity, seen))
