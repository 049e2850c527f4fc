"""Fit what two notes are to each other: boosted trees on pairs written in groups around one fact.

A figure of "groups" comes from whole groups left out, one of "authors" from whole authors. What
may be merged silently is measured as a store would have it: a note meets 30 neighbours, of which
one says the same; the others are pairs that an author wrote to mislead and what full-text search
brings from the author's other groups.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from memdeck.core.judgement.pairs import may_be_same
from memdeck.core.judgement.pairs_beside import UNSEEN
from memdeck.core.judgement.pairs_features import features
from memdeck.core.judgement.pairs_reading import read

PAIRS = Path(__file__).parent / "pairs"
QUESTIONS = ("same", "contradict")
FOLDS = 5
LEAST_NOTES = 5  # a word must stand in, to have a rarity of its own
NEIGHBOURS = 30  # a new note meets, of which one says the same
MISLEADING = 1  # of them is like the pairs that authors wrote to mislead
WORSE = (4, NEIGHBOURS - 1)  # of them, told in the manifest as well
LEARNT = 3  # of a group's neighbours are fitted to, as pairs that both hold
WRONG = 0.01  # of what is merged may be wrong


@dataclass(frozen=True, slots=True)
class Pair:
    """Two notes and what their author says of them."""

    one: str
    other: str
    label: str  # same, contradict, both; "met" for neighbours from other groups
    group: str

    @property
    def author(self) -> str:
        return self.group.split(":")[0]


def fit_pairs(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The trees and what the manifest says of them."""
    written = list(pairs_of(folder))
    pairs = written + list(met(written))
    rarity = rarity_of(written)
    rows = [features(pair.one, pair.other, rarity) for pair in pairs]
    signs = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in signs] for row in rows], dtype=np.float32)
    label = np.array([pair.label for pair in pairs])
    is_met = label == "met"
    may_merge = np.array([may_be_same(pair.one, pair.other) for pair in pairs])
    learnt = ~is_met
    learnt[_first_met(pairs)] = True
    by_group = _left_out(table, label, learnt, _folds([pair.group for pair in pairs]))
    authors = np.array([pair.author for pair in pairs])
    by_author = _left_out(table, label, learnt, authors)
    curves = {q: _logistic(by_group[q][~is_met], label[~is_met] == q) for q in QUESTIONS}
    sums = np.where(may_merge, by_author["same"], -np.inf)
    least = _surely(sums, label)
    told = {
        "pairs": len(written),
        "groups": len({pair.group for pair in written}),
        "authors": dict(Counter(pair.author for pair in written)),
        "labels": dict(Counter(pair.label for pair in written)),
        "left_out": {
            "groups": {q: _measured(by_group[q], label, q) for q in QUESTIONS},
            "authors": {q: _measured(by_author[q], label, q) for q in QUESTIONS},
        },
        "calibration": {q: _calibration(by_author[q], label, q, curves[q]) for q in QUESTIONS},
        "surely_same": {
            **_merged(label, sums >= least),
            "with_thresholds_of_the_other_authors": _merged(
                label, _elsewhere(sums, label, authors)
            ),
        },
        "learning_curve": _learning_curve(table, label, learnt, pairs),
    }
    model = {
        "signs": signs,
        "trees": {q: _trees(_fitted(table[learnt], label[learnt] == q)) for q in QUESTIONS},
        "curves": curves,
        "thresholds": {"surely-same": math.ceil(_probability(curves["same"], least) * 1e4) / 1e4},
        "rarity": rarity,
    }
    return model, told


# --- the pairs


