"""Lays out a session: its prompts, injections, new memories, open tasks and cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from ..values import Memory
from . import document as d
from .receipt import occasion

LONGEST_PROMPT = 90  # characters of a prompt that represent it

if TYPE_CHECKING:
    from ..judgements import Conflict
    from ..services.receipts import Receipt
    from ..services.sessions import SessionDetail, SessionName


def session_document(detail: SessionDetail) -> d.Document:
    """Lay out everything that is stored of a session."""
    overview, session, activity = detail.overview, detail.overview.session, detail.activity
    todos = {memory.id for memory in detail.todos}
    failures = f", {activity.failures:,} failed" if activity.failures else ""
    calls = f"{d.counted(detail.model_calls, 'call')}, {detail.model_tokens:,} tokens"
    cost = f", ${detail.model_cost_usd:.2f}" if detail.model_cost_usd else ""
    line = f", line {detail.line:,}" if detail.line else ""
    tokens = f"{overview.tokens:,} tokens"
    waiting = f"{overview.waiting:,} in Review" if overview.waiting else ""
    return d.document(
        overview.name,
        d.section(
            "",
            d.Row("began", overview.began_at, note=session.source or ""),
            _ended(detail),
            d.Row("messages", f"{session.messages:,}" if session.messages else ""),
            d.Row(
                "received",
                f"{d.counted(overview.injected, 'memory', 'memories')}, {tokens}"
                if overview.tokens
                else "nothing",
            ),
        ),
        d.section(
            "prompts",
            *map(_prompt, detail.receipts),
            note=f"{len(detail.receipts)}" if detail.receipts else "",
        ),
        d.section(
            "learned",
            *[_memory(memory) for memory in detail.memories if memory.id not in todos],
            note=waiting,
        ),
        d.section("left open", *_left_open([*detail.todos, *detail.tasks])),
        d.section("task memory", *map(_step, detail.steps)),
        d.section("in conflict", *[_conflict(pair, session.id) for pair in detail.conflicts]),
        d.section(
            "filtered",
            *[
                d.Row(
                    f"{capture.number}",
                    capture.content or "(nothing of its text was kept)",
                    d.MUTED,
                    note=capture.reason.partition(":")[0],
                )
                for capture in detail.filtered
            ],
        ),
        d.section("summary", d.Row("", session.summary)),
        d.section("forks", *_forks(detail)),
        d.section(
            "details",
            d.Row(
                "captured",
                f"{session.captures:,}, {session.refused:,} filtered" if session.captures else "",
            ),
            d.Row("tools", f"{activity.tools:,} calls{failures}" if activity.tools else ""),
            d.Row("last failure", activity.last_failure),
            d.Row("read by", f"{calls}{cost}" if detail.model_calls else "", note="models"),
            d.Row("checkpoints", f"{len(detail.checkpoints)}" * bool(detail.checkpoints)),
            d.Row("folder", session.cwd or "", d.PATH),
            d.Row("transcript", detail.transcript and f"{detail.transcript}{line}", d.PATH),
            d.Row("id", session.id),
        ),
        marks=[
            d.Mark(session.agent),
            *([d.Mark("incognito: nothing is captured", d.WARNING)] * session.is_incognito),
            *([d.Mark("fork")] * bool(session.parent)),
        ],
    )


def waits_for(memory: Memory) -> str:
    """Return the condition or day that a todo waits for; "" for none."""
    is_day = memory.details.get("trigger_type") == "time"  # `due` says it
    condition = None if is_day and memory.due else memory.details.get("trigger_condition")
    words = [f"waits for {condition}"] if condition else []
    words += [f"due {memory.due.astimezone():%d %b %Y}"] if memory.due else []
    return ", ".join(words)


def _ended(detail: SessionDetail) -> d.Row:
    session = detail.overview.session
    if session.ended_at is None:
        return d.Row("ended", "no end was reported", d.MUTED)
    return d.Row("ended", session.ended_at, note=session.end_reason or "")


def _prompt(receipt: Receipt) -> d.Row:
    count = d.counted(len(receipt.items), "memory", "memories")
    return d.Row(
        f"{receipt.at.astimezone():%H:%M}",
        shorten(occasion(receipt), LONGEST_PROMPT, placeholder="…"),
        link=f"receipt:{receipt.id}",
        note=f"{count}, {receipt.tokens:,} tokens" if receipt.items else "nothing new",
    )


def _memory(memory: Memory) -> d.Row:
    kind = {"pinned": d.PINNED, "candidate": d.CANDIDATE}.get(memory.status, d.TEXT)
    note = "in conflict" if memory.in_conflict else "" if kind == d.TEXT else memory.status
    return d.Row("", memory.title or memory.content, kind, f"memory:{memory.id}", note)


def _step(memory: Memory) -> d.Row:
    """Return an item of working memory with its stage and kind."""
    note = " · ".join(memory.tags[:0:-1] or memory.tags) or "last request"
    return d.Row("", memory.content, link=f"memory:{memory.id}", note=note.replace("_", " "))


def _left_open(memories: Iterable[Memory]) -> Iterator[d.Row]:
    for memory in memories:
        title = memory.title or memory.content
        yield d.Row("", title, link=f"memory:{memory.id}", note=waits_for(memory))


def _conflict(conflict: Conflict, session: str) -> d.Row:
    own, other = conflict.first, conflict.second
    if own.origin.session != session:
        own, other = other, own
    return d.Row("", own.title, d.CONFLICT, f"memory:{own.id}", note=f"against {other.title}")


def _forks(detail: SessionDetail) -> Iterator[d.Row]:
    names: list[tuple[str, SessionName]] = [("continued in", fork) for fork in detail.forks]
    if detail.parent is not None:
        names.insert(0, ("forked from", detail.parent))
    for what, name in names:
        yield d.Row(what, name.name, link=f"session:{name.id}", note=name.agent)
