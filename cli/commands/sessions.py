"""Sessions of agents: what came of each, forks, incognito."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ...core.documents.session import session_document
from ..acts import takes_back
from ..options import COUNT, Door, command, group
from ..output import (
    Ink,
    age,
    clip,
    memory_count,
    narrate,
    one_line,
    print_document,
    say,
    unique_beginnings,
    width,
)

if TYPE_CHECKING:
    from ...core.services.sessions import Session, SessionOverview

SHOWN = 50
"""Sessions listed where no limit is given."""


@group("memdeck sessions", "memdeck sessions show 0f3c9a")
def sessions() -> None:
    """Show the sessions of agents, and what came of each.

    Without a subcommand, list them.
    """


@command("memdeck sessions list --limit 5 --json", of=sessions)
@click.option("--limit", type=COUNT, metavar="N", default=SHOWN, help=f"At most ({SHOWN}).")
def sessions_list(door: Door, limit: int) -> None:
    """List the sessions, newest first, with what came of each."""
    with door.memory() as core:
        overviews = core.services.sessions.overviews(limit)
        now = core.now()
    if door.prints_json(*overviews):
        return
    short = unique_beginnings([overview.session.id for overview in overviews], 8)
    for overview in overviews:
        lead = f"{age(overview.session.started_at, now):>4}  {one_line(overview.session.agent):8}  "
        name = short[overview.session.id]
        room = width() - len(name) - len(lead) - 2
        say(Ink(name, "bold"), "  ", Ink(lead, "dim"), clip(one_line(overview.name), room))
        if counts := ", ".join(_counts(overview)):
            say("    ", Ink(clip(counts, width() - 4), "dim"))
    if not overviews:
        narrate("No session yet. `memdeck doctor` shows how agents are connected.")


def _counts(overview: SessionOverview) -> Iterator[str]:
    """`received 28 memories (2,125 tokens)`, `4 learned`, `2 open`: what there is of it."""
    session = overview.session
    if overview.tokens:
        yield f"received {memory_count(overview.injected)} ({overview.tokens:,} tokens)"
    for number, words in (
        (overview.learned, "learned"),
        (session.refused, "filtered"),
        (overview.open, "open"),
        (overview.undecided, "in conflict"),
    ):
        if number:
            yield f"{number:,} {words}"
    if session.is_incognito:
        yield "incognito"
    if session.parent:
        yield "fork"


@command("memdeck sessions show 0f3c9a", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_show(door: Door, identifier: str) -> None:
    """Show one session: prompts, injections, memories, open tasks."""
    with door.memory() as core:
        detail = core.services.sessions.detail(identifier)
        now = core.now()
    if not door.prints_json(detail):
        print_document(session_document(detail), now)


@command("memdeck sessions fork 0f3c9a", of=sessions)
@click.argument("identifier", metavar="ID")
def sessions_fork(door: Door, identifier: str) -> int:
    """Start a session with all captures of another one.

    Both may promote them. A memory of both stays one, and the two count as one session.
    """
    with door.memory() as core:
        fork = core.fork_session(identifier)
    return _report(door, "forked", fork)


@command("memdeck sessions incognito 0f3c9a", of=sessions)
@click.argument("identifier", metavar="ID")
@click.option("--off", is_flag=True, help="Record it again from now on.")
def sessions_incognito(door: Door, identifier: str, off: bool) -> int:
    """Stop recording a session.

    Its memories stay. `memdeck forget --all session:ID` forgets them.
    """
    with door.memory() as core:
        session = core.set_incognito(identifier, not off)
    return _report(door, "recorded again" if off else "incognito", session)


def _report(door: Door, done: str, session: Session) -> int:
    if door.prints_json(session):
        return 0
    say(f"{done}  ", Ink(one_line(session.id), "bold"))
    if session.goal:
        say("    ", Ink(clip(one_line(session.goal), width() - 4), "dim"))
    takes_back()
    return 0
