"""Fit the weights and write them with their manifest: `python -m training.fit FOLDER`.

Every figure comes from projects that were left out of the fit that made it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from memdeck.core.judgement.salience import features

from .sessions import Labelled, labelled

FITTED = Path(__file__).resolve().parents[1] / "core" / "judgement" / "fitted"
FOLDS = 7
MOST_SIGNS = 3000  # every thousand costs 20 kB; 5,000 do a little better for users
LEAST_SEEN = 4  # sentences a sign must stand in, of three sessions
LARGE_SESSION = 150  # sentences; a larger session counts by the root of its size

CANDIDATES = 0.65  # share of the keepers that are candidates, of any speaker
ESTABLISHED = (0.70, 0.85)  # of the established are at least borderline, at worst and at best
REACHED = 0.35  # share of the keepers among the candidates that the established are to hold

Rows = Sequence[dict[str, float]]


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m training.fit", description=__doc__)
    words.add_argument("folder", type=Path, help="transcripts")
    words.add_argument("--leave-out", nargs="*", default=[], metavar="PROJECT")
    words.add_argument("--out", type=Path, default=FITTED, help="where weights and manifest go")
    given = words.parse_args()
    found = [one for one in labelled(given.folder) if one.project not in given.leave_out]
    model, report = fit_salience(found)
    write(given.out, "salience", model, report)
    print(json.dumps(report, indent=1, ensure_ascii=False))


# --- salience


def fit_salience(
    found: Sequence[Labelled], *, with_learning: bool = True
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights of `salience` and what the manifest says of them.

    Without its learning curve, which only the manifest has, it takes half the time.
    """
    found = [one for one in found if one.spoken.is_own or one.span == "own"]
    rows = [features(one.spoken.utterance) for one in found]
    keep = np.array([one.grade == 2 for one in found])
    look = np.array([one.grade >= 1 for one in found])
    person = np.array([one.spoken.utterance.is_person for one in found])
    share = _shares(found)
    judges = [f"judge:{one.judge}" for one in found]
    folds = _folds([one.project for one in found])
    scores = np.zeros(len(found))
    for fold in sorted(set(folds)):
        out, rest = folds == fold, folds != fold
        if out.any():
            model = _fit_two(rows, judges, found, np.flatnonzero(rest), keep, look, share)
            scores[out] = _sums(model, [rows[n] for n in np.flatnonzero(out)])
    model = _fit_two(rows, judges, found, np.arange(len(found)), keep, look, share)
    curves = {
        "look": _logistic(scores, look, share),
        "keep": _logistic(scores, keep, share),
    }
    thresholds = {}
    for who, is_who in (("person", person), ("agent", ~person)):
        thresholds[f"candidate-{who}"] = _reaching(scores[is_who], keep[is_who], CANDIDATES)
        thresholds[f"established-{who}"] = _sure(scores[is_who], keep[is_who], look[is_who])
    report = {
        "sentences": len(found),
        "sessions": len({one.session for one in found}),
        "projects": len({one.project for one in found}),
        "judges": dict(Counter(one.judge for one in found)),
        "grade_2": int(keep.sum()),
        "grade_1": int(look.sum() - keep.sum()),
        "left_out": {
            "all": _measured(scores, keep, look),
            "person": _measured(scores[person], keep[person], look[person]),
            "agent": _measured(scores[~person], keep[~person], look[~person]),
        },
        "learning_curve": _learning_curve(rows, judges, found, keep, look, share, folds)
        if with_learning
        else [],
    }
    report["thresholds"] = thresholds
    return {**model, "curves": curves}, report


def _fit_two(
    rows: Rows,
    judges: Sequence[str],
    found: Sequence[Labelled],
    chosen: np.ndarray,
    keep: np.ndarray,
    look: np.ndarray,
    share: np.ndarray,
) -> dict[str, Any]:
    """Weights for "keep" and for "at least borderline", added: both questions order alike."""

    def fitted(names: dict[str, int], most: int) -> tuple[np.ndarray, float, csr_matrix]:
        matrix = _matrix([{**rows[n], judges[n]: 1.0} for n in chosen], names)
        weights, bias = np.zeros(len(names)), 0.0
        for answer in (keep, look):
            one = LogisticRegression(C=0.3, max_iter=most)
            one.fit(matrix, answer[chosen], sample_weight=share[chosen])
            weights += one.coef_[0]
            bias += float(one.intercept_[0])
        return weights, bias, matrix

    strict = {name: n for n, name in enumerate(sorted({judges[n] for n in chosen}))}
    seen, sessions = Counter[str](), defaultdict(set)
    for n in chosen:
        for name in rows[n]:
            seen[name] += 1
            sessions[name].add(found[n].session)
    names = [n for n in sorted(seen) if seen[n] >= LEAST_SEEN and len(sessions[n]) >= 3]
    every = {**strict, **{name: len(strict) + n for n, name in enumerate(names)}}
    weights, _, matrix = fitted(every, 30)  # only to choose by
    weight_of = np.abs(weights) * np.sqrt(np.asarray(matrix.power(2).mean(0)).ravel())
    best = sorted(names, key=lambda name: -weight_of[every[name]])[:MOST_SIGNS]
    few = {**strict, **{name: len(strict) + n for n, name in enumerate(sorted(best))}}
    weights, bias, _ = fitted(few, 120)
    mean_judge = float(np.mean([weights[few[judge]] for judge in strict]))
    return {
        "weights": {name: round(float(weights[few[name]]), 4) for name in sorted(best)},
        "bias": round(bias + mean_judge, 4),
    }


