"""Which answer comes first, part by part.

Each part is a pure function with a stated range; a profile says how they combine. Every score
keeps its parts by name, so that a hit can explain itself. In `blend` and `additive` the parts add
up to the score, in `multiplicative` their product is the score.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import exp, log, prod
from operator import attrgetter, mul

from ...frozen import NamedTuple
from ..values import DAY_MS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


CATEGORY_WEIGHTS: Mapping[str, float] = {
    "warning": 1.1,
    "decision": 1.1,
    "architecture": 1.05,
    "preference": 1.05,
    "pattern": 1.0,
    "error": 1.0,
    "discovery": 1.0,
    "file_change": 0.9,
    "task_progress": 0.9,
}
"""How much a category is worth when all else is equal."""

STATUS_WEIGHTS: Mapping[str, float] = {"pinned": 1.15, "confirmed": 1.0, "candidate": 0.85}

_CATEGORY = {name: (weight - 0.9) / 0.2 for name, weight in CATEGORY_WEIGHTS.items()}
_STATUS = {name: (weight - 0.85) / 0.3 for name, weight in STATUS_WEIGHTS.items()}

MANY_ACCESSES = 100
"""Uses from which on a memory counts as used as much as can be."""

SAME_FILE, SAME_FOLDER = 1.0, 0.5


class Signals(NamedTuple):
    """What is known of a memory when it is ranked."""

    words: float  # BM25 as a share of the best answer's, 0-1
    coverage: float  # share of the prompt that it speaks of, 0-1
    age_days: float
    importance: float  # 0-1
    accesses: int
    status: str
    category: str
    affinity: float  # 0-1
    rare: float = 0.0  # how often it says the prompt's words, rare words counting more, 0-1
    lead: float = 0.0  # how early it says them, rare words counting more, 0-1
    dense: float = 0.0  # how many of its words are the prompt's, 0-1
    near: float = 0.0  # the best neighbour's score in the session, faded by distance, 0-1
    together: float = 0.0  # share of the prompt that its session adds, 0-1
    before: float = 0.0  # that the one before it adds, 0-1
    when: float = 0.0  # how well it fits the time that the prompt names, 0-1
    speaker: float = 0.0  # 1.0 when the prompt names the agent that learned it, or who says it
    tells: float = 1.0  # 0.0 when it only asks, 1.0 for a note; a turn by its length
    approval: float = 0.5  # share of people who called it helpful; 0.5 without an opinion
    kindred: float = 0.0  # how far its words go with those of the prompt that it lacks, 0-1
    length: float = 0.0  # how long the memories at hand are, 0.0 a sentence or two, 1.0 more


def recency(age_days: float) -> float:
    """How fresh: 1.0 today, 0.5 at a week, 0.1 at a month, towards 0.0.

    Exponential between these points, and after the last at the rate of its stretch.
    """
    age = max(age_days, 0.0)
    if age <= 7:
        return float(0.5 ** (age / 7))
    return 0.5 * exp(-(age - 7) * log(5) / 23)


def access_frequency(accesses: int) -> float:
    """How often used, 0.0 (never) to 10.0 (a hundred times or more), logarithmic."""
    if accesses <= 0:
        return 0.0
    return min(10 * log(accesses + 1) / log(MANY_ACCESSES + 1), 10.0)


def file_affinity(files: Sequence[str], active: Sequence[str]) -> float:
    """1.0 when a memory's file is being worked on, 0.5 when one of its folder is, else 0.0.

    Paths count as the same when one ends with the other, so absolute and relative ones meet.
    """
    best = 0.0
    for path in files:
        ours = path.replace("\\", "/").lower().lstrip("./")
        for other in active:
            theirs = other.replace("\\", "/").lower().lstrip("./")
            if not ours or not theirs:
                continue
            if _ends_alike(ours, theirs):
                return SAME_FILE
            folder, their_folder = posixpath.dirname(ours), posixpath.dirname(theirs)
            if folder and their_folder and _ends_alike(folder, their_folder):
                best = SAME_FOLDER
    return best


def signals_of(
    image: Mapping[str, Any],
    *,
    words: float,
    coverage: float,
    active: Sequence[str],
    now_ms: int,
    **others: float,
) -> Signals:
    """The signals of a stored memory; `others` are those that more than the memory decides."""
    return Signals(
        min(max(words, 0.0), 1.0),
        coverage,
        max(now_ms - image["updated_at"], 0) / DAY_MS,
        image["importance"],
        image.get("accesses") or 0,
        image["status"],
        image["category"],
        file_affinity(image["files"], active) if active else 0.0,
        approval=approval(image.get("helpful") or 0, image.get("unhelpful") or 0),
        **others,
    )


def multiplicative(signals: Signals) -> tuple[float, dict[str, float]]:
    """BM25 times one boost per signal. From 0.0 to about 4."""
    parts = {
        "words": signals.words,
        "category": CATEGORY_WEIGHTS.get(signals.category, 1.0),  # 0.9 to 1.1
        "recency": 0.7 + 0.3 * recency(signals.age_days),  # 0.7 to 1.0
        "importance": 0.7 + 0.6 * signals.importance,  # 0.7 to 1.3
        "access": 1.0 + 0.02 * access_frequency(signals.accesses),  # 1.0 to 1.2
        "files": 1.0 + 0.5 * signals.affinity,  # 1.0 to 1.5
        "status": STATUS_WEIGHTS.get(signals.status, 1.0),  # 0.85 to 1.15
        "approval": 0.9 + 0.2 * signals.approval,  # 0.9 to 1.1
    }
    return prod(parts.values()), parts


def additive(signals: Signals) -> tuple[float, dict[str, float]]:
    """0.3 importance + 0.2 recency + 0.1 use + 0.4 similarity, each 0-10."""
    parts = {
        "importance": 0.3 * (1 + 9 * signals.importance),  # 0.3 to 3.0
        "recency": 2.0 * recency(signals.age_days),
        "access": 0.1 * access_frequency(signals.accesses),
        "words": 4.0 * signals.words,
    }
    return sum(parts.values()), parts


ANSWERING: Mapping[str, tuple[float, float]] = {
    "words": (0.09, 0.20),
    "coverage": (0.28, 0.23),
    "rare": (0.0, 0.16),
    "lead": (0.53, 0.32),
    "dense": (0.0, 0.11),
    "near": (0.14, 0.08),
    "together": (0.29, 0.15),
    "before": (0.23, 0.17),
    "kindred": (0.0, 0.43),
}
"""What each signal is worth that says whether a memory answers: where the memories at hand are a
sentence or two each, and where they are longer. Between, in proportion to `Signals.length`.

