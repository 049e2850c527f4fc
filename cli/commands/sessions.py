"""Conversations with agents: what came of each, forks, and those that nobody takes down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.query.language import Filter, Query
from ...core.values import Memory, at
from ..acts import takes_back
from ..encoder import emit_all, encode
from ..options import Door, command, door_options, example
from ..output import (
    Ink,
    age,
    clip,
    count,
    emit,
    field,
    memory_count,
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
from ..rows import memory_row

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.sessions import Session

SHOWN = 50
"""Sessions listed where no limit is given."""

REFUSALS = 5_000
"""Refused captures looked through for those of one session: all that the store keeps."""


@click.group(
    invoke_without_command=True, epilog=example("memdeck sessions", "memdeck sessions show 0f3c9a")
)
@door_options
@click.pass_context
def sessions(context: click.Context, /, **_options: object) -> int:
    """Show the conversations with agents, and what came of them.

    Without a word, lists them, newest first.
    """
    if context.invoked_subcommand is None:
        return int(context.invoke(sessions_list, limit=SHOWN) or 0)
    return 0


@command("memdeck sessions list --limit 5 --json", name="list", of=sessions)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", default=SHOWN, help=f"At most ({SHOWN})."
)
def sessions_list(door: Door, limit: int) -> None:
    """List the sessions, newest first, each with its goal."""
    with door.memory() as core:
        found = core.sessions(limit)
        now = core.now()
    if door.as_json:
        emit_all(found)
        return
    short = unique_beginnings([session.id for session in found], 8)
    rows: list[list[str | Ink]] = [
        [
            Ink(short[session.id], "bold"),
            f"{age(session.started_at, now):>4}",
            session.agent,
            counts(session),
        ]
        for session in found
    ]
    table(rows, line=_with_goals(iter(found)))
    if not found:
        narrate("No session was seen yet. `memdeck install claude` connects an agent.")


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


def _with_goals(shown: Iterator[Session]) -> Callable[..., None]:
    """Prints a row, and the goal of its session beneath it."""

    def line(*parts: str | Ink) -> None:
        say(*parts)
        session = next(shown)
        about = [f"fork of {session.parent}"] if session.parent else []
        about += [session.goal] if session.goal else []
        if about:
            say("    ", Ink(clip(one_line(": ".join(about)), width() - 4), "dim"))

    return line


@command("memdeck sessions show 0f3c9a", name="show", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_show(door: Door, identifier: str) -> None:
    """Show one session: summary, checkpoints, what was learned, and what was refused."""
    with door.memory() as core:
        session = core.session_named(identifier)
        checkpoints = core.checkpoints(session.id)
        learned = _learned(core, session.id)
        refused = [row for row in core.refusals(REFUSALS) if row["session"] == session.id]
        now = core.now()
    if door.as_json:
        emit(
            {
                **encode(session),
                "checkpoints": [_checkpoint(row) for row in checkpoints],
                "memories": encode(learned),
                "refusals": [_refusal(row) for row in refused],
            }
        )
        return
    _show_facts(session, now)
    if session.summary:
        section("summary")
        for line in wrap(session.summary, width() - 4):
            say("    ", line)
    if checkpoints:
        section("checkpoints")
        table([_checkpoint_row(row, now) for row in checkpoints], indent="    ")
    if learned:
        section("learned")
        table([memory_row(memory, now) for memory in learned], indent="    ")
    if refused:
        section("refused; `memdeck inbox rescue NUMBER` keeps one")
        table([_refusal_row(row) for row in refused], indent="    ")


def _checkpoint(row: Mapping[str, Any]) -> dict[str, Any]:
    """How a session stood after so many messages, as JSON."""
    return {name: row[name] for name in ("messages", "at", "line", "learned")} | {
        "at": encode(at(row["at"]))
    }


def _refusal(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a gate refused, as JSON: as a session's account names it."""
    said = {name: row[name] for name in ("content", "reason", "rule")}
    return {"number": row["id"], **said, "at": encode(at(row["created_at"]))}


def _learned(core: MemoryCoordinator, session: str) -> list[Memory]:
    """The live memories of the session itself: not of its forks, whose ids begin alike."""
    found = core.list(Query(filters=(Filter("session", session),)))
    return [memory for memory in found if memory.origin.session == session]


def _show_facts(session: Session, now: datetime) -> None:
    say(Ink(one_line(session.id), "bold"), f"  {one_line(session.agent)}")
    for name, value in (
        ("goal", session.goal),
        ("began", when(session.started_at, now)),
        ("ended", _end(session, now)),
        ("fork of", session.parent or ""),
        ("folder", session.cwd or ""),
        ("came of it", counts(session)),
    ):
        if value:
            field(name, one_line(value))


def _end(session: Session, now: datetime) -> str:
    if session.ended_at is None:
        return ""
    reason = f", {session.end_reason}" if session.end_reason else ""
    return f"{when(session.ended_at, now)}{reason}"


def _checkpoint_row(row: Mapping[str, Any], now: datetime) -> list[str | Ink]:
    moment = at(row["at"])
    assert moment is not None
    learned = f"{memory_count(len(row['learned']))} so far"
    return [f"{age(moment, now):>4}", count(row["messages"], "message"), learned]


def _refusal_row(row: Mapping[str, Any]) -> list[str | Ink]:
    text = row["content"] or "(nothing of its text was kept)"
    return [Ink(f"{row['id']:>5}", "dim"), row["reason"].partition(":")[0], text]


@command("memdeck sessions fork 0f3c9a", name="fork", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_fork(door: Door, identifier: str) -> int:
    """Make a session that begins with all that was found in another one.

    Both may promote it; what both find stays one memory, and the two count as one session.
    """
    with door.memory() as core:
        fork = core.fork_session(identifier)
    return _report(door, "forked", fork)


@command("memdeck sessions incognito 0f3c9a", name="incognito", of=sessions)
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
    if door.as_json:
        emit(encode(session))
        return 0
    say(f"{done}  ", Ink(one_line(session.id), "bold"))
    if session.goal:
        say("    ", Ink(clip(one_line(session.goal), width() - 4), "dim"))
    takes_back()
    return 0
