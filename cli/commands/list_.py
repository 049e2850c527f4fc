"""The project's memories, newest first."""

from __future__ import annotations

import click

from ..advice import nothing_found, point_out
from ..encoder import emit_all
from ..options import Door, command, complete_query
from ..output import Ink, memory_count, narrate
from ..rows import show_rows


@command("memdeck list is:conflict", "memdeck list 'created:<7d' --json", name="list")
@click.argument("query", nargs=-1, shell_complete=complete_query)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Memories at most (all).")
def list_(door: Door, query: tuple[str, ...], limit: int | None) -> None:
    """List the project's memories, newest first.

    Candidates included; all of them unless --limit says otherwise.
    """
    text = " ".join(query)
    with door.services() as services:
        memories = services.search.list(text, limit=limit)
        if door.as_json:
            emit_all(memories)
            return
        point_out(text)
        show_rows(memories, services.context.now())
        if memories:
            narrate(Ink(f"{memory_count(len(memories))} in {services.search.project_name}", "dim"))
        elif text.strip():
            nothing_found(services.suggestions.suggest(text))
        else:
            narrate(f"{services.search.project_name} has no memories yet.")
            narrate("  `memdeck remember TEXT` adds one; `memdeck install claude` collects them.")
