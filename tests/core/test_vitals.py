"""How a store fares, and what will leave it: counted and foretold on a moving clock."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import Capture, Origin, Refused, open_memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
NOTE = "The berth allocation was moved over to the new schema, its views are missing"
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


def found(core, text=NOTE, session="s1"):
    """What an agent found on the way: it lives fourteen days."""
    core.session_seen(session, "claude")
    capture = Capture(text, category="task_progress", origin=Origin(session=session, line=3))
    [result] = core.offer([capture])
    return result.memory_id


def within(core):
    return {one.memory: one.within_days for one in core.services.vitals.forecast().endings}


def test_the_forecast_is_what_upkeep_does_when_the_day_has_come(core, clock):
    note = found(core)
    dated = core.remember(FREEZE, expires=START + 25 * DAY).memory_id
    assert within(core) == {note: 30, dated: 30}
    clock.now = START + 7 * DAY - timedelta(seconds=1)
    assert within(core)[note] == 30
    clock.now = START + 7 * DAY
    assert within(core)[note] == 7
    assert core.maintenance.run().done["expiry"] == 0
    clock.now = START + 14 * DAY
    assert within(core) == {note: 0, dated: 30}
    assert core.resolve(note).is_live  # to foresee changes nothing
    assert core.maintenance.run().done["expiry"] == 1
    assert within(core) == {dated: 30}


def test_what_a_person_keeps_stays_and_an_undo_takes_that_back(core, clock):
    note = found(core)
    dated = core.remember(FREEZE, expires=START + 25 * DAY).memory_id
    before = within(core)
    core.keep([note, dated])
    assert within(core) == {}
    assert (core.resolve(note).status, core.resolve(note).degree) == ("confirmed", "person")
    assert core.resolve(dated).expires is None
    entry = next(iter(core.audit(limit=1)))
    assert entry.action == "keep"
    core.undo(entry.seq)
    assert within(core) == before
    core.keep([note])
    clock.now = START + 60 * DAY
    core.maintenance.run()
    assert core.resolve(note).is_live
    assert core.resolve(dated).retired_as == "expired"


def test_only_a_person_keeps_and_only_what_is_live(core, tmp_path, clock):
    note = found(core)
    with (
        open_memory(tmp_path / "home", tmp_path, clock=clock, actor="agent") as agent,
        pytest.raises(Refused, match="Only a person"),
    ):
        agent.keep(note)
    core.forget(note)
    with pytest.raises(Refused):
        core.keep(note)


def test_a_checkup_counts_what_is_there(core, clock):
    found(core)
    core.remember(FREEZE)
    clock.now = START + 21 * DAY
    core.maintenance.run()
    seen = core.services.vitals.checkup()
    assert (seen.stats.total_count, seen.stats.retired, seen.ageing) == (1, 1, 0)
    assert [count for _, count in seen.growth[-5:]] == [0, 2, 2, 2, 1]
    assert (seen.indexed, seen.memories) == (2, 2)
    assert (seen.maintained_at, seen.is_due) == (clock.now, False)
    assert dict(seen.parts)["database"] > 0
    assert (seen.limit, seen.keep, seen.failed) == (3_000, 2_700, 0)
