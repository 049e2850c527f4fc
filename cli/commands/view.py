"""Queries with names: `memdeck list --view NAME` and `'` in the app ask them again."""

from __future__ import annotations

import click

from ..acts import tell
from ..options import Door, command, group
from ..output import narrate, one_line, table


@group("memdeck view", "memdeck view save stale is:stale group:file")
def view() -> None:
    """Keep queries under names; without a word, lists them."""


@command("memdeck view list", of=view)
def view_list(door: Door) -> None:
    """List the project's saved views."""
    with door.services() as services:
        views = services.saved_views.views()
    if door.prints_json(*({"name": name, "query": query} for name, query in views.items())):
        return
    table([[one_line(name), one_line(query)] for name, query in views.items()])
    if not views:
        narrate("No view is saved: memdeck view save NAME QUERY.")


@command("memdeck view save stale is:stale group:file", of=view)
@click.argument("name")
@click.argument("query", nargs=-1, required=True)
def view_save(door: Door, name: str, query: tuple[str, ...]) -> None:
    """Keep a query under a name, in place of what had it."""
    with door.services() as services:
        save_view = services.saved_views.save_view(name, " ".join(query))
        text = services.saved_views.view(save_view)
    message = f"saved  {one_line(save_view)}  {one_line(text)}"
    tell(door, {"name": save_view, "query": text}, message)


@command("memdeck view remove stale", of=view)
@click.argument("name")
def view_remove(door: Door, name: str) -> None:
    """Forget a saved view; its memories stay."""
    with door.services() as services:
        query = services.saved_views.view(name)
        services.saved_views.remove_view(name)
    tell(door, {"name": name, "query": query}, f"removed  {one_line(name)}")
