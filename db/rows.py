"""What leaves this package of each table: one kind of row a table, as plain mappings.

Moments are whole milliseconds since the epoch, UTC; flags are 0 or 1. A test holds them to the
columns of the models. A memory leaves as an image (`images`), which is more than its row.
"""

from __future__ import annotations

from typing import Any

from ..frozen import TypedDict


class StoredCandidacy(TypedDict):
    """A row of `memory_candidacy`."""

    memory: str
    points: float
    signals: dict[str, float]
    promoted_at: int | None
    quarantined_until: int | None
    snoozed_until: int | None


class StoredEnvelope(TypedDict):
    """A row of `memory_envelope`."""

    memory: str
    task: str
    intent: str
    actions: list[str]
    outcome: str
    artifacts: list[str]
    errors: list[str]
    lessons: list[str]
    tokens: int | None
    time_ms: int | None


class StoredSalience(TypedDict):
    """A row of `memory_salience`."""

    memory: str
    score: float
    worth_a_look: float
    worth_keeping: float
    is_established: int
    reasons: list[tuple[str, float]]
    is_person: int | None


class StoredRecording(TypedDict):
    """A row of `recording`."""

    id: str
    memory: str
    session: str
    at: int
    why: str
    is_new: int
    replaces: str | None
    evidence: str
    line: int | None
    checked_at: int | None


class StoredWeight(TypedDict):
    """A row of `memory_weight`."""

    memory: str
    outcome: float
    reuse: float
    cross_agent: float
    novelty: float
    user_signal: float
    cost_savings: float
    weighed_at: int


class StoredCheckpoint(TypedDict):
    """A row of `session_checkpoint`."""

    session: str
    messages: int
    at: int
    line: int
    learned: list[str]


class StoredLink(TypedDict):
    """A row of `memory_link`."""

    source: str
    target: str
    kind: str
    strength: float
    created_at: int


class StoredConflict(TypedDict):
    """A row of `conflict`."""

    id: str
    entry_a: str
    entry_b: str
    kind: str
    detected_at: int
    resolved_at: int | None
    verdict: str | None
    context: str | None
    reason: str | None
    opinion: str | None
    opinion_by: str | None
    opinion_why: str | None


class StoredProject(TypedDict):
    """A row of `project`."""

    id: str
    name: str
    root: str
    remote: str | None
    aliases: list[str]
    created_at: int


class StoredSession(TypedDict):
    """A row of `session`."""

    id: str
    project: str
    agent: str
    parent: str | None
    cwd: str | None
    source: str | None
    goal: str | None
    summary: str | None
    incognito: int
    started_at: int
    ended_at: int | None
    end_reason: str | None
    finalized_at: int | None


class StoredSummary(TypedDict):
    """A row of `summary`."""

    id: str
    project: str
    session: str | None
    level: str
    starts_at: int
    ends_at: int
    content: str
    tokens: int


class StoredWorth(TypedDict):
    """A row of `memory_worth`; `memory` is a row number."""

    memory: int
    worth: float
    importance: float
    tier: str
    as_of: int


class StoredFinding(TypedDict):
    """A row of `finding`."""

    id: int
    project: str
    session: str | None
    ref: str | None
    fingerprint: str
    content: str
    category: str | None
    importance: float
    confidence: float
    files: list[str]
    tags: list[str]
    rule: str
    outcome: str
    reason: str
    memory: str | None
    points: float
    created_at: int
    score: float | None
    privacy: str | None


class StoredVote(TypedDict):
    """A row of `review`."""

    id: int
    memory: str | None
    finding: int | None
    reviewer: str
    engine: str
    status: str
    score: float | None
    is_trivial: int
    reason: str
    latency_ms: float
    cost_usd: float
    tier: str
    created_at: int


class StoredReceipt(TypedDict):
    """A row of `receipt`."""

    id: str
    at: int
    host: str
    project: str
    session: str | None
    event: str
    prompt_fingerprint: str
    prompt: str | None
    tokens: int
    budget: int
    per_tier: dict[str, int]
    items: list[dict[str, Any]]
    left_out: list[tuple[str, str]]
    latency_ms: float
    source: str | None
    policy: str | None
    profile: str | None
    context_left: int | None
    limits: dict[str, int] | None
    about: dict[str, Any] | None


class StoredActivity(TypedDict):
    """A row of `session_activity`."""

    session: str
    files: list[str]
    tools: int
    failures: int
    last_failure: str | None
    updated_at: int


class StoredExtraction(TypedDict):
    """A row of `extraction`."""

    session: str
    host: str
    cwd: str
    transcript: str
    due_at: int | None
    not_before: int
    tries: int
    line: int
    hidden: int
    kept: int


class StoredExtractionCall(TypedDict):
    """A row of `extraction_call`."""

    id: int
    at: int
    session: str
    engine: str
    status: str
    reason: str
    tokens: int
    cost_usd: float
    latency_ms: float
    kept: int
    known: int
    merged: int
    replaced: int
    disputed: int
    dropped: dict[str, int]
    pairs: int | None


class StoredEntry(TypedDict):
    """A row of `audit`."""

    seq: int
    at: int
    actor: str
    project: str
    session: str | None
    action: str
    reason: str
    title: str
    count: int
    undoes: int | None
    undone_by: int | None
    segment: int
    offset: int
