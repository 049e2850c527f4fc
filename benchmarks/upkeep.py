"""`python -m benchmarks upkeep [--memories N]`: what maintain costs in a large store.

N memories (200,000) come by the import; a month later maintain runs, is stopped after its first
step, goes on, and runs once more with nothing left to do. Imported memories are weighed, looked at
for evidence and summed up; no rule retires them, so that evictions are not in these figures.
"""

import argparse
import resource
import sys
import time
from datetime import UTC, datetime, timedelta

from memdeck import MemoryCoordinator

from . import report
from .stores import store_of

MEMORIES = 200_000


def run() -> None:
    """Run maintain on the store: seconds of processor, and memory at most."""
    parser = argparse.ArgumentParser("benchmarks upkeep")
    parser.add_argument("--memories", type=int, default=MEMORIES)
    asked, _ = parser.parse_known_args(sys.argv[2:] if sys.argv[1:2] == ["upkeep"] else [])
    home = store_of(asked.memories)
    later = datetime.now(UTC) + timedelta(days=31)
    rows, figures = list[list[object]](), dict[str, dict[str, float]]()
    with MemoryCoordinator.open(home, "bench", clock=lambda: later) as core:
        ways = {
            "stopped at once": lambda: core.maintenance.run(lambda *_: False),
            "the whole": core.maintenance.run,
            "nothing left": core.maintenance.run,
        }
        for name, act in ways.items():
            began, wall = time.process_time(), time.perf_counter()
            made = act()
            spent, waited = time.process_time() - began, time.perf_counter() - wall
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            done = sum(made.done.values())
            rows.append([name, f"{spent:.1f}", f"{waited:.1f}", f"{most:.0f}", done])
            figures[name] = {"cpu_s": spent, "s": waited, "megabytes": most, "done": done}
    heads = ("maintain", "CPU s", "s", "MB at most", "changes")
    report.table(f"Maintain on {asked.memories:,} memories", heads, rows)
    report.save("upkeep", {"memories": asked.memories, **figures})
