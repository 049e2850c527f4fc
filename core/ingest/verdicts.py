"""What a person's verdicts on pairs say of the judge: how far it errs in this project.

The last layer only: two numbers that are added to the log-odds of every pair. They follow from the
verdicts that are kept with the conflicts, so that an undone verdict counts no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..judgement.pairs import Bias

CAUTION = 2.0
"""How much it takes to be believed: as if so many times a verdict had been as the judge told."""

CONTRADICTIONS = ("newer", "older", "open")
"""What a model may say of two that contradict each other: which of them holds."""

MOST = 2.0
"""Log-odds that verdicts may add or take at most."""

ROUNDS = 8
"""Of Newton's method; it has settled by then."""


WORD_OF_A_MODEL = 3.0
"""Log-odds that a model's answer adds to what it says, and takes from the other: as if it were
right twenty times as often as wrong. It orders the list; nothing is acted on by it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair that was decided: what the judge told of it, and what a person said."""

    same: float  # 0-1
    contradict: float  # 0-1
    verdict: str  # one of `judgements.VERDICTS`


def bias_of(judged: Sequence[Judged]) -> Bias:
    """What to add to the judge's log-odds, each -2 to 2; no verdicts, no bias."""
    return Bias(
        same=_shift((one.same, one.verdict == "merged") for one in judged),
        contradict=_shift((one.contradict, one.verdict in ("a", "b", "neither")) for one in judged),
    )


def shifted(probability: float, shift: float) -> float:
    """A probability, 0-1, with `shift` added to its log-odds."""
    sure = min(max(probability, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(-(math.log(sure / (1 - sure)) + shift)))


def moved(opinion: str) -> tuple[float, float]:
    """What a model's answer adds to the log-odds of "same" and of "contradict"."""
    if opinion == "same":
        return WORD_OF_A_MODEL, -WORD_OF_A_MODEL
    return (-WORD_OF_A_MODEL, WORD_OF_A_MODEL) if opinion in CONTRADICTIONS else (0.0, 0.0)


def _shift(pairs: Iterable[tuple[float, bool]]) -> float:
    """The likeliest shift for what was told and what was so, drawn towards none by `CAUTION`."""
    told = list(pairs)
    shift = 0.0
    for _ in range(ROUNDS):
        now = [shifted(probability, shift) for probability, _ in told]
        slope = sum(so - p for p, (_, so) in zip(now, told, strict=True)) - CAUTION * shift
        shift += slope / (sum(p * (1 - p) for p in now) + CAUTION)
        shift = max(-MOST, min(MOST, shift))
    return shift
