"""Memories that say the same, made one."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ...core.values import Memory
from ..acts import ids_of, must_be_here, takes_back
from ..options import Door, agreeable, command, complete_memory
from ..rows import acted


@command("memdeck merge 01k8f2q 01k9a00", 'memdeck merge 01k8f2q 01k9a00 --title "Retry"')
@click.argument("ids", metavar="ID ID…", nargs=-1, required=True, shell_complete=complete_memory)
@click.option("--content", help="The text that says it for all.")
@click.option("--title", help="Its title.")
@agreeable
def merge(
    door: Door, ids: tuple[str, ...], content: str | None, title: str | None, yes: bool
) -> None:
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


def report_merge(door: Door, kept: Memory, others: Sequence[Memory]) -> None:
    """Which memories became which one."""
    if door.prints_json(kept, merged=ids_of(others)):
        return
    acted("merged", others)
    acted("into", [kept])
    takes_back()
