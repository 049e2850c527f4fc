"""Rules of each event, the context of a session, and receipts.

A prompt is a query. A session start has no query yet. A subagent starts with its task only. After a
compaction the context is empty. Memories in a session's context are not injected again. Standard
library only: the hook writes receipts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from zlib import crc32

from ...frozen import NamedTuple
from ..text.words import fingerprint
from ..values import ACTIVE, Injection, new_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import InjectedRow

INJECTED_BEFORE = "injected before in this session"
FROM_SESSION = "this session said it itself"
LOADED = "the agent loads it itself at its start"
IN_CONTEXT = (INJECTED_BEFORE, FROM_SESSION, LOADED)
"""Reasons for which a memory is in the session's context already."""


class InjectionRule(NamedTuple):
    """The memories that an event injects."""

    asks: bool  # matches of the prompt; else memories that matter without a query
    has_always: bool = True  # pinned and working memory come first
    has_todos: bool = False  # open intentions, at most ten
    has_profile: bool = False  # the user's preferences
    has_summaries: bool = False
    has_injected: bool = False  # the session's earlier injections come again
    of_files: bool = False  # without a query: memories of the files at hand
    has_awaited: bool = False  # tasks whose event the prompt names
    is_fresh: bool = False  # in a context of its own: earlier injections do not count
    places: int | None = None  # matches at most; None leaves it to the policy


INJECTION_RULES: Mapping[str, InjectionRule] = {
    "UserPromptSubmit": InjectionRule(asks=True, has_awaited=True),
    "SessionStart": InjectionRule(asks=False, has_todos=True, has_profile=True, has_summaries=True),
    "PostCompact": InjectionRule(
        asks=False, has_todos=True, has_profile=True, has_injected=True, is_fresh=True
    ),
    "PreToolUse": InjectionRule(asks=True, has_always=False, of_files=True, places=3),
    "PreAssistantResponse": InjectionRule(asks=False, has_always=False, places=5),
    "SubagentStart": InjectionRule(asks=True, is_fresh=True, places=3),
    "TaskBoundary": InjectionRule(asks=True, has_always=False, places=2),
}
"""Rules by event name. Unknown events count as prompts."""

RESETS = ("compact", "clear")  # ways to start a session that empty its context
SOURCES = ("startup", *RESETS, "resume")  # ways to start a session

Injected = Mapping[str, Set[tuple[int, str]]]
"""Memories that a session received, each with the times, and its `mark` then."""


NEVER_MS = 1 << 62  # later than any memory


class SessionContext(NamedTuple):
    """Our injections that a session's context still has."""

    injected: Injected
    since_ms: int = 0  # when the context was last emptied; 0: never
    start_ms: int = 0  # time of its start injection; 0: not yet


EMPTY_CONTEXT = SessionContext({})


def rule_of(event: str, source: str = "") -> InjectionRule:
    """Return the rule of `event`; `source` is how a session starts."""
    if event == "SessionStart" and source == "compact":
        return INJECTION_RULES["PostCompact"]
    return INJECTION_RULES.get(event, INJECTION_RULES["UserPromptSubmit"])


def is_reset(event: str, source: str = "") -> bool:
    """Return True if the event empties the session's context."""
    return event == "PostCompact" or (event == "SessionStart" and source in RESETS)


def begins_again(event: str, source: str = "") -> bool:
    """Return True if a running session starts again, emptied or resumed."""
    return is_reset(event, source) or (event == "SessionStart" and source == "resume")


def asks_to_record(session_context: SessionContext, event: str, source: str = "") -> bool:
    """Return True if the session gets the request to record: once in a context."""
    return event == "SessionStart" and (is_reset(event, source) or not session_context.start_ms)


def context_of(event: str, source: str = "") -> str:
    """Return the context that an event concerns: "" for the session's own, else a subagent's.

    `source` is how a session starts, or the subagent's name; an unknown subagent is "?".
    """
    if event == "SubagentStart":
        return source or "?"
    return "" if event in ("SessionStart", "PostCompact") else source


def is_at_work(image: Mapping[str, Any]) -> bool:
    """Return True for the active task. Each prompt receives it."""
    return image["type"] == "working" and ACTIVE in image["tags"]


