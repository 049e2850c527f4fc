"""Fit what two notes are to each other: boosted trees on pairs written in groups around one fact.

A figure of "groups" comes from whole groups left out, one of "authors" from all that one hand
wrote. What a store brings is mined: new notes meet what full-text search brings from 5,000 notes
of other groups; the pairs that the trees take for the nearest are fitted to as pairs that both
hold, twice. So are the hardest of real projects' stores (`real_pairs`), once.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from memdeck.core.judgement.pairs import GLANCE
from memdeck.core.judgement.pairs_beside import UNSEEN, may_be_same
from memdeck.core.judgement.pairs_features import features
from memdeck.core.judgement.pairs_note import read

from . import measure_pairs as measure
from .glance import ALONE, fit_glance, sums_of
from .real_pairs import stores_of

PAIRS = Path(__file__).parent / "pairs"
QUESTIONS = ("same", "contradict")
FOLDS = 5
LEAST_NOTES = 5  # a word must stand in, to have a rarity of its own
LEAST_PAIRS = 40  # a sign must stand in
STORE = 5_000  # notes that a new one is laid beside
NEW_NOTES = 640  # that are
NEIGHBOURS = measure.NEIGHBOURS
LEARNT = 3  # of a new note's neighbours are fitted to at first, as pairs that both hold
MINED = 1_000  # are added in each round
ROUNDS = 2

Sums = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two notes and what their author says of them."""

    one: str
    other: str
    label: str  # same, contradict, both; "met" for neighbours from other groups
    group: str

    @property
    def author(self) -> str:
        """Whose hand it is: four first files are of one."""
        name = self.group.split(":")[0]
        return "first" if name.startswith("free_") else name


