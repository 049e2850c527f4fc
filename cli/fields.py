"""Values of the core as JSON objects. Fields are only ever added, never renamed.

Importance and confidence are 0-1, as in the import format; `importance_10` is the scale
that `--importance` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..core.retrieval.slo import HEALTHY_MS, SLOW_MS, Health
from ..core.values import VERIFIED, Hit, Injection, Memory, at, importance_10, source_of
from .output import iso

if TYPE_CHECKING:
    from ..core.answers import (
        Difference,
        Entry,
        Envelope,
        Link,
        Neighbour,
        Project,
        Receipt,
        Recording,
        Replay,
        StoreResult,
    )
    from ..core.extractions import Extracted, ExtractorState, PairsJudged
    from ..core.judgements import Candidate, Conflict, RefusedCapture
    from ..core.review.reviewer import Vote
    from ..core.services.sessions import Session
    from ..core.services.suggestions import Suggestion
    from .grounds import Grounds


def of_memory(memory: Memory) -> dict[str, Any]:
    """A memory with everything known of it."""
    return {
        "id": memory.id,
        "key": memory.key,
        "type": memory.type,
        "category": memory.category,
        "scope": memory.scope,
        "status": memory.status,
        "title": memory.title,
        "content": memory.content,
        "importance": round(memory.importance, 6),
        "confidence": round(memory.confidence, 6),
        "tags": list(memory.tags),
        "files": list(memory.files),
        "session": memory.origin.session,
        "agent": memory.origin.agent,
        "created_at": iso(memory.created_at),
        "updated_at": iso(memory.updated_at),
        "short_id": memory.short_id,
        "importance_10": importance_10(memory.importance),
        "project": memory.project,
        "privacy": memory.privacy,
        "due": iso(memory.due),
        "expires": iso(memory.expires),
        "retired_at": iso(memory.retired_at),
        "retired_as": memory.retired_as,
        "in_conflict": memory.in_conflict,
        "tokens": memory.tokens,
        "accesses": memory.accesses,
        "last_access": iso(memory.last_access),
        "helpful": memory.helpful,
        "unhelpful": memory.unhelpful,
        "revision": memory.revision,
        "role": memory.origin.role,
        "agent_id": memory.origin.agent_id,
        "transcript": memory.origin.transcript,
        "line": memory.origin.line,
        "details": dict(memory.details),
        "source": memory.source,
        "verified": memory.evidence in VERIFIED if memory.evidence else None,
        "said_by": memory.evidence or None,
    }


def of_hit(hit: Hit) -> dict[str, Any]:
    """A hit: its memory, its score and the parts of it."""
    return {
        **of_memory(hit.memory),
        "score": hit.score,
        "parts": dict(hit.parts),
        "matched": list(hit.matched),
    }


def _called_so(value: object, *names: str) -> dict[str, Any]:
    """The fields of a value that JSON calls as it does."""
    return {name: getattr(value, name) for name in names}


def of_suggestion(suggestion: Suggestion) -> dict[str, Any]:
    """What would find something where nothing was found."""
    return {
        "did_you_mean": suggestion.did_you_mean,
        "other_words": [{"word": w, "memories": n} for w, n in suggestion.other_words],
        "without_filter": suggestion.narrowest,
        "retired": suggestion.retired,
        "other_projects": suggestion.other_projects,
    }


def of_link(link: Link, owner: str) -> dict[str, Any]:
    """A link as seen from `owner`, one of its two ends."""
    return {
        "source": link.source,
        "target": link.target,
        "other": link.target if link.source == owner else link.source,
        "other_title": link.other_title,
        "kind": link.kind,
        "strength": link.strength,
        "created_at": iso(link.created_at),
    }


def of_entry(entry: Entry) -> dict[str, Any]:
    """One line of the audit trail."""
    return {
        "seq": entry.seq,
        "at": iso(entry.at),
        **_called_so(entry, "actor", "action", "project", "session", "reason"),
        "memories": list(entry.memories),
        **_called_so(entry, "title", "count", "undoes", "undone_by", "group"),
    }


def of_difference(difference: Difference) -> dict[str, Any]:
    """One field before and after."""
    return {
        "table": difference.table,
        "key": difference.key,
        "field": difference.field,
        "before": difference.before,
        "after": difference.after,
    }


def of_receipt(receipt: Receipt) -> dict[str, Any]:
    """What one prompt was given."""
    return {
        "id": receipt.id,
        "at": iso(receipt.at),
        "host": receipt.host,
        "session": receipt.session,
        "event": receipt.event,
        "prompt_fingerprint": receipt.prompt_fingerprint,
        "tokens": receipt.tokens,
        "budget": receipt.budget,
        "latency_ms": receipt.latency_ms,
        "items": [dict(item) for item in receipt.items],
        "left_out": left_out(receipt.left_out),
        "project": receipt.project,
        "prompt": receipt.prompt,
        "source": receipt.source,
        "policy": receipt.policy,
        "profile": receipt.profile,
        "context_left": receipt.context_left,
        "per_tier": dict(receipt.per_tier),
        "limits": dict(receipt.limits),
        "files": list(receipt.files),
        "role": receipt.role,
        "next": dict(receipt.next) if receipt.next else None,
        "compression_ratio": receipt.compression_ratio,
        "degraded": receipt.is_degraded,
        "request_tokens": receipt.request_tokens,
    }


def of_replay(replay: Replay) -> dict[str, Any]:
    """What a receipt's prompt was given, what it would be given today, and what differs."""
    return {
        "receipt": of_receipt(replay.then),
        "today": of_injection(replay.now),
        "exact": replay.is_exact,
        "changes": [asdict(change) for change in replay.changes],
    }


