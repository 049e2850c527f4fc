"""Upkeep that is killed leaves nothing half done, and the next run goes on."""

import shutil
from datetime import timedelta

import pytest

from memdeck import Capture, Origin, open_memory
from memdeck.tests.conftest import built_once
from memdeck.tests.fillers import filler
from memdeck.tests.forked import Forked
from memdeck.tests.journeys.test_ageing import START

LATER = START + timedelta(days=2)
MOST, KEPT, STORED = 250, 50, 260
RUN = """
import sys, time
from datetime import datetime
from memdeck import open_memory
moment = datetime.fromisoformat(sys.argv[3])
def progress(done, of):
    print(done, flush=True)
    time.sleep(60)
    return True
with open_memory(sys.argv[1], sys.argv[2], clock=lambda: moment) as memory:
    print("begun", flush=True)
    memory.maintenance.run(progress)
"""


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A folder with a store that holds more than its limit."""
    return built_once(tmp_path_factory, "full", _fill)


def _fill(folder):
    (folder / "home").mkdir(mode=0o700, parents=True)
    limits = f"[lifecycle]\nmax_memories = {MOST}\nkeep_memories = {KEPT}\n"
    (folder / "home" / "config.toml").write_text(limits)
    with opened(folder, START) as memory:
        memory.session_seen("s1", "claude", "/harbour")
        captures = (
            Capture(
                content=filler(number),
                category="architecture",
                importance=0.3 + number / 1_000,
                rule="claim.finding",
                origin=Origin("s1", "claude"),
            )
            for number in range(STORED)
        )
        assert all(one.memory_id for one in memory.offer([*captures]))
    return folder


@pytest.fixture
def folder(full, tmp_path):
    return shutil.copytree(full, tmp_path / "copy")


def opened(folder, now):
    return open_memory(folder / "home", "harbour", clock=lambda: now)


def test_killed_between_two_transactions_it_goes_on_below_the_limit(folder):
    process = Forked(RUN, str(folder / "home"), "harbour", LATER.isoformat())
    assert process.stdout.readline() == "begun\n"
    assert process.stdout.readline() == "200\n"
    process.kill()
    process.stdout.close()
    process.wait()
    with opened(folder, LATER) as memory:
        assert memory.count("") == STORED - 200 < MOST
        assert memory.services.vitals.is_due()
    with opened(folder, LATER) as memory:
        assert memory.verify().ok
        live = {one.id for one in memory.list()}
        gone = {one.id: one.retired_as for one in memory.list("is:retired")}
        assert len(live) + len(gone) == STORED
        assert set(gone.values()) <= {"evicted"}
        assert len(gone) == 200  # a whole transaction
        memory.maintenance.run()
        assert memory.count("") == KEPT
        assert {one.id for one in memory.list()} <= live
        assert memory.maintenance.run().done["eviction"] == 0
        assert memory.verify().ok


def test_what_a_person_pins_meanwhile_stays(folder):
    with opened(folder, LATER) as memory:
        pinned = []

        def pin_one(done, of):
            if done == 200:
                least = min(
                    memory.list(), key=lambda one: (one.importance, one.created_at, one.num)
                )
                pinned.append(least.id)
                memory.pin(least.id)
            return True

        assert memory.maintenance.run(pin_one).done["eviction"] == STORED - KEPT - 1
        assert memory.show(pinned[0]).is_live
