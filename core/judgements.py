"""Values of the review queue: candidates, conflicts and filtered captures; and their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from .lifecycle.worth import Worth
from .values import Memory

if TYPE_CHECKING:
    from .models.reviewers import Vote

VERDICTS = ("a", "b", "both", "neither", "merged", "not_a_conflict")
"""How a conflict may end: which side stays."""


CONFLICT_KINDS = ("contradictory", "superseded", "ambiguous")  # how two memories may disagree

SIGNAL_WORDS: Mapping[str, str] = {
    "user-intent": "a person said it",
    "explicit-pin": "pinned",
    "worth-keeping": "judged worth keeping",
    "multi-session": "in several sessions",
    "error-resolution": "resolved an error",
    "multi-agent": "from several agents",
    "verified": "supported by the transcript",
    "high-importance": "important",
}
"""The signals of promotion, as every door names them."""

EVIDENCE_WORDS: Mapping[str, str] = {
    "unchecked": "its session was not read yet",
    "nobody": "only the agent says it, after it read the web, an MCP tool or a paste",
    "quoted": "only pasted text says it",
    "finding": "only a tool's result says it",
    "agent": "the agent said it in its session",
    "person": "the user said it",
}
"""What a session says to what its agent recorded, as every door names it."""

DEGREE_WORDS: Mapping[str, str] = {
    "person": "yours",
    "established": "trusted",
    "unproven": "unverified",
}
"""How sure we are of a memory, as every door names it."""

PROVENANCE_WORDS: Mapping[str, str] = {
    "person": "said by the user",
    "agent-verified": "an agent, verified",
    "agent-unverified": "an agent, unverified",
    "quoted": "quoted",
    "imported": "imported",
}
"""Who said a memory, as every door names it."""

STATUS_WORDS: Mapping[str, str] = {
    "timeout": "no answer in time",
    "failed": "failed",
    "invalid": "answered nonsense",
    "over_budget": "the day's money is spent",
}
"""Why a reviewer's vote does not count."""

TIER_WORDS: Mapping[str, str] = {
    "consensus": "consensus",
    "partial": "partial: one answered",
    "fallback": "fallback: by rule",
}
"""How many reviewers a decision stands on."""


def worth_words(worth: Worth) -> str:
    """What a memory is worth, and its tier: `0.23 · cold, injected only on a clear match`."""
    rest = ", injected only on a clear match" if worth.tier == "cold" else ""
    return f"{worth.worth:.2f} · {worth.tier}{rest}"


def trust_words(degree: str, provenance: str) -> str:
    """How sure a memory is and who said it: `unproven · quoted`; "" where nobody looked."""
    said_by = PROVENANCE_WORDS.get(provenance, provenance)
    if degree == "person" and provenance.startswith("agent-"):
        said_by = "found by an agent"  # the user confirmed it: no evidence is needed
    words = DEGREE_WORDS.get(degree, degree), said_by
    return " · ".join(word for word in words if word)


def failure_words(vote: Vote) -> str:
    """Why a reviewer's vote does not count."""
    says = STATUS_WORDS.get(vote.status, vote.status)
    return f"{says}: {vote.reason}" if vote.reason else says


@dataclass(frozen=True, slots=True)
class RefusedCapture:
    """What a gate refused; it can be looked at, and rescued."""

    number: int
    content: str  # redacted
    reason: str  # `gate: why`
    rule: str
    session: str | None
    at: datetime
    category: str | None = None
    importance: float = 0.5
    votes: tuple[Vote, ...] = ()
    session_name: str = ""  # the session in words; "" for none, and for one nobody noted


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two memories that cannot both hold."""

    id: str
    kind: str  # contradictory, superseded, ambiguous
    reason: str  # which words or values oppose each other
    first: Memory
    second: Memory
    detected_at: datetime
    resolved_at: datetime | None = None
    verdict: str | None = None  # one of VERDICTS
    context: str = ""  # what tells them apart, when both stay

    @property
    def is_open(self) -> bool:
        return self.resolved_at is None
