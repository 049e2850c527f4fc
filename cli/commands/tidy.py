"""What there is to tidy among what is known: proposals, settled in the app or by other commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...core.services.tidy import KINDS
from ..choices import Count
from ..options import Door, command
from ..output import Ink, count, narrate, one_line, say

if TYPE_CHECKING:
    from ...core.services.tidy import Proposal

SHOWN = 50
"""Proposals shown to a person where no limit is given; JSON has all."""

SETTLED_BY = {
    "contradiction": "memdeck conflicts resolve ID --keep a|b|both|neither",
    "repetition": "memdeck merge ID OTHER",
    "moved": "memdeck stale follow ID",
    "verify": "memdeck stale confirm ID",
    "task": "memdeck done ID",
    "long": "memdeck edit ID",
    "untold": "memdeck forget ID",
}
"""The command that settles each kind, from a shell."""


@command("memdeck tidy", "memdeck tidy --kind repetition --json", name="tidy")
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only these; may be repeated."
)
@click.option("--limit", type=Count(1), metavar="N", help="At most so many.")
def tidy(door: Door, kinds: tuple[str, ...], limit: int | None) -> int:
    """List what there is to tidy among what is known.

    Changes nothing. In the app `T` goes through it, one key each.
    """
    with door.memory() as core:
        found = core.services.tidy.proposals(kinds or KINDS)
    shown = found[:limit] if limit or door.as_json else found[:SHOWN]
    for one in shown:
        if not door.prints_json(one):
            _show(one)
    if not door.as_json:
        more = f", the first {len(shown)} shown" if len(found) > len(shown) else ""
        narrate(f"{count(len(found), 'proposal')}{more}." if found else "Nothing is to be tidied.")
        for kind in dict.fromkeys(one.kind for one in shown):
            narrate(Ink(f"  {kind:<14}`{SETTLED_BY[kind]}`", "dim"))
    return 0


def _show(one: Proposal) -> None:
    say(Ink(f"{one.kind:<14}", "dim"), one_line(one.why))
    for side in one.sides:
        say("    ", Ink(side.short_id, "dim"), "  ", one_line(side.title))
