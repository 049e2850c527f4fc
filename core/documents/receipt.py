"""Lays out an injection: the record of a past one, or that of a prompt now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any

from ..answers import Explanation
from ..recall.ranking import label
from ..recall.receipt import rule_of
from ..services.receipts import Receipt
from ..values import Injection
from . import document as d
from .memory import states

EVENTS = {
    "UserPromptSubmit": "prompt",
    "SessionStart": "session start",
    "PreToolUse": "before a tool",
    "SubagentStart": "subagent start",
    "PostCompact": "after a compaction",
    "PreAssistantResponse": "before an answer",
    "TaskBoundary": "a task begins",
}
"""The hook events that inject, in words."""

TEXT_EXPIRED = "The text is not kept, or no longer: memdeck keeps it for 30 days."
TEXT_EMPTY = "Nothing is injected: no memory matches, and none is pinned."
OPINIONS: Mapping[bool | None, str] = {True: "+ helpful", False: "- not helpful"}
USED: Mapping[bool | None, str] = {
    True: "its agent repeated it or acted on it",
    False: "not so far",
}
SHOWN_PART = 0.005  # smallest part of a score that is listed


def occasion(receipt: Receipt) -> str:
    """Return the prompt; if none was kept, the event in words."""
    if receipt.prompt:
        return receipt.prompt
    event = EVENTS.get(receipt.event, receipt.event)
    if event == "prompt":
        event = "a prompt that was not kept"
    unread = f"{receipt.unread:,} events still being read" if receipt.unread else ""
    about = (unread, receipt.role or receipt.source, *receipt.files[:1])
    return ", ".join([event, *(word for word in about if word)])


def received(text: str | None) -> str:
    """Return the text that an agent received, or the reason why there is none to show."""
    return TEXT_EXPIRED if text is None else text or TEXT_EMPTY


def injected_items(source: Receipt | Injection) -> Sequence[Mapping[str, Any]]:
    """Return the memories of a receipt or an injection: id, title, score, parts, tokens, tier."""
    if isinstance(source, Receipt):
        return source.items
    return [
        {
            "id": hit.id,
            "title": hit.memory.title,
            "score": hit.score,
            "parts": hit.parts,
            "tokens": source.costs.get(hit.id, hit.memory.tokens),
            "tier": source.tiers.get(hit.id, ""),
        }
        for hit in source.items
    ]


def injection_document(
    source: Receipt | Injection,
    why: Explanation,
    prompt: str = "",
    *,
    with_text: bool = True,
    with_numbers: bool = False,
) -> d.Document:
    """Return a receipt, or the injection of `prompt` now; the numbers on request."""
    receipt = source if isinstance(source, Receipt) else None
    items = injected_items(source)
    text = source.text
    request = source.request_tokens
    cost = d.Row(
        "cost",
        f"{source.tokens:,} of {source.budget:,} tokens",
        note=f"{request:,} of them ask the agent to record" if request else "",
    )
    numbers = [_budget(source), *map(_score, items), _details(source)] if with_numbers else []
    return d.document(
        occasion(receipt) if receipt else prompt or "without a prompt",
        d.section("", *(_head(receipt) if receipt else ()), cost),
        d.section("injected", *[_item(item, why) for item in items]),
        *([d.section("received", d.Row("", received(text), d.CODE))] if with_text else []),
        _left_out(source, why),
        *numbers,
        marks=[d.Mark("recall was slow, so it searched less", d.WARNING)] * source.is_degraded,
    )


NO_REASON = "not known: the prompt was not stored, or the memory changed"


def injected_memory_document(
    item: Mapping[str, Any], why: Explanation, *, with_numbers: bool = False
) -> d.Document:
    """Lay out one memory of an injection with its reasons and cost."""
    memory = why.memories.get(item["id"])
    tokens = item.get("tokens")
    changed = memory is not None and item.get("revision") not in (None, memory.revision)
    marks = [d.Mark("deleted", d.RETIRED)] if memory is None else list(states(memory))
    marks += [d.Mark("changed since", d.WARNING)] if changed else []
    rows = [
        d.Row("why", why.reasons.get(item["id"], "") or NO_REASON),
        d.Row("cost", f"{tokens:,} tokens" if tokens is not None else "", note=item["tier"]),
        d.Row("source", str(item.get("source") or "")),
        d.Row("used", USED.get(item.get("used"), "")),
        d.Row("opinion", OPINIONS.get(item.get("helpful"), "")),
    ]
    return d.document(
        str(item.get("title") or "(deleted)"),
        d.section("", *([d.Row("", memory.content, d.BODY)] if memory else [])),
        d.section("", *rows),
        *([_score(item)] if with_numbers else []),
        marks=marks,
    )


def _head(receipt: Receipt) -> Iterator[d.Row]:
    asks = rule_of(receipt.event, receipt.source or "").asks
    yield d.Row("when", receipt.at)
    yield d.Row("agent", receipt.host, note=EVENTS.get(receipt.event, receipt.event))
    yield d.Row(
        "session",
        shorten(receipt.session_name, 60, placeholder="…") or receipt.session or "",
        link=f"session:{receipt.session}" if receipt.session_name else "",
    )
    yield d.Row("prompt", "" if receipt.prompt or not asks else "not kept, only its fingerprint")
    yield d.Row("role", receipt.role or "")
    yield d.Row("files", "\n".join(receipt.files), d.PATH)


def _item(item: Mapping[str, Any], why: Explanation) -> d.Row:
    """Return one memory with its cost and, in one line, the reason."""
    opinion = OPINIONS.get(item.get("helpful"), "")
    used = "used" if item.get("used") else ""
    reasons = (why.reasons.get(item["id"], ""), item.get("source"), used, opinion)
    tokens = item.get("tokens")
    return d.Row(
        f"{tokens:,} tokens" if tokens is not None else "?",
        item.get("title") or "(deleted)",
        link=f"memory:{item['id']}",
        note=" · ".join(str(reason) for reason in reasons if reason),
    )


def _left_out(source: Receipt | Injection, why: Explanation) -> d.Section:
    """Return each memory that matched and was left out, with its first reason."""
    reasons: dict[str, str] = {}
    for identifier, reason in source.left_out:
        reasons.setdefault(identifier, reason)
    rows = [
        d.Row(
            "",
            why.memories[identifier].title if identifier in why.memories else "(deleted)",
            link=f"memory:{identifier}",
            note=reason,
        )
        for identifier, reason in reasons.items()
    ]
    return d.section("left out", *rows, note=f"{len(rows)}")


def _budget(source: Receipt | Injection) -> d.Section:
    used, limits = source.per_tier, source.limits
    tiers = dict.fromkeys([*limits, *used])
    return d.section(
        "budget",
        *[
            d.Row(
                tier,
                used.get(tier, 0) / limits[tier] if limits.get(tier) else 0.0,
                d.SHARE,
                note=f"{used.get(tier, 0):,}"
                + (f" of {limits[tier]:,}" if limits.get(tier) else "")
                + " tokens",
            )
            for tier in tiers
        ],
    )


def _score(item: Mapping[str, Any]) -> d.Section:
    parts: Mapping[str, float] = item["parts"]
    rows = [
        d.Row(label(name), part, d.PART) for name, part in parts.items() if abs(part) >= SHOWN_PART
    ]
    return d.section(f"score {item['score']:.2f}", *rows, note=str(item.get("title") or ""))


def _details(source: Receipt | Injection) -> d.Section:
    ratio = source.compression_ratio or 0.0
    rows = [
        d.Row("policy", " · ".join(filter(None, (source.policy, source.profile)))),
        d.Row("chosen", f"{ratio:.0%} of the tokens in question" if 0 < ratio < 1 else ""),
    ]
    if isinstance(source, Receipt):
        context = source.context_left
        rows += [
            d.Row("context", f"{context:,} tokens left" if context is not None else ""),
            d.Row("took", f"{source.latency_ms:,.1f} ms"),
            d.Row("fingerprint", source.prompt_fingerprint),
            d.Row("receipt", source.id),
        ]
    else:
        rows.append(d.Row("receipt", source.receipt))
    return d.section("details", *rows)
