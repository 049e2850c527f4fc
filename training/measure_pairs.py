"""How well pairs of notes are judged: what was left out tells, and sets the bands' thresholds.

What is acted on unasked is held against a store, not against the pairs alone: a new note meets 30
neighbours, of which one may say the same, one was written to mislead, and the others are what
full-text search brings from other groups.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

from .real_pairs import Stores

NEIGHBOURS = 30  # a new note meets
MISLEADING = 1  # of them is like the pairs that authors wrote to mislead
WORSE = (4, NEIGHBOURS - 1)  # of them, told in the manifest as well
WRONG = 0.01  # of what is merged may be wrong
SURE = 0.75  # of what is marked as a conflict must be one, among what authors wrote
MARKS = 0.05  # foreign conflicts that may be marked for each stored note
NEAR = 0.85  # of what is said to be near must be
RECALLS = (0.1, 0.25, 0.5)
FROM = (0.5, 0.55, 0.6, 0.64, 0.68, 0.72, 0.76)  # P(contradict) that might mark

Told = Mapping[str, np.ndarray]


def average_precision(answer: np.ndarray, told: np.ndarray) -> float:
    return round(float(average_precision_score(answer, told)), 3)


def questions(told: Told, label: np.ndarray) -> dict[str, dict[str, float]]:
    """For "same", "contradict" and "near" (either): average precision, and how much is found at
    several precisions, of what authors wrote."""
    asked = {**told, "near": told["same"] + told["contradict"]}
    written = label != "met"
    return {
        question: _measured(found[written], _is(label[written], question))
        for question, found in asked.items()
    }


def _is(label: np.ndarray, question: str) -> np.ndarray:
    return np.isin(label, ("same", "contradict")) if question == "near" else label == question


def _measured(told: np.ndarray, answer: np.ndarray) -> dict[str, float]:
    precision, recall, _ = _ranked(told, answer)
    found = {"average_precision": average_precision(answer, told)}
    for least in (0.75, 0.85, 0.9):
        enough = recall[precision >= least]
        found[f"recall_at_{least}"] = round(float(enough.max()), 3) if len(enough) else 0.0
    return found


def _ranked(told: np.ndarray, answer: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precision and recall from the most likely on, and the likelihood at each step."""
    order = np.argsort(-told, kind="stable")
    right = np.cumsum(answer[order])
    return right / np.arange(1, len(right) + 1), right / max(1, right[-1]), told[order]


def calibration(told: np.ndarray, label: np.ndarray, question: str) -> list[dict[str, float]]:
    """What was told and what was so, by fifths of what was told."""
    told, label = told[label != "met"], label[label != "met"]
    steps = []
    for least in (0.0, 0.2, 0.4, 0.6, 0.8):
        of = (told >= least) & (told <= least + 0.2)
        if of.any():
            so = float((label[of] == question).mean())
            mean = round(float(told[of].mean()), 3)
            steps.append({"pairs": int(of.sum()), "told": mean, "so": round(so, 3)})
    return steps


def alarms(
    told: np.ndarray, label: np.ndarray, wanted: tuple[str, ...], name: str
) -> dict[str, float]:
    """Foreign pairs a new note that are at least as likely as a share of the written ones."""
    right = np.sort(told[np.isin(label, wanted)])[::-1]
    foreign = told[label == "met"]
    return {
        f"{name}_alarms_at_recall_{recall}": round(
            NEIGHBOURS * float((foreign >= right[int(recall * len(right))]).mean()), 4
        )
        for recall in RECALLS
    }


# --- the bands


def thresholds(
    told: Told, by_group: Told, label: np.ndarray, may_merge: np.ndarray, quiet: float
) -> dict[str, float]:
    """The least likelihood of each band, on authors left out; of conflicts, which alarms hold back,
    on groups. `quiet` is the least at which the store of a real project has at most `MARKS` a note.
    """
    written = label != "met"
    least = {
        "surely-same": _surely_same(np.where(may_merge, told["same"], -np.inf), label),
        "near": _precise(
            (told["same"] + told["contradict"])[written], _is(label[written], "near"), NEAR
        ),
        "surely-conflict": _precise(
            by_group["contradict"][written], label[written] == "contradict", SURE
        ),
    }
    foreign = np.sort(told["contradict"][label == "met"])[::-1]
    silent = foreign[int(MARKS / NEIGHBOURS * len(foreign))]
    least["surely-conflict"] = max(least["surely-conflict"], float(silent) + 1e-4, quiet)
    return {name: min(1.01, math.ceil(value * 1e4) / 1e4) for name, value in least.items()}


