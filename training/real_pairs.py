"""Stores of real projects: what a judge of sessions would keep, each note beside its neighbours.

Nobody labelled these pairs. Of the 80 that the trees, fitted without them, took for the surest
contradictions, one or two were any; so they are taken for pairs that both hold: the hardest of some
projects are fitted to, and the marks a note are told of the others.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memdeck.core.judgement.pairs_features import features
from memdeck.core.judgement.pairs_note import read
from memdeck.core.text.differing import difference
from memdeck.core.text.sameness import says_the_same

from .sessions import notes_in

LEAST_GRADE = 1  # of a sentence that counts as a note: borderline
LEAST_CHARACTERS = 30
LEAST_NOTES = 40  # of a project
NEW_NOTES = 150  # of a project, at most, that are laid beside the others
MINED = 150  # pairs that are fitted to
PARTS = 3  # of the projects, each left out once

Told = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Stores:
    """Pairs of notes that a store of a real project brings together, with their signs."""

    table: np.ndarray
    project: np.ndarray  # of each pair
    may_mark: np.ndarray  # a repetition, or a numbering, is never marked
    notes: Mapping[str, int]  # project -> new notes

    @property
    def part(self) -> np.ndarray:
        """The part of the projects that each pair is of, 0 to `PARTS` - 1, the largest apart."""
        ranked = sorted(self.notes, key=lambda name: (-self.notes[name], name))
        place = {name: n % PARTS for n, name in enumerate(ranked)}
        return np.array([place[name] for name in self.project])

    def hardest(self, told: Told, among: np.ndarray) -> np.ndarray:
        """The places of the `MINED` pairs of those `among` that look most like contradictions."""
        is_mined = among & self.may_mark & (told["same"] <= 0.5)
        order = np.argsort(-np.where(is_mined, told["contradict"], -1.0), kind="stable")
        return order[: min(MINED, int(is_mined.sum()))]

    def marks(self, contradict: np.ndarray, least: float) -> float:
        """How many neighbours of a note are marked from that probability on."""
        marked = (contradict >= least) & self.may_mark
        return float(marked.sum()) / sum(self.notes.values())

    def quiet(self, contradict: np.ndarray, marks: float) -> float:
        """From which probability on a note meets at most so many marks."""
        falling = np.sort(np.where(self.may_mark, contradict, -1.0))[::-1]
        return float(falling[int(marks * sum(self.notes.values()))]) + 1e-4

    def left_out(self, told: Told, tell: Callable[[np.ndarray], Told]) -> np.ndarray:
        """P(contradict) of each pair, by trees that were fitted to the hardest of other projects.

        `told` is what trees say that were fitted to none; `tell` fits to these rows and tells.
        """
        part, found = self.part, np.zeros(len(self.project))
        for out in range(PARTS):
            mined = self.table[self.hardest(told, part != out)]
            found[part == out] = tell(mined)["contradict"][part == out]
        return found


def stores_of(sessions: Path, rarity: Mapping[str, float], signs: list[str]) -> Stores:
    """The pairs of all projects whose sessions lie in a folder and that have notes enough."""
    notes: dict[str, set[str]] = defaultdict(set)
    for project, grade, text in notes_in(sessions):
        if grade >= LEAST_GRADE and len(text.strip()) >= LEAST_CHARACTERS:
            notes[project].add(text.strip())
    chance = random.Random(3)
    rows: list[list[float]] = []
    projects: list[str] = []
    may_mark: list[bool] = []
    counts: dict[str, int] = {}
    for project, texts in sorted(notes.items()):
        if len(texts) < LEAST_NOTES:
            continue
        new = chance.sample(sorted(texts), min(NEW_NOTES, len(texts)))
        counts[project] = len(new)
        for one, other in _met(new, sorted(texts)):
            found = features(one, other, rarity)
            rows.append([found.get(name, 0.0) for name in signs])
            projects.append(project)
            may_mark.append(not (says_the_same(one, other) or difference(one, other).is_label))
    return Stores(np.array(rows, dtype=np.float32), np.array(projects), np.array(may_mark), counts)


def _met(new: Iterable[str], store: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each new note beside what full-text search brings of the store, the nearest first."""
    from .fit_pairs import NEIGHBOURS

    holds = defaultdict(list)
    sizes = {}
    for text in store:
        sizes[text] = 0.4 + 0.6 * len(read(text).first) / 12
        for root in read(text).first:
            holds[root].append(text)
    for text in new:
        score = Counter[str]()
        for root in read(text).first:
            rare = math.log(1 + len(sizes) / max(1, len(holds[root])))
            for other in holds[root]:
                score[other] += rare / (1 + sizes[other])
        score.pop(text, None)
        yield from ((text, other) for other, _ in score.most_common(NEIGHBOURS))
