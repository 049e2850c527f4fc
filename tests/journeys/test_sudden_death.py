"""A writer killed at any moment loses nothing that it acknowledged."""

import random

from memdeck import open_memory
from memdeck.tests.forked import Forked
from memdeck.tests.mending import rebuild

WRITER = """
import sys
from memdeck import open_memory
from memdeck.tests.fillers import filler
with open_memory(sys.argv[1], "harbour") as memory:
    for number in range(200):
        result = memory.remember(filler(200 * int(sys.argv[2]) + number))
        print(result.memory_id, flush=True)
"""


def test_kill_at_any_moment_of_200_writes_loses_nothing_acknowledged(home_path):
    acknowledged = set()
    for pier in range(3):
        after = random.Random(pier).randint(0, 199)
        writer = Forked(WRITER, str(home_path), str(pier))
        assert writer.stdout is not None
        for count, line in enumerate(writer.stdout):
            acknowledged.add(line.strip())
            if count == after:
                writer.kill()
                break
        acknowledged.update(line.strip() for line in writer.stdout if line.endswith("\n"))
        writer.stdout.close()
        writer.wait()

    with open_memory(home_path, "harbour") as memory:
        outcome = memory.verify()
        assert outcome.ok, outcome.problems
        kept = {one.id for one in memory.list()}
        assert acknowledged <= kept

    (home_path / "memory.db").unlink()
    rebuild(home_path)
    with open_memory(home_path, "harbour") as memory:
        assert {one.id for one in memory.list()} == kept
        assert memory.verify().ok
