"""Two memories joined by what one is to the other."""

from __future__ import annotations

import click

from ...core.values import LINK_KINDS
from ..acts import tell
from ..options import Door, command, complete_memory


@command("memdeck link 01k8f2q 01k9a00 --as refines")
@click.argument("source", metavar="ID", shell_complete=complete_memory)
@click.argument("target", metavar="ID", shell_complete=complete_memory)
@click.option(
    "--as",
    "kind",
    type=click.Choice(LINK_KINDS),
    required=True,
    help="What the first is to the second.",
)
def link(door: Door, source: str, target: str, kind: str) -> None:
    """Join two memories.

    The first reinforces, contradicts, extends, refines, or is superseded by the second.
    """
    with door.memory() as core:
        first, second = core.resolve(source), core.resolve(target)
        core.link(first.id, second.id, kind)
    said = f"linked  {first.short_id} {kind.replace('_', ' ')} {second.short_id}"
    tell(door, {"source": first.id, "target": second.id, "kind": kind}, said)
