"""The names of 000 and 001: thin, over the one coordinator.

Each runs the example that its design prints; docs/reference/python.md shows them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from . import hosts
from .answers import StoreResult
from .compat import MemoryCoordinator
from .ingest.kinds import MemoryType
from .ingest.pipeline import trivial_because
from .models import reviewers as consensus
from .models.reviewers import Subject, review, reviewers_for
from .recall.candidates import keywords, match
from .recall.ranking import access_frequency, recency
from .services.recall import LOOKED_AT, trim_to_budget
from .sessions.shape import steps_in
from .text.tokens import estimate_tokens
from .values import Memory, importance_10

if TYPE_CHECKING:
    pass

DEFAULT_TOKEN_BUDGET = 8_000
BUDGET_TOLERANCE = 0.05  # the share above the budget that the design allows; none is used

Path = str | os.PathLike[str] | None


def filter_trivial(content: str) -> bool:
    """Return True if a text is trivial."""
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
    """A search request."""

    memory_types: Sequence[str] = ()
    session_id: str | None = None
    min_importance: int = 1  # 1-10
    limit: int = LOOKED_AT
    text: str = ""

    def of(self, core: MemoryCoordinator) -> list[Memory]:
        """Return the memories that fit, best first."""
        return [
            memory
            for memory in core.retrieve(self.text, [*map(str, self.memory_types)] or None, 500)
            if importance_10(memory.importance) >= self.min_importance
            and self.session_id in (None, memory.origin.session)
        ][: self.limit]


class TokenBudget:
    """The shares of the types in 8,000 tokens."""

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
        """Return the most relevant that fit."""
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
        memory_type: str | None = None,
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
        """Return whether it was stored, and why; without review it is stored as imported."""
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
        agents: Sequence[str] = (),
    ) -> tuple[str, dict[str, Any]]:
        """Return a text within the budget, and the account of it.

        Memories of `agents` come first. Unverified memories do not cross sessions.
        """
        recall = self.coordinator.services.recall
        return recall.context(query, memory_types, token_budget, agents, session_id)

    calculate_relevance = staticmethod(calculate_relevance)
    estimate_tokens = staticmethod(estimate_tokens)
    trim_to_budget = staticmethod(trim_to_budget)


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """The reviewers' decision, in the words of 000."""

    action: str  # store, reject
    importance: int | None = None  # 1-10
    reason: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)  # scores, averages, how many agreed


AgentReviewResult = ReviewDecision


def aggregate_decisions(results: Sequence[Mapping[str, Any]], content: str = "") -> ReviewDecision:
    """Return the decision that follows from answers as 000 prints them, of agents of any name.

    An answer has `success`, `agent`, `importance`, `relevance` and `novelty` (1-10, 5 where it says
    none) and `trivial`. Without any that succeeded, the heuristic judges `content`.
    """
    valid = [answer for answer in results if answer.get("success")]
    if not valid:
        if content and trivial_because(content):
            return ReviewDecision("reject", reason="All agents failed, heuristic filter rejected")
        reason = "All agents failed, heuristic accepted with low importance"
        return ReviewDecision("store", consensus.FALLBACK_IMPORTANCE, reason, {"fallback": True})
    means = {
        meaning: fmean(float(answer.get(meaning, consensus.MISSING_SCORE)) for answer in valid)
        for meaning in consensus.ASKED.values()
    }
    importance, trivial = means["importance"], sum(bool(item.get("trivial")) for item in valid)
    if len(valid) == 1:
        lead = "Single agent (partial failure)"
        if importance < consensus.MIN_ALONE:
            return ReviewDecision("reject", reason=f"{lead}, low importance: {importance:g}")
        reason = f"{lead}, cautious acceptance"
        return ReviewDecision("store", int(importance), reason, {"partial_consensus": True})
    if trivial >= consensus.TRIVIAL_VOTES:
        reason = f"Trivial ({trivial}/{len(valid)} agents agreed)"
        return ReviewDecision("reject", reason=reason)
    if importance < consensus.MIN_IMPORTANCE or means["relevance"] < consensus.MIN_RELEVANCE:
        scores = f"importance={importance:.1f}, relevance={means['relevance']:.1f}"
        return ReviewDecision("reject", reason=f"Low scores: {scores}")
    averages = {f"avg_{meaning}": mean for meaning, mean in means.items()}
    about = {"agent_scores": valid, **averages, "consensus": f"{len(valid)}/{len(results)} agents"}
    return ReviewDecision("store", int(importance), metadata=about)


