"""The database made anew from the journal."""

from __future__ import annotations

from ..options import Door, command
from ..output import count, memory_count, narrate, one_line, say


@command("memdeck rebuild")
def rebuild(door: Door) -> None:
    """Make the database anew from the journal."""
    from ...db.home import Home
    from ...db.rebuild import rebuild as rebuild_database  # a damaged store cannot be opened

    report = rebuild_database(Home(door.home))
    if not door.prints_json(report):
        say(f"rebuilt  {count(report.records, 'record')}, {memory_count(report.memories)}")
        for line in report.skipped:
            say("  skipped: ", one_line(line))
    if report.set_aside:
        narrate(f"  The damaged database was kept as {report.set_aside}.")
