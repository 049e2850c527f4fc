"""What differs between two times."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..choices import THEN
from ..options import Door, command
from ..output import Ink, clip, local, narrate, one_line, readable, say, width

if TYPE_CHECKING:
    from ...core.answers import ChangedMemory

KINDS = (("added", "+", "good"), ("changed", "~", "warn"), ("retired", "-", "bad"),
         ("restored", "^", "good"))  # fmt: skip


@command("memdeck diff monday", "memdeck diff 2026-03-01 2026-03-08 --json", "memdeck diff '#42'")
@click.argument("since", metavar="FROM", type=THEN)
@click.argument("until", metavar="[TO]", type=THEN, required=False)
def diff(door: Door, since: datetime | int, until: datetime | int | None) -> None:
    """Show what differs between two times.

    What was added, changed, retired, restored from FROM to TO, which is now unless it is given.
    They are days (their beginning), times, distances as 7d, or entries as #42. What was added and
    taken back in between is not told.
    """
    from ...core.context import short_ids

    with door.services() as services:
        changes = services.past.changes(since, until)
        name = services.search.project_name
        named = [one.id for kind, *_ in KINDS for one in getattr(changes, kind)]
        short = short_ids(services.context, named)
    if door.prints_json(changes):
        return
    for kind, sign, style in KINDS:
        for one in getattr(changes, kind):
            _show(one, f"{sign} {short[one.id]}  ", style)
    told = ", ".join(
        f"{len(getattr(changes, kind)):,} {kind}" for kind, _, _ in KINDS if getattr(changes, kind)
    )
    first, last = local(changes.since.at), local(changes.until.at)
    narrate(Ink(f"{name} from {first} to {last}: {told or 'nothing differs'}.", "dim"))


def _show(one: ChangedMemory, head: str, style: str) -> None:
    say(Ink(head, style), clip(one_line(one.title), width() - len(head)))
    if one.what == "retired":
        told = one.reason or one.action
        why = f"{one.retired_as or 'taken back'}, by {one.actor}: {told}"
        say("    ", Ink(clip(one_line(why), width() - 4), "dim"))
    for field, before, after in one.fields if one.what == "changed" else ():
        for mark, value, ink in (("-", before, "bad"), ("+", after, "good")):
            if value not in (None, "", []):
                line = f"{field} {mark} {one_line(readable(field, value))}"
                say("    ", Ink(clip(line, width() - 4), ink))