def mark_of(image: Mapping[str, Any]) -> str:
    """Return 8 hexadecimal digits of the injected text of a memory.

    Changes of status, weight and use leave them the same.
    """
    details = image.get("details") or {}
    beside = [(other, context) for other, _, context in image.get("both_hold") or ()]
    read = (image["title"], image["content"], image.get("due"), beside)
    visible = repr((*read, details.get("status"), is_at_work(image)))
    return f"{crc32(visible.encode('utf-8', 'surrogatepass')):08x}"


PROMPT_CHARS = 20_000  # characters of a prompt that are read, half from each end
MOST_LEFT_OUT = 50  # left-out memories that a receipt lists with reasons


def shortened(prompt: str) -> str:
    """Return the beginning and the end of a prompt longer than `PROMPT_CHARS`."""
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
    """Return a record of the injection, without the prompt's text."""
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
            "compression_ratio": round(injection.compression_ratio, 4),
            "is_degraded": injection.is_degraded,
            "request_tokens": injection.request_tokens,
        },
        "latency_ms": round(latency_ms, 2),
    }


def injections_in(receipt: dict[str, Any]) -> list[InjectedRow]:
    """Return the injections of a receipt, a row a memory."""
    at, event, source = receipt["at"], receipt["event"], receipt.get("source")
    rows: list[InjectedRow] = [
        (at, event, source, item["id"], item.get("mark")) for item in receipt["items"]
    ]
    return rows or [(at, event, source, None, None)]


REPEATED_MS = 60_000
"""Milliseconds in which a second start of a session counts as the first one, fired again."""


def is_start_again(injections: Sequence[InjectedRow], event: str, now_ms: int) -> bool:
    """Return True if a session starts twice in a minute, with no other injection between.

    Some hosts drop one of the two answers, so both must be whole.
    """
    return (
        event == "SessionStart"
        and bool(injections)
        and all(row[1] == event and now_ms - row[0] < REPEATED_MS for row in injections)
    )


def is_start_due(starts: Iterable[InjectedRow]) -> bool:
    """Return True if a session still has to receive its start with a prompt.

    True until it did once, and after each new beginning. Other events do not count.
    """
    rows = [
        (at, not begins_again(event, source or ""))
        for at, event, source, *_ in starts
        if event == "SessionStart"
    ]
    return not max(rows, default=(0, False))[1]


def context_in(injections: Iterable[InjectedRow], agent: str = "") -> SessionContext:
    """Return our injections that the session's context still has.

    Injections before the last compaction or clear no longer count, nor do those of subagents. With
    the id of an `agent`, return that subagent's context.
    """
    rows = [row for row in injections if context_of(row[1], row[2] or "") == agent]
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


WINDOW = 100  # number of the last recalls that are judged
LEAST_SAMPLES = 5  # minimum number of recalls to judge
HEALTHY_MS = 200  # a 95th percentile below this is healthy
SLOW_MS = 300  # a 95th percentile above this is too slow: recall looks at less


class Health(NamedTuple):
    state: str  # unknown (too few samples), healthy, fair (between the two), slow
    p95_ms: float | None  # None without samples
    samples: int  # 0 to WINDOW
    is_degraded: bool  # top_k and scan are reduced


def judge(latencies: Sequence[float], was_degraded: bool = False) -> Health:
    """Return the health of the last `WINDOW` of `latencies` (milliseconds, oldest first).

    Above 300 ms recall degrades, below 200 ms it recovers. Otherwise, and with fewer than five
    samples, it stays as it was.
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
    """Return the smallest value that at least 95 % do not exceed; None without values."""
    if not values:
        return None
    rank = -(-len(values) * 95 // 100)  # rounded up: of 100 the 95th, of five the fifth
    return sorted(values)[rank - 1]


def describe(health: Health) -> str:
    if health.p95_ms is None:
        return "not measured yet"
    text = f"95 % within {health.p95_ms:.0f} ms, of the last {health.samples}"
    if health.is_degraded:
        return f"{text}; slow: looks at less until {HEALTHY_MS} ms"
    return f"{text}; {health.state}" if health.state != "unknown" else f"{text}; too few to judge"
