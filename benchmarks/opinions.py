"""How well a model of one's own judges pairs: its answers, held against what their authors meant.

`python -m benchmarks opinions` takes a seeded sample of `training/pairs`, as many of each label,
and writes the requests about them, twenty pairs each, to the folder `MEMDECK_BENCH_REQUESTS` as
`pairs-N.json`. It measures the answers that lie in `MEMDECK_BENCH_ANSWERS` under the same names;
with `MEMDECK_BENCH_READER`, a command line, it asks that program for those that are missing.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

from memdeck.core.review.opinions import Asking, Noted, PairsRequest, answers_in, checked
from memdeck.core.review.replies import NoReply

from .answers import answer, folder, reader

PAIRS = Path(__file__).resolve().parents[1] / "training" / "pairs"
LABELS = ("contradict", "same", "both")
EACH = 80  # pairs of a label
A_CALL = 20
SEED = 3
DAYS = ("2026-03-02", "2026-03-09")


def run() -> None:
    requests, answers = folder("MEMDECK_BENCH_REQUESTS"), folder("MEMDECK_BENCH_ANSWERS")
    chosen = _sample()
    said: Counter[tuple[str, str]] = Counter()  # (what its author meant, what the model says)
    sure: Counter[bool] = Counter()  # of the sure ones: whether it is as its author meant
    refused: Counter[str] = Counter()
    for number, start in enumerate(range(0, len(chosen), A_CALL), 1):
        pairs = chosen[start : start + A_CALL]
        request = PairsRequest(tuple(_asking(pair) for pair in pairs))
        name = f"pairs-{number}.json"
        if requests is not None:
            (requests / name).write_text(request.text, encoding="utf-8")
        words = answer(request.text, answers, name, reader())
        if words is None:
            continue
        try:
            opinions, reasons = checked(answers_in(words), len(pairs))
        except NoReply:
            refused["no answer"] += len(pairs)
            continue
        refused.update(reasons)
        for n, opinion in opinions.items():
            meant = pairs[n - 1]["label"]
            said[meant, opinion.answer] += 1
            if opinion.sure:
                sure[meant == opinion.answer] += 1
    print(f"\nA model's opinions on {len(chosen)} pairs, {EACH} of each label")
    if not said:
        print("No answers: MEMDECK_BENCH_ANSWERS names their folder.")
        return
    _rows(said)
    print(f"{'sure, and as meant':32} {sum(sure.values()):6} {sure[True] / sure.total():8.2f}")
    for reason, count in refused.most_common():
        print(f"{f'no answer: {reason}':32} {count:6}")


def _rows(said: Counter[tuple[str, str]]) -> None:
    print(f"{'':32} {'meant':>6} {'recall':>8} {'precision':>10}   taken for")
    for label in LABELS:
        meant = sum(count for (author, _), count in said.items() if author == label)
        told = sum(count for (_, model), count in said.items() if model == label)
        right = said[label, label]
        others = {model: count for (author, model), count in said.items() if author == label}
        print(
            f"{label:32} {meant:6} {right / max(1, meant):8.2f} {right / max(1, told):10.2f}   "
            + ", ".join(f"{model} {count}" for model, count in sorted(others.items()))
        )


def _sample() -> list[dict[str, str]]:
    """As many pairs of each label, from all authors, in an order that tells nothing."""
    known = [
        json.loads(line)
        for path in sorted(PAIRS.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    chance = random.Random(SEED)
    chosen = [
        pair
        for label in LABELS
        for pair in chance.sample([pair for pair in known if pair["label"] == label], EACH)
    ]
    chance.shuffle(chosen)
    return chosen


def _asking(pair: dict[str, str]) -> Asking:
    older, newer = (Noted(pair[side], day, "agent") for side, day in zip("ab", DAYS, strict=True))
    return Asking("", ("", ""), older, newer)
