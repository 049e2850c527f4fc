"""Reorder the ranked memories: rerankers, and strategies by name.

A reranker takes the prompt, the ranked memories and the time, and returns the same memories in
another order. The default changes nothing. Add a strategy to `STRATEGIES`, or pass it to `search`.
"""

# ruff: noqa: ARG001 - every reranker is offered all three arguments
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..errors import BadInput
from ..values import DAY_MS
from .keywords import Term, keywords, match
from .ranking import Profile
from .selection import Ranked

Reranker = Callable[[str, Sequence[Ranked], int], Sequence[Ranked]]
"""Prompt, ranked, milliseconds since 1970 in; the same memories, best first, out."""

TIME_WEIGHT = 0.3
"""Weight of recency in `time-weighted`."""

DAY_FADES = 0.1
"""Rate at which recency falls there: 1 / (1 + 0.1 x days)."""


class Strategy(NamedTuple):
    """One way of searching: how much is read, how it is ranked and reordered."""

    name: str
    rerank: Reranker
    over_fetch: int = 3  # memories ranked for each that is wanted
    profile: Profile | None = None  # None: the one that is configured


def unchanged(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return the order as it is."""
    return ranked


def time_weighted(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return 0.7 of the score, as a share of the best, plus 0.3 of recency; 0.0 to 1.0."""

    def recency(item: Ranked) -> dict[str, float]:
        age_days = max(now_ms - item.image["created_at"], 0) / DAY_MS
        return {"time": 1 / (1 + DAY_FADES * age_days)}

    return _mixed(ranked, TIME_WEIGHT, recency)


def reviewed(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return half of the score plus half the mean of two reviewers; 0.0 to 1.0."""
    terms = keywords(prompt)
    kinds = wanted_kinds(prompt)

    def opinions(item: Ranked) -> dict[str, float]:
        return {"analyzer": analyzer(terms, item) / 2, "patterns": patterns(kinds, item) / 2}

    return _mixed(ranked, 0.5, opinions)


def analyzer(terms: Sequence[Term], item: Ranked) -> float:
    """Return the share of the question that a memory has, 0.0 to 1.0; 1.0 for a name."""
    common = match(terms, item.image)
    return 1.0 if common.names_it else common.share


def patterns(kinds: Sequence[str], item: Ranked) -> float:
    """Return 1.0 for a memory of the wanted kind, 0.5 if unknown, 0.0 for another."""
    if not kinds:
        return 0.5
    return float(item.image["category"] in kinds or item.image["type"] in kinds)


def wanted_kinds(prompt: str) -> tuple[str, ...]:
    """Return the categories and types that a question asks for; () if open."""
    lower = prompt.lower()
    return next((kinds for pattern, kinds in _ASKED if pattern.search(lower)), ())


_ASKED: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\b(?:why|cause[ds]?|fail|broke|warum|weshalb|fehler)\b"), ("error", "discovery")),
    (re.compile(r"\b(?:how (?:do|can|to|should)|steps?|wie (?:kann|soll))\b"), ("procedural",)),
    (re.compile(r"\b(?:decide[d]?|choose|chose|agreed?|entschieden|gewählt)\b"), ("decision",)),
    (re.compile(r"\b(?:where|structure|stored?|wo|aufbau)\b"), ("architecture", "discovery")),
    (re.compile(r"\b(?:careful|mind|danger|trap|vorsicht|achten)\b"), ("warning",)),
    (re.compile(r"\b(?:prefer|style|convention|lieber|regel)\b"), ("preference", "pattern")),
    (re.compile(r"\b(?:todo|open|left to do|offen)\b"), ("prospective", "task_progress")),
)


def _mixed(
    ranked: Sequence[Ranked], share: float, added: Callable[[Ranked], Mapping[str, float]]
) -> list[Ranked]:
    """Return new scores: the old ones relative to the best, and `share` of what is `added`.

    The parts add up to the new score. If the old parts did not, they become one part.
    """
    best = max((item.score for item in ranked), default=0.0) or 1.0
    made = []
    for item in ranked:
        parts = dict(item.parts)
        if abs(sum(parts.values()) - item.score) > 1e-9:
            parts = {"ranking": item.score}
        parts = {name: value / best * (1 - share) for name, value in parts.items()}
        parts.update((name, share * value) for name, value in added(item).items())
        made.append(item._replace(score=sum(parts.values()), parts=parts))
    return sorted(made, key=lambda item: (-item.score, -item.image["created_at"], item.id))


STRATEGIES: Mapping[str, Strategy] = {
    item.name: item
    for item in (
        Strategy("plain", unchanged),
        Strategy("time-weighted", time_weighted, over_fetch=2),
        Strategy("reviewed", reviewed),
    )
}
"""Strategies by name. "plain" is the default."""


def strategy_called(name: str) -> Strategy:
    """Return the strategy of this name, ours or another package's. Raises BadInput."""
    if name in STRATEGIES:
        return STRATEGIES[name]
    from .. import extensions  # the dearer look, for what is not ours

    brought = extensions.names("strategy")
    if name not in brought:
        raise BadInput(
            f"There is no search strategy {name!r}.",
            hint=f"Use: {', '.join((*STRATEGIES, *brought))}.",
        )
    strategy = extensions.extension("strategy", name)
    if not isinstance(strategy, Strategy):
        raise BadInput(
            f"The search strategy {name!r} is no Strategy.", hint="docs/reference/extensions.md"
        )
    return strategy


def last_word(name: str, prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return the order of the named strategy; unchanged if it is missing or fails.

    A prompt waits for it, and another package may raise anything. `memdeck doctor` reports unknown
    names.
    """
    try:
        return strategy_called(name).rerank(prompt, ranked, now_ms)
    except Exception:  # somebody else's code, and the agent waits: an order is not worth its answer
        return ranked


PLAIN = STRATEGIES["plain"]
