"""How well capture judges: figures on projects left out, and what judging costs.

`python -m benchmarks judgement` prints what the manifest says and times the models. Where
`MEMDECK_BENCH_SESSIONS` names folders of transcripts (those that `training/README.md` lists), whole
sessions are held against what somebody else would keep of them (`gold.py`).
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from memdeck.core.judgement import weights
from memdeck.core.judgement.pairs import judge
from memdeck.core.judgement.salience import Utterance, salience

from . import gold, labels, texts

ROUNDS = 3_000  # sentences that are timed
NEIGHBOURS = 30  # that a new note meets
PAIR_ROUNDS = 20
BANDS = {"same": "same", "conflict": "conflict", "near": "near or surer"}


def run() -> None:
    _manifest()
    labels.run()
    _pairs()
    _costs()
    if folders := os.environ.get("MEMDECK_BENCH_SESSIONS"):
        gold.measure([Path(folder) for folder in folders.split(os.pathsep)])
    else:
        print("\nWhole sessions against gold: not measured, MEMDECK_BENCH_SESSIONS is not set.")


def _manifest() -> None:
    told = weights.manifest()
    one = told["salience"]
    print(
        f"salience: {one['sentences']:,} sentences, {one['sessions']} sessions,"
        f" {one['projects']} projects, {len(one['judges'])} judges"
    )
    print(f"{'sentences, projects left out':34} {'recall':>8} {'strict':>8} {'look':>8}")
    for who, part in one["left_out"].items():
        for point in part["curve"]:
            print(
                f"{who:34} {point['recall']:8.2f} {point['precision_strict']:8.2f}"
                f" {point['precision_with_borderline']:8.2f}"
            )
    print(f"\n{'learning curve: projects':34} {'sentences':>9} {'AP keep':>8} {'AP look':>8}")
    for step in one["learning_curve"]:
        print(
            f"{step['projects']:34} {step['sentences']:9,} {step['average_precision_keep']:8.3f}"
            f" {step['average_precision_look']:8.3f}"
        )
    own = told["ownership"]
    print(f"\nownership: {own['sentences']:,} sentences, {own['projects']} projects")
    for name, value in own["left_out"].items():
        print(f"{name.replace('_', ' '):34} {value:8.3f}")


def _pairs() -> None:
    one = weights.manifest()["pairs"]
    print(f"\npairs: {one['pairs']:,} in {one['groups']:,} groups, {len(one['authors'])} authors")
    print(f"{'left out':34} {'AP':>8} {'R@.75':>8} {'R@.85':>8} {'R@.9':>8}")
    authors = {f"author {name}": told for name, told in one["by_author"].items()}
    for split, questions in {**one["left_out"], **authors}.items():
        for question, told in questions.items():
            figures = [told["average_precision"]]
            figures += [told[f"recall_at_{least}"] for least in (0.75, 0.85, 0.9)]
            print(f"{f'{question}, {split}':34} " + " ".join(f"{x:8.3f}" for x in figures))
    store = one["store"]
    print(f"\n{store['new_notes']} new notes in a store of {store['notes']:,}")
    print(f"{'band':34} {'found':>8} {'right':>8} {'alarms a stored note':>21}")
    for split, bands in one["bands"].items():
        _bands(f"{split} left out", bands)
    _bands("thresholds of the others", one["bands_with_thresholds_of_the_other_authors"])
    _real_stores(one["real_stores"])
    print(f"  the threshold is {one['thresholds']['surely-conflict']}")
    print(
        f"\n{'mined neighbours':>34} {'alarms, conflict':>17} {'alarms, near':>13}   at recall .25"
    )
    for step in one["mining"]:
        print(
            f"{step['learnt']:34,} {step['contradict_alarms_at_recall_0.25']:17.3f}"
            f" {step['near_alarms_at_recall_0.25']:13.3f}"
        )
    print(f"\n{'learning curve: groups':34} {'AP same':>18} {'AP contradict':>14}")
    for step in one["learning_curve"]:
        print(
            f"{step['groups']:34} {step['average_precision_same']:18.3f}"
            f" {step['average_precision_contradict']:14.3f}"
        )


def _real_stores(told: dict[str, Any]) -> None:
    print(
        f"\n{told['notes']:,} notes of {told['projects']} real projects, each beside {NEIGHBOURS};"
        f" pairs by group and by author left out"
    )
    print(
        f"{'surely in conflict from':34} {'found':>8} {'right':>8} {'found':>8} {'right':>8} marks"
    )
    for name in ("without", "with"):
        mined = f", {told['mined']} mined" if name == "with" else ""
        for step in told.get(name, ()):
            figures = [
                step[f"{what}_{split}"]
                for split in ("groups", "authors")
                for what in ("found", "right")
            ]
            row = " ".join(f"{figure:8.3f}" for figure in figures)
            print(f"{step['from']:<34} {row} {step['marks_a_note']:.3f}{mined}")


def _bands(name: str, bands: dict[str, Any]) -> None:
    for band, words in BANDS.items():
        told = bands[band]
        alarms = f"{told['alarms_a_note']:21.3f}" if "alarms_a_note" in told else ""
        right = told["precision_of_written"]
        print(f"{f'{words}, {name}':34} {told['found']:8.3f} {right:8.3f} {alarms}")
    worse = {1: bands["same"]["wrong_share"], **bands["same"]["wrong_share_if_misleading"]}
    for count, share in sorted(worse.items(), key=lambda step: int(step[0])):
        print(f"  merged wrongly, {count:>2} of {NEIGHBOURS} misleading {share:8.3f}")


def _pair_costs() -> None:
    rows = texts.memories(PAIR_ROUNDS * (NEIGHBOURS + 1))
    contents = [row["content"] for row in rows]
    judge(contents[0], contents[1])  # the weights are read
    start = time.process_time()
    for n in range(PAIR_ROUNDS):
        new, *known = contents[n * (NEIGHBOURS + 1) : (n + 1) * (NEIGHBOURS + 1)]
        for one in known:
            judge(new, one)
    each = (time.process_time() - start) / PAIR_ROUNDS * 1000
    yardstick = min(_yardstick() for _ in range(3)) * 1000
    print(f"{f'{NEIGHBOURS} neighbours, all texts new':34} {each:8.2f} ms")
    print(
        f"{'  in loops of 200,000 sums':34} {each / yardstick:8.2f} (one took {yardstick:.2f} ms)"
    )


def _yardstick() -> float:
    """Seconds that a fixed loop takes, by which machines and their load can be compared."""
    start, total = time.process_time(), 0
    for number in range(200_000):
        total += number * number % 7
    return time.process_time() - start


def _costs() -> None:
    text = "The gateway forwards port {} only because the firewall of the staging host drops it."
    said = [Utterance(text.format(n), n % 2 == 0, of=5, turn_length=400) for n in range(ROUNDS)]
    salience(said[0])  # the weights are read
    start = time.process_time()
    for one in said:
        salience(one)
    each = (time.process_time() - start) / ROUNDS * 1000
    sums = min(_yardstick() for _ in range(3)) * 1000 / 200
    print(f"\n{'a sentence':34} {each:8.3f} ms")
    print(f"{'  in loops of 1,000 sums':34} {each / sums:8.2f} (one took {sums:.3f} ms)")
    _pair_costs()
    size = sum(
        os.path.getsize(os.path.join(weights.FOLDER, name)) for name in os.listdir(weights.FOLDER)
    )
    print(f"{'weights and manifest':34} {size / 1000:8.1f} kB")
    pairs = os.path.getsize(os.path.join(weights.FOLDER, f"{weights.PAIRS}.json"))
    print(f"{'of them, pairs':34} {pairs / 1000:8.1f} kB")
