"""What is kept of whole sessions, held against what somebody else would keep of them.

Each file of `training/gold` has its own figures. Its sessions are read by the code of the drain. A
project that has labels is left out and the weights are fitted again on the others, which needs
scikit-learn; one without labels meets the weights that are shipped. Each session is lived through
the hooks in a home of its own, which is timed.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdeck.core.judgement import salience as weights
from memdeck.core.judgement.salience import salience
from memdeck.core.sessions.capture import read_session
from memdeck.core.sessions.turns import Session as Place
from memdeck.core.sessions.turns import Turn
from memdeck.core.sessions.utterances import spoken_in
from training import sessions

from .gallery.extract import extract
from .living import Session

TRAINING = Path(__file__).resolve().parents[1] / "training"
SESSION = "11111111-2222-4333-8444-555555555555"

Text = tuple[str, str]  # the rule that kept it, and its words


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


def sessions_of(file: Path, folders: Sequence[Path]) -> list[tuple[dict[str, Any], Path]]:
    """The sessions of a gold file, with the transcripts of those that lie in one of `folders`."""
    return [
        (one, path)
        for one in json.loads(file.read_text(encoding="utf-8"))
        for folder in folders
        if (path := folder / f"{one['name']}.jsonl").is_file()
    ]


def measure(folders: Sequence[Path]) -> None:
    """Print the figures of each gold file, of its sessions that lie in one of `folders`."""
    for file in sorted((TRAINING / "gold").glob("*.json")):
        chosen = sessions_of(file, folders)
        count = len(json.loads(file.read_text(encoding="utf-8")))
        print(f"\ngold/{file.name}: {len(chosen)} of {count} sessions are there")
        if chosen:
            count, each = _sentence_ms([path for _, path in chosen])
            print(f"{'a sentence':34} {each:6.3f} ms, {count:,} sentences")
            _file(chosen, folders)


def _sentence_ms(paths: Sequence[Path]) -> tuple[int, float]:
    """(sentences, milliseconds of computing for each) that their scores take."""
    count, spent = 0, 0.0
    for path in paths:
        turns = sessions.turns_of(path)
        spoken = spoken_in(turns)
        began = time.process_time()
        for one in spoken:
            salience(one.utterance)
        spent += time.process_time() - began
        count += len(spoken)
    return count, 1000 * spent / max(1, count)


def _file(chosen: Sequence[tuple[dict[str, Any], Path]], folders: Sequence[Path]) -> None:
    tallies: dict[str, Tally] = defaultdict(Tally)
    projects: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    labels: list[Any] = []
    spent: list[tuple[int, float]] = []  # bytes of a transcript, CPU seconds of its drains
    for project in sorted({one["project"] for one, _ in chosen}):
        with fitted_without(project, folders, labels):
            for one, path in chosen:
                if one["project"] != project:
                    continue
                turns = sessions.turns_of(path)
                carried = letters_of(turns, one)
                for name, texts in _kept(one["name"], path, turns, spent).items():
                    for tally in (tallies[name], projects[project][name]):
                        _count(tally, texts, one, carried)
    heads = f"{'kept':>6} {'recall':>8} {'strict':>8} {'look':>8}"
    print(f"{'whole sessions':34} {heads}")
    for name, tally in tallies.items():
        print(tally.row(name))
    size, seconds = (sum(each) for each in zip(*spent, strict=True))
    print(f"{'drain, CPU s a MB of transcript':34} {seconds / (size / 1e6):6.2f}")
    for name in ("candidates", "established"):
        print(f"\n{f'{name} by project':34} {heads}")
        for project, part in projects.items():
            print(part[name].row(project))
    print(f"\n{'candidates by rule':34} {'kept':>6} {'strict':>8} {'look':>8}")
    for rule, (kept, strict, look) in sorted(
        tallies["candidates"].by_rule.items(), key=lambda r: -r[1][0]
    ):
        print(f"{rule:34} {kept:6} {strict / kept:8.2f} {look / kept:8.2f}")


def _kept(
    name: str, path: Path, turns: Sequence[Turn], spent: list[tuple[int, float]]
) -> dict[str, list[Text]]:
    """What each stage keeps of a session; `spent` grows."""
    kept = read_session(turns, Place(name, "", "", None)).captures
    by_rules = extract(turns, session=name)
    sure = [c for c in kept if c.salience is not None and c.salience.is_established]
    session = Session(SESSION, path)
    with TemporaryDirectory() as folder:
        session.live(Path(folder))
    spent.append((path.stat().st_size, sum(session.drained)))
    return {
        "what needs no judgement": [(c.rule, c.content) for c in by_rules],
        "candidates": [(c.rule, c.content) for c in kept],
        "established": [(c.rule, c.content) for c in sure],
    }


@contextmanager
def fitted_without(project: str, folders: Sequence[Path], labels: list[Any]) -> Iterator[None]:
    """The weights that know nothing of that project; `labels` are read once, when needed."""
    if project not in _labelled_projects():
        yield
        return
    from training import fit

    if not labels:
        labels += [one for folder in folders for one in sessions.labelled(folder)]
    others = [one for one in labels if one.project != project]
    with TemporaryDirectory() as out, _weights_in(out):
        fit.write(Path(out), "salience", *fit.fit_salience(others, with_learning=False))
        yield


def _labelled_projects() -> set[str]:
    return {
        one["project"]
        for file in (TRAINING / "labels").glob("*.json")
        for one in json.loads(file.read_text(encoding="utf-8"))
    }


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
    weights.salience_model.cache_clear()
    weights.manifest.cache_clear()


def letters_of(turns: Sequence[Turn], gold: dict[str, Any]) -> dict[str, set[int]]:
    """The letters of each sentence that carries a gold memory -> the memories' numbers."""
    wanted: dict[tuple[int, str], set[int]] = defaultdict(set)
    for number, memory in enumerate(gold["memories"]):
        for line, mark in memory["evidence"]:
            wanted[line, mark].add(number)
    carried: dict[str, set[int]] = defaultdict(set)
    for one in spoken_in(turns):
        text = one.sentence.text
        if numbers := wanted.get((one.turn.line, sessions.mark_of(text))):
            carried[_letters(text)] |= numbers
    return carried


def _count(
    tally: Tally, kept: Sequence[Text], gold: dict[str, Any], carried: dict[str, set[int]]
) -> None:
    memories = gold["memories"]
    found: set[int] = set()
    for rule, content in kept:
        hit = carried_by(content, carried)
        found |= hit
        is_strict = any(memories[number]["grade"] == 2 for number in hit)
        tally.kept += 1
        tally.strict += is_strict
        tally.look += bool(hit)
        for place, counts in enumerate((True, is_strict, bool(hit))):
            tally.by_rule[rule][place] += counts
    tally.wanted += Counter(memory["grade"] for memory in memories)[2]
    tally.found += sum(memories[number]["grade"] == 2 for number in found)


def carried_by(content: str, carried: dict[str, set[int]]) -> set[int]:
    """The numbers of the gold memories that a kept text carries, by the sentences in it."""
    letters = _letters(content)
    return {
        number
        for text, numbers in carried.items()
        if text == letters
        or (len(text) > 20 and text in letters)
        or (len(letters) > 25 and letters in text)
        for number in numbers
    }


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum() or c == "_")
