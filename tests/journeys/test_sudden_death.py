"""A writer killed at any moment loses nothing that it acknowledged."""

import random

import pytest

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


@pytest.mark.parametrize("round_number", range(2))
def test_kill_at_any_moment_of_200_writes_loses_nothing_acknowledged(home_path, round_number):
    acknowledged = set()
    for pier in range(2):
        after = random.Random(round_number * 10 + pier).randint(0, 199)
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


def test_sixteen_writers_at_once_lose_nothing(home_path):
    with open_memory(home_path, "harbour"):
        pass
    code = WRITER.replace("range(200)", "range(8)")
    writers = [Forked(code, str(home_path), str(pier)) for pier in range(16)]
    acknowledged = {line for writer in writers for line in writer.communicate()[0].split()}
    assert [writer.returncode for writer in writers] == [0] * 16
    with open_memory(home_path, "harbour") as memory:
        assert {one.id for one in memory.list()} == acknowledged
        assert len(acknowledged) == 16 * 8
        assert memory.verify().ok
