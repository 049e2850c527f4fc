"""How well capture judges: figures on projects left out, and what judging costs.

`python -m benchmarks judgement` prints what the manifest says and times the models. Where
`MEMDECK_BENCH_SESSIONS` names a folder (the transcripts that `training/README.md` lists), each
project that has gold memories is left out, the weights are fitted anew on the others, its sessions
are read by the code of the drain, and what was kept is held against the gold; that needs
scikit-learn.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdeck.core.answers import Capture
from memdeck.core.capture.extract import extract, read_session
from memdeck.core.capture.shape import Session
from memdeck.core.capture.turns import Turn
from memdeck.core.judgement import weights
from memdeck.core.judgement.pairs import judge
from memdeck.core.judgement.salience import salience
from memdeck.core.judgement.salience_features import Utterance

from . import texts

GOLD = Path(__file__).resolve().parents[1] / "training" / "gold" / "sessions.json"
ROUNDS = 3_000  # sentences that are timed
NEIGHBOURS = 30  # that a new note meets
PAIR_ROUNDS = 20


@dataclass
class Tally:
    """What was kept of some sessions, held against their gold."""

    kept: int = 0
    strict: int = 0  # rest on a memory that a colleague keeps
    look: int = 0  # or at least hesitates about
    found: int = 0  # memories to be kept, and found
    wanted: int = 0
    by_rule: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))

    def row(self, name: str) -> str:
        share = [part / max(1, self.kept) for part in (self.strict, self.look)]
        recall = self.found / max(1, self.wanted)
        return f"{name:34} {self.kept:6} {recall:8.2f} {share[0]:8.2f} {share[1]:8.2f}"


def run() -> None:
    _manifest()
    _pairs()
    _costs()
    if folder := os.environ.get("MEMDECK_BENCH_SESSIONS"):
        _against_gold(Path(folder))
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
    for split, questions in one["left_out"].items():
        for question, told in questions.items():
            print(f"{f'{question}, {split}':34} " + " ".join(f"{x:8.3f}" for x in told.values()))
    print(f"\n{'learning curve: groups':34} {'AP same':>18} {'AP contradict':>14}")
    for step in one["learning_curve"]:
        print(
            f"{step['groups']:34} {step['average_precision_same']:18.3f}"
            f" {step['average_precision_contradict']:14.3f}"
        )
    chosen = one["surely_same"]
    _surely_same("surely the same, authors left out", chosen)
    _surely_same("and the threshold of the others", chosen["with_thresholds_of_the_other_authors"])


def _surely_same(name: str, told: dict[str, Any]) -> None:
    print(f"\n{name:34} {told['same_found']:8.3f} of the repetitions")
    worse = {told["misleading_of_them"]: told["wrong_share"], **told["wrong_share_if_misleading"]}
    for count, share in sorted(worse.items(), key=lambda step: int(step[0])):
        which = f"wrong, {count} of {told['neighbours']} misleading"
        print(f"{which:34} {share:8.3f} of the merged")


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
    print(f"{f'{NEIGHBOURS} neighbours, all texts new':34} {each:8.2f} ms")


def _costs() -> None:
    text = "The gateway forwards port {} only because the firewall of the staging host drops it."
    said = [Utterance(text.format(n), n % 2 == 0, of=5, turn_length=400) for n in range(ROUNDS)]
    salience(said[0])  # the weights are read
    start = time.process_time()
    for one in said:
        salience(one)
    each = (time.process_time() - start) / ROUNDS * 1000
    print(f"\n{'a sentence':34} {each:8.3f} ms")
    _pair_costs()
    size = sum(
        os.path.getsize(os.path.join(weights.FOLDER, name)) for name in os.listdir(weights.FOLDER)
    )
    print(f"{'weights and manifest':34} {size / 1000:8.1f} kB")


def _against_gold(folder: Path) -> None:
    try:
        from training import fit, sessions
    except ImportError as error:
        print(f"\nWhole sessions against gold need {error.name}: pip install '.[training]'.")
        return
    gold = json.loads(GOLD.read_text(encoding="utf-8"))
    labelled = list(sessions.labelled(folder))
    rules, candidates, established = Tally(), Tally(), Tally()
    for project in sorted({one["project"] for one in gold}):
        others = [one for one in labelled if one.project != project]
        with TemporaryDirectory() as out, _weights_in(out):
            fit.write(Path(out), "ownership", *fit.fit_ownership(others))
            fit.write(Path(out), "salience", *fit.fit_salience(others))
            for one in gold:
                path = folder / f"{one['name']}.jsonl"
                if one["project"] == project and path.is_file():
                    turns = sessions.turns_of(path)
                    place = Session(one["name"], "", "", None)
                    kept = read_session(turns, place).captures
                    marks = _letters_of(turns, one, sessions.mark_of)
                    _count(rules, extract(turns, session=one["name"]), one, marks)
                    _count(candidates, kept, one, marks)
                    sure = [c for c in kept if c.salience and c.salience.is_established]
                    _count(established, sure, one, marks)
    heads = f"{'kept':>6} {'recall':>8} {'strict':>8} {'look':>8}"
    print(f"\n{'whole sessions, project left out':34} {heads}")
    print(rules.row("the rules alone"))
    print(candidates.row("candidates"))
    print(established.row("established"))
    print(f"\n{'candidates by rule':34} {'kept':>6} {'strict':>8} {'look':>8}")
    for rule, (kept, strict, look) in sorted(candidates.by_rule.items(), key=lambda r: -r[1][0]):
        print(f"{rule:34} {kept:6} {strict / kept:8.2f} {look / kept:8.2f}")


@contextmanager
def _weights_in(folder: str) -> Iterator[None]:
    """The models of that folder, for as long as the block lasts."""
    before = weights.FOLDER
    weights.FOLDER = folder
    _forget()
    try:
        yield
    finally:
        weights.FOLDER = before
        _forget()


def _forget() -> None:
    weights.linear.cache_clear()
    weights.boosted.cache_clear()
    weights.manifest.cache_clear()


def _letters_of(
    turns: Sequence[Turn], gold: dict[str, Any], mark_of: Callable[[str], str]
) -> dict[str, set[int]]:
    """The letters of each sentence that carries a gold memory -> the memories' numbers."""
    from memdeck.core.capture.utterances import spoken_in

    wanted: dict[tuple[int, str], set[int]] = defaultdict(set)
    for number, memory in enumerate(gold["memories"]):
        for line, mark in memory["evidence"]:
            wanted[line, mark].add(number)
    carried: dict[str, set[int]] = defaultdict(set)
    for one in spoken_in(turns):
        text = one.sentence.text
        if numbers := wanted.get((one.turn.line, mark_of(text))):
            carried[_letters(text)] |= numbers
    return carried


def _count(
    tally: Tally, kept: Sequence[Capture], gold: dict[str, Any], carried: dict[str, set[int]]
) -> None:
    memories = gold["memories"]
    found: set[int] = set()
    for one in kept:
        letters = _letters(one.content)
        hit = {
            number
            for text, numbers in carried.items()
            if text == letters
            or (len(text) > 20 and text in letters)
            or (len(letters) > 25 and letters in text)
            for number in numbers
        }
        found |= hit
        is_strict = any(memories[number]["grade"] == 2 for number in hit)
        tally.kept += 1
        tally.strict += is_strict
        tally.look += bool(hit)
        for place, counts in enumerate((True, is_strict, bool(hit))):
            tally.by_rule[one.rule][place] += counts
    tally.wanted += Counter(memory["grade"] for memory in memories)[2]
    tally.found += sum(memories[number]["grade"] == 2 for number in found)


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum() or c == "_")
