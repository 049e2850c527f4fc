"""Maintenance by hand: each kind of it as one act that can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options import Door, command
from ..output import Ink, count, counted, narrate, say, table

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator


@command("memdeck maintain --dry-run")
@click.option("--dry-run", is_flag=True, help="List the changes and change nothing.")
def maintain(door: Door, dry_run: bool) -> int:
    """Retire memories past their time, restorably.

    It happens by itself once a day, after an agent's session was read.
    """
    with door.memory() as memory:
        if dry_run:
            return _preview(door, memory)
        with counted("maintained") as progress:
            report = memory.maintenance.run(progress)
        hindrance = memory.services.staleness.met()
    if hindrance:
        narrate(hindrance)
    about = {"held_back": report.held_back, "done": report.done, "entries": report.entries}
    if not door.prints_json(about):
        for duty, number in report.done.items():
            if number:
                entry = report.entries.get(duty)
                undone = f"; undo with `memdeck undo {entry}`" if entry is not None else ""
                say(f"{duty}  {count(number, 'memory', 'memories')}{undone}")
        if not any(report.done.values()):
            say("Nothing is due.")
    if report.held_back:
        narrate(report.held_back)
        narrate("  Run it again in a day if the clock is right.")
    if report.is_stopped:
        narrate("Stopped. The changes so far stay, and the next run continues.")
    return 0


def _preview(door: Door, memory: MemoryCoordinator) -> int:
    """List what is due, a line for each memory; pairs and marks are counted."""
    plan, held_back = memory.maintenance.plan(), memory.maintenance.held_back()
    due = {duty: [(item.memory, item.rule) for item in items] for duty, items in plan.items()}
    if door.prints_json({"dry_run": True, "held_back": held_back, "duties": due}):
        return 0
    for duty, items in due.items():
        if items:
            say(f"{duty}  {count(len(items), 'change')}")
        named = [(memory.show(ref), rule) for ref, rule in items if ref]
        table(
            [[Ink(item.short_id, "dim"), item.title, Ink(rule, "dim")] for item, rule in named],
            "  ",
        )
    if not any(due.values()):
        say("Nothing is due.")
    if held_back:
        narrate(held_back)
    return 0
