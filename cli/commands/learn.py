"""What an agent records as it goes, by a command in its own shell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ...core.answers import Recorded
from ..acts import became, readable_memory
from ..options import Door, command, text_argument
from ..output import Ink, narrate, one_line

if TYPE_CHECKING:
    from ...agents.caller import Caller
    from ...core.compat import MemoryCoordinator


@command(
    "memdeck learn 'The feed is cut at midnight.' --why 'the job failed'",
    "memdeck learn 'Tests use port 5433.' --file compose.yml",
    short_help="Record what a session taught: for agents.",
)
@click.argument("text", nargs=-1)
@click.option("--why", default="", metavar="TEXT", help="Reason or evidence.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="File that it is about. Repeatable."
)
@click.option("--replaces", metavar="ID", help="Memory that is no longer true.")
@click.option("--session", metavar="ID", help="Session (the one that runs the command).")
def learn(
    door: Door,
    text: tuple[str, ...],
    why: str,
    files: tuple[str, ...],
    replaces: str | None,
    session: str | None,
) -> int:
    """Record a lesson of this session, for agents.

    The record waits as a candidate and is checked against the transcript. A session can record
    five. `-` reads the text from standard input. Users use `memdeck remember`.
    """
    from ...agents.caller import caller
    from ...db.errors import StoreReadOnly

    content = text_argument(text, "TEXT")
    with door.memory(asks=False) as core:
        if core.is_read_only:
            raise StoreReadOnly(core.home.path)
        who = caller(core, session, os.environ)
        if core.context.viewer is not None:
            core.context.viewer = core.context.viewer_of(who.session)
        recorded = core.learn(
            content,
            session=who.session,
            why=why,
            files=files,
            replaces=replaces,
            told=who.injected,
        )
        return _report(door, core, who, recorded)


def _report(door: Door, core: MemoryCoordinator, who: Caller, recorded: Recorded) -> int:
    """Say what became of it; 1 when a gate refused it."""
    result = recorded.result
    memory = readable_memory(core, result.memory_id)
    about = {"memory": memory, "session": recorded.session, "session_from": who.named_by}
    counts = {"recorded": recorded.count, "most": recorded.most}
    others = {name: getattr(recorded, name) for name in ("replaced", "conflict")}
    door.prints_json(result, **about, **counts, **others)
    if who.named_by == "newest":
        narrate(
            Ink("  No session was named: ", "warn"),
            f"this counts for {one_line(who.session)}, the newest that goes on here.",
        )
    if became(result, memory, "recorded", quiet=door.as_json):
        return 1
    for line in _remarks(core, recorded):
        narrate(f"  {line}")
    return 0


def _remarks(core: MemoryCoordinator, recorded: Recorded) -> list[str]:
    result = recorded.result
    details = [f"{recorded.count} of {recorded.most} in this session."]
    if result.outcome == "duplicate":
        details.insert(0, f"{result.reason[:1].upper()}{result.reason[1:]}.")
    if result.removed:
        details.append(f"Taken out before storing: {', '.join(result.removed)}.")
    if recorded.replaced:
        details.append(f"It takes the place of {core.show(recorded.replaced).short_id}.")
    if recorded.conflict:
        details.append("It would replace a memory of the user, who decides in `memdeck review`.")
    return details
