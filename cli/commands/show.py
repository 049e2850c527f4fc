"""One memory whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..encoder import encode
from ..options import Door, command
from ..output import emit

if TYPE_CHECKING:
    from ...core.answers import Link
    from ...core.values import Memory


@command("memdeck show 01k8f2q --why")
@click.argument("identifier", metavar="ID")
@click.option("--why", is_flag=True, help="Also show all numbers.")
@click.option("--history", is_flag=True, help="Also show every change to it.")
def show(door: Door, identifier: str, why: bool, history: bool) -> None:
    """Show one memory: text, origin, links and injections."""
    from ...core.details import details_of
    from ...core.documents.memory import memory_document
    from ..output import print_document

    with door.memory() as core:
        details = details_of(
            core, core.show(identifier), with_numbers=why or door.as_json, history=history
        )
        moment = core.now()
    if not door.as_json:
        print_document(memory_document(details), moment)
        return
    memory = details.memory
    whole: dict[str, Any] = encode(memory)
    whole["links"] = [_seen_from(memory, link) for link in details.links]
    whole["injections"] = encode(details.injections)
    whole["numbers"] = encode(details.numbers)
    if history:
        whole["history"] = encode(details.history)
    emit(whole)


def _seen_from(memory: Memory, link: Link) -> dict[str, Any]:
    """Return a link as JSON, with its other end as seen from one of the two."""
    ends = {"source": link.source, "target": link.target}
    other = link.target if link.source == memory.id else link.source
    return {**ends, "other": other, **encode(link)}
