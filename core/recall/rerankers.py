"""What may have the last word on the order: rerankers, and strategies that go by a name.

A reranker takes the prompt, what was ranked and the time, and gives the same memories in another
order; the default changes nothing. A new strategy is a value: put it into `STRATEGIES`,
or hand it to `search` as it is.
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
"""What recency counts in `time-weighted`."""

DAY_FADES = 0.1
"""How fast recency falls there: 1 / (1 + 0.1 x days)."""


class Strategy(NamedTuple):
    """One way of answering: what is looked at, how it is weighed, who has the last word."""

    name: str
    rerank: Reranker
    over_fetch: int = 3  # memories ranked for each that is wanted
    profile: Profile | None = None  # None: the one that is configured


def unchanged(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """The order as it is."""
    return ranked


def time_weighted(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """0.7 of the score, as a share of the best, and 0.3 of recency; from 0.0 to 1.0."""
    return _mixed(ranked, TIME_WEIGHT, lambda item: {"time": time_recency(_age_days(item, now_ms))})


def time_recency(age_days: float) -> float:
    """1 / (1 + 0.1 x days): 1.0 today, 0.5 at ten days, towards 0.0."""
    return 1 / (1 + DAY_FADES * max(age_days, 0.0))


def reviewed(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Half of the score, half the mean of two reviewers' opinions; 0.0 to 1.0."""
    terms = keywords(prompt)
    kinds = wanted_kinds(prompt)

    def opinions(item: Ranked) -> dict[str, float]:
        return {"analyzer": analyzer(terms, item) / 2, "patterns": patterns(kinds, item) / 2}

    return _mixed(ranked, 0.5, opinions)


def analyzer(terms: Sequence[Term], item: Ranked) -> float:
    """How much of the question a memory speaks of, 0.0 to 1.0; a very thing by name is 1.0."""
    common = match(terms, item.image)
    return 1.0 if common.names_it else common.share


def patterns(kinds: Sequence[str], item: Ranked) -> float:
    """Whether a memory is of the kind that such questions ask for: 1.0, 0.5 unknown, 0.0 not."""
    if not kinds:
        return 0.5
    return float(item.image["category"] in kinds or item.image["type"] in kinds)


def wanted_kinds(prompt: str) -> tuple[str, ...]:
    """The categories and types that answer a question, by how it is asked; () when it is open."""
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
    """Scores made anew: the old ones relative to the best, and `share` of what is `added`.

    The parts add up to the new score; where the old ones did not add up to theirs, as factors do
    not, they become one part.
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


def _age_days(item: Ranked, now_ms: int) -> float:
    created_ms: int = item.image["created_at"]
    return max(now_ms - created_ms, 0) / DAY_MS


STRATEGIES: Mapping[str, Strategy] = {
    item.name: item
    for item in (
        Strategy("plain", unchanged),
        Strategy("time-weighted", time_weighted, over_fetch=2),
        Strategy("reviewed", reviewed),
    )
}
"""Ways of answering by name; "plain" is the default."""


def strategy_called(name: str) -> Strategy:
    """The strategy of this name, ours or another package's. Raises BadInput."""
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
        raise BadInput(f"The search strategy {name!r} is no Strategy.", hint="docs/extending.md")
    return strategy


def last_word(name: str, prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """The order that the strategy of this name makes; as it was, where that one is gone or fails.

    A prompt waits for it, and what another package brings may raise anything: `memdeck doctor`
    says when a name is not known.
    """
    try:
        return strategy_called(name).rerank(prompt, ranked, now_ms)
    except Exception:  # somebody else's code, and the agent waits: an order is not worth its answer
        return ranked


PLAIN = STRATEGIES["plain"]
