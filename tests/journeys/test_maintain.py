"""What is past its time leaves by itself, once a day, and comes back by one undo."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import open_memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
FREEZE = "The release freeze for the harbour app lasts until the second tide gate is in"


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def core(tmp_path, clock):
    with open_memory(tmp_path / "home", tmp_path, clock=clock) as memory:
        yield memory


def test_a_date_that_has_passed_retires_and_an_undo_brings_it_back(core, clock):
    kept = core.remember(FREEZE, expires=START + timedelta(days=3)).memory_id
    clock.now = START + timedelta(days=3, milliseconds=-1)
    assert core.maintenance.run().done["expiry"] == 0
    clock.now = START + timedelta(days=3)
    assert [item.memory for item in core.maintenance.plan()["expiry"]] == [kept]
    assert core.resolve(kept).is_live  # a plan changes nothing
    assert core.maintenance.run().done["expiry"] == 1
    assert core.resolve(kept).retired_as == "expired"
    assert core.maintenance.run().done["expiry"] == 0  # a second run finds nothing

    core.restore(kept)
    assert core.resolve(kept).is_live
    assert core.maintenance.run().done["expiry"] == 0  # nor does it retire what came back


def test_it_is_due_once_a_day(core, clock):
    assert core.maintenance.is_due()
    core.maintenance.run()
    clock.now += timedelta(days=1, milliseconds=-1)
    assert not core.maintenance.is_due()
    clock.now += timedelta(milliseconds=1)
    assert core.maintenance.is_due()


def test_a_clock_that_leaps_by_years_is_believed_a_day_later(core, clock):
    kept = core.remember(FREEZE, expires=START + timedelta(days=30)).memory_id
    core.maintenance.run()
    clock.now = START + timedelta(days=401)
    report = core.maintenance.run()
    assert "401 days ahead" in report.held_back
    assert core.resolve(kept).is_live
    clock.now += timedelta(days=1)
    assert core.maintenance.run().held_back == ""
    assert core.resolve(kept).retired_as == "expired"
