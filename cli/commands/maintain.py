"""Upkeep by hand: what is past its time leaves, each kind of it as one undoable act."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options import Door, command
from ..output import count, emit, narrate, say
from ..progress import counted

if TYPE_CHECKING:
    from ...core.services.maintenance import Planned


@command("memdeck maintain --dry-run")
@click.option("--dry-run", is_flag=True, help="Say what would be done and why, and do nothing.")
def maintain(door: Door, dry_run: bool) -> int:
    """Retire what is past its time, restorably.

    It happens by itself once a day, after an agent's session was read.
    """
    with door.memory() as memory:
        held_back = memory.maintenance.held_back()
        if hindrance := memory.services.staleness.hindrance():
            narrate(hindrance)
        if dry_run:
            _tell_plan(door, memory.maintenance.plan(), held_back)
            return 0
        with counted("maintained") as progress:
            report = memory.maintenance.run(progress)
    if door.as_json:
        emit({"dry_run": False, "held_back": report.held_back, "done": report.done})
    elif not any(report.done.values()):
        say("Nothing is due.")
    for duty, number in report.done.items():
        if number and not door.as_json:
            say(f"{duty}  {count(number, 'memory', 'memories')}")
    if any(report.done.values()) and not door.as_json:
        narrate("  `memdeck audit --actor rule` names each; `memdeck undo SEQ` takes one back.")
    if report.held_back:
        narrate(report.held_back, "Run it again in a day if the clock is right.")
    if report.is_stopped:
        narrate("Stopped; what was done stays, and the next run goes on.")
    return 0


def _tell_plan(door: Door, planned: list[Planned], held_back: str) -> None:
    if door.as_json:
        duties = [
            {
                "duty": one.duty,
                "action": one.action,
                "count": one.count,
                "proposals": [
                    {"id": each.memory, "title": each.title, "why": each.why}
                    for each in one.proposals
                ],
            }
            for one in planned
        ]
        emit({"dry_run": True, "held_back": held_back, "duties": duties})
        return
    for one in planned:
        say(f"{one.duty}  {count(one.count, 'change')}")
        for each in one.proposals:
            say(f"  {each.memory[:7]}  {each.title}  ({each.why})")
        if one.count > len(one.proposals):
            say(f"  … and {one.count - len(one.proposals)} more")
    if not any(one.count for one in planned):
        say("Nothing is due.")
    if held_back:
        narrate(held_back)
