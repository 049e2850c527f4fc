"""How often the answer is among the first, on notes by several hands, beside plain FTS5.

Everything goes through the public doors: `import_memories` and `search`. The plain engine is an
FTS5 table with the porter stemmer, asked for any of the question's words, ranked by BM25; one
table a project, as if every filter were free. It is the floor: `blend` must not be below it on
any set in any figure. The sets are those of `retrieval_sets`; figures are of what was left out.

H@n: one of the needed memories is among the first n; R@10: share of the needed ones among the
first ten; MRR: to the fiftieth place. `±` is half of the 95 % interval of a bootstrap.
"""

import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from memdeck import MemoryCoordinator
from memdeck.core.recall.ranking import (
    ANSWERING,
    DECIDING,
    PLAIN,
    PROFILES,
    STRATEGIES,
    Profile,
    Signals,
    Strategy,
    blended,
)
from memdeck.core.recall.selection import Ranked

from . import report
from .plain import plain_table
from .retrieval_sets import Question, Set, sets

DEPTH = 50
"""Places that are looked at."""

SHOWN, READ = 15, 3
"""Hits asked for, and memories read for each: all that a search for ten reads is seen."""

RESAMPLED = 400
RESERVED = "MEMDECK_BENCH_RESERVED"
"""Set for the last measurement: the reserved repositories, and nothing else."""

HEADER = ("engine", "H@1", "H@10", "R@10", "MRR", "tuning H@1", "R@10", "MRR")
FIGURES = HEADER[1:5]

Stores = dict[str, MemoryCoordinator]
Places = list[int]
"""Where the needed memories stand, from 1, in order; those beyond `DEPTH` are left out."""


class Case(NamedTuple):
    """One question with what was read for it: signals, and whether it is needed, in order."""

    question: Question
    seen: list[tuple[Signals, bool]]
    ms: float


def run() -> None:
    """Print a table for each set that is at hand, and write all figures."""
    figures = {data.name: measured(data) for data in sets(reserved=bool(os.environ.get(RESERVED)))}
    report.save("retrieval_reserved" if os.environ.get(RESERVED) else "retrieval", figures)


def measured(data: Set) -> dict[str, object]:
    """The figures of one set: the plain engine, the profiles, `blend` without each weight."""
    rows: dict[str, list[Places]] = {"plain FTS5 (porter, OR)": places_by_plain(data)}
    with stores(data) as of:
        cases = gathered(data, of)
        profiles = {"blend": PROFILES["blend"]}
        profiles |= {name: PROFILES[name] for name in ("multiplicative", "additive")}
        profiles |= {f"blend without {name}": without(name) for name in (*ANSWERING, *DECIDING)}
        for name, profile in profiles.items():
            rows[name] = [places(case, profile) for case in cases]
        if data.name == "own":
            for strategy in strategies():
                rows[strategy.name] = [
                    searched(question, of, strategy) for question in data.questions
                ]
    count = sum(map(len, data.memories.values()))
    left_out = [question.is_left_out for question in data.questions]
    stores_out = {one.store for one in data.questions if one.is_left_out}
    report.table(
        f"{data.name}: {len(left_out):,} questions over {count:,} memories in"
        f" {len(data.memories)} stores; left out {sum(left_out):,} questions of"
        f" {len(stores_out)} stores",
        HEADER,
        [_row(name, found, data, left_out) for name, found in rows.items()],
    )
    plain, ours = (_part(data, rows[name], left_out) for name in list(rows)[:2])
    margins = {name: margin(plain, ours, place) for place, name in enumerate(FIGURES)}
    told = [f"{name} {gain:+.1f} ± {half:.1f}" for name, (gain, half) in margins.items()]
    print(f"  blend over plain FTS5: {', '.join(told)}")
    print(f"  a search takes {report.median([case.ms for case in cases]):.1f} ms (median)")
    return {
        "questions": len(left_out),
        "left out": sum(left_out),
        "memories": count,
        "blend over plain": margins,
        "engines": {
            name: dict(zip(FIGURES, scores(_part(data, found, left_out)), strict=True))
            for name, found in rows.items()
        },
    }


def without(name: str) -> Profile:
    """`blend` without one of its weights."""
    if name in ANSWERING:
        return blended({**ANSWERING, name: (0.0, 0.0)})
    return blended(decides={**DECIDING, name: 0.0})


Part = list[tuple[int, Places]]
"""By question, how many memories are needed, and where they stand."""


