"""Memories that hold for more, the project or every project, or for less."""

from __future__ import annotations

import click

from ..acts import act_on, ids_of, list_candidates, meant, report, several
from ..options import Door, agreeable, command


@command("memdeck promote 01k8f2q --to project", "memdeck promote retry --to global")
@several
@click.option(
    "--to",
    "scope",
    type=click.Choice(["project", "global"]),
    required=True,
    help="The whole project, or every project.",
)
@agreeable
def promote(door: Door, words: tuple[str, ...], every: bool, scope: str, yes: bool) -> None:
    """Let memories hold for the project, or for all projects.

    A candidate is accepted by it. What becomes global is confirmed first.
    """
    with door.memory(yes=yes) as core:
        memories = meant(core, words, every=every)
        if scope == "global" and not yes:
            list_candidates(core, memories)
        promoted = core.promote(ids_of(memories), scope)
    report(door, "promoted", promoted)


@command("memdeck demote 01k8f2q")
@several
@agreeable
def demote(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Let memories count for less, one step each.

    A global one holds for this project only; a pinned one is unpinned; any other comes last.
    """
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "demoted", core.demote)
