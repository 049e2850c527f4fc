"""Memories written to standard output."""

from __future__ import annotations

import sys

import click

from ..advice import point_out
from ..options import Door, command, complete_query
from ..output import emit, say, visible


@command(
    "memdeck export --format jsonl > memories.jsonl",
    "memdeck export --format markdown type:semantic",
)
@click.argument("query", nargs=-1, shell_complete=complete_query)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "markdown", "csv"]),
    default="jsonl",
    help="What to write (jsonl, which `import` reads).",
)
def export(door: Door, query: tuple[str, ...], form: str) -> None:
    """Write memories to standard output.

    All of the project's, or those that a query matches.
    """
    with door.memory() as core:
        from ...core import portable
        from ...core.context import each

        text = " ".join(query)
        point_out(text)
        memories = each(core.context, core.services.search.nums(text))
        if door.as_json or form == "jsonl":
            for memory in memories:
                emit(portable.object_of(memory))
        elif form == "markdown":
            for paragraph in portable.to_markdown(memories):
                say(paragraph)
        else:
            for line in portable.to_csv(memories):
                sys.stdout.write(visible(line) + "\r\n")
