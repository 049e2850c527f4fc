"""Conversations with agents: what came of each, forks, and those that nobody takes down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ...core.query.language import Filter, Query
from ...core.values import Memory, at
from ..acts import takes_back
from ..choices import Count
from ..encoder import emit_all, encode
from ..options import Door, command, door_options, example
from ..output import Ink, age, clip, emit, narrate, one_line, say, table, unique_beginnings, width
from ..session_card import came_of, counts, show_session

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.chronicle import Course
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
@click.option("--limit", type=Count(1), metavar="N", default=SHOWN, help=f"At most ({SHOWN}).")
def sessions_list(door: Door, limit: int) -> None:
    """List the sessions, newest first: what each was asked, told, learned and left open."""
    with door.memory() as core:
        found = core.services.chronicle.courses(limit)
        now = core.now()
    if door.as_json:
        emit_all(found)
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
        narrate("No session was seen yet. `memdeck install claude` connects an agent.")


def _with_goals(shown: Iterator[Course]) -> Callable[..., None]:
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


@command("memdeck sessions show 0f3c9a", name="show", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_show(door: Door, identifier: str) -> None:
    """Show one session: what it was asked and told, what it learned and left open, its refusals."""
    with door.memory() as core:
        opened = core.services.chronicle.opened(identifier)
        session = opened.course.session
        checkpoints = core.checkpoints(session.id)
        learned = _learned(core, session.id)
        refused = [row for row in core.refusals(REFUSALS) if row["session"] == session.id]
        now = core.now()
    if door.as_json:
        emit(
            {
                **encode(opened),
                "checkpoints": [_checkpoint(row) for row in checkpoints],
                "memories": encode(learned),
                "refusals": [_refusal(row) for row in refused],
            }
        )
    else:
        show_session(opened, checkpoints, learned, refused, now)


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
