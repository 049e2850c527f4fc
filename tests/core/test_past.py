"""Earlier times: what the trail no longer holds, stopping, and what an entry is called."""

import re
import sqlite3
from datetime import timedelta

import pytest

from memdeck.db import journal

TEXT = "Berth {} has shore power at the north pier, metered by the harbour"


@pytest.fixture
def lived(core, clock):
    """Ten entries, one an hour, each adding a memory; when each was written."""
    times = []
    for number in range(10):
        core.remember(TEXT.format(number))
        times.append(clock())
        clock.forward(hours=1)
    return times


@pytest.fixture
def cut(core, lived):
    """The trail holds the last three entries only, as in a store that is much older."""
    for table in ("audit", "audit_memory"):
        core._store.connection.execute(f"DELETE FROM {table} WHERE seq <= 7")
    return lived


def count(past):
    with past:
        return past.last_seq(), len(past.list())


def test_a_time_is_the_last_entry_up_to_then(core, lived):
    for number, at in enumerate(lived, 1):
        assert core.services.audit.point(at).entry == number
        assert core.services.audit.point(at - timedelta(milliseconds=1)).entry == number - 1
    assert core.services.audit.point(lived[-1] + timedelta(days=900)).entry == 10


def test_what_the_trail_no_longer_holds_the_journal_tells(core, cut):
    for number, at in enumerate(cut, 1):
        assert count(core.as_of(at)) == (number, number)
        assert count(core.as_of(number)) == (number, number)


def test_the_journal_in_many_segments_is_read_from_the_right_one(core, lived, clock, monkeypatch):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 1)  # a new one for each entry
    for number in range(10, 14):
        core.remember(TEXT.format(number))
        clock.forward(hours=1)
    core._store.connection.execute("DELETE FROM audit WHERE seq <= 13")
    assert len(journal.segments(core.home)) >= 4
    for entry in (2, 10, 11, 13):
        assert count(core.as_of(entry)) == (entry, entry)
    assert [one.action for one in core.history(core.list()[0].id)] == ["add"]


@pytest.mark.slow
def test_reading_back_can_be_stopped_and_the_store_goes_on(core, lived, subtests):
    stops = {
        "by its answer": lambda _done, _total: False,
        "by an interrupt": lambda _done, _total: core.interrupt(),
    }
    for number in range(200):
        core.edit(core.list(limit=1)[0].id, importance=(number % 9) / 10)
    for name, progress in stops.items():
        with subtests.test(stops=name):
            with pytest.raises(sqlite3.OperationalError, match="interrupted"):
                core.as_of(1, progress)
            assert len(core.list()) == 10
            assert count(core.as_of(1)) == (1, 1)


def test_the_past_is_not_written_to(core, lived):
    with core.as_of(4) as past, pytest.raises(Exception, match="can only be read"):
        past.remember("Nobody can write into what was")
    assert core.last_seq() == 10


def test_a_past_stays_as_it_was_while_others_write(core, open_core, lived):
    with core.as_of(4) as past:
        open_core().remember(TEXT.format("new"))
        assert len(past.list()) == 4


def test_an_entry_about_no_memory_is_called_by_words(core, clock):
    first = core.remember(TEXT.format(1)).memory_id
    second = core.remember("Staging lives on host db-7, reached through the bastion").memory_id
    core.link(first, second, "extends")
    core.mark_conflict(first, second, reason="x")
    core.session_seen("41321749-d35d-52ef-83fb-ab4788ec6424", "claude")
    titles = [entry.title for entry in core.audit()]
    assert not [title for title in titles if re.match(r"(session|memory_\w+|conflict) \S+$", title)]
    assert titles[0] == "session “claude, 20 Mar 2026 09:30”"
    assert " ≠ " in titles[1]
    assert " — " in titles[2]


def test_a_memory_that_reads_like_a_row_keeps_its_title(core):
    core.remember("Keep the session cookie opaque", title="session cookie")
    core.remember("The conflict resolution runs at night, by hand", title="conflict resolution")
    assert [entry.title for entry in core.audit()] == ["conflict resolution", "session cookie"]