def fit_pairs(folder: Path, sessions: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The trees and what the manifest says of them: of the pairs in `folder`, and of the stores
    that the labelled `sessions` of real projects give."""
    written = list(pairs_of(folder))
    undecided = undecided_in(folder)
    pairs = written + [pair for pair in met(written) if key_of(pair) not in undecided]
    rarity = rarity_of(written)
    rows = [features(pair.one, pair.other, rarity) for pair in pairs]
    seen = Counter(name for row, pair in zip(rows, pairs, strict=True) for name in row)
    signs = sorted(n for n, count in seen.items() if count >= LEAST_PAIRS and n not in ALONE)
    glanced = [*signs, *ALONE]
    wide = np.array([[row.get(name, 0.0) for name in glanced] for row in rows], dtype=np.float32)
    table = wide[:, : len(signs)]
    label = np.array([pair.label for pair in pairs])
    may_merge = np.array([may_be_same(pair.one, pair.other) for pair in pairs])
    groups = _folds([pair.group for pair in pairs])
    learnt, mining = label != "met", []
    learnt[_first_met(pairs)] = True
    for step in range(ROUNDS + 1):
        by_group = _left_out(table, label, learnt, groups)
        curves = {q: _logistic(by_group[q], label, q) for q in QUESTIONS}
        told = chances(by_group, curves)
        mining.append({"learnt": int((learnt & (label == "met")).sum()), **_alarms(told, label)})
        if step < ROUNDS:
            hard = np.where((label == "met") & ~learnt, np.maximum(*told.values()), -1.0)
            learnt[np.argsort(-hard)[:MINED]] = True
    authors = np.array([pair.author for pair in pairs])
    unmined_by_author = _left_out(table, label, learnt, authors)
    before = {
        split: chances(found, curves)
        for split, found in (("groups", by_group), ("authors", unmined_by_author))
    }
    stores = stores_of(sessions, rarity, glanced)
    wide_stores = stores.table
    stores = replace(stores, table=wide_stores[:, : len(signs)])
    same = _fitted(table[learnt], label[learnt] == "same")

    def tell(mined: np.ndarray) -> Sums:
        found = _fitted_beside(table[learnt], label[learnt] == "contradict", mined)
        sums = {"same": sums_of(same, stores.table), "contradict": sums_of(found, stores.table)}
        return chances(sums, curves)

    unmined = tell(stores.table[:0])
    mined = stores.table[stores.hardest(unmined, stores.may_mark)]
    left_out = _left_out(table, label, learnt, groups, mined, by_group)
    curves = {q: _logistic(left_out[q], label, q) for q in QUESTIONS}
    told = chances(left_out, curves)
    by_author = chances(_left_out(table, label, learnt, authors, mined, unmined_by_author), curves)
    real = stores.left_out(unmined, tell)
    quiet = stores.quiet(real, measure.MARKS)
    least = measure.thresholds(by_author, told, label, may_merge, quiet)
    contradict = _fitted_beside(table[learnt], label[learnt] == "contradict", mined)
    everything = np.vstack([table, stores.table])
    judged = {"same": sums_of(same, everything), "contradict": sums_of(contradict, everything)}
    glance, least[GLANCE], of_glance = fit_glance(
        glanced,
        np.vstack([wide, wide_stores]),
        sum(chances(judged, curves).values()) >= least["near"],
        np.concatenate([np.full(len(table), -1), stores.part]),
    )
    manifest = {
        "glance": of_glance,
        "pairs": len(written),
        "groups": len({pair.group for pair in written}),
        "authors": dict(Counter(pair.author for pair in written)),
        "labels": dict(Counter(pair.label for pair in written)),
        "store": {"notes": STORE, "new_notes": NEW_NOTES, "undecided": len(undecided)},
        "left_out": {
            split: measure.questions(found, label)
            for split, found in (("groups", told), ("authors", by_author))
        },
        "by_author": {
            author: measure.questions(
                {q: found[authors == author] for q, found in by_author.items()},
                label[authors == author],
            )
            for author in sorted(set(authors))
        },
        "mining": mining,
        "real_stores": {
            "projects": len(stores.notes),
            "notes": sum(stores.notes.values()),
            "mined": len(mined),
            "without": measure.by_threshold(before, label, unmined["contradict"], stores),
            "with": measure.by_threshold(
                {"groups": told, "authors": by_author}, label, real, stores
            ),
        },
        "calibration": {q: measure.calibration(by_author[q], label, q) for q in QUESTIONS},
        "bands": {
            split: measure.bands(found, label, may_merge, least)
            for split, found in (("groups", told), ("authors", by_author))
        },
        "bands_with_thresholds_of_the_other_authors": measure.bands_elsewhere(
            by_author, label, may_merge, authors, quiet
        ),
        "learning_curve": _learning_curve(table, label, learnt, pairs, groups, by_group),
    }
    model = {
        "signs": glanced,
        "trees": {
            "contradict": _trees(contradict),
            "same": _trees(same),
            GLANCE: _trees(glance),
        },
        "curves": curves,
        "thresholds": least,
        "rarity": rarity,
    }
    return model, manifest


# --- the pairs


def pairs_of(folder: Path) -> Iterable[Pair]:
    """What the authors wrote."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Pair(row["a"], row["b"], row["label"], row["group"])


def undecided_in(folder: Path) -> frozenset[frozenset[str]]:
    """Pairs of two groups that, read, do speak of the same thing."""
    path = folder / "undecided.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return frozenset(frozenset(row) for row in rows)


def key_of(pair: Pair) -> frozenset[str]:
    return frozenset((pair.one, pair.other))


def met(written: Sequence[Pair]) -> Iterable[Pair]:
    """New notes beside what full-text search brings from a store of other groups' notes, the
    nearest first."""
    notes: dict[str, str] = {}
    for pair in written:
        notes.setdefault(pair.one, pair.group)
        notes.setdefault(pair.other, pair.group)
    chance = random.Random(1)
    store = dict(chance.sample(sorted(notes.items()), min(STORE, len(notes))))
    holds = defaultdict(list)
    for text in store:
        for root in read(text).first:
            holds[root].append(text)
    sizes = {text: 0.4 + 0.6 * len(read(text).first) / 12 for text in store}
    first = list({group: text for text, group in reversed(notes.items())}.items())
    for group, text in chance.sample(sorted(first), min(NEW_NOTES, len(first))):
        score = Counter[str]()
        for root in read(text).first:
            rare = math.log(1 + len(store) / max(1, len(holds[root])))
            for other in holds[root]:
                score[other] += rare / (1 + sizes[other])
        near = (other for other, _ in score.most_common() if store[other] != group)
        for _, other in zip(range(NEIGHBOURS), near, strict=False):
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
        max_features=0.3,
        max_bins=63,
        early_stopping=False,
        random_state=1,
    )
    return model.fit(table, answer)


