"""The account of an injection, as a hook notes it for the drain."""

from typing import Any

from memdeck import MemoryCoordinator

from .fingerprints import fingerprint


def receipt_of(core: MemoryCoordinator, prompt: str, **fields: Any) -> dict[str, Any]:
    """What `prompt` would be answered with now, in a session of Claude Code."""
    told = core.recall(prompt, write_receipt=False)
    items = [
        {"id": hit.id, "title": hit.memory.title, "score": hit.score, "parts": dict(hit.parts)}
        for hit in told.items
    ]
    return {
        "id": f"receipt-{core.now_ms()}",
        "at": core.now_ms(),
        "host": "claude",
        "project": core.context.project_id,
        "session": "s1",
        "event": "UserPromptSubmit",
        "prompt_fingerprint": fingerprint(prompt),
        "tokens": told.tokens,
        "budget": told.budget,
        "per_tier": dict(told.per_tier),
        "items": items,
        "left_out": [],
        "latency_ms": 1.0,
        **fields,
    }
