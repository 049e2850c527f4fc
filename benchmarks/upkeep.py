"""`python -m benchmarks upkeep [--memories N]`: what maintain costs in a large store.

N memories (200,000) come by the import; a month later maintain runs, is stopped after its first
step, goes on, and runs once more with nothing left to do. Imported memories are weighed, looked at
for evidence and summed up; no rule retires them, so that evictions are not in these figures.
Meanwhile another process asks for the store's lock over and over, as a drain or a command would:
the longest time that it waited is told. *Own MB* is the memory that is maintain's alone, at most;
*with the file* counts the pages of the store that SQLite maps, too, which the system takes back
when it needs them. The store is made by a process of its own: that takes more than maintain does.
"""

import argparse
import os
import resource
import subprocess
import sys
import threading
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


@contextmanager
def own_memory() -> Iterator[list[float]]:
    """At the end, the most memory that was this process's alone meanwhile, in MB; Linux only."""
    over, most = threading.Event(), [0.0]

    def look() -> None:
        while not over.wait(0.02):
            status = Path("/proc/self/status").read_text("ascii")
            own = next(line for line in status.splitlines() if line.startswith("RssAnon"))
            most[0] = max(most[0], int(own.split()[1]) / 1024)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield most
    finally:
        over.set()
        looking.join()


def store_made_apart(count: int) -> Path:
    """The home of a store of `count` memories that another process made; OSError when it failed."""
    child = os.fork()
    if not child:
        try:
            store_of(count)
            sys.stdout.flush()
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise OSError("The store could not be made.")
    return store_of(count)


def run() -> None:
    """Run maintain on the store: seconds of processor, and memory at most."""
    parser = argparse.ArgumentParser("benchmarks upkeep")
    parser.add_argument("--memories", type=int, default=MEMORIES)
    asked, _ = parser.parse_known_args(sys.argv[2:] if sys.argv[1:2] == ["upkeep"] else [])
    home = store_made_apart(asked.memories)
    later = datetime.now(UTC) + timedelta(days=31)
    rows, figures = list[list[object]](), dict[str, dict[str, float]]()
    with MemoryCoordinator.open(home, "bench", clock=lambda: later) as core:
        ways = {
            "stopped at once": lambda: core.maintenance.run(lambda *_: False),
            "the whole": core.maintenance.run,
            "nothing left": core.maintenance.run,
        }
        for name, act in ways.items():
            with waiting(home) as longest, own_memory() as own:
                began, wall = time.process_time(), time.perf_counter()
                made = act()
                spent, waited = time.process_time() - began, time.perf_counter() - wall
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            done, held = sum(made.done.values()), longest[0]
            times = [f"{spent:.1f}", f"{waited:.1f}", f"{held:.2f}"]
            rows.append([name, *times, f"{own[0]:.0f}", f"{most:.0f}", done])
            figures[name] = {
                **{"cpu_s": spent, "s": waited, "lock_s": held, "own_megabytes": own[0]},
                **{"megabytes": most, "done": done},
            }
    heads = ("maintain", "CPU s", "s", "lock s at most", "own MB", "with the file", "changes")
    report.table(f"Maintain on {asked.memories:,} memories", heads, rows)
    report.save("upkeep", {"memories": asked.memories, **figures})
