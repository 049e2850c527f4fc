"""Compute the worth of a memory with its parts, its tier and the action that is due.

The worth is the importance, moved by six factors as far as they differ from those of an unknown
memory, and reduced by time and disuse. The tier follows from the importance and `quiet_days`, the
days since the memory was learned or last used. Pinned memories, the user's own and tasks with a
date are never cold. Pure, standard library only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..values import DAY_MS

WEIGHTS: Mapping[str, float] = {
    "outcome": 0.25,
    "reuse": 0.20,
    "cross_agent": 0.20,
    "novelty": 0.15,
    "user_signal": 0.15,
    "cost_savings": 0.05,
}
"""Weight of each factor; together 1."""

OUTCOMES: Mapping[str, float] = {"success": 1.0, "partial": 0.5, "": 0.5, "failure": 0.0}
"""Value of an outcome. An unknown one is neutral."""

OFTEN = 10  # uses from which on the factor is 1
MANY_AGENTS = 3  # number of agents from which on the factor is 1
MANY_SESSIONS = 5  # number of sessions from which on it is 1 with a single agent

DEAR_TOKENS = 20_000
DEAR_MS = 10 * 60 * 1000  # work of that size counts fully: it is worth the most not to repeat it


def factors_at_birth(
    outcome: str, *, is_lesson: bool, similarity: float, tokens: int | None, time_ms: int | None
) -> dict[str, float]:
    """Return the factors that are known at birth, each 0-1, by the names in `AT_BIRTH`.

    `outcome` is one of `OUTCOMES`. A lesson from a failure counts as a success. `similarity` to the
    nearest memory is 0-1. Tokens and time are the cost of the work.
    """
    cost = max((tokens or 0) / DEAR_TOKENS, (time_ms or 0) / DEAR_MS)
    return {
        "outcome": max(OUTCOMES[outcome], 1.0 if is_lesson else 0.0),
        "novelty": 1.0 - min(1.0, max(0.0, similarity)),
        "cost_savings": min(1.0, max(0.0, cost)),
    }


AT_BIRTH = ("outcome", "novelty", "cost_savings")
"""Factors that are known when a memory is learned. The others change."""


@dataclass(frozen=True, slots=True)
class Life:
    """The life of a memory so far. Times are in milliseconds since 1970."""

    importance: float  # 0-1, as it was given or judged, and raised where it was found again
    status: str
    created_at: int
    accesses: int = 0  # injections and repetitions
    last_access: int | None = None
    used: int = 0  # of these, injections that the agent then used
    helpful: int = 0
    unhelpful: int = 0
    agents: int = 1  # that found or used it
    sessions: int = 1
    is_users: bool = False
    is_open_task: bool = False
    is_dated: bool = False  # of a task: it has a day, or waits for an event
    at_birth: Mapping[str, float] | None = None  # factors as they were then, each 0-1

    @property
    def is_held(self) -> bool:
        """Return True if it is never cold: pinned, the user's, or a task with a date or an event.

        A task without either may become cold, or it would be injected at each start for years.
        """
        is_kept = self.is_dated if self.is_open_task else self.is_users
        return self.status == "pinned" or is_kept

    def quiet_days(self, now_ms: int) -> float:
        """Return the days since it was learned or last used; 0 if the clock was turned back."""
        return max(0, now_ms - max(self.created_at, self.last_access or 0)) / DAY_MS


@dataclass(frozen=True, slots=True)
class Worth:
    """A memory's worth with all its parts. Shares and scores are 0-1."""

    worth: float
    importance: float  # with the amounts of the factors
    base: float  # without
    factors: Mapping[str, float]  # in the order of its weights
    moved: Mapping[str, float]  # the amount that each factor added to the base
    fading: float  # factor of age
    use: float  # factor of use
    trial: float  # factor of a candidate
    quiet_days: float
    uses: int
    tier: str  # one of `values.TIERS`
    action: str  # the one due: `keep`, `summarise` or `archive`


def factors_of(life: Life) -> dict[str, float]:
    """Return the six factors of importance as they are now, each 0-1, in the order of `WEIGHTS`.

    The user signal is 1 for pinned memories and the user's own, 0 for those called unhelpful.
    """
    signal, opinions = 1.0 if life.is_users else 0.2, life.helpful + life.unhelpful
    if opinions:
        signal = (signal + life.helpful / opinions) / 2
    alone = max(0, life.sessions - max(1, life.agents)) / (MANY_SESSIONS - 1)
    born = life.at_birth or {}
    return {
        "outcome": born.get("outcome", OUTCOMES[""]),
        "reuse": min(1.0, math.log1p(max(0, life.used)) / math.log1p(OFTEN)),
        "cross_agent": min(1.0, max(0, life.agents - 1) / (MANY_AGENTS - 1) + alone),
        "novelty": born.get("novelty", 1.0),
        "user_signal": 1.0 if life.status == "pinned" else signal,
        "cost_savings": born.get("cost_savings", 0.0),
    }


