"""The account of one injection, as it is stored. Standard library only: the hook writes it too."""

from collections.abc import Callable
from typing import Any

from .ids import new_id
from .storage.fingerprint import fingerprint
from .values import Injection


def make_receipt(
    injection: Injection,
    *,
    prompt: str,
    host: str,
    project: str,
    session: str | None,
    event: str,
    at_ms: int,
    latency_ms: float,
    entropy: Callable[[int], bytes],
) -> dict[str, Any]:
    """What was injected into which prompt, item by item; never the prompt itself, only its mark."""
    return {
        "id": new_id(at_ms, entropy),
        "at": at_ms,
        "host": host,
        "project": project,
        "session": session,
        "event": event,
        "prompt_fingerprint": fingerprint(prompt),
        "prompt": None,
        "tokens": injection.tokens,
        "budget": injection.budget,
        "per_tier": dict(injection.per_tier),
        "items": [
            {
                "id": hit.memory.id,
                "title": hit.memory.title,
                "score": round(hit.score, 4),
                "parts": {name: round(value, 4) for name, value in hit.parts.items()},
                "revision": hit.memory.revision,
                "tokens": hit.memory.tokens,
            }
            for hit in injection.items
        ],
        "left_out": [list(pair) for pair in injection.left_out[:50]],
        "latency_ms": round(latency_ms, 2),
    }