def _fitted_beside(
    table: np.ndarray, answer: np.ndarray, mined: np.ndarray
) -> HistGradientBoostingClassifier:
    """Fitted to pairs of real stores as well, to which the answer is no."""
    return _fitted(
        np.vstack([table, mined]), np.concatenate([answer, np.zeros(len(mined), dtype=bool)])
    )


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


def _left_out(
    table: np.ndarray,
    label: np.ndarray,
    learnt: np.ndarray,
    folds: np.ndarray,
    mined: np.ndarray | None = None,
    unmined: Sums | None = None,
) -> Sums:
    """Question -> each pair's sum, of the trees that were fitted without its fold.

    What is mined speaks of contradictions alone: other questions are answered as in `unmined`.
    """
    beside = table[:0] if mined is None else mined
    known = {q: found for q, found in (unmined or {}).items() if q != "contradict"}
    sums = {question: np.zeros(len(label)) for question in QUESTIONS if question not in known}
    for fold in sorted(set(folds)):
        out, rest = folds == fold, (folds != fold) & learnt
        for question, found in sums.items():
            fitted = _fitted_beside(table[rest], label[rest] == question, beside)
            found[out] = sums_of(fitted, table[out])
    return {**known, **sums}


def _folds(groups: Sequence[str]) -> np.ndarray:
    names = sorted(set(groups))
    random.Random(1).shuffle(names)
    fold = {name: n % FOLDS for n, name in enumerate(names)}
    return np.array([fold[name] for name in groups])


def _logistic(sums: np.ndarray, label: np.ndarray, question: str) -> tuple[float, float]:
    written = label != "met"
    one = LogisticRegression(C=1e6).fit(sums[written][:, None], label[written] == question)
    return round(float(one.coef_[0][0]), 4), round(float(one.intercept_[0]), 4)


def chances(sums: Sums, curves: dict[str, tuple[float, float]]) -> Sums:
    """Question -> how likely, 0 to 1, as `core.judgement.pairs` tells it."""
    told = {q: 1.0 / (1.0 + np.exp(-(curves[q][0] * sums[q] + curves[q][1]))) for q in QUESTIONS}
    whole = np.maximum(1.0, sum(told.values()))
    return {question: found / whole for question, found in told.items()}


def _alarms(told: Sums, label: np.ndarray) -> dict[str, float]:
    """Foreign pairs a new note that are as likely to contradict, or to be near, as a share of the
    written ones that do."""
    near = sum(told.values())
    return {
        **measure.alarms(told["contradict"], label, ("contradict",), "contradict"),
        **measure.alarms(near, label, ("same", "contradict"), "near"),
    }


def _learning_curve(
    table: np.ndarray,
    label: np.ndarray,
    learnt: np.ndarray,
    pairs: Sequence[Pair],
    folds: np.ndarray,
    by_group: Sums,
) -> list[dict[str, Any]]:
    """Average precision on one fold of groups, fitted on growing shares of the others."""
    groups = np.array([pair.group for pair in pairs])
    out = (folds == 0) & (label != "met")
    others = sorted(set(groups[folds != 0]))
    random.Random(1).shuffle(others)
    curve = []
    for count in (len(others) // 4, len(others) // 2, len(others)):
        of = np.isin(groups, others[:count]) & learnt
        step: dict[str, Any] = {"groups": count}
        for question in QUESTIONS:
            sums = (
                by_group[question][out]
                if count == len(others)
                else sums_of(_fitted(table[of], label[of] == question), table[out])
            )
            step[f"average_precision_{question}"] = measure.average_precision(
                label[out] == question, sums
            )
        curve.append(step)
    return curve
