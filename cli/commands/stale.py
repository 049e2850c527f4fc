"""What no longer fits the project: memories to verify, and a person's answer."""

from __future__ import annotations

import click

from ..acts import ids_of, meant, report, several
from ..encoder import encode
from ..options import Door, agreeable, command, door_options, example
from ..output import Ink, emit, narrate, one_line, say

TO_VERIFY = "is:verify"
"""The query that words are narrowed by."""


@click.group(
    invoke_without_command=True, epilog=example("memdeck stale", "memdeck stale confirm 01k8f2q")
)
@door_options
@click.pass_context
def stale(context: click.Context, /, **_: object) -> None:
    """List what is to be verified, and answer it.

    What a memory names, files, versions or commands, is no longer so.

    Found by `memdeck maintain`, once a day, in the project's history and files.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_stale)


@command("memdeck stale list", name="list", of=stale)
def list_stale(door: Door) -> int:
    """List what is to be verified, with the reason."""
    with door.memory() as core:
        found = [
            (memory, core.services.staleness.moves(memory.id))
            for memory in core.services.staleness.flagged()
        ]
    for memory, moves in found:
        if door.as_json:
            emit({**encode(memory), "moves": [{"from": old, "to": new} for old, new in moves]})
            continue
        say(Ink(memory.short_id, "dim"), "  ", one_line(memory.title))
        say("    ", Ink(f"verify: {one_line(memory.stale)}", "warn"))
    if not door.as_json:
        narrate(
            "  `memdeck stale confirm ID` (still true), `follow ID` (its files moved), `retire ID`."
            if found
            else "Nothing is to be verified."
        )
    return 0


@command("memdeck stale confirm 01k8f2q", name="confirm", of=stale)
@several
@agreeable
def confirm(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Say that memories are still true; it holds until new evidence comes."""
    with door.memory(yes=yes) as core:
        chosen = ids_of(meant(core, words, every=every, within=TO_VERIFY))
        confirmed = core.services.staleness.confirm(chosen)
    report(door, "confirmed", confirmed)


@command("memdeck stale follow 01k8f2q", name="follow", of=stale)
@several
@agreeable
def follow(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Let memories name their files where they are now."""
    with door.memory(yes=yes) as core:
        chosen = ids_of(meant(core, words, every=every, within=TO_VERIFY))
        followed = core.services.staleness.follow(chosen)
    report(door, "followed", followed)


@command("memdeck stale retire 01k8f2q", name="retire", of=stale)
@several
@agreeable
def retire(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Take memories out of recall, restorably."""
    with door.memory(yes=yes) as core:
        chosen = ids_of(meant(core, words, every=every, within=TO_VERIFY))
        retired = core.forget(chosen, reason="no longer so")
    report(door, "retired", retired)
