"""Sessions of agents: results, forks, incognito; and summaries."""

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
    memory_row,
    narrate,
    one_line,
    print_document,
    say,
    table,
    unique_beginnings,
    width,
)

if TYPE_CHECKING:
    from ...core.services.sessions import Session, SessionOverview
    from ...core.services.summaries import Summary


SHOWN = 50  # sessions listed where no limit is given


@group("memdeck sessions", "memdeck sessions show 0f3c9a")
def sessions() -> None:
    """Show the sessions of agents with their results.

    Without a subcommand, list them.
    """


@command("memdeck sessions list --limit 5 --json", of=sessions)
@click.option("--limit", type=COUNT, metavar="N", default=SHOWN, help=f"At most ({SHOWN}).")
def sessions_list(door: Door, limit: int) -> None:
    """List the sessions with their results, newest first."""
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
    """Yield counts that are not 0: `received 28 memories (2,125 tokens)`, `4 learned`, `2 open`."""
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


LEVELS = ("session", "day", "week", "month", "project")


@group("memdeck summaries", "memdeck summaries show 2026-03-02")
def summaries() -> None:
    """Summarize sessions, days, weeks, months and the project.

    Without a subcommand, list the newest summaries.
    """


@command("memdeck summaries list --level week --json", of=summaries)
@click.option("--level", type=click.Choice(LEVELS), help="Only those of this level.")
@click.option("--limit", default=20, show_default=True, help="Number of summaries.")
def summaries_list(door: Door, level: str | None, limit: int) -> None:
    """List the summaries, newest first."""
    with door.memory() as core:
        listed = core.summaries(level, limit)
    if door.prints_json(*listed):
        return
    for item in listed:
        say(Ink(_heading(item), "bold"))
        for line in item.content.splitlines():
            say("    ", one_line(line))
    if not listed:
        narrate("No memory of a session or a day is there to summarize.")


@command("memdeck summaries show 2026-03-02", of=summaries)
@click.argument("identifier", metavar="ID")
def summaries_show(door: Door, identifier: str) -> None:
    """Show one summary with its parts.

    The project has months, months and weeks have days, days have sessions. Days and sessions
    list their memories.
    """
    with door.memory() as core:
        opened = core.opened_summary(identifier)
        now = core.now()
    parts = {"summaries": opened.summaries, "memories": opened.memories}
    if door.prints_json(opened.summary, **parts):
        return
    say(Ink(_heading(opened.summary), "bold"))
    for line in opened.summary.content.splitlines():
        say("    ", one_line(line))
    if opened.summaries:
        say("\n  ", Ink("made of", "dim"))
        for summary in opened.summaries:
            say("    ", _heading(summary))
    if opened.memories:
        say("\n  ", Ink("learned", "dim"))
        table([memory_row(memory, now) for memory in opened.memories], indent="    ")


def _heading(summary: Summary) -> str:
    name = one_line(summary.name)
    return name if name == summary.level else f"{summary.level} {name}"