A sentence answers by what it is about, which stands in front, and by its session; how often a
word is said, and among how few others, tells texts of some length apart, and so does what they
say in the place of a word that they lack.
"""

DECIDING: Mapping[str, float] = {
    "when": 1.41,
    "speaker": 0.45,
    "tells": 0.43,
    "files": 0.05,
    "importance": 0.06,
    "recency": 0.05,
    "status": 0.03,
    "category": 0.02,
    "access": 0.02,
    "approval": 0.04,
}
"""What each signal is worth that only decides between answers, as a share of how well one answers.

`ANSWERING` and the first three are fitted on the tuning halves of three kinds of text together, by
`python -m benchmarks.retrieval_fit`, and rounded: our own invented projects, conversations and
commit notes by other hands (`benchmarks/retrieval_sets.py`). The others only tell apart answers
that are about as good; no set knows their worth, so they are small and chosen by hand. What each
is worth on what was left out stands in `docs/query.md`.
"""


LABELS: Mapping[str, str] = {
    "words": "rare words",
    "coverage": "words had",
    "rare": "how often",
    "lead": "how early",
    "dense": "how densely",
    "near": "neighbours",
    "together": "session",
    "before": "note before",
    "kindred": "goes with",
    "when": "right time",
    "speaker": "who says it",
    "tells": "a statement",
    "recency": "recent",
    "access": "often used",
    "approval": "opinions",
    "time": "recent",
}
"""What a person reads for a part of a score, in at most eleven cells; others bear their names."""


def label(part: str) -> str:
    """What a person reads for a part of a score."""
    return LABELS.get(part) or part.replace("_", " ")


Profile = Callable[[Signals], tuple[float, dict[str, float]]]


def blended(
    answering: Mapping[str, tuple[float, float]] = ANSWERING,
    decides: Mapping[str, float] = DECIDING,
) -> Profile:
    """Mostly what the words say, its own and its session's; the rest decides. 0.0 to 1.0.

    A sum of the answering signals, and as shares of that sum all the others, so that nothing
    that does not answer can rise. Weights are relative to each other.
    """
    top = 1 + sum(decides.values())
    weights = tuple([decides.get(name, 0.0) for name in DECIDING])
    names = (*answering, *DECIDING)
    signals_named = attrgetter(*answering)

    @lru_cache(maxsize=8)  # all memories of a question have the same length
    def shares(length: float) -> tuple[float, ...]:
        doses = [short + length * (long - short) for short, long in answering.values()]
        return tuple([dose / (sum(doses) * top) for dose in doses])

    def profile(signals: Signals) -> tuple[float, dict[str, float]]:
        values = list(map(mul, shares(signals.length), signals_named(signals)))
        answer = sum(values)
        sides = zip(weights, _sides(signals), strict=True)
        values += [weight * answer * side for weight, side in sides]
        return sum(values), dict(zip(names, values, strict=True))

    return profile


def deciding(signals: Signals) -> dict[str, float]:
    """What decides between answers, by its name in `DECIDING`; 0.0 to 1.0 each."""
    return dict(zip(DECIDING, _sides(signals), strict=True))


def _sides(signals: Signals) -> tuple[float, ...]:
    """The same in the order of `DECIDING`."""
    return (
        signals.when,
        signals.speaker,
        signals.tells,
        signals.affinity,
        signals.importance,
        recency(signals.age_days),
        _STATUS.get(signals.status, 0.5),
        _CATEGORY.get(signals.category, 0.5),
        access_frequency(signals.accesses) / 10,
        signals.approval,
    )


PROFILES: Mapping[str, Profile] = {
    "blend": blended(),
    "multiplicative": multiplicative,
    "additive": additive,
}
"""Ranking profiles by the name they have in settings."""


def _ends_alike(one: str, other: str) -> bool:
    """Whether one path is the other, or its tail from a whole name on."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def approval(helpful: int, unhelpful: int) -> float:
    """The share of opinions that found it helpful, 0.0 to 1.0; 0.5 without opinions.

    As if there were one more of each kind (Laplace), so that a single opinion moves it by a sixth
    and many decide.
    """
    return (helpful + 1) / (helpful + unhelpful + 2)
