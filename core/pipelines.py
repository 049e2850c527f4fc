"""The names of 000 and 001: thin, over the one coordinator.

Each runs the example that its design prints; docs/reference/python.md shows them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from .answers import StoreResult
from .compat import MemoryCoordinator
from .ingest.kinds import MemoryType
from .ingest.pipeline import trivial_because
from .models import reviewers as consensus
from .models.reviewers import Subject, Vote, review, reviewers_for
from .recall.keywords import keywords, match
from .recall.ranking import access_frequency, recency
from .services.recall import LOOKED_AT, trim_to_budget
from .text.tokens import estimate_tokens
from .values import Memory, importance_10

if TYPE_CHECKING:
    from .models.reviewers import ReviewDecision as Verdict

DEFAULT_TOKEN_BUDGET = 8_000
BUDGET_TOLERANCE = 0.05  # the share above the budget that the design allows; none is used

Path = str | os.PathLike[str] | None


def filter_trivial(content: str) -> bool:
    """Whether nothing in a text is worth keeping."""
    return trivial_because(content) is not None


def calculate_relevance(memory: Memory, query: str, now: datetime | None = None) -> float:
    """0.3 importance + 0.2 recency + 0.1 use + 0.4 words in common, each 0-10."""
    moment = now or datetime.now(memory.updated_at.tzinfo)
    age_days = max((moment - memory.updated_at).total_seconds(), 0.0) / 86_400
    image = {name: getattr(memory, name) for name in ("title", "content", "tags", "files")}
    shared = match(keywords(query), {**image, "category": memory.category}).share
    return (
        0.3 * importance_10(memory.importance)
        + 2.0 * recency(age_days)
        + 0.1 * access_frequency(memory.accesses)
        + 4.0 * shared
    )


def inject_context(prompt: str, context: str) -> str:
    return f"{context}\n\n---\n{prompt}" if context else prompt


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """What is looked for."""

    memory_types: Sequence[str] = ()
    session_id: str | None = None
    min_importance: int = 1  # 1-10
    limit: int = LOOKED_AT
    text: str = ""

    def of(self, core: MemoryCoordinator) -> list[Memory]:
        """The memories that fit, best first."""
        return [
            memory
            for memory in core.retrieve(self.text, [*map(str, self.memory_types)] or None, 500)
            if importance_10(memory.importance) >= self.min_importance
            and self.session_id in (None, memory.origin.session)
        ][: self.limit]


class TokenBudget:
    """How 8,000 tokens are shared out among the types."""

    BASE_ALLOCATION: ClassVar[Mapping[MemoryType, int]] = {
        MemoryType.EPISODIC: 2_000,
        MemoryType.SEMANTIC: 3_000,
        MemoryType.PROSPECTIVE: 1_000,
        MemoryType.PROCEDURAL: 2_000,
    }

    def allocate(self, query_context: Any) -> dict[MemoryType, int]:
        """The shares for a question: tasks and procedures get more where it asks for them."""
        shares = dict(self.BASE_ALLOCATION)
        if "todo" in query_context or "task" in query_context:
            shares[MemoryType.PROSPECTIVE] += 500
            shares[MemoryType.SEMANTIC] -= 500
        if "how to" in query_context or "procedure" in query_context:
            shares[MemoryType.PROCEDURAL] += 500
            shares[MemoryType.EPISODIC] -= 500
        return shares

    def trim_to_budget(self, memories: Iterable[Memory], budget: int) -> list[Memory]:
        """The most relevant that fit."""
        ranked = sorted(memories, key=lambda memory: -memory.relevance_score)
        return trim_to_budget(ranked, budget)[0]


class _Pipeline:
    def __init__(self, db_path: Path = None, session_id: str | None = None) -> None:
        self.coordinator = MemoryCoordinator(db_path, session_id=session_id)


class StoragePipeline(_Pipeline):
    """Captures, reviews, filters and stores."""

    def store(
        self,
        content: str,
        memory_type: str,
        metadata: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> StoreResult:
        return self.coordinator.store(content, memory_type, metadata, context)

    def store_memory(
        self,
        content: str,
        memory_type: str,
        context: Mapping[str, Any] | None = None,
        skip_review: bool = False,
    ) -> tuple[bool, str]:
        """Whether it was stored, and why; without review it is taken over as imported."""
        if not skip_review:
            return self.coordinator.route_storage(content, memory_type, context)
        item = {"content": content, "type": str(memory_type)}
        report = self.coordinator.import_memories([{**item, "details": {"context": context or {}}}])
        if report.refused:
            return False, report.refused[0][1]
        return bool(report.added), "stored" if report.added else "already known"

    filter_trivial = staticmethod(filter_trivial)


class RetrievalPipeline(_Pipeline):
    """Queries, scores and trims."""

    DEFAULT_TOKEN_BUDGET = DEFAULT_TOKEN_BUDGET
    BUDGET_TOLERANCE = BUDGET_TOLERANCE

    def retrieve(self, *values: Any, **named: Any) -> list[Memory]:
        return self.coordinator.retrieve(*values, **named)

    def retrieve_relevant(
        self,
        query: str,
        memory_types: Sequence[str] = (),
        session_id: str | None = None,
        token_budget: int = DEFAULT_TOKEN_BUDGET,
    ) -> tuple[str, dict[str, Any]]:
        """A text within the budget, and the account of it; the session is noted as asking."""
        del session_id  # memories of a project cross its sessions (requirements, "Scope")
        return self.coordinator.services.recall.context(query, memory_types, token_budget)

    calculate_relevance = staticmethod(calculate_relevance)
    estimate_tokens = staticmethod(estimate_tokens)
    trim_to_budget = staticmethod(trim_to_budget)


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """What reviewers came to, in the words of 000."""

    action: str  # store, reject
    importance: int | None = None  # 1-10
    reason: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)  # tier, scores by reviewer


AgentReviewResult = ReviewDecision


def aggregate_decisions(results: Sequence[Mapping[str, Any]]) -> ReviewDecision:
    """The decision that follows from answers as 000 prints them: `success`, `agent` and scores."""
    votes = []
    for number, answer in enumerate(results):
        request = tuple(consensus.ASKED)[number % len(consensus.ASKED)]
        name = str(answer.get("agent", request))
        score = answer.get(consensus.ASKED.get(name, "importance"), consensus.MISSING_SCORE)
        is_well = bool(answer.get("success", True))
        votes.append(
            Vote(
                name,
                score=float(score) if is_well else None,
                is_trivial=bool(answer.get("trivial")),
                reason=str(answer.get("reason", "")),
                status="ok" if is_well else "failed",
            )
        )
    return _in_words(consensus.aggregate_decisions(votes))


class AgentReviewCoordinator:
    """The configured reviewers, asked about one text."""

    def __init__(self, db_path: Path = None) -> None:
        self.coordinator = MemoryCoordinator(db_path)

    def review_content(
        self, content: str, memory_type: str, timeout: float = 2.0
    ) -> ReviewDecision:
        """What they decide about a text that is not stored; `timeout` is 0.1 to 30 seconds."""
        from .redaction.redact import redact

        policy = self.coordinator.policy.review
        text = redact(content).value
        subject = Subject(text, str(memory_type), category="discovery", importance=0.5)
        return _in_words(
            review(
                subject,
                reviewers_for(policy),
                timeout_s=timeout,
                rule=policy.rule,
                consensus_score=policy.consensus_score,
                heuristic=lambda item: trivial_because(item.content),
            )
        )

    aggregate_decisions = staticmethod(aggregate_decisions)


def _in_words(verdict: Verdict) -> ReviewDecision:
    scores = {vote.reviewer: vote.score for vote in verdict.votes if vote.status == "ok"}
    return ReviewDecision(
        "store" if verdict.is_accepted else "reject",
        verdict.importance_10 if verdict.is_accepted else None,
        verdict.reason,
        {"tier": verdict.tier, "scores": scores},
    )


def store_memory(
    content: str,
    memory_type: str,
    context: Mapping[str, Any] | None = None,
    skip_review: bool = False,
    *,
    db_path: Path = None,
) -> tuple[bool, str]:
    """`StoragePipeline.store_memory` in one call."""
    pipeline = StoragePipeline(db_path)
    with pipeline.coordinator:
        return pipeline.store_memory(content, memory_type, context, skip_review)


def retrieve_relevant(
    query: str,
    memory_types: Sequence[str] = (),
    token_budget: int = DEFAULT_TOKEN_BUDGET,
    *,
    db_path: Path = None,
) -> tuple[str, dict[str, Any]]:
    """`RetrievalPipeline.retrieve_relevant` in one call."""
    pipeline = RetrievalPipeline(db_path)
    with pipeline.coordinator:
        return pipeline.retrieve_relevant(query, memory_types, token_budget=token_budget)