def pairs_of(folder: Path) -> Iterable[Pair]:
    """What the authors wrote."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Pair(row["a"], row["b"], row["label"], row["group"])


def met(written: Sequence[Pair]) -> Iterable[Pair]:
    """Each group's first note beside what full-text search brings from its author's other groups,
    the nearest first."""
    notes: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in written:
        notes[pair.author] |= {pair.one: pair.group, pair.other: pair.group}
    for known in notes.values():
        holds = defaultdict(list)
        for text in known:
            for root in read(text).first:
                holds[root].append(text)
        seen = set()
        for text, group in known.items():
            if group in seen:
                continue
            seen.add(group)
            score = Counter[str]()
            for root in read(text).first:
                for other in holds[root]:
                    if known[other] != group:
                        length = 0.4 + 0.6 * len(read(other).first) / 12
                        score[other] += math.log(len(known) / len(holds[root])) / (1 + length)
            for other, _ in score.most_common(NEIGHBOURS - MISLEADING - 1):
                yield Pair(text, other, "met", group)


def rarity_of(pairs: Sequence[Pair]) -> dict[str, float]:
    """How rare each word is that stands in several notes; "" for the others."""
    texts = {text for pair in pairs for text in (pair.one, pair.other)}
    count = Counter(root for text in texts for root in read(text).first)
    rarity = {
        root: round(math.log((len(texts) + 1) / (n + 0.5)), 1)
        for root, n in sorted(count.items())
        if n >= LEAST_NOTES and ":" not in root
    }
    return {**rarity, UNSEEN: round(math.log((len(texts) + 1) / 2.0), 1)}


def _first_met(pairs: Sequence[Pair]) -> list[int]:
    seen, first = Counter[str](), []
    for n, pair in enumerate(pairs):
        if pair.label == "met" and seen[pair.group] < LEARNT:
            seen[pair.group] += 1
            first.append(n)
    return first


# --- the trees


def _fitted(table: np.ndarray, answer: np.ndarray) -> HistGradientBoostingClassifier:
    model = HistGradientBoostingClassifier(
        max_iter=110,
        learning_rate=0.1,
        max_leaf_nodes=10,
        min_samples_leaf=25,
        l2_regularization=3.0,
        max_features=0.4,
        early_stopping=False,
        random_state=1,
    )
    return model.fit(table, answer)


def _trees(model: HistGradientBoostingClassifier) -> list[Any]:
    """The trees as nested lists; what they start from is in the curve's offset."""

    def tree(nodes: np.ndarray, at: int) -> Any:
        node = nodes[at]
        if node["is_leaf"]:
            return round(float(node["value"]), 4)
        limit = round(float(node["num_threshold"]), 4)
        return [
            int(node["feature_idx"]),
            limit,
            tree(nodes, node["left"]),
            tree(nodes, node["right"]),
        ]

    return [tree(step[0].nodes, 0) for step in model._predictors]


def _sums(model: HistGradientBoostingClassifier, table: np.ndarray) -> np.ndarray:
    return model.decision_function(table) - float(model._baseline_prediction.ravel()[0])


def _left_out(
    table: np.ndarray, label: np.ndarray, learnt: np.ndarray, folds: np.ndarray
) -> dict[str, np.ndarray]:
    """Question -> each pair's sum, of the trees that were fitted without its fold."""
    sums = {question: np.zeros(len(label)) for question in QUESTIONS}
    for fold in sorted(set(folds)):
        out, rest = folds == fold, (folds != fold) & learnt
        for question, found in sums.items():
            found[out] = _sums(_fitted(table[rest], label[rest] == question), table[out])
    return sums


def _folds(groups: Sequence[str]) -> np.ndarray:
    names = sorted(set(groups))
    random.Random(1).shuffle(names)
    fold = {name: n % FOLDS for n, name in enumerate(names)}
    return np.array([fold[name] for name in groups])


def _logistic(sums: np.ndarray, answer: np.ndarray) -> tuple[float, float]:
    one = LogisticRegression(C=1e6).fit(sums[:, None], answer)
    return round(float(one.coef_[0][0]), 4), round(float(one.intercept_[0]), 4)


def _probability(curve: tuple[float, float], total: float) -> float:
    return 1.0 / (1.0 + math.exp(-(curve[0] * total + curve[1])))


# --- the figures


def _measured(sums: np.ndarray, label: np.ndarray, question: str) -> dict[str, float]:
    """Average precision, and how much is found at several precisions, of what authors wrote."""
    sums, label = sums[label != "met"], label[label != "met"]
    answer = label == question
    right = np.cumsum(answer[np.argsort(-sums, kind="stable")])
    precision, recall = right / np.arange(1, len(right) + 1), right / right[-1]
    told = {"average_precision": round(float(average_precision_score(answer, sums)), 3)}
    for least in (0.75, 0.85, 0.9):
        enough = recall[precision >= least]
        told[f"recall_at_{least}"] = round(float(enough.max()), 3) if len(enough) else 0.0
    return told


