"""What the hooks noted, turned into memories now."""

from __future__ import annotations

from ...core.errors import StoreUnusable
from ..options import Door, command
from ..output import count, narrate, say


@command("memdeck drain")
def drain_spool(door: Door) -> int:
    """Turn what the hooks noted into memories now.

    Otherwise it happens shortly after an agent's turn, in the background.
    """
    from ...agents.drain import drain_spool as drain_spool
    from ...db.home import Home

    report = drain_spool(Home(door.home))
    if not report.ran and not door.as_json:
        narrate("Another drain is at work; there is nothing to do.")
    elif not door.prints_json(report):
        say(
            f"drained  {count(report.records, 'note')}: {report.stored} remembered, "
            f"{report.duplicates} known, {report.refused} refused"
        )
        if report.retried or report.failed:
            narrate(f"  {report.retried} are tried again later, {report.failed} were set aside.")
    if report.problem:
        raise StoreUnusable(report.problem, hint="What is left waits for the next drain.")
    return 1 if report.failed else 0
