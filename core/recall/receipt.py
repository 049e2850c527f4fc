"""What belongs to each moment of injection, what a session received, and its record: the receipt.

A prompt asks with its words; a session that starts has no question yet; a subagent starts with
nothing but its task; after a compaction the context is empty. What stands in a session's context is
not injected again. Standard library only: the hook writes receipts too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from zlib import crc32

from ...frozen import NamedTuple
from ..clock import new_id
from ..text.shapes import fingerprint
from ..values import ACTIVE, Injection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import Telling


class InjectionRule(NamedTuple):
    """What is looked for, and what comes along."""

    asks: bool  # what answers the words of the prompt; else what matters without a question
    has_always: bool = True  # pinned and working memory come first
    has_todos: bool = False  # open intentions, at most ten
    has_profile: bool = False  # what the person prefers
    has_summaries: bool = False
    has_injected: bool = False  # what the session had been told comes again
    of_files: bool = False  # without a question: what is known of the files at hand
    has_reminders: bool = False  # what became due since it was last told
    is_fresh: bool = False  # in a context of its own: what was told before does not count
    places: int | None = None  # answers at most; None leaves it to the policy


INJECTION_RULES: Mapping[str, InjectionRule] = {
    "UserPromptSubmit": InjectionRule(asks=True, has_reminders=True),
    "SessionStart": InjectionRule(asks=False, has_todos=True, has_profile=True, has_summaries=True),
    "PostCompact": InjectionRule(
        asks=False, has_todos=True, has_profile=True, has_injected=True, is_fresh=True
    ),
    "PreToolUse": InjectionRule(asks=True, has_always=False, of_files=True, places=3),
    "PreAssistantResponse": InjectionRule(asks=False, has_always=False, places=5),
    "SubagentStart": InjectionRule(asks=True, is_fresh=True, places=3),
    "TaskBoundary": InjectionRule(asks=True, has_todos=True),
}
"""By the name of the event; other names count as a prompt."""

RESETS = ("compact", "clear")
"""How a session starts whose context no longer holds what it was told."""

SOURCES = ("startup", *RESETS, "resume")
"""How a session starts."""

Injected = Mapping[str, Set[tuple[int, str]]]
"""What a session was told: by memory, when, and its `mark` then."""


NEVER_MS = 1 << 62
"""Later than any memory: since then nothing was said."""


class SessionContext(NamedTuple):
    """What stands in a session's context of what we told it, and since when it is the same."""

    injected: Injected
    since_ms: int = 0  # when the context was last emptied; 0: never
    start_ms: int = 0  # when it was told what belongs to a start; 0: not yet


EMPTY_CONTEXT = SessionContext({})


def rule_of(event: str, source: str = "") -> InjectionRule:
    """What belongs to `event`; `source` says how a session starts."""
    if event == "SessionStart" and source == "compact":
        return INJECTION_RULES["PostCompact"]
    return INJECTION_RULES.get(event, INJECTION_RULES["UserPromptSubmit"])


def is_reset(event: str, source: str = "") -> bool:
    """Whether what the session was told before this event is no longer in its context."""
    return event == "PostCompact" or (event == "SessionStart" and source in RESETS)


def begins_again(event: str, source: str = "") -> bool:
    """Whether a session that was under way starts anew: emptied, or resumed as it was."""
    return is_reset(event, source) or (event == "SessionStart" and source == "resume")


def asks_to_record(session_context: SessionContext, event: str, source: str = "") -> bool:
    """Whether a session is asked here to record what it learns: once in a context."""
    return event == "SessionStart" and (is_reset(event, source) or not session_context.start_ms)


def context_of(event: str, source: str = "") -> str:
    """Whose context what is told at `event` is in: "" is the session's own, else a subagent's.

    `source` says how a session starts, at other moments which subagent it is for; an unknown one
    is "?".
    """
    if event == "SubagentStart":
        return source or "?"
    return "" if event in ("SessionStart", "PostCompact") else source


def is_at_work(image: Mapping[str, Any]) -> bool:
    """Whether it is the task being worked on, which each prompt is told of."""
    return image["type"] == "working" and ACTIVE in image["tags"]


def mark_of(image: Mapping[str, Any]) -> str:
    """8 hexadecimal digits for what an agent reads of a memory: equal while that stays the same.

    Its standing, weight and use may change meanwhile: nobody need be told the words again for it.
    """
    details = image.get("details") or {}
    beside = [(other, context) for other, _, context in image.get("both_hold") or ()]
    read = (image["title"], image["content"], image.get("due"), beside)
    visible = repr((*read, details.get("status"), is_at_work(image)))
    return f"{crc32(visible.encode('utf-8', 'surrogatepass')):08x}"


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


def context_in(tellings: Iterable[Telling], agent: str = "") -> SessionContext:
    """What a session was told and still has in its context.

    What came before the last compaction or clear is gone from it; what a subagent was told never
    was in it. With the id of an `agent`, what that subagent was told, and nothing that the session
    said itself.
    """
    rows = [row for row in tellings if context_of(row[1], row[2] or "") == agent]
    since = max((at for at, event, source, *_ in rows if is_reset(event, source or "")), default=0)
    details: dict[str, set[tuple[int, str]]] = {}
    start = 0
    for at, event, source, memory, mark in rows:
        if at < since:
            continue
        if memory is not None and mark is not None:
            details.setdefault(memory, set()).add((at, mark))
        is_injected = memory is not None or not begins_again(event, source or "")
        if event in ("SessionStart", "PostCompact") and is_injected:
            start = max(start, at)
    return SessionContext(details, NEVER_MS if agent else since, start)


WINDOW = 100
"""Recalls that are looked at, the last ones."""

LEAST_SAMPLES = 5
"""With fewer nothing is decided."""

HEALTHY_MS = 200
"""A 95th percentile under this is healthy."""

SLOW_MS = 300
"""A 95th percentile over this is too slow: recall looks at less."""


class Health(NamedTuple):
    """How quick the last recalls were, and whether recall looks at less for it."""

    state: str  # unknown (too few samples), healthy, fair (between the two), slow
    p95_ms: float | None  # None without samples
    samples: int  # 0 to WINDOW
    is_degraded: bool  # top_k and scan are reduced


def judge(latencies: Sequence[float], was_degraded: bool = False) -> Health:
    """The health of the last `WINDOW` of `latencies` (milliseconds, oldest first).

    Over 300 ms recall degrades, under 200 ms it recovers; at either number, between them, and
    with fewer than five samples it stays as it was.
    """
    window = latencies[-WINDOW:]
    p95 = percentile_95(window)
    if p95 is None or len(window) < LEAST_SAMPLES:
        return Health("unknown", p95, len(window), was_degraded)
    if p95 < HEALTHY_MS:
        return Health("healthy", p95, len(window), False)
    if p95 > SLOW_MS:
        return Health("slow", p95, len(window), True)
    return Health("fair", p95, len(window), was_degraded)


def percentile_95(values: Sequence[float]) -> float | None:
    """The smallest of `values` that at least 95 % of them do not exceed; None of none."""
    if not values:
        return None
    rank = -(-len(values) * 95 // 100)  # rounded up: of 100 the 95th, of five the fifth
    return sorted(values)[rank - 1]


def describe(health: Health) -> str:
    """The health in a line, for people."""
    if health.p95_ms is None:
        return "not measured yet"
    text = f"95 % within {health.p95_ms:.0f} ms, of the last {health.samples}"
    if health.is_degraded:
        return f"{text}; slow: looks at less until {HEALTHY_MS} ms"
    return f"{text}; {health.state}" if health.state != "unknown" else f"{text}; too few to judge"