def _precise(told: np.ndarray, answer: np.ndarray, least: float) -> float:
    precision, _, step = _ranked(told, answer)
    enough = np.flatnonzero(precision >= least)
    return float(step[enough[-1]]) if len(enough) else 1.01


def _shares(label: np.ndarray, misleading: int = MISLEADING) -> np.ndarray:
    """What each pair counts where a note meets one that says the same and 29 that do not."""
    count = Counter("hard" if one in ("both", "contradict") else str(one) for one in label)
    share = {
        "same": 1 / max(1, count["same"]),
        "met": (NEIGHBOURS - 1 - misleading) / max(1, count["met"]),
        "both": misleading / max(1, count["hard"]),
        "contradict": misleading / max(1, count["hard"]),
    }
    return np.array([share[one] for one in label])


def _surely_same(told: np.ndarray, label: np.ndarray) -> float:
    """From what on at most `WRONG` of what is merged is wrong."""
    order = np.argsort(-told, kind="stable")
    share, same = _shares(label)[order], (label == "same")[order]
    wrong = np.cumsum(np.where(same, 0.0, share)) / np.cumsum(share)
    fine = np.flatnonzero((wrong <= WRONG) & np.isfinite(told[order]))
    return float(told[order][fine[-1]]) if len(fine) else 1.01


def _banded(told: Told, may_merge: np.ndarray, least: Mapping[str, float]) -> np.ndarray:
    """Each pair's band, as `core.judgement.pairs.judge` gives it."""
    return np.select(
        [
            (told["same"] >= least["surely-same"]) & may_merge,
            told["contradict"] >= least["surely-conflict"],
            told["same"] + told["contradict"] >= least["near"],
        ],
        ["same", "conflict", "near"],
        "none",
    )


def by_threshold(
    told: Mapping[str, Told], label: np.ndarray, real: np.ndarray, stores: Stores
) -> list[dict[str, float]]:
    """What marking from several probabilities on finds, on groups and on authors left out, how much
    of it is right, and its marks a note in stores of real projects."""
    steps = []
    for least in FROM:
        step = {"from": least, "marks_a_note": round(stores.marks(real, least), 4)}
        for split, found in told.items():
            marked = found["contradict"] >= least
            right = label[marked & (label != "met")] == "contradict"
            recall = float(marked[label == "contradict"].mean())
            step[f"found_{split}"] = round(recall, 3)
            step[f"right_{split}"] = round(float(right.mean()), 3) if len(right) else 0.0
        steps.append(step)
    return steps


def bands(
    told: Told, label: np.ndarray, may_merge: np.ndarray, least: Mapping[str, float]
) -> dict[str, Any]:
    return _fared(_banded(told, may_merge, least), label)


def bands_elsewhere(
    told: Told, label: np.ndarray, may_merge: np.ndarray, authors: np.ndarray, quiet: float
) -> dict[str, Any]:
    """How the bands fare if each author's thresholds, too, come from the others."""
    band = np.full(len(label), "none", dtype="<U8")
    for author in sorted(set(authors)):
        of = authors == author
        others = {question: found[~of] for question, found in told.items()}
        least = thresholds(others, others, label[~of], may_merge[~of], quiet)
        mine = {question: found[of] for question, found in told.items()}
        band[of] = _banded(mine, may_merge[of], least)
    return _fared(band, label)


def _fared(band: np.ndarray, label: np.ndarray) -> dict[str, Any]:
    """How much each band finds, how much of it is right, and its alarms a stored note."""
    written, met = label != "met", label == "met"
    merged, marked = band == "same", band == "conflict"
    related = (band != "none") & written
    is_near = _is(label, "near")

    def wrong(misleading: int) -> float:
        share = _shares(label, misleading)[merged]
        return round(float(share[label[merged] != "same"].sum() / max(1e-9, share.sum())), 4)

    def of(part: np.ndarray, answer: np.ndarray) -> float:
        return round(float(answer[part].mean()), 4) if part.any() else 0.0

    return {
        "same": {
            "found": of(label == "same", merged),
            "wrong_share": wrong(MISLEADING),
            "wrong_share_if_misleading": {str(count): wrong(count) for count in WORSE},
            "precision_of_written": of(merged & written, label == "same"),
        },
        "conflict": {
            "found": of(label == "contradict", marked),
            "precision_of_written": of(marked & written, label == "contradict"),
            "alarms_a_note": round(NEIGHBOURS * of(met, marked), 4),
        },
        "near": {  # or surer
            "found": of(is_near & written, band != "none"),
            "precision_of_written": of(related, is_near),
            "alarms_a_note": round(NEIGHBOURS * of(met, band != "none"), 4),
        },
        "counts": {
            str(one): dict(Counter(map(str, band[label == one]))) for one in sorted(set(label))
        },
    }
