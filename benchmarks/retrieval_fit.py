"""`python -m benchmarks.retrieval_fit`: the weights of `blend`, fitted on the tuning half only.

Coordinate ascent: each weight in turn is tried at a few other values, and kept at the best. What
is maximised is recall@10 + MRR over the questions of the tuning half; the held-out half is
measured once, at the end. The numbers printed are what `core/retrieval/ranking.py` holds.
"""

import tempfile
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memdeck.core.retrieval import rerankers
from memdeck.core.retrieval.ranking import ANSWERING, BLEND, Signals, blended
from memdeck.core.retrieval.selection import Ranked

from .retrieval import PLAIN, SHOWN, scores, stores
from .retrieval_set import Question, evaluation_set

FACTORS = (0.0, 0.5, 0.7, 0.85, 1.2, 1.5, 2.0)
LEAST = 0.03
"""From nothing a weight is tried at once and three times this."""

ROUNDS = 4

FITTED = (*ANSWERING, "when", "speaker")
"""What the questions can tell the worth of; the other weights stay as they are."""


class Case(NamedTuple):
    """One question with the signals of all memories that were read for it, the answer's first."""

    question: Question
    answer: Signals | None
    others: list[Signals]


def main() -> None:
    """Fit, and print the weights with what they reach on either half."""
    cases = gathered()
    tuning = [case for case in cases if not case.question.is_held_out]
    held_out = [case for case in cases if case.question.is_held_out]
    weights = dict(BLEND)
    best = worth(tuning, weights)
    print(f"start: {best:.4f}")
    for turn in range(ROUNDS):
        before = best
        for name in FITTED:
            kept = weights[name]
            for value in tried(kept):
                now = worth(tuning, {**weights, name: value})
                if now > best + 1e-6:
                    best, kept = now, value
            weights[name] = kept
        print(f"round {turn + 1}: {best:.4f}", flush=True)
        if best - before < 0.001:
            break
    whole = sum(weights[name] for name in ANSWERING)
    weights = {n: round(w / whole if n in ANSWERING else w, 3) for n, w in weights.items()}
    print(weights)
    for title, part in (("tuning", tuning), ("held out", held_out)):
        print(title, [f"{100 * value:.1f}" for value in scores(places(part, weights))])


def tried(value: float) -> Sequence[float]:
    """Other values for a weight."""
    return [value * factor for factor in FACTORS] if value else [LEAST, 3 * LEAST]


def worth(cases: Sequence[Case], weights: Mapping[str, float]) -> float:
    """recall@10 + MRR."""
    _, at_10, mrr = scores(places(cases, weights))
    return at_10 + mrr


def places(cases: Sequence[Case], weights: Mapping[str, float]) -> list[int]:
    """The place of each answer, 0 beyond the tenth or when it was not read."""
    found, weigh = [], blended(weights)
    for case in cases:
        place = 0
        if case.answer is not None:
            own = weigh(case.answer)[0]
            place = 1 + sum(weigh(other)[0] >= own for other in case.others)
        found.append(place if place <= SHOWN else 0)
    return found


def gathered() -> list[Case]:
    """The signals of everything that is read for each question."""
    data, cases = evaluation_set(), []
    seen: list[Signals] = []
    order: list[Ranked] = []

    def watched(signals: Signals) -> tuple[float, dict[str, float]]:
        seen.append(signals)
        return float(-len(seen)), {}

    def keep(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
        order[:] = ranked
        return rerankers.unchanged(prompt, ranked, now_ms)

    strategy = PLAIN._replace(rerank=keep, over_fetch=100, profile=watched)
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder, stores(data, folder) as of:
        for question in data.questions:
            seen.clear()
            order.clear()
            of[question.project].search(question.text, SHOWN, strategy)
            keys = [one.image["key"] for one in order]
            answer = keys.index(question.answer) if question.answer in keys else None
            others = [one for place, one in enumerate(seen) if place != answer]
            cases.append(Case(question, None if answer is None else seen[answer], others))
    return cases


if __name__ == "__main__":
    main()
