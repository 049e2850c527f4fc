"""What the score was fitted on: who graded how much, of what, and how far two of them agree."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

LABELS = Path(__file__).resolve().parents[1] / "training" / "labels"
FIRST = ("first", "a", "b")  # the judges there were at the beginning
GRADES = {"to be kept": 2, "at least borderline": 1}
LEAST_TWICE = 100  # sentences that two graded, from which on their agreement is printed

Pairs = dict[tuple[str, str], list[tuple[int, int]]]


def run() -> None:
    """Print judges, sessions by the form of their files, and the agreement of each two judges."""
    graded: dict[tuple[object, ...], dict[str, int]] = defaultdict(dict)
    forms, projects = Counter[str](), set[str]()
    for file in sorted(LABELS.glob("*.json")):
        for one in json.loads(file.read_text(encoding="utf-8")):
            projects.add(one["project"])
            forms[one["name"].rpartition("-")[2]] += 1
            for line, mark, grade, *_ in one["sentences"]:
                graded[one["blob"], str(one.get("part")), line, mark][file.stem] = grade
    told = ", ".join(f"{form} {count}" for form, count in forms.most_common())
    print(f"\nlabels: {len(graded):,} sentences, {len(projects)} projects; sessions: {told}")
    added = [by for by in graded.values() if by.keys() - {*FIRST}]
    twice = [by for by in added if len(by) > 1]
    share = len(twice) / max(1, len(added))
    print(f"added since the first {len(FIRST)} judges: {len(added):,}, {share:.0%} graded twice")
    pairs: Pairs = defaultdict(list)
    for by in graded.values():
        for one, other in combinations(sorted(by), 2):
            pairs[one, other].append((by[one], by[other]))
    print(f"{'agreement (kappa)':34} {'twice':>8} " + " ".join(f"{name:>20}" for name in GRADES))
    for judges, both in pairs.items():
        if len(both) >= LEAST_TWICE:
            figures = " ".join(f"{kappa(both, least):20.2f}" for least in GRADES.values())
            print(f"{' and '.join(judges):34} {len(both):8} {figures}")


def kappa(both: Sequence[tuple[int, int]], least: int) -> float:
    """Cohen's kappa of two judges on whether a grade is at least that."""
    ones, others = ([grade >= least for grade in grades] for grades in zip(*both, strict=True))
    same = sum(a == b for a, b in zip(ones, others, strict=True)) / len(both)
    one, other = sum(ones) / len(both), sum(others) / len(both)
    chance = one * other + (1 - one) * (1 - other)
    return (same - chance) / (1 - chance) if chance < 1 else 1.0
