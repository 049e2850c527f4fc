"""`python -m benchmarks.retrieval_fit`: the weights of `blend`, fitted on the tuning halves only.

Maximum likelihood: a score is taken for how likely a memory answers beside the others that were
read, and the weights are those that make the memories that do answer likeliest, over all sets at
once, or a dose for one kind of text harms another. A set counts by the root of its number of
questions: more are surer, but none may drown another. What is left out is not even asked;
`python -m benchmarks retrieval` measures it. The numbers printed, rounded, are what
`core/recall/ranking.py` holds. Needs numpy and scipy, which come with what `training/` needs.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from memdeck.core.recall.ranking import ANSWERING, DECIDING, blended, deciding

from .retrieval import FIGURES, Case, gathered, places, scores, stores
from .retrieval_sets import Set, sets

FITTED = ("when", "speaker", "tells")
"""Of what decides, what the questions can tell the worth of; the other weights stay as they are."""

SMALL = 3e-5
"""How much a weight costs by its square, so that none grows where it no longer helps."""

SCALE = 10
"""The likelihood decides how steep the scores are; the weights in use are this much flatter."""

ROUNDS = 300


class Fit(NamedTuple):
    """Weights as `ranking.blended` takes them."""

    answering: Mapping[str, tuple[float, float]]
    decides: Mapping[str, float]


class Table(NamedTuple):
    """What was read for the questions of a set: arrays by question, memory and signal."""

    short: Any  # the answering signals, as far as the memories at hand are short
    long: Any  # the same, as far as they are long
    fitted: Any  # those of `FITTED`
    fixed: Any  # what the other deciding ones come to
    needed: Any  # whether it is needed
    read: Any  # whether there is one


def main() -> None:
    """Fit, and print the weights with what they reach on what they were fitted on."""
    asked = {data.name: cases(data) for data in sets()}
    found = fitted([table(one) for one in asked.values()])
    print(found)
    for name, one in asked.items():
        for title, used in (("in use", Fit(ANSWERING, DECIDING)), ("fitted", found)):
            profile = blended(*used)
            part = [(len(case.question.answers), places(case, profile)) for case in one]
            told = zip(FIGURES, scores(part), strict=True)
            said = ", ".join(f"{figure} {value:.1f}" for figure, value in told)
            print(f"{name}, {len(one):,} questions to tune on, {title}: {said}")


def cases(data: Set) -> Sequence[Case]:
    """What is read for the questions of a set that may be tuned on."""
    asked = [question for question in data.questions if not question.is_left_out]
    known = {question.store for question in asked}
    memories = {name: notes for name, notes in data.memories.items() if name in known}
    tuned = data._replace(questions=asked, memories=memories)
    with stores(tuned) as opened:
        return gathered(tuned, opened)


def table(asked: Sequence[Case]) -> Table:
    """The cases in which something that is needed was read, as arrays."""
    import numpy as np

    usable = [case for case in asked if any(needed for _, needed in case.seen)]
    shape = len(usable), max(len(case.seen) for case in usable)
    short, long = (np.zeros((*shape, len(ANSWERING))) for _ in range(2))
    chosen, fixed = np.zeros((*shape, len(FITTED))), np.zeros(shape)
    needed, read = np.zeros(shape, bool), np.zeros(shape, bool)
    for row, case in enumerate(usable):
        for column, (signals, is_needed) in enumerate(case.seen):
            values = np.array([getattr(signals, name) for name in ANSWERING])
            long[row, column] = signals.length * values
            short[row, column] = (1 - signals.length) * values
            sides = dict(zip(DECIDING, deciding(signals), strict=True))
            chosen[row, column] = [sides[name] for name in FITTED]
            fixed[row, column] = sum(
                weight * sides[name] for name, weight in DECIDING.items() if name not in FITTED
            )
            needed[row, column], read[row, column] = is_needed, True
    return Table(short, long, chosen, fixed, needed, read)


def fitted(tables: Sequence[Table]) -> Fit:
    """The weights that serve all sets best; none is below nothing."""
    import numpy as np
    from scipy.optimize import minimize

    count = len(ANSWERING)
    start = np.concatenate([np.full(2 * count, 2.0), np.full(len(FITTED), 0.5)])
    found = minimize(
        loss,
        start,
        args=(tables,),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(start),
        options={"maxiter": ROUNDS},
    ).x
    flat = [round(float(weight) / SCALE, 3) for weight in found[: 2 * count]]
    doses = zip(flat[:count], flat[count:], strict=True)
    decides = dict(
        zip(FITTED, (round(float(weight), 3) for weight in found[2 * count :]), strict=True)
    )
    return Fit(dict(zip(ANSWERING, doses, strict=True)), {**DECIDING, **decides})


def loss(weights: Any, tables: Sequence[Table]) -> tuple[float, Any]:
    """How unlikely what is needed is by `weights`, and how that changes with each of them."""
    import numpy as np

    count = len(ANSWERING)
    total, whole, slope = 0.0, 0.0, np.zeros_like(weights)
    for one in tables:
        answer = one.short @ weights[:count] + one.long @ weights[count : 2 * count]
        factor = 1 + one.fixed + one.fitted @ weights[2 * count :]
        steep = np.where(one.read, answer * factor, -np.inf)
        likely = np.exp(steep - steep.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        right = likely * one.needed
        sure = right.sum(axis=1, keepdims=True) + 1e-12
        share = sqrt(len(answer))
        total -= share * float(np.log(sure).mean())
        error = (likely - right / sure) * share / len(answer)
        for place, signals in enumerate((one.short, one.long)):
            part = np.einsum("qn,qnf->f", error * factor, signals)
            slope[place * count : (place + 1) * count] += part
        slope[2 * count :] += np.einsum("qn,qnf->f", error * answer, one.fitted)
        whole += share
    return total / whole + SMALL * float(weights @ weights), slope / whole + 2 * SMALL * weights


if __name__ == "__main__":
    main()
