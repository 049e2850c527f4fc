"""Memories joined into one, and memories that hold for more: merge and promote."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..core.values import Memory
from . import fields
from .acting import ids_of, must_be_here, report, several, takes_back
from .options import Door, complete_memory, example, shared
from .output import emit
from .rows import acted
from .targets import list_candidates, meant


@click.command(
    epilog=example("memdeck merge 01k8f2q 01k9a00", 'memdeck merge 01k8f2q 01k9a00 --title "Retry"')
)
@click.argument("ids", metavar="ID ID…", nargs=-1, required=True, shell_complete=complete_memory)
@click.option("--content", help="The text that says it for all.")
@click.option("--title", help="Its title.")
@click.option("--yes", is_flag=True, help="Agree to tell every project, unasked.")
@shared
def merge(
    door: Door, ids: tuple[str, ...], content: str | None, title: str | None, yes: bool
) -> int:
    """Make memories that say the same one.

    The first stays, with the tags, files and evidence of the others, which retire as merged.
    """
    if len(ids) < 2:
        raise click.UsageError("Name at least two memories: the first stays.")
    edits = {"content": content, "title": title}
    with door.memory(yes=yes) as core:
        kept, *named = (core.resolve(one) for one in ids)
        others = list({memory.id: memory for memory in named}.values())
        must_be_here(core, [kept, *others])
        kept = core.merge(
            kept.id,
            ids_of(others),
            expected_revision=kept.revision,
            **{name: value for name, value in edits.items() if value is not None},
        )
    report_merge(door, kept, others)
    return 0


def report_merge(door: Door, kept: Memory, others: Sequence[Memory]) -> None:
    """Which memories became which one."""
    if door.as_json:
        emit({**fields.of_memory(kept), "merged": ids_of(others)})
        return
    acted("merged", others)
    acted("into", [kept])
    takes_back()


@click.command(
    epilog=example("memdeck promote 01k8f2q --to project", "memdeck promote retry --to global")
)
@several
@click.option(
    "--to",
    "scope",
    type=click.Choice(["project", "global"]),
    required=True,
    help="The whole project, or every project.",
)
@click.option("--yes", is_flag=True, help="Agree to tell every project, unasked.")
@shared
def promote(door: Door, words: tuple[str, ...], every: bool, scope: str, yes: bool) -> int:
    """Let memories hold for the project, or for all projects.

    A candidate is accepted by it. What becomes global is confirmed first.
    """
    with door.memory(yes=yes) as core:
        memories = meant(core, words, every=every)
        if scope == "global" and not yes:
            list_candidates(core, memories)
        promoted = core.promote(ids_of(memories), scope)
    report(door, "promoted", promoted)
    return 0