NEUTRAL: Mapping[str, float] = factors_of(Life(0.0, "candidate", 0))
"""The factors of an unknown memory."""


def importance_of(life: Life) -> float:
    """Return the importance moved by the factors, 0-1."""
    return _moved(life.importance, factors_of(life))


def worth_of(life: Life, now_ms: int) -> float:
    """Return the worth at `now_ms`, 0-1."""
    return _faded(life, importance_of(life), now_ms)


def account_of(life: Life, now_ms: int) -> Worth:
    """Return the worth at `now_ms` with its parts. That of a pinned memory is its importance."""
    decays = life.status != "pinned"
    shares = factors_of(life)
    importance = _moved(life.importance, shares)
    quiet, held = life.quiet_days(now_ms), life.is_held

    def left(days: float = 0.0, uses: int = OFTEN, is_candidate: bool = False) -> float:
        if not decays:
            return 1.0
        return decayed(1.0, days_since_access=days, uses=uses, is_candidate=is_candidate)

    return Worth(
        worth=_faded(life, importance, now_ms),
        importance=importance,
        base=life.importance,
        factors=shares,
        moved={name: WEIGHTS[name] * (shares[name] - NEUTRAL[name]) for name in WEIGHTS},
        fading=left(quiet),
        use=left(uses=life.accesses),
        trial=left(is_candidate=life.status == "candidate"),
        quiet_days=quiet,
        uses=life.accesses,
        tier=tier_of(importance, quiet, is_held=held),
        action=action_due(importance, quiet, is_held=held),
    )


def _moved(base: float, shares: Mapping[str, float]) -> float:
    moved = sum(WEIGHTS[name] * (shares[name] - NEUTRAL[name]) for name in WEIGHTS)
    return min(1.0, max(0.0, base + moved))


def _faded(life: Life, importance: float, now_ms: int) -> float:
    if life.status == "pinned":
        return importance
    return decayed(
        importance,
        days_since_access=life.quiet_days(now_ms),
        uses=life.accesses,
        is_candidate=life.status == "candidate",
    )


WEEKLY = 0.95  # remaining share after a week without a use
STEP_DAYS = 7  # days of a week without a use
ON_TRIAL = 0.9  # remaining share for a candidate
UNUSED, EACH_USE = 0.5, 0.05  # remaining share without any use, and the amount of each use, up to 1


def decayed(importance: float, *, days_since_access: float, uses: int, is_candidate: bool) -> float:
    """Return importance x 0.95^(days / 7) x (0.9 for a candidate) x min(1, 0.5 + 0.05 x uses), 0-1.

    Negative days and uses count as none.
    """
    fading: float = WEEKLY ** (max(0.0, days_since_access) / STEP_DAYS)
    trial = ON_TRIAL if is_candidate else 1.0
    use = min(1.0, UNUSED + EACH_USE * max(0, uses))
    return min(1.0, max(0.0, importance)) * fading * trial * use


HOT_DAYS, WARM_DAYS = 7, 30  # quiet days from which on a memory is warm, and cold

FULL, DETAILED, BRIEF = 0.8, 0.6, 0.4
"""Importance, 0-1, from which on it is kept in full, in detail for 30 days, and for 7."""


def tier_of(importance: float, quiet_days: float, *, is_held: bool = False) -> str:
    """Return one of `values.TIERS`.

    Hot for 7 quiet days if its importance is at least 0.4, warm until the 30th, then cold, unless
    its importance is at least 0.8.
    """
    if quiet_days < HOT_DAYS:
        return "hot" if importance >= BRIEF or is_held else "warm"
    if quiet_days < WARM_DAYS or importance >= FULL or is_held:
        return "warm"
    return "cold"


def action_due(importance: float, quiet_days: float, *, is_held: bool = False) -> str:
    """Return `keep`, `summarise` or `archive`, which is due after so many quiet days.

    0.8-1.0 keep; 0.6-0.8 summarise after 30 days; 0.4-0.6 after 7; below 0.4 at once, and archive
    after 30.
    """
    detailed_days = WARM_DAYS if importance >= DETAILED else HOT_DAYS if importance >= BRIEF else 0
    if is_held or importance >= FULL or quiet_days < detailed_days:
        return "keep"
    return "archive" if importance < BRIEF and quiet_days >= WARM_DAYS else "summarise"
