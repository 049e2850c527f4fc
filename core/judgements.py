"""Values of the review queue: candidates, conflicts and filtered captures; and their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from .values import Memory

if TYPE_CHECKING:
    from .models.reviewers import Vote

VERDICTS = ("a", "b", "both", "neither", "merged", "not_a_conflict")
"""The results of a conflict: the side that stays."""


CONFLICT_KINDS = ("contradictory", "superseded", "ambiguous")  # how two memories may disagree

SIGNAL_WORDS: Mapping[str, str] = {
    "user-intent": "the user said it",
    "explicit-pin": "pinned",
    "worth-keeping": "judged worth keeping",
    "multi-session": "in several sessions",
    "error-resolution": "resolved an error",
    "multi-agent": "from several agents",
    "verified": "supported by the transcript",
    "high-importance": "important",
}
"""The signals of promotion, as every interface names them."""

EVIDENCE_WORDS: Mapping[str, str] = {
    "unchecked": "its session was not read yet",
    "nobody": "only the agent says it, after it read the web, an MCP tool or a paste",
    "quoted": "only pasted text says it",
    "finding": "only a tool's result says it",
    "agent": "the agent said it in its session",
    "person": "the user said it",
}
"""The evidence of a session for its agent's record, as every interface names it."""

DEGREE_WORDS: Mapping[str, str] = {
    "person": "yours",
    "established": "trusted",
    "unproven": "unverified",
}
"""The degrees of trust, as every interface names them."""

PROVENANCE_WORDS: Mapping[str, str] = {
    "person": "said by the user",
    "agent-verified": "an agent, verified",
    "agent-unverified": "an agent, unverified",
    "quoted": "quoted",
    "imported": "imported",
}
"""The provenances of memories, as every interface names them."""

STATUS_WORDS: Mapping[str, str] = {
    "timeout": "no answer in time",
    "failed": "failed",
    "invalid": "answered nonsense",
    "over_budget": "the day's money is spent",
}
"""The reasons why a reviewer's vote does not count."""

TIER_WORDS: Mapping[str, str] = {
    "consensus": "consensus",
    "partial": "partial: one answered",
    "fallback": "fallback: by rule",
}
"""The number of reviewers behind a decision."""


def trust_words(degree: str, provenance: str) -> str:
    """Return degree and provenance in words: `unverified · quoted`; "" if not computed."""
    source = PROVENANCE_WORDS.get(provenance, provenance)
    if degree == "person" and provenance.startswith("agent-"):
        source = "found by an agent"  # the user confirmed it: no evidence is needed
    words = DEGREE_WORDS.get(degree, degree), source
    return " · ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class RefusedCapture:
    """A capture that a check dropped; it can be seen and restored."""

    number: int
    content: str  # redacted
    reason: str  # `check: why`
    rule: str
    session: str | None
    at: datetime
    category: str | None = None
    importance: float = 0.5
    votes: tuple[Vote, ...] = ()
    session_name: str = ""  # the session in words; "" for none, and for an unknown one


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
    context: str = ""  # their difference, when both stay

    @property
    def is_open(self) -> bool:
        return self.resolved_at is None
