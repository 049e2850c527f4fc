"""`python -m benchmarks.retrieval_fit`: the weights of `blend`, fitted on the tuning halves only.

Coordinate ascent: each weight in turn is tried at a few other values, and kept at the best. What
is maximised is the mean over all sets at hand of (H@1 + R@10 + 2 MRR) / 4, a set counting by the
root of its number of questions: more are surer, but none may drown another. What is left out is not
even asked; `python -m benchmarks retrieval` measures it. The numbers printed, rounded, are what
`core/retrieval/ranking.py` holds. All sets at once, or a dose for one kind of text harms another.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from operator import mul
from typing import NamedTuple

from memdeck.core.retrieval.ranking import ANSWERING, BLEND, deciding

from .retrieval import DEPTH, FIGURES, Case, Part, gathered, scores, stores
from .retrieval_sets import Set, sets

FACTORS = (0.0, 0.5, 0.75, 0.87, 0.95, 1.05, 1.15, 1.33, 2.0)
LEAST = 0.03
"""From nothing a weight is tried at once and three times this."""

ROUNDS = 5
BETTER = 0.01
"""Points by which a value must be better to be taken."""

FITTED = (*ANSWERING, "when", "speaker", "tells")
"""What the questions can tell the worth of; the other weights stay as they are."""

Weights = Mapping[str, float]


class Column(NamedTuple):
    """What was read for one question: each signal by name, one number a memory, and the needed."""

    signals: Mapping[str, Sequence[float]]
    needed: Sequence[int]  # places among what was read
    needs: int


Columns = Mapping[str, Sequence[Column]]
"""By set."""


def main() -> None:
    """Fit, and print the weights with what they reach on what they were fitted on."""
    tuning = {data.name: list(map(column, cases(data))) for data in sets()}
    weights = fitted(tuning)
    print({name: round(value, 3) for name, value in weights.items()})
    for name, found in tuning.items():
        for title, used in (("in use", BLEND), ("fitted", weights)):
            told = zip(FIGURES, scores(placed(found, used)), strict=True)
            said = ", ".join(f"{figure} {value:.1f}" for figure, value in told)
            print(f"{name}, {len(found):,} questions to tune on, {title}: {said}")


def cases(data: Set) -> Sequence[Case]:
    """What is read for the questions of a set that may be tuned on."""
    asked = [one for one in data.questions if not one.is_left_out]
    known = {one.store for one in asked}
    memories = {name: found for name, found in data.memories.items() if name in known}
    tuned = data._replace(questions=asked, memories=memories)
    with stores(tuned) as of:
        return gathered(tuned, of)


def column(case: Case) -> Column:
    """A case in the form in which weights are tried quickly."""
    rows = [
        {**{name: getattr(one, name) for name in ANSWERING}, **deciding(one)}
        for one, _ in case.seen
    ]
    return Column(
        {name: [row[name] for row in rows] for name in BLEND},
        [place for place, (_, is_needed) in enumerate(case.seen) if is_needed],
        len(case.question.answers),
    )


def fitted(tuning: Columns) -> dict[str, float]:
    """The weights that serve all sets best, from those in use."""
    weights = dict(BLEND)
    best = worth({name: placed(found, weights) for name, found in tuning.items()})
    print(f"start: {best:.2f}", flush=True)
    for turn in range(ROUNDS):
        before = best
        for name in FITTED:
            rests = {
                key: [rest(one, weights, name) for one in found] for key, found in tuning.items()
            }
            for value in tried(weights[name]):
                now = worth({key: placed_by(found, value) for key, found in rests.items()})
                if now > best + BETTER:
                    best, weights[name] = now, value
        print(f"round {turn + 1}: {best:.2f}", flush=True)
        if best == before:
            break
    return weights


def tried(value: float) -> Sequence[float]:
    """Other values for a weight."""
    return [value * factor for factor in FACTORS] if value else [LEAST, 3 * LEAST]


def worth(parts: Mapping[str, Part]) -> float:
    """The mean over the sets, in percent, each by the root of its number of questions."""
    total = whole = 0.0
    for part in parts.values():
        h1, _, r10, mrr = scores(part)
        total += sqrt(len(part)) * (h1 + r10 + 2 * mrr) / 4
        whole += sqrt(len(part))
    return total / whole


class Rest(NamedTuple):
    """The scores of one question's memories as a line: what one weight does not touch, and it."""

    fixed: Sequence[float]
    slope: Sequence[float]
    needed: Sequence[int]
    needs: int


def rest(one: Column, weights: Weights, name: str) -> Rest:
    """The score of `ranking.blended`, but for a factor, as a line over the weight `name`."""
    without = {**weights, name: 0.0}
    count = len(one.signals[name])
    answer = _sum(one, without, ANSWERING, count)
    beside = _sum(one, without, [key for key in weights if key not in ANSWERING], count)
    fixed = [part * (1 + more) for part, more in zip(answer, beside, strict=True)]
    factor = [1 + more for more in beside] if name in ANSWERING else answer
    return Rest(fixed, list(map(mul, factor, one.signals[name])), one.needed, one.needs)


def placed(columns: Sequence[Column], weights: Weights) -> Part:
    """Where the needed memories of each question stand; equals share the better place."""
    name = FITTED[0]
    return placed_by([rest(one, weights, name) for one in columns], weights[name])


def placed_by(rests: Sequence[Rest], value: float) -> Part:
    """The same, with one weight at `value`."""
    return [(one.needs, sorted(_places(one, value))) for one in rests]


def _places(one: Rest, value: float) -> Iterator[int]:
    if not one.needed:
        return
    found = [fixed + value * slope for fixed, slope in zip(one.fixed, one.slope, strict=True)]
    for place in one.needed:
        mine = found[place]
        at = 1 + sum([other > mine for other in found])
        if at <= DEPTH:
            yield at


def _sum(one: Column, weights: Weights, names: Sequence[str], count: int) -> Sequence[float]:
    total = [0.0] * count
    for name in names:
        if dose := weights[name]:
            total = [
                so_far + dose * more for so_far, more in zip(total, one.signals[name], strict=True)
            ]
    return total


if __name__ == "__main__":
    main()
