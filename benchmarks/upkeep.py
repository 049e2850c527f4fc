"""`python -m benchmarks upkeep [--memories N]`: what maintain costs in a large store.

N memories (200,000) come by the import; a month later maintain runs, is stopped after its first
step, goes on, and runs once more with nothing left to do. Imported memories are weighed, looked at
for evidence and summed up; no rule retires them, so that evictions are not in these figures.
Meanwhile another process asks for the store's lock over and over, as a drain or a command would:
the longest time that it waited is told.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memdeck import MemoryCoordinator

from . import report
from .stores import store_of

MEMORIES = 200_000

_WAITS = """
import sqlite3, sys, threading, time
store = sqlite3.connect(sys.argv[1], timeout=600, isolation_level=None)
over, longest = threading.Event(), 0.0
threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
while not over.is_set():
    asked = time.perf_counter()
    store.execute("BEGIN IMMEDIATE")
    longest = max(longest, time.perf_counter() - asked)
    store.execute("ROLLBACK")
    time.sleep(0.002)
print(longest)
"""


@contextmanager
def waiting(home: Path) -> Iterator[list[float]]:
    """Let another process ask for the lock; at the end, how long it waited at most, in seconds."""
    words, longest = [sys.executable, "-c", _WAITS, str(home / "memory.db")], list[float]()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        yield longest
        said, _ = other.communicate("")
        longest.append(float(said))


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
            with waiting(home) as longest:
                began, wall = time.process_time(), time.perf_counter()
                made = act()
                spent, waited = time.process_time() - began, time.perf_counter() - wall
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            done, held = sum(made.done.values()), longest[0]
            rows.append([name, f"{spent:.1f}", f"{waited:.1f}", f"{held:.2f}", f"{most:.0f}", done])
            figures[name] = {
                **{"cpu_s": spent, "s": waited, "lock_s": held, "megabytes": most, "done": done}
            }
    heads = ("maintain", "CPU s", "s", "lock s at most", "MB at most", "changes")
    report.table(f"Maintain on {asked.memories:,} memories", heads, rows)
    report.save("upkeep", {"memories": asked.memories, **figures})
