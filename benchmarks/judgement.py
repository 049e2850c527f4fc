"""How well capture judges: figures on projects left out, and what judging costs.

`python -m benchmarks judgement` prints what the manifest says and times the models. Where
`MEMDECK_BENCH_SESSIONS` names folders of transcripts (those that `training/README.md` lists), whole
sessions are held against what somebody else would keep of them (`gold.py`).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from memdeck.core.judgement import salience as weights
from memdeck.core.judgement.salience import Utterance, salience

from . import gold, labels

ROUNDS = 3_000  # sentences that are timed


def run() -> None:
    _manifest()
    labels.run()
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
    size = sum(
        os.path.getsize(os.path.join(weights.FOLDER, name)) for name in os.listdir(weights.FOLDER)
    )
    print(f"{'weights and manifest':34} {size / 1000:8.1f} kB")