def of_health(health: Health) -> dict[str, Any]:
    """How quick the last recalls were (002-34)."""
    return {
        "state": health.state,
        "p95_ms": health.p95_ms,
        "samples": health.samples,
        "degraded": health.is_degraded,
        "healthy_below_ms": HEALTHY_MS,
        "degraded_above_ms": SLOW_MS,
    }


def of_injection(injection: Injection) -> dict[str, Any]:
    """The text for a prompt and how it came about."""
    return {
        "text": injection.text,
        "tokens": injection.tokens,
        "budget": injection.budget,
        "per_tier": dict(injection.per_tier),
        "items": [
            {
                **of_hit(hit),
                "injected_tokens": injection.costs.get(hit.id),
                "tier": injection.tiers.get(hit.id),
            }
            for hit in injection.items
        ],
        "left_out": left_out(injection.left_out),
        "receipt": injection.receipt,
        "limits": dict(injection.limits),
        "policy": injection.policy,
        "profile": injection.profile,
        "next": dict(injection.next) if injection.next else None,
        "compression_ratio": round(injection.compression_ratio, 4),
        "degraded": injection.is_degraded,
        "request_tokens": injection.request_tokens,
    }


def of_result(result: StoreResult) -> dict[str, Any]:
    """The outcome of `remember`."""
    return {
        "stored": result.stored,
        "id": result.memory_id,
        "outcome": result.outcome,
        "reason": result.reason,
        "removed": list(result.removed),
        "consensus_score": result.consensus_score,
    }


def of_project(project: Project) -> dict[str, Any]:
    """A project."""
    return {
        "id": project.id,
        "name": project.name,
        "root": project.root,
        "remote": project.remote,
        "memories": project.memories,
    }


def left_out(pairs: Iterable[tuple[str, str]]) -> list[Mapping[str, str]]:
    """What was not injected, and why."""
    return [{"id": identifier, "why": why} for identifier, why in pairs]


def of_vote(vote: Vote, tier: str) -> dict[str, Any]:
    """One review of a text; `tier` says on how many votes the decision stood."""
    return {
        "reviewer": vote.reviewer,
        "engine": vote.engine,
        "status": vote.status,
        "score": vote.score,
        "is_trivial": vote.is_trivial,
        "reason": vote.reason,
        "latency_ms": vote.latency_ms,
        "cost_usd": vote.cost_usd,
        "tier": tier,
    }


def of_envelope(envelope: Envelope) -> dict[str, Any] | None:
    """The work that a memory was learned at; null when nothing is known of it."""
    from ..core.answers import NO_ENVELOPE

    return None if envelope == NO_ENVELOPE else asdict(envelope)


def of_grounds(grounds: Grounds) -> dict[str, Any]:
    """reviews, candidacy, weight and envelope of a memory; null where nothing is known."""
    return {
        "reviews": [of_vote(vote, grounds.tier) for vote in grounds.votes],
        "candidacy": of_candidacy(grounds) if grounds.is_candidacy_known else None,
        "weight": dict(grounds.weight) if grounds.weight else None,
        "envelope": of_envelope(grounds.envelope),
        "salience": asdict(grounds.salience) if grounds.salience else None,
        "recordings": [of_recording(one) for one in grounds.recordings],
    }


def of_recording(recording: Recording) -> dict[str, Any]:
    """One thing that an agent recorded, and what its session says to it."""
    return {
        "session": recording.session,
        "at": iso(recording.at),
        "why": recording.why or None,
        "source": source_of(recording.evidence),
        "verified": recording.evidence in VERIFIED,
        "said_by": recording.evidence,
        "line": recording.line,
        "checked_at": iso(recording.checked_at),
    }


def of_candidacy(grounds: Grounds) -> dict[str, Any]:
    """How far a captured memory is on its way into the project's."""
    return {
        "points": grounds.points,
        "points_needed": grounds.points_needed,
        "signals": dict(grounds.signals or {}),
        "promoted_at": iso(grounds.promoted_at),
        "quarantined_until": iso(grounds.quarantined_until),
        "snoozed_until": iso(grounds.snoozed_until),
    }


