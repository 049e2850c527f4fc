"""One session in full, as text: asked, told, learned, spent, left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.values import Memory, at
from .output import (
    Ink,
    age,
    count,
    field,
    memory_count,
    one_line,
    say,
    section,
    table,
    unique_beginnings,
    when,
    width,
    wrap,
)
from .rows import memory_row

if TYPE_CHECKING:
    from ..core.answers import Receipt
    from ..core.services.chronicle import Course, OpenedSession, SessionName
    from ..core.services.sessions import Session


def counts(session: Session) -> str:
    """`4 learned, 12 captured, 3 refused, 40 messages, incognito`."""
    words = [
        f"{session.learned:,} learned",
        f"{session.captures:,} captured",
        f"{session.refused:,} refused",
    ]
    if session.messages:
        words.append(count(session.messages, "message"))
    if session.is_incognito:
        words.append("incognito")
    return ", ".join(words)


def came_of(course: Course) -> list[str]:
    """`told 28 memories (2,125 tokens)`, `2 left open`, `6 to decide`: what there is of it."""
    words = []
    if course.prompts:
        words.append(f"told {memory_count(course.told)} ({course.tokens:,} tokens)")
    if course.used:
        words.append(f"{course.used:,} used")
    if course.open:
        words.append(f"{course.open:,} left open")
    if course.undecided:
        words.append(f"{course.undecided:,} to decide")
    return words


def show_session(
    opened: OpenedSession,
    checkpoints: Sequence[Mapping[str, Any]],
    learned: Sequence[Memory],
    refused: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None:
    """Print all that is known of a session."""
    _facts(opened, now)
    summary = opened.course.session.summary
    if summary:
        section("summary")
        for line in wrap(summary, width() - 4):
            say("    ", line)
    if opened.receipts:
        section("told; `memdeck receipts show ID` says why")
        table([_receipt_row(one, now) for one in opened.receipts], indent="    ")
    if checkpoints:
        section("checkpoints")
        table([_checkpoint_row(row, now) for row in checkpoints], indent="    ")
    if learned:
        section("learned")
        table([memory_row(memory, now) for memory in learned], indent="    ")
    left_open = [*opened.todos, *opened.tasks]
    if left_open:
        section("left open; `memdeck done ID` ends one")
        table([memory_row(memory, now) for memory in left_open], indent="    ")
    if opened.conflicts:
        section("to decide; `memdeck conflicts resolve ID --keep a` keeps the first")
        short = unique_beginnings([one.id for one in opened.conflicts], 8)
        rows: list[list[str | Ink]] = [
            [Ink(short[one.id], "dim"), f"{one.first.title} / {one.second.title}"]
            for one in opened.conflicts
        ]
        table(rows, indent="    ")
    if refused:
        section("refused; `memdeck inbox rescue NUMBER` keeps one")
        table([_refusal_row(row) for row in refused], indent="    ")


def _facts(opened: OpenedSession, now: datetime) -> None:
    course, session = opened.course, opened.course.session
    say(Ink(one_line(session.id), "bold"), f"  {one_line(session.agent)}")
    line = f", line {opened.line:,}" if opened.line else ""
    activity = opened.activity
    failed = f", {activity.failures:,} failed" if activity.failures else ""
    cost = f", ${opened.model_cost_usd:.2f}" if opened.model_cost_usd else ""
    for name, value in (
        ("goal", session.goal),
        ("began", when(session.started_at, now)),
        ("ended", _end(session, now)),
        ("fork of", _named(opened.parent) or session.parent or ""),
        ("forks", "; ".join(map(_named, opened.forks))),
        ("folder", session.cwd or ""),
        ("transcript", f"{opened.transcript}{line}" if opened.transcript else ""),
        ("came of it", counts(session)),
        ("told", ", ".join(came_of(course))),
        ("tools", f"{count(activity.tools, 'call')}{failed}" if activity.tools else ""),
        (
            "read by",
            f"{count(opened.model_calls, 'call')} of a model, {opened.model_tokens:,} tokens{cost}"
            if opened.model_calls
            else "",
        ),
    ):
        if value:
            field(name, one_line(value))


def _named(name: SessionName | None) -> str:
    return "" if name is None else f"{name.id}: {name.name}"


def _end(session: Session, now: datetime) -> str:
    if session.ended_at is None:
        return ""
    reason = f", {session.end_reason}" if session.end_reason else ""
    return f"{when(session.ended_at, now)}{reason}"


def _receipt_row(receipt: Receipt, now: datetime) -> list[str | Ink]:
    told = f"{memory_count(len(receipt.items))}, {receipt.tokens:,} tokens"
    asked = receipt.prompt or receipt.source or receipt.event
    return [Ink(receipt.id[:8], "dim"), f"{age(receipt.at, now):>4}", told, asked]


def _checkpoint_row(row: Mapping[str, Any], now: datetime) -> list[str | Ink]:
    moment = at(row["at"])
    assert moment is not None
    learned = f"{memory_count(len(row['learned']))} so far"
    return [f"{age(moment, now):>4}", count(row["messages"], "message"), learned]


def _refusal_row(row: Mapping[str, Any]) -> list[str | Ink]:
    text = row["content"] or "(nothing of its text was kept)"
    return [Ink(f"{row['id']:>5}", "dim"), row["reason"].partition(":")[0], text]
