"""What a reviewer is shown, what it answers, and what all reviewers have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...frozen import dataclass, field
from ..answers import NO_EXCHANGE, Exchange, Neighbour, Salience

SHOWN = 500
"""Characters of a text that a reviewer sees."""

STATES = ("ok", "timeout", "failed", "invalid", "over_budget")
"""How a review went; only "ok" counts as a vote."""

BUILT_IN = "built-in"
"""The engine of reviewers that need no model."""

TIERS = ("consensus", "partial", "fallback")
"""How many reviewers a decision stands on: two or more, one, none."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What reviewers judge. Everything in it is redacted already."""

    content: str
    type: str  # one of TYPES, by rule
    category: str
    importance: float  # 0-1, as the extraction rule weighs it
    confidence: float = 0.7
    title: str = ""
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    rule: str = ""  # the extraction rule that found it: person.* or agent.*, "" unknown
    is_type_unsure: bool = False  # the rules could not tell the type; a reviewer may
    neighbours: tuple[Neighbour, ...] = ()  # the nearest of what is known, nearest first
    salience: Salience | None = None  # the fitted score; None of what needed no judgement
    exchange: Exchange = NO_EXCHANGE  # redacted
    is_private: bool = False  # not for all: no model is shown it

    @property
    def is_person(self) -> bool:
        """Whether a person said it in a session."""
        return self.rule.startswith("person.")

    @property
    def likeness(self) -> float:
        """How like the nearest of what is known it is, 0-1."""
        return self.neighbours[0].similarity if self.neighbours else 0.0


@dataclass(frozen=True, slots=True)
class Vote:
    """One reviewer's answer, or why there is none."""

    reviewer: str  # analyzer, patterns, knowledge-archaeologist, …
    score: float | None = None  # 1-10; None unless status is "ok"
    is_trivial: bool = False
    reason: str = ""  # redacted, at most 300 characters
    type: str | None = None  # a correction of the type, one of TYPES
    status: str = "ok"  # one of STATES
    engine: str = BUILT_IN  # who answered: built-in, claude, http model name, …
    latency_ms: float = 0.0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """What the votes come to."""

    is_accepted: bool
    importance_10: int  # 1-10: what the memory's importance becomes
    score: float  # mean of the scores, 0-10
    reason: str  # names the scores when it refuses
    tier: str  # one of TIERS
    votes: tuple[Vote, ...]
    averages: Mapping[str, float] = field(default_factory=dict)  # importance, relevance, novelty
    type: str | None = None  # the type that reviewers settled on, when the rules were unsure

    @property
    def agents(self) -> str:
        """`2/3 agents`: how many answered of how many were asked."""
        return f"{sum(vote.status == 'ok' for vote in self.votes)}/{len(self.votes)} agents"


class Reviewer(Protocol):
    """Somebody who can judge a text. A further one is a room of its own."""

    @property
    def name(self) -> str:
        """What it is called in votes: `analyzer`, `security`."""

    @property
    def engine(self) -> str:
        """Who answers, as votes show it: `BUILT_IN`, or a model's kind and name."""

    @property
    def is_instant(self) -> bool:
        """Whether it answers by computing alone, and so needs no thread."""

    def review(self, subject: Subject, timeout_s: float) -> Vote:
        """Its vote. May raise, or take longer: the panel makes a failed vote of that."""


def headline(known: Neighbour) -> str:
    """What a person knows a memory by, at most 80 characters."""
    told = (known.title or known.content).strip().rstrip(".")
    return told if len(told) <= 80 else told[:79].rstrip() + "…"