def of_candidate(candidate: Candidate) -> dict[str, Any]:
    """A candidate: its memory, its worth, and the rest to judge it by."""
    from .grounds import grounds_of_candidate

    grounds = grounds_of_candidate(candidate)
    near = candidate.neighbour
    return {
        **of_memory(candidate.memory),
        "value": round(candidate.value, 6),
        **of_candidacy(grounds),
        "tier": candidate.tier,
        "neighbour": of_neighbour(near) if near else None,
        "conflicts": list(candidate.conflicts),
        **of_grounds(grounds),
    }


def of_neighbour(neighbour: Neighbour) -> dict[str, Any]:
    """A memory near to another one, and how near (0-1)."""
    return {
        "id": neighbour.id,
        "title": neighbour.title,
        "content": neighbour.content,
        "type": neighbour.type,
        "category": neighbour.category,
        "status": neighbour.status,
        "similarity": round(neighbour.similarity, 6),
    }


def of_refused(capture: RefusedCapture) -> dict[str, Any]:
    """A capture that a gate refused; `number` rescues it."""
    from .grounds import Grounds

    return {
        "number": capture.number,
        "content": capture.content,
        "reason": capture.reason,
        "rule": capture.rule,
        "session": capture.session,
        "at": iso(capture.at),
        "category": capture.category,
        "importance": capture.importance,
        "reviews": [of_vote(vote, Grounds(votes=capture.votes).tier) for vote in capture.votes],
    }


def of_conflict(conflict: Conflict) -> dict[str, Any]:
    """Two memories that cannot both hold: `a`, the older one, and `b`."""
    return {
        "id": conflict.id,
        "kind": conflict.kind,
        "reason": conflict.reason,
        "detected_at": iso(conflict.detected_at),
        "resolved_at": iso(conflict.resolved_at),
        "verdict": conflict.verdict,
        "context": conflict.context,
        "band": conflict.band,
        "wording": conflict.wording,
        "probability": round(conflict.probability, 3),
        "opinion": conflict.opinion or None,
        "opinion_by": conflict.opinion_by or None,
        "opinion_why": conflict.opinion_why or None,
        "a": of_memory(conflict.first),
        "b": of_memory(conflict.second),
    }


def of_session(session: Session) -> dict[str, Any]:
    """One conversation with an agent, and what came of it."""
    return {
        "id": session.id,
        "agent": session.agent,
        "started_at": iso(session.started_at),
        "ended_at": iso(session.ended_at),
        "end_reason": session.end_reason,
        "finalized_at": iso(session.finalized_at),
        "goal": session.goal,
        "summary": session.summary,
        "parent": session.parent,
        "source": session.source,
        "cwd": session.cwd,
        "incognito": session.is_incognito,
        "learned": session.learned,
        "captures": session.captures,
        "refused": session.refused,
        "messages": session.messages,
    }


def of_extracted(done: Extracted) -> dict[str, Any]:
    """What came of reading one session."""
    return {
        **_called_so(done, "session", "engine", "status", "reason", "tokens", "cost_usd"),
        **_called_so(done, "kept", "known", "merged", "replaced", "disputed"),
        "dropped": dict(done.dropped),
    }


def of_pairs_judged(done: PairsJudged) -> dict[str, Any]:
    """What came of putting pairs to a model."""
    return {
        "engine": done.engine,
        "status": done.status,
        "reason": done.reason,
        "pairs": done.pairs,
        "tokens": done.tokens,
        "cost_usd": done.cost_usd,
        "answers": dict(done.answers),
        "dropped": dict(done.dropped),
    }


def of_extractor(state: ExtractorState) -> dict[str, Any]:
    """The model that reads sessions, and what it may still spend today."""
    return {
        "engine": state.engine,
        "is_on": state.is_on,
        "calls_today": state.calls,
        "max_calls_per_day": state.max_calls,
        "tokens_today": state.tokens,
        "max_tokens_per_day": state.max_tokens,
        "cost_usd_today": state.cost_usd,
        "max_cost_usd_per_day": state.max_cost_usd,
        "waiting": state.waiting,
        "last": of_extracted(state.last) if state.last else None,
        "problem": state.problem,
        "pairs_waiting": state.pairs_waiting,
        "last_pairs": of_pairs_judged(state.last_pairs) if state.last_pairs else None,
    }


def of_checkpoint(row: Mapping[str, Any]) -> dict[str, Any]:
    """How a session stood after so many messages."""
    return {
        "messages": row["messages"],
        "at": iso(at(row["at"])),
        "line": row["line"],
        "learned": list(row["learned"]),
    }


def of_refusal(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a gate refused, as a session's account names it."""
    return {
        "number": row["id"],
        "content": row["content"],
        "reason": row["reason"],
        "rule": row["rule"],
        "at": iso(at(row["created_at"])),
    }