def _part(data: Set, found: Sequence[Places], chosen: Sequence[bool]) -> Part:
    listed = zip(data.questions, found, chosen, strict=True)
    return [(len(question.answers), at) for question, at, is_chosen in listed if is_chosen]


def _row(
    name: str, found: Sequence[Places], data: Set, left_out: Sequence[bool]
) -> tuple[str, ...]:
    tuned = scores(_part(data, found, [not one for one in left_out]))
    cells = (*scores(_part(data, found, left_out)), tuned[0], tuned[2], tuned[3])
    return (name, *(f"{value:.1f}" for value in cells))


def scores(part: Part) -> tuple[float, float, float, float]:
    """H@1, H@10, R@10 and MRR in percent; zeros without a question."""
    count = max(len(part), 1) / 100
    return (
        sum(at[:1] == [1] for _, at in part) / count,
        sum(bool(at) and at[0] <= 10 for _, at in part) / count,
        sum(sum(place <= 10 for place in at) / needed for needed, at in part) / count,
        sum(1 / at[0] for _, at in part if at) / count,
    )


def margin(plain: Part, ours: Part, figure: int) -> tuple[float, float]:
    """By how many points ours is better in one figure, with half of the 95 % interval."""
    gains = [
        scores([mine])[figure] - scores([theirs])[figure]
        for theirs, mine in zip(plain, ours, strict=True)
    ]
    rng = random.Random(0)
    means = sorted(sum(rng.choices(gains, k=len(gains))) / len(gains) for _ in range(RESAMPLED))
    low, high = means[int(0.025 * RESAMPLED)], means[int(0.975 * RESAMPLED)]
    return sum(gains) / len(gains), (high - low) / 2


def strategies() -> Iterator[Strategy]:
    """The named strategies."""
    for name in ("time-weighted", "reviewed"):
        yield STRATEGIES[name]


@contextmanager
def stores(data: Set) -> Iterator[Stores]:
    """A home each for texts by others; our own projects share one, as on a user's machine."""
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder, ExitStack() as stack:
        opened = {}
        for number, (name, memories) in enumerate(data.memories.items()):
            home = Path(folder) / ("home" if data.name == "own" else f"home-{number}")
            core = MemoryCoordinator.open(home, name, clock=partial(data.now.__getitem__, name))
            stack.callback(core.close)
            core.import_memories(memories)
            opened[name] = core
        yield opened


def gathered(data: Set, of: Stores) -> list[Case]:
    """What `search` reads and ranks for each question, with the signals of each."""
    seen: list[Signals] = []
    order: list[Ranked] = []

    def watched(signals: Signals) -> tuple[float, dict[str, float]]:
        seen.append(signals)
        return float(-len(seen)), {}

    def keep(_prompt: str, ranked: Sequence[Ranked], _now_ms: int) -> Sequence[Ranked]:
        order[:] = ranked
        return ranked

    strategy = PLAIN._replace(rerank=keep, over_fetch=READ, profile=watched)
    cases = []
    for question in data.questions:
        seen.clear()
        order.clear()
        started = time.perf_counter()
        of[question.store].search(question.text, SHOWN, strategy)
        spent = 1000 * (time.perf_counter() - started)
        needed = [one.image["key"] in question.answers for one in order]
        cases.append(Case(question, list(zip(seen, needed, strict=False)), spent))
    return cases


def places(case: Case, profile: Profile) -> Places:
    """Where the needed memories stand by a profile; of equals the newer one goes first."""
    ranked = [(profile(signals)[0], -signals.age_days, needed) for signals, needed in case.seen]
    ranked.sort(key=lambda one: one[:2], reverse=True)
    return [place for place, one in enumerate(ranked[:DEPTH], 1) if one[2]]


def searched(question: Question, of: Stores, strategy: Strategy) -> Places:
    """Where the needed memories stand by a strategy, through the door."""
    hits = of[question.store].search(question.text, SHOWN, strategy)
    return [place for place, hit in enumerate(hits, 1) if hit.key in question.answers]


def places_by_plain(data: Set) -> list[Places]:
    """The same by the plain engine over the same texts."""
    ask = {name: plain_table(memories, DEPTH) for name, memories in data.memories.items()}
    found = ((question, ask[question.store](question.text)) for question in data.questions)
    return [
        [place for place, key in enumerate(keys, 1) if key in question.answers]
        for question, keys in found
    ]