def _calibration(
    sums: np.ndarray, label: np.ndarray, question: str, curve: tuple[float, float]
) -> list[dict[str, float]]:
    """What was told and what was so, by fifths of what was told, on authors left out."""
    sums, label = sums[label != "met"], label[label != "met"]
    told = np.array([_probability(curve, total) for total in sums])
    steps = []
    for least in (0.0, 0.2, 0.4, 0.6, 0.8):
        of = (told >= least) & (told <= least + 0.2)
        if of.any():
            steps.append(
                {
                    "pairs": int(of.sum()),
                    "told": round(float(told[of].mean()), 3),
                    "so": round(float((label[of] == question).mean()), 3),
                }
            )
    return steps


def _shares(label: np.ndarray, misleading: int = MISLEADING) -> np.ndarray:
    """What each pair counts where a note meets one that says the same and 29 that do not."""
    count = Counter("hard" if one in ("both", "contradict") else str(one) for one in label)
    share = {
        "same": 1 / count["same"],
        "met": (NEIGHBOURS - 1 - misleading) / count["met"],
        "both": misleading / count["hard"],
        "contradict": misleading / count["hard"],
    }
    return np.array([share[one] for one in label])


def _surely(sums: np.ndarray, label: np.ndarray) -> float:
    """The least sum from which on at most `WRONG` of what is merged is wrong."""
    order = np.argsort(-sums, kind="stable")
    share, same = _shares(label)[order], (label == "same")[order]
    wrong = np.cumsum(np.where(same, 0.0, share)) / np.cumsum(share)
    fine = np.flatnonzero((wrong <= WRONG) & np.isfinite(sums[order]))
    return float(sums[order][fine[-1]]) if len(fine) else math.inf


def _elsewhere(sums: np.ndarray, label: np.ndarray, authors: np.ndarray) -> np.ndarray:
    """What is merged of each author if the threshold, too, comes from the others."""
    is_merged = np.zeros(len(label), dtype=bool)
    for author in sorted(set(authors)):
        of = authors == author
        is_merged[of] = sums[of] >= _surely(sums[~of], label[~of])
    return is_merged


def _merged(label: np.ndarray, is_merged: np.ndarray) -> dict[str, Any]:
    def wrong(misleading: int) -> float:
        share = _shares(label, misleading)[is_merged]
        return round(float(share[label[is_merged] != "same"].sum() / max(1e-9, share.sum())), 4)

    return {
        "neighbours": NEIGHBOURS,
        "misleading_of_them": MISLEADING,
        "same_found": round(float(is_merged[label == "same"].mean()), 4),
        "wrong_share": wrong(MISLEADING),
        "wrong_share_if_misleading": {str(count): wrong(count) for count in WORSE},
        "merged": dict(Counter(map(str, label[is_merged]))),
        "judged": dict(Counter(map(str, label))),
    }


def _learning_curve(
    table: np.ndarray, label: np.ndarray, learnt: np.ndarray, pairs: Sequence[Pair]
) -> list[dict[str, Any]]:
    """Average precision on one fold of groups, fitted on growing shares of the others."""
    groups = np.array([pair.group for pair in pairs])
    folds = _folds(list(groups))
    out = (folds == 0) & (label != "met")
    rest = sorted(set(groups[folds != 0]))
    random.Random(7).shuffle(rest)
    told = []
    for part in (0.125, 0.25, 0.5, 1.0):
        chosen = rest[: round(part * len(rest))]
        of = np.isin(groups, chosen) & learnt
        step: dict[str, Any] = {"groups": len(chosen)}
        for question in QUESTIONS:
            sums = _sums(_fitted(table[of], label[of] == question), table[out])
            found = average_precision_score(label[out] == question, sums)
            step[f"average_precision_{question}"] = round(float(found), 3)
        told.append(step)
    return told
