"""The user's preferences and patterns for every project."""

from __future__ import annotations

import click

from ..options import Door, command
from ..output import narrate


@command("memdeck profile", "memdeck profile --category style --json")
@click.option("--category", metavar="NAME", help="Only this category or domain.")
def profile(door: Door, category: str | None) -> None:
    """Show your global preferences and patterns by category.

    `memdeck list is:me` lists the same memories. `memdeck remember TEXT --scope global
    --category preference --tag style` adds one.
    """
    from ...core.documents.memory import profile_document
    from ..output import print_document

    with door.services() as services:
        entries = services.search.profile()
        moment = services.context.now()
    if category is not None:
        entries = {
            kind: {name: memories for name, memories in groups.items() if name == category}
            for kind, groups in entries.items()
        }
    if door.prints_json(entries):
        return
    if any(entries.values()):
        print_document(profile_document(entries), moment)
    else:
        narrate(f"Nothing is stored of {category!r}." if category else "No preferences yet.")
        narrate("  memdeck remember TEXT --scope global --category preference --tag NAME")
