"""One memory whole, with what speaks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..encoder import encode
from ..options import Door, command, complete_memory
from ..output import emit

if TYPE_CHECKING:
    from ...core.answers import Link
    from ...core.values import Memory


@command("memdeck show 01k8f2q --history")
@click.argument("identifier", metavar="ID", shell_complete=complete_memory)
@click.option("--history", is_flag=True, help="Also every change it went through.")
@click.option("--why", is_flag=True, help="Only what speaks for it: score, points, reviews.")
def show(door: Door, identifier: str, history: bool, why: bool) -> None:
    """Show one memory whole.

    Its text, origin, reviews, points, links and uses, the prompts it was given with, and its
    history.
    """
    from ..card import MOST_RECEIPTS, show_card
    from ..grounds import grounds_of, json_of_grounds, show_grounds

    with door.memory() as core:
        memory = core.show(identifier)
        links = core.links(memory.id)
        changes = core.history(memory.id) if history else []
        injected = core.injections(memory.id, MOST_RECEIPTS)
        grounds = grounds_of(core, memory.id)
        if door.as_json:
            whole = encode(memory)
            whole["links"] = [_seen_from(memory, link) for link in links]
            whole["injections"] = encode(injected)
            whole |= json_of_grounds(grounds)
            if grounds.worth is not None:  # as of now: lists say what the last weighing found
                parts = encode(grounds.worth)
                whole |= {"worth": parts["worth"], "tier": parts["tier"], "worth_parts": parts}
            if history:
                whole["history"] = encode(changes)
            emit(whole)
        elif why:
            show_grounds(grounds, core.clock())
        else:
            show_card(memory, links, changes, injected, grounds, core)


def _seen_from(memory: Memory, link: Link) -> dict[str, Any]:
    """A link as JSON, with its other end as seen from one of the two."""
    ends = {"source": link.source, "target": link.target}
    other = link.target if link.source == memory.id else link.source
    return {**ends, "other": other, **encode(link)}