class AgentReviewCoordinator:
    """The configured reviewers, asked about one text."""

    REVIEW_AGENTS = tuple(consensus.ASKED)
    AGENT_TIMEOUT = consensus.TIMEOUT_S

    def __init__(self, db_path: Path = None) -> None:
        self.coordinator = MemoryCoordinator(db_path)

    def review_content(
        self, content: str, memory_type: str, timeout: float = AGENT_TIMEOUT
    ) -> ReviewDecision:
        """Return their decision on a text that is not stored; `timeout` is 0.1 to 30 seconds."""
        from .redaction.redact import redact

        policy = self.coordinator.policy.review
        text = redact(content).value
        subject = Subject(text, str(memory_type), category="discovery", importance=0.5)
        verdict = review(
            subject,
            reviewers_for(policy),
            timeout_s=timeout,
            rule=policy.rule,
            heuristic=lambda item: trivial_because(item.content),
        )
        about = {
            "fallback": verdict.tier == "fallback",
            "partial_consensus": verdict.tier == "partial",
            "agent_scores": {vote.reviewer: vote.score for vote in verdict.votes},
            **{f"avg_{meaning}": mean for meaning, mean in verdict.averages.items()},
            "consensus": verdict.agents,
        }
        if not verdict.is_accepted:
            return ReviewDecision("reject", None, verdict.reason, about)
        return ReviewDecision("store", verdict.importance_10, verdict.reason, about)

    aggregate_decisions = staticmethod(aggregate_decisions)


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


# --- hooks, as 000 prints them; `hosts` has those that agents call

COMPLEX_STEPS = 5  # a finished task of more steps is a procedure
MIN_MESSAGE = 50  # characters of a message that is read when a session stops

HookData = Mapping[str, Any]


def detect_agent_references(prompt: str) -> list[str]:
    """Return the agents that a prompt names, as `@name` or by the name of a known one."""
    agents = "|".join(map(re.escape, hosts.registry.names()))
    names = re.findall(rf"(?<!\w)@([\w-]+)|\b({agents})\b", prompt, re.IGNORECASE)
    return list(dict.fromkeys((mention or name).lower() for mention, name in names))


@dataclass(frozen=True, slots=True)
class UserPromptSubmitHandler:
    """Puts matching memories before a prompt."""

    db_path: Path = None

    def __call__(self, hook_data: HookData) -> dict[str, Any]:
        """Return the prompt with its context; {} without a match."""
        prompt = hook_data["userMessage"]["text"]
        pipeline = RetrievalPipeline(self.db_path, hook_data.get("sessionId"))
        with pipeline.coordinator:
            agents = detect_agent_references(prompt)
            context, _ = pipeline.retrieve_relevant(prompt, agents=agents)
        return {"userMessage": {"text": f"{context}\n\n{prompt}"}} if context else {}


@dataclass(frozen=True, slots=True)
class SessionStopHandler:
    """Stores the lessons of a conversation."""

    db_path: Path = None

    def __call__(self, hook_data: HookData) -> dict[str, Any]:
        with MemoryCoordinator(self.db_path, session_id=hook_data.get("sessionId")) as core:
            for message in hook_data.get("conversationHistory", ()):
                if len(message["text"].strip()) >= MIN_MESSAGE:
                    core.store(message["text"], context={"role": message.get("role")})
            core.clear_expired()
        return {}


@dataclass(frozen=True, slots=True)
class TodoCompleteHandler:
    """Clears a task's working memory, and keeps its steps if they were many."""

    db_path: Path = None

    def __call__(self, hook_data: HookData) -> dict[str, Any]:
        session, todo = hook_data.get("sessionId"), hook_data["todoContent"]
        with MemoryCoordinator(self.db_path, session_id=session) as core:
            core.clear_working_memory(session or "", hook_data["todoId"])
            if len(steps_in(todo, is_procedure=True)) > COMPLEX_STEPS:
                core.store(todo, "procedural", {"success": True})
        return {}


def register_hooks(db_path: Path = None) -> dict[str, Callable[[HookData], dict[str, Any]]]:
    """Return the handlers by the name of their event."""
    return {
        "UserPromptSubmit": UserPromptSubmitHandler(db_path),
        "SessionStop": SessionStopHandler(db_path),
        "TodoWriteComplete": TodoCompleteHandler(db_path),
    }