def _learning_curve(
    rows: Rows,
    judges: Sequence[str],
    found: Sequence[Labelled],
    keep: np.ndarray,
    look: np.ndarray,
    share: np.ndarray,
    folds: np.ndarray,
) -> list[dict[str, Any]]:
    """Average precision on two folds of projects, fitted on growing shares of the others."""
    out = np.flatnonzero((folds == 0) | (folds == 1))
    rest = sorted({one.project for n, one in enumerate(found) if folds[n] not in (0, 1)})
    random.Random(7).shuffle(rest)
    report = []
    for part in (0.125, 0.25, 0.5, 1.0):
        projects = set(rest[: max(1, round(part * len(rest)))])
        chosen = np.array([n for n, one in enumerate(found) if one.project in projects])
        model = _fit_two(rows, judges, found, chosen, keep, look, share)
        sums = _sums(model, [rows[n] for n in out])
        report.append(
            {
                "projects": len(projects),
                "sentences": len(chosen),
                "average_precision_keep": round(float(average_precision_score(keep[out], sums)), 3),
                "average_precision_look": round(float(average_precision_score(look[out], sums)), 3),
            }
        )
    return report


# --- shared


def _shares(found: Sequence[Labelled]) -> np.ndarray:
    """What each sentence counts, so that one long session does not decide for all."""
    size = Counter(one.session for one in found)
    return np.array([min(1.0, math.sqrt(LARGE_SESSION / size[one.session])) for one in found])


def _folds(projects: Sequence[str]) -> np.ndarray:
    """A fold a sentence, whole projects together; one that is over a third has its own."""
    size = Counter(projects)
    large = [name for name, count in size.items() if count > len(projects) / 3]
    small = sorted(size.keys() - set(large))
    random.Random(1).shuffle(small)
    fold = {name: n % (FOLDS - 1) for n, name in enumerate(small)}
    fold |= dict.fromkeys(large, FOLDS - 1)
    return np.array([fold[name] for name in projects])


def _matrix(rows: Rows, names: dict[str, int]) -> csr_matrix:
    where = [(n, names[k], v) for n, row in enumerate(rows) for k, v in row.items() if k in names]
    lines, columns, values = zip(*where, strict=True)
    return csr_matrix((values, (lines, columns)), shape=(len(rows), len(names)))


def _sums(model: dict[str, Any], rows: Rows) -> np.ndarray:
    weights = model["weights"]
    return np.array(
        [
            model["bias"] + sum(v * weights[k] for k, v in row.items() if k in weights)
            for row in rows
        ]
    )


def _logistic(scores: np.ndarray, answer: np.ndarray, share: np.ndarray) -> tuple[float, float]:
    one = LogisticRegression(C=1e6).fit(scores[:, None], answer, sample_weight=share)
    return round(float(one.coef_[0][0]), 4), round(float(one.intercept_[0]), 4)


def _ranked(scores: np.ndarray, *answers: np.ndarray) -> list[np.ndarray]:
    order = np.argsort(-scores, kind="stable")
    return [np.cumsum(answer[order]) for answer in answers]


def _reaching(scores: np.ndarray, answer: np.ndarray, recall: float) -> float:
    """The score from which on that share of the right ones is found, on projects left out."""
    (right,) = _ranked(scores, answer)
    place = int(np.searchsorted(right, recall * right[-1]))
    return round(float(np.sort(scores)[::-1][min(place, len(scores) - 1)]), 4)


def _precise(scores: np.ndarray, answer: np.ndarray, precision: float) -> float:
    """The lowest score from which on that share of the answers is right."""
    (right,) = _ranked(scores, answer)
    reached = np.flatnonzero(right / np.arange(1, len(right) + 1) >= precision)
    return round(float(np.sort(scores)[::-1][reached[-1]]), 4)


def _sure(scores: np.ndarray, keep: np.ndarray, look: np.ndarray) -> float:
    """The score of the established: as right as they can be while they hold `REACHED`."""
    kept, looked = _ranked(scores, keep, look)
    place = int(np.searchsorted(kept, REACHED * CANDIDATES * kept[-1]))
    worst, best = ESTABLISHED
    return _precise(scores, look, min(best, max(worst, float(looked[place] / (place + 1)))))


def _measured(scores: np.ndarray, keep: np.ndarray, look: np.ndarray) -> dict[str, Any]:
    kept, looked = _ranked(scores, keep, look)
    count = np.arange(1, len(kept) + 1)
    points = []
    for recall in (0.2, 0.35, 0.5, 0.65, 0.8):
        n = min(int(np.searchsorted(kept, recall * kept[-1])), len(kept) - 1)
        points.append(
            {
                "recall": recall,
                "precision_strict": round(float(kept[n] / count[n]), 3),
                "precision_with_borderline": round(float(looked[n] / count[n]), 3),
            }
        )
    return {
        "sentences": len(scores),
        "average_precision_keep": round(float(average_precision_score(keep, scores)), 3),
        "average_precision_look": round(float(average_precision_score(look, scores)), 3),
        "curve": points,
    }


def write(folder: Path, name: str, model: dict[str, Any], report: dict[str, Any]) -> None:
    """Write the weights as `name.json`, and their figures into the manifest beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    raw = json.dumps(model, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    (folder / f"{name}.json").write_bytes(raw)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    manifest[name] = {
        "sha256": hashlib.sha256(raw).hexdigest(),
        "bytes": len(raw),
        **report,
    }
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
