"""From notes to memories: the detached process that reads what the hooks only pointed to.

It runs once per home, does everything it finds and ends. Each record is worked off on its
own; doing one twice does no harm, since transcripts are read from where the last reading
stopped and the store knows every place that it has dealt with.
"""

from __future__ import annotations

import contextlib
import os
import sys
from datetime import datetime

from ..core.clock import Clock, system_clock
from ..db.home import Home
from ..frozen import dataclass, replace
from . import log, spool
from .detach import DrainLock, start_drain

__all__ = ["DrainReport", "drain", "start_drain"]

_NICENESS = 10


@dataclass(frozen=True, slots=True)
class DrainReport:
    """What one drain did. All numbers are counts."""

    ran: bool = True  # False: another drain of this home runs
    records: int = 0  # worked off
    stored: int = 0  # captures that became candidates
    duplicates: int = 0  # captures that reinforced what was known
    refused: int = 0  # captures that a gate refused
    receipts: int = 0  # accounts of injections that were kept
    tasks_completed: int = 0  # todos that agents reported as done
    retried: int = 0  # records put back for a later drain
    postponed: int = 0  # records that wait for the settings to be mended
    failed: int = 0  # records set aside in `spool/failed/`
    searched: int = 0  # turns searched for secrets: none that was before, under the same rules
    extracted: int = 0  # sessions that a model was asked about
    torn: int = 0  # lines that a crash had cut, never acknowledged
    problem: str = ""  # why the drain stopped early; what is left waits for the next


def drain(home: Home, now: datetime | None = None) -> DrainReport:
    """Work off everything in the spool; `now` stands still at that moment when given.

    Raises nothing for a record that fails: it is tried three times, then set aside. An
    unusable store ends the drain with `problem`, and every record keeps its tries. Raises
    StoreUnusable when the home itself cannot be used.
    """
    home.prepare()
    if not spool.has_waiting(home):
        return DrainReport()
    from ..db import journal
    from ..db.errors import StoreReadOnly
    from .drain_run import Run

    clock: Clock = system_clock if now is None else lambda: now
    run = Run(home, clock)
    if run.has_work() and journal.is_read_only(home):
        raise StoreReadOnly(home.path)
    while run.has_work():
        with DrainLock(home) as is_mine:
            if not is_mine:
                return run.report if run.report.records else replace(run.report, ran=False)
            run.take_everything()
        # A hook that saw our lock has started no other drain: look once more without it.
    run.extract()
    return run.report


def main() -> int:
    """The detached process: drain the home named on the command line, quietly."""
    os.closerange(3, 256)  # whatever the host left open would keep it waiting for us
    home = Home(sys.argv[1] if len(sys.argv) > 1 else None)
    try:
        with contextlib.suppress(OSError, AttributeError):
            os.nice(_NICENESS)  # the agent at work comes first
        drain(home)
    except BaseException as error:
        log.note(home, "drain", error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
