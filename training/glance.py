"""Fit the glance: of which pairs nothing will come, seen before their words are laid side by side.

It answers for the other trees, so nobody labels for it: what they put into no band, it is to turn
away. Small trees on the few signs that cost little (`core.judgement.pairs_glance`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from memdeck.core.judgement.pairs_features import glance
from memdeck.core.judgement.pairs_note import read

LOST = 0.003  # of the pairs of real stores that come to a band, so many may be turned away

SIGNS = tuple(glance(read(""), read(""), {}))
ALONE = ("root-rarest", "roots-shared", "steps-shared", "names-shared")
"""Signs that the other trees do without: with them they found a little less."""


def fit_glance(
    signs: Sequence[str], table: np.ndarray, is_banded: np.ndarray, part: np.ndarray
) -> tuple[HistGradientBoostingClassifier, float, dict[str, Any]]:
    """The trees, the least sum of what is looked at, and what the manifest says of both.

    `is_banded`: the other trees put the pair into a band. `part`: the part of the real projects
    that it is of, each left out once; -1, it was written.
    """
    columns = [signs.index(name) for name in SIGNS]
    rest = np.setdiff1d(np.arange(len(signs)), columns)
    seen = table.copy()
    seen[:, rest] = 0.0  # so that the trees number their signs as the others do
    sums = np.zeros(len(table))
    for out in sorted(set(part) - {-1}):
        sums[part == out] = sums_of(
            _fitted(seen[part != out], is_banded[part != out]), seen[part == out]
        )
    real = part >= 0
    fitted = _fitted(seen, is_banded)
    sums[~real] = sums_of(fitted, seen[~real])
    banded = np.sort(sums[real & is_banded])
    least = round(float(banded[int(LOST * len(banded))]), 4)
    told = {
        "turned_away": round(float((sums[real] < least).mean()), 4),
        "lost_of_real": round(float((banded < least).mean()), 4),
        "lost_of_written": round(float((sums[~real & is_banded] < least).mean()), 4),
    }
    return fitted, least, told


def _fitted(table: np.ndarray, answer: np.ndarray) -> HistGradientBoostingClassifier:
    model = HistGradientBoostingClassifier(
        max_iter=60,
        max_leaf_nodes=8,
        min_samples_leaf=25,
        max_bins=63,
        early_stopping=False,
        random_state=1,
    )
    return model.fit(table, answer)


def sums_of(model: HistGradientBoostingClassifier, table: np.ndarray) -> np.ndarray:
    """What the leaves reached add up to; what the trees start from is in the curve's offset."""
    return model.decision_function(table) - float(model._baseline_prediction.ravel()[0])
