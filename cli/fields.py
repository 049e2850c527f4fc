"""Values of the core as JSON objects. Fields are only ever added, never renamed.

Importance and confidence are 0-1, as in the import format; `importance_10` is the scale
that `--importance` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..core.answers import Difference, Entry, Link, Project, Receipt, StoreResult
from ..core.values import Hit, Injection, Memory, importance_10
from .output import iso


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
    }


def of_hit(hit: Hit) -> dict[str, Any]:
    """A hit: its memory, its score and the parts of it."""
    return {
        **of_memory(hit.memory),
        "score": hit.score,
        "parts": dict(hit.parts),
        "matched": list(hit.matched),
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
        "actor": entry.actor,
        "action": entry.action,
        "project": entry.project,
        "session": entry.session,
        "reason": entry.reason,
        "memories": list(entry.memories),
        "title": entry.title,
        "count": entry.count,
        "undoes": entry.undoes,
        "undone_by": entry.undone_by,
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
    }


def of_injection(injection: Injection) -> dict[str, Any]:
    """The text for a prompt and how it came about."""
    return {
        "text": injection.text,
        "tokens": injection.tokens,
        "budget": injection.budget,
        "per_tier": dict(injection.per_tier),
        "items": [of_hit(hit) for hit in injection.items],
        "left_out": left_out(injection.left_out),
        "receipt": injection.receipt,
        "limits": dict(injection.limits),
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
