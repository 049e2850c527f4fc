"""Conversations with agents: what came of each, forks, and those that nobody takes down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.query.language import Filter, Query
from ...core.values import Memory, at
from ..acts import takes_back
from ..options import Count, Door, command, group
from ..output import (
    Ink,
    age,
    clip,
    count,
    field,
    memory_count,
    memory_row,
    narrate,
    one_line,
    say,
    section,
    table,
    unique_beginnings,
    when,
    width,
    wrap,
)

if TYPE_CHECKING:
    from ...core.answers import Receipt
    from ...core.compat import MemoryCoordinator
    from ...core.services.sessions import Session, SessionDetail, SessionName, SessionOverview

SHOWN = 50
"""Sessions listed where no limit is given."""

REFUSALS = 5_000
"""Refused captures looked through for those of one session: all that the store keeps."""


@group("memdeck sessions", "memdeck sessions show 0f3c9a")
def sessions() -> None:
    """Show the conversations with agents, and what came of them.

    Without a word, lists them, newest first.
    """


@command("memdeck sessions list --limit 5 --json", of=sessions)
@click.option("--limit", type=Count(1), metavar="N", default=SHOWN, help=f"At most ({SHOWN}).")
def sessions_list(door: Door, limit: int) -> None:
    """List the sessions, newest first: what each was asked, told, learned and left open."""
    with door.memory() as core:
        found = core.services.sessions.overviews(limit)
        now = core.now()
    if door.prints_json(*found):
        return
    short = unique_beginnings([course.session.id for course in found], 8)
    rows: list[list[str | Ink]] = [
        [
            Ink(short[course.session.id], "bold"),
            f"{age(course.session.started_at, now):>4}",
            course.session.agent,
            counts(course.session),
        ]
        for course in found
    ]
    table(rows, line=_with_goals(iter(found)))
    if not found:
        narrate("No session was seen yet; `memdeck doctor` says how agents are connected.")


def _with_goals(shown: Iterator[SessionOverview]) -> Callable[..., None]:
    """Prints a row, and beneath it the goal of its session, and what it was told and left."""

    def line(*parts: str | Ink) -> None:
        say(*parts)
        course = next(shown)
        session = course.session
        about = [f"fork of {session.parent}"] if session.parent else []
        about += [session.goal] if session.goal else []
        for words in (": ".join(about), ", ".join(came_of(course))):
            if words:
                say("    ", Ink(clip(one_line(words), width() - 4), "dim"))

    return line


@command("memdeck sessions show 0f3c9a", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_show(door: Door, identifier: str) -> None:
    """Show one session: what it was asked and told, what it learned and left open, its refusals."""
    with door.memory() as core:
        opened = core.services.sessions.detail(identifier)
        session = opened.overview.session
        checkpoints = core.checkpoints(session.id)
        learned = _learned(core, session.id)
        refused = [row for row in core.refusals(REFUSALS) if row["session"] == session.id]
        now = core.now()
    parts = {
        "checkpoints": [_checkpoint(row) for row in checkpoints],
        "memories": learned,
        "refusals": [_refusal(row) for row in refused],
    }
    if not door.prints_json(opened, **parts):
        show_session(opened, checkpoints, learned, refused, now)


def _checkpoint(row: Mapping[str, Any]) -> dict[str, Any]:
    """How a session stood after so many messages, as JSON."""
    return {name: row[name] for name in ("messages", "at", "line", "learned")} | {
        "at": at(row["at"])
    }


def _refusal(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a gate refused, as JSON: as a session's account names it."""
    said = {name: row[name] for name in ("content", "reason", "rule")}
    return {"number": row["id"], **said, "at": at(row["created_at"])}


def _learned(core: MemoryCoordinator, session: str) -> list[Memory]:
    """The live memories of the session itself: not of its forks, whose ids begin alike."""
    found = core.list(Query(filters=(Filter("session", session),)))
    return [memory for memory in found if memory.origin.session == session]


@command("memdeck sessions fork 0f3c9a", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_fork(door: Door, identifier: str) -> int:
    """Make a session that begins with all that was found in another one.

    Both may promote it; what both find stays one memory, and the two count as one session.
    """
    with door.memory() as core:
        fork = core.fork_session(identifier)
    return _report(door, "forked", fork)


@command("memdeck sessions incognito 0f3c9a", of=sessions)
@click.argument("identifier", metavar="ID")
@click.option("--off", is_flag=True, help="Take it down again from now on.")
def sessions_incognito(door: Door, identifier: str, off: bool) -> int:
    """Take nothing down from a session any more.

    What was learned from it before stays; `memdeck forget --all session:ID` takes that out.
    """
    with door.memory() as core:
        session = core.set_incognito(identifier, not off)
    return _report(door, "taken down again" if off else "incognito", session)


def _report(door: Door, done: str, session: Session) -> int:
    if door.prints_json(session):
        return 0
    say(f"{done}  ", Ink(one_line(session.id), "bold"))
    if session.goal:
        say("    ", Ink(clip(one_line(session.goal), width() - 4), "dim"))
    takes_back()
    return 0


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


def came_of(course: SessionOverview) -> list[str]:
    """`told 28 memories (2,125 tokens)`, `2 left open`, `6 to decide`: what there is of it."""
    words = []
    if course.prompts:
        words.append(f"told {memory_count(course.injected)} ({course.tokens:,} tokens)")
    if course.open:
        words.append(f"{course.open:,} left open")
    if course.undecided:
        words.append(f"{course.undecided:,} to decide")
    return words


def show_session(
    opened: SessionDetail,
    checkpoints: Sequence[Mapping[str, Any]],
    learned: Sequence[Memory],
    refused: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None:
    """Print all that is known of a session."""
    _facts(opened, now)
    summary = opened.overview.session.summary
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
        section("to decide; `memdeck review keep ID` keeps the first")
        short = unique_beginnings([one.id for one in opened.conflicts], 8)
        rows: list[list[str | Ink]] = [
            [Ink(short[one.id], "dim"), f"{one.first.title} / {one.second.title}"]
            for one in opened.conflicts
        ]
        table(rows, indent="    ")
    if refused:
        section("refused; `memdeck review rescue NUMBER` keeps one")
        table([_refusal_row(row) for row in refused], indent="    ")


def _facts(opened: SessionDetail, now: datetime) -> None:
    course, session = opened.overview, opened.overview.session
    say(Ink(one_line(session.id), "bold"), f"  {one_line(session.agent)}")
    line = f", line {opened.line:,}" if opened.line else ""
    activity = opened.activity
    failed = f", {activity.failures:,} failed" if activity.failures else ""
    cost = f", ${opened.model_cost_usd:.2f}" if opened.model_cost_usd else ""
    field("goal", one_line(session.goal))
    field("began", when(session.started_at, now))
    field("ended", one_line(_end(session, now)))
    field("fork of", one_line(_named(opened.parent) or session.parent or ""))
    field("forks", one_line("; ".join(map(_named, opened.forks))))
    field("folder", one_line(session.cwd or ""))
    if opened.transcript:
        field("transcript", one_line(f"{opened.transcript}{line}"))
    field("came of it", counts(session))
    field("told", ", ".join(came_of(course)))
    if activity.tools:
        field("tools", f"{count(activity.tools, 'call')}{failed}")
    if opened.model_calls:
        calls = f"{count(opened.model_calls, 'call')} of a model"
        field("read by", f"{calls}, {opened.model_tokens:,} tokens{cost}")


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
