"""`python -m benchmarks.retrieval_fit`: the weights of `blend`, fitted on the tuning halves only.

Coordinate ascent: each weight in turn is tried at a few other values, and kept at the best. What
is maximised is the mean over all sets at hand of (H@1 + R@10 + 2 MRR) / 4; what is left out is
measured once, at the end. The numbers printed, rounded, are what `core/retrieval/ranking.py`
holds. All sets at once, or a dose for one kind of text harms another.
"""

from collections.abc import Mapping, Sequence

from memdeck.core.retrieval.ranking import ANSWERING, BLEND, blended

from .retrieval import FIGURES, Case, Part, gathered, places, scores, stores
from .retrieval_sets import sets

FACTORS = (0.0, 0.5, 0.75, 0.9, 1.1, 1.33, 2.0)
LEAST = 0.03
"""From nothing a weight is tried at once and three times this."""

ROUNDS = 3
BETTER = 0.02
"""Points by which a value must be better to be taken."""

FITTED = (*ANSWERING, "when", "speaker", "tells")
"""What the questions can tell the worth of; the other weights stay as they are."""

Cases = Mapping[str, Sequence[Case]]
"""By set."""


def main() -> None:
    """Fit, and print the weights with what they reach on either half."""
    cases: dict[str, list[Case]] = {}
    for data in sets():
        with stores(data) as of:
            cases[data.name] = gathered(data, of)
    tuning = {
        name: [c for c in found if not c.question.is_left_out] for name, found in cases.items()
    }
    left_out = {name: [c for c in found if c.question.is_left_out] for name, found in cases.items()}
    weights = fitted(tuning)
    print({name: round(value, 3) for name, value in weights.items()})
    for title, part in (("tuning", tuning), ("left out", left_out)):
        for name, found in part.items():
            told = zip(FIGURES, scores(placed(found, weights)), strict=True)
            print(title, name, ", ".join(f"{figure} {value:.1f}" for figure, value in told))


def fitted(tuning: Cases) -> dict[str, float]:
    """The weights that serve all sets best, from those in use."""
    weights = dict(BLEND)
    best = worth(tuning, weights)
    print(f"start: {best:.2f}")
    for turn in range(ROUNDS):
        before = best
        for name in FITTED:
            for value in tried(weights[name]):
                now = worth(tuning, {**weights, name: value})
                if now > best + BETTER:
                    best, weights = now, {**weights, name: value}
        print(f"round {turn + 1}: {best:.2f}", flush=True)
        if best == before:
            break
    return weights


def tried(value: float) -> Sequence[float]:
    """Other values for a weight."""
    return [value * factor for factor in FACTORS] if value else [LEAST, 3 * LEAST]


def worth(cases: Cases, weights: Mapping[str, float]) -> float:
    """The mean over the sets, in percent."""
    each = [scores(placed(found, weights)) for found in cases.values()]
    return sum((h1 + r10 + 2 * mrr) / 4 for h1, _, r10, mrr in each) / len(each)


def placed(cases: Sequence[Case], weights: Mapping[str, float]) -> Part:
    """Where the needed memories of each question stand."""
    profile = blended(weights)
    return [(len(case.question.answers), places(case, profile)) for case in cases]


if __name__ == "__main__":
    main()
