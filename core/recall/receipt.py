"""The account of one injection, as it is stored. Standard library only: the hook writes it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..ids import new_id
from ..ingest.fingerprint import fingerprint
from ..values import Injection
from .occasions import NEVER_MS, Heard, begins_again, context_of, is_reset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import Telling

PROMPT_CHARS = 20_000
"""Of a longer prompt only the beginning and the end are looked at."""

MOST_LEFT_OUT = 50
"""Memories that were left out, of which a receipt says why."""


def shortened(prompt: str) -> str:
    """The beginning and the end of a prompt longer than `PROMPT_CHARS`."""
    if len(prompt) <= PROMPT_CHARS:
        return prompt
    return prompt[: PROMPT_CHARS // 2] + "\n" + prompt[-PROMPT_CHARS // 2 :]


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
    source: str = "",
    context_left: int | None = None,
    files: Sequence[str] = (),
    role: str | None = None,
) -> dict[str, Any]:
    """What was injected into which prompt, item by item; never the prompt itself, only its mark."""
    return {
        "id": new_id(at_ms, entropy),
        "at": at_ms,
        "host": host,
        "project": project,
        "session": session,
        "event": event,
        "source": source or None,
        "prompt_fingerprint": fingerprint(prompt),
        "prompt": None,
        "tokens": injection.tokens,
        "budget": injection.budget,
        "policy": injection.policy or None,
        "profile": injection.profile or None,
        "context_left": context_left,
        "per_tier": dict(injection.per_tier),
        "limits": dict(injection.limits),
        "items": [
            {
                "id": hit.memory.id,
                "title": hit.memory.title,
                "score": round(hit.score, 4),
                "parts": {name: round(value, 4) for name, value in hit.parts.items()},
                "revision": hit.memory.revision,
                "mark": injection.marks.get(hit.memory.id),
                "tokens": injection.costs.get(hit.memory.id, hit.memory.tokens),
                "tier": injection.tiers.get(hit.memory.id, ""),
            }
            for hit in injection.items
        ],
        "left_out": [list(pair) for pair in injection.left_out[:MOST_LEFT_OUT]],
        "about": {
            "files": list(files),
            "role": role,
            "next": dict(injection.next) if injection.next else None,
            "compression_ratio": round(injection.compression_ratio, 4),
            "is_degraded": injection.is_degraded,
            "request_tokens": injection.request_tokens,
        },
        "latency_ms": round(latency_ms, 2),
    }


def tellings_in(receipt: dict[str, Any]) -> list[Telling]:
    """What a receipt says that its session was told, a row a memory."""
    at, event, source = receipt["at"], receipt["event"], receipt.get("source")
    rows: list[Telling] = [
        (at, event, source, item["id"], item.get("mark")) for item in receipt["items"]
    ]
    return rows or [(at, event, source, None, None)]


def is_start_due(starts: Iterable[Telling]) -> bool:
    """Whether a session that is told of its start with a prompt has yet to be.

    It has until it was told once, and anew when it begins again; other moments than starts do
    not count.
    """
    rows = [
        (at, not begins_again(event, source or ""))
        for at, event, source, *_ in starts
        if event == "SessionStart"
    ]
    return not max(rows, default=(0, False))[1]


def heard(tellings: Iterable[Telling], agent: str = "") -> Heard:
    """What a session was told and still has in its context.

    What came before the last compaction or clear is gone from it; what a subagent was told never
    was in it. With the id of an `agent`, what that subagent was told, and nothing that the session
    said itself.
    """
    rows = [row for row in tellings if context_of(row[1], row[2] or "") == agent]
    since = max((at for at, event, source, *_ in rows if is_reset(event, source or "")), default=0)
    told: dict[str, set[tuple[int, str]]] = {}
    start = 0
    for at, event, source, memory, mark in rows:
        if at < since:
            continue
        if memory is not None and mark is not None:
            told.setdefault(memory, set()).add((at, mark))
        is_told = memory is not None or not begins_again(event, source or "")
        if event in ("SessionStart", "PostCompact") and is_told:
            start = max(start, at)
    return Heard(told, NEVER_MS if agent else since, start)
