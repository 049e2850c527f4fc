"""How well texts are told to be the same or to contradict each other, and how long that takes.

Pairs labelled by a person, data/pairs.jsonl: [label, what is known, the new text, more]. The hash
of a pair says which part it belongs to: rules were tuned on "dev" alone, so "held-out" tells how
they do on pairs they were not written against.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memdeck.core.answers import Neighbour
from memdeck.core.storage.conflicts import KINDS, Opposition, conflicts_with, refutes
from memdeck.core.storage.duplicates import near_duplicate

from . import report, texts

FILE = Path(__file__).parent / "data" / "pairs.jsonl"
PARTS = ("dev", "held-out")
LABELS = ("duplicate", *KINDS, "neither")
NEIGHBOURS = 40
ROUNDS = 50
HOSTILE = ("a", "aA", "a.", "a-", "1", "1,", "a/", "not ", "use x. ", "no pip, ", "a=b", "é", "'s",
           "((", "\u0301")  # fmt: skip
"""Pieces of which a text is made that backtracks where backtracking is possible."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A text, what is known, and what a person says of the two."""

    label: str  # one of LABELS
    known: str
    new: str
    category: str = "decision"  # of the new text
    known_category: str = "decision"
    files: tuple[str, ...] = ()  # of both

    @property
    def part(self) -> str:
        return PARTS[hashlib.sha256(f"{self.known}\n{self.new}".encode()).digest()[0] % 2]

    @property
    def neighbour(self) -> Neighbour:
        return Neighbour(
            "known",
            self.known,
            category=self.known_category,
            files=self.files,
            created_ms=1_000,
        )

    def is_duplicate(self) -> bool:
        """Whether the rules take the one for the other."""
        return near_duplicate(self.new, [self.neighbour]) is not None

    def opposition(self) -> Opposition | None:
        """What the rules say they disagree about."""
        found = conflicts_with(
            self.new,
            category=self.category,
            files=self.files,
            neighbours=[self.neighbour],
            created_ms=2_000,
        ) or refutes(self.new, [self.neighbour])
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Score:
    """How a yes-or-no answer compares with the labels: counts of pairs."""

    right: int  # said yes, and so it is
    wrong: int  # said yes, and it is not
    missed: int  # said no, and it is

    @property
    def precision(self) -> float:
        """Share (0-1) of the yeses that are right; 1 if there is none."""
        return self.right / ((self.right + self.wrong) or 1)

    @property
    def recall(self) -> float:
        """Share (0-1) of what is so that was found."""
        return self.right / ((self.right + self.missed) or 1)


def pairs(part: str | None = None) -> list[Pair]:
    """The labelled pairs, of one part or of both."""
    rows = map(json.loads, FILE.read_text("utf-8").splitlines())
    read = [Pair(*row[:3], **(row[3] if len(row) > 3 else {})) for row in rows]
    return [pair for pair in read if part in (None, pair.part)]


def score_of(answers: Iterable[tuple[bool, bool]]) -> Score:
    """The score of (said, so it is) answers."""
    given = list(answers)
    return Score(
        sum(said and so for said, so in given),
        sum(said and not so for said, so in given),
        sum(so and not said for said, so in given),
    )


def duplicates_score(judged: Sequence[Pair]) -> Score:
    """How well duplicates are found among `judged`."""
    return score_of((pair.is_duplicate(), pair.label == "duplicate") for pair in judged)


def conflicts_score(judged: Sequence[Pair]) -> Score:
    """How well conflicts, of whatever kind, are found among `judged`."""
    return score_of((pair.opposition() is not None, pair.label in KINDS) for pair in judged)


def kinds_right(judged: Sequence[Pair]) -> float:
    """Share (0-1) of the conflicts found whose kind is right, too."""
    found = [(pair.label, pair.opposition()) for pair in judged if pair.label in KINDS]
    kinds = [(label, opposition.kind) for label, opposition in found if opposition]
    return sum(label == kind for label, kind in kinds) / (len(kinds) or 1)


def milliseconds() -> list[float]:
    """What judging one new text against 40 neighbours takes, each of 50 times."""
    rows = texts.memories(NEIGHBOURS + ROUNDS)
    contents = [row["content"] for row in rows]
    known = [Neighbour(str(at), text) for at, text in enumerate(contents[:NEIGHBOURS])]
    spent = []
    for text in contents[NEIGHBOURS:]:
        begun = time.perf_counter()
        near_duplicate(text, known)
        conflicts_with(text, category="discovery", files=(), neighbours=known, created_ms=1)
        refutes(text, known)
        spent.append((time.perf_counter() - begun) * 1000)
    return spent


def hostile_milliseconds(length: int) -> float:
    """What the worst text of `length` characters takes against one neighbour of its kind."""
    worst = 0.0
    for piece in HOSTILE:
        text = (piece * length)[:length]
        known = [Neighbour("known", text[1:])]
        begun = time.perf_counter()
        near_duplicate(text, known)
        conflicts_with(text, category="discovery", files=(), neighbours=known)
        refutes(text, known)
        worst = max(worst, (time.perf_counter() - begun) * 1000)
    return worst


def run() -> None:
    """Print precision, recall and time."""
    rows, figures = [], {}
    for part in PARTS:
        judged = pairs(part)
        for name, score in (
            ("duplicates", duplicates_score(judged)),
            ("conflicts", conflicts_score(judged)),
        ):
            shown = (f"{score.precision:.3f}", f"{score.recall:.3f}")
            rows.append((part, name, len(judged), *shown, score.wrong, score.missed))
            figures[f"{part} {name}"] = {"precision": score.precision, "recall": score.recall}
        kinds = kinds_right(judged)
        rows.append((part, "kind of conflict", len(judged), f"{kinds:.3f}", "", "", ""))
    report.table(
        "Judging pairs", ("part", "what", "pairs", "precision", "recall", "wrong", "missed"), rows
    )
    spent = milliseconds()
    figures["milliseconds"] = {
        "first": spent[0],
        "median": report.median(spent),
        "p95": report.quantile(spent, 0.95),
    }
    report.table(
        f"Judging one text against {NEIGHBOURS} neighbours",
        ("first ms", "median ms", "p95 ms"),
        [[f"{spent[0]:.1f}", f"{report.median(spent):.1f}", f"{report.quantile(spent, 0.95):.1f}"]],
    )
    lengths = (500, 1_000, 2_000, 4_000)
    worst = {length: hostile_milliseconds(length) for length in lengths}
    figures["hostile milliseconds"] = {str(length): spent for length, spent in worst.items()}
    report.table(
        "The worst text against one neighbour",
        ("characters", "ms"),
        [(length, f"{spent:.1f}") for length, spent in worst.items()],
    )
    report.save("judging", figures)
