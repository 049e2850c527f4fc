"""Upkeep by hand: what is past its time leaves, each kind of it as one undoable act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ..options import Door, command
from ..output import count, counted, narrate, say

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.maintenance import Planned

_MEMORIES = ("memory", "memories")


@command("memdeck maintain --dry-run")
@click.option("--dry-run", is_flag=True, help="List the changes with reasons, and change nothing.")
def maintain(door: Door, dry_run: bool) -> int:
    """Retire expired memories.

    memdeck does this once a day, after it has read a session. `restore` brings a memory back.
    """
    from ...core.context import short_ids

    with door.memory() as memory:
        held_back = memory.maintenance.held_back()
        if dry_run:
            plan = memory.maintenance.plan()
            _tell_hindrance(memory)
            named = [proposal.memory for duty in plan for proposal in duty.proposals]
            short = short_ids(memory.services.context, named)
            _tell_plan(door, plan, held_back, short)
            return 0
        with counted("maintained") as progress:
            report = memory.maintenance.run(progress)
        _tell_hindrance(memory)
    text = {"held_back": report.held_back, "done": report.done, "entries": report.entries}
    is_done = any(report.done.values())
    if not door.prints_json({"dry_run": False, **text}) and not is_done:
        say("Nothing is due.")
    for duty, number in report.done.items():
        if number and not door.as_json:
            entry = report.entries.get(duty)
            undone = f"; `memdeck undo {entry}` takes it back" if entry is not None else ""
            say(f"{duty}  {count(number, *_MEMORIES)}{undone}")
    if report.held_back:
        narrate(report.held_back)
        narrate("  Run it again in a day if the clock is right.")
    if report.is_stopped:
        narrate("Stopped; what was done stays, and the next run goes on.")
    return 0


def _tell_hindrance(memory: MemoryCoordinator) -> None:
    if met := memory.services.staleness.met():
        narrate(met)


def _tell_plan(
    door: Door,
    planned: list[Planned],
    held_back: str,
    short: Mapping[str, str],
) -> None:
    duties = [
        {
            "duty": item.duty,
            "action": item.action,
            "count": item.count,
            "proposals": [
                {name: getattr(each, name) for name in ("memory", "title", "why")}
                for each in item.proposals
            ],
        }
        for item in planned
    ]
    if door.prints_json({"dry_run": True, "held_back": held_back, "duties": duties}):
        return
    for item in planned:
        say(f"{item.duty}  {count(item.count, 'change')}")
        for each in item.proposals:
            say(f"  {short[each.memory]}  {each.title}  ({each.why})")
        if item.count > len(item.proposals):
            say(f"  … and {item.count - len(item.proposals)} more")
    if not any(item.count for item in planned):
        say("Nothing is due.")
    if held_back:
        narrate(held_back)
