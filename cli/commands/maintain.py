"""Maintenance by hand: each kind of it as one act that can be undone."""

from __future__ import annotations

from ..options import Door, command
from ..output import count, counted, narrate, say


@command("memdeck maintain")
def maintain(door: Door) -> int:
    """Retire memories past their time, restorably.

    It happens by itself once a day, after an agent's session was read.
    """
    with door.memory() as memory:
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
                undone = f"; `memdeck undo {entry}` takes it back" if entry is not None else ""
                say(f"{duty}  {count(number, 'memory', 'memories')}{undone}")
        if not any(report.done.values()):
            say("Nothing is due.")
    if report.held_back:
        narrate(report.held_back)
        narrate("  Run it again in a day if the clock is right.")
    if report.is_stopped:
        narrate("Stopped; what was done stays, and the next run goes on.")
    return 0
