"""What agents found leaves when its category's life is over, and when there is too much of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdeck import Capture, Origin, open_memory
from memdeck.tests.conftest import Clock
from memdeck.tests.fillers import filler

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
LIVES = {
    "task_progress": 14,
    "discovery": 21,
    "file_change": 21,
    "warning": 30,
    "decision": 90,
    "error": 90,
    "pattern": 180,
    "architecture": 180,
    "preference": 365,
}
FREEZE = "The release freeze for the harbour app lasts until the second tide gate is in"
TEXTS = {
    "task_progress": "The berth allocation was moved over to the new schema, its views are missing",
    "discovery": "The tide service answers with local time although its field is called utc_at",
    "file_change": "The berth planner reads its calendar from the cache since the last rewrite",
    "warning": "Renumbering the berths while a booking is open leaves the booking without one",
    "decision": "Bookings are locked by berth and day because two skippers once got the same one",
    "error": "The harbour import fails on Windows because the tide file has a byte order mark",
    "pattern": "Every booking handler takes the harbour first and the clock as its last argument",
    "architecture": "The tide service writes to its own database and is read through a view only",
    "preference": "Booking names are written with the harbour's short name before the berth number",
}


@pytest.fixture
def clock():
    return Clock(START)


def found(core, text, category, session="s1", **more):
    """The id of what an agent found."""
    core.session_seen(session, "claude", "/harbour")
    origin = Origin(session, "claude")
    capture = Capture(content=text, category=category, rule="claim.finding", origin=origin, **more)
    [result] = core.offer([capture])
    assert result.memory_id, result
    return result.memory_id


def told(core, memory_id):
    """Let another session be told it, which asks for it plainly."""
    session = f"s{core.now_ms()}"
    core.session_seen(session, "codex", "/harbour")
    injection = core.recall(core.resolve(memory_id).content, session=session)
    assert memory_id in [hit.id for hit in injection.items]


@pytest.mark.parametrize(("category", "days"), LIVES.items())
def test_a_category_has_its_life(core, clock, category, days):
    kept = found(core, TEXTS[category], category)
    assert core.resolve(kept).category == category
    clock.now = START + days * DAY - timedelta(milliseconds=1)
    assert core.maintenance.run().done["expiry"] == 0
    clock.now = START + days * DAY
    assert core.maintenance.run().done["expiry"] == 1
    assert core.resolve(kept).retired_as == "expired"
    entry = next(iter(core.audit(limit=1)))
    assert f"kept {days} days" in entry.reason

    core.restore(kept)
    assert core.maintenance.run().done["expiry"] == 0  # what came back has a life again
    clock.now += days * DAY
    assert core.maintenance.run().done["expiry"] == 1


@pytest.mark.parametrize(
    ("uses", "hours_before", "is_kept"),
    [(2, 240, False), (3, 240, True), (1, 24, False), (1, 23.9, True)],
)
def test_three_uses_or_one_within_a_day_keep_it(core, clock, uses, hours_before, is_kept):
    memory = found(core, TEXTS["task_progress"], "task_progress")
    clock.now = START + 14 * DAY - timedelta(hours=hours_before)
    for _ in range(uses):
        told(core, memory)
        clock.now += timedelta(milliseconds=1)
    clock.now = START + 14 * DAY
    core.maintenance.run()
    assert core.resolve(memory).is_live is is_kept


LITTLE = 1 / 3  # 4 on the scale of ten, the least that is taken of an agent


def folded(core):
    return core.maintenance.run().done["folding"]


def test_what_is_of_little_importance_is_folded_into_the_summary_of_its_day(core, clock):
    """003-12: below 0.4, after 30 quiet days; it comes back by opening the summary."""
    little = found(core, TEXTS["architecture"], "architecture", importance=LITTLE)
    more = found(core, TEXTS["pattern"], "pattern", importance=4 / 9)
    assert core.worth(little).importance < 0.4 <= core.worth(more).importance
    clock.now = START + DAY
    assert folded(core) == 0
    clock.now = START + 30 * DAY - timedelta(milliseconds=1)
    assert folded(core) == 0
    clock.now = START + 30 * DAY
    assert folded(core) == 1
    assert core.resolve(little).retired_as == "folded"
    assert core.resolve(more).is_live
    entry = next(iter(core.audit(limit=1)))
    assert (entry.action, entry.reason) == ("compact", "part of the summary of 2026-03-02")
    opened = core.opened_summary("2026-03-02")
    assert TEXTS["architecture"] in opened.summary.content
    assert little in [one.id for one in opened.memories]
    clock.now += DAY
    core.session_seen("s9", "codex", "/harbour")
    assert core.recall(TEXTS["architecture"], session="s9").items == ()

    core.restore(little)
    assert folded(core) == 0  # what came back is quiet anew
    core.undo()
    assert core.resolve(little).retired_as == "folded"
    core.undo(entry.seq)
    assert core.resolve(little).is_live


@pytest.mark.parametrize("act", ["pin", "confirm", "edit", "remember", "import"])
def test_what_a_person_stands_for_never_leaves_by_rule(core, clock, act):
    text = TEXTS["discovery"]
    if act == "remember":
        kept = core.remember(text, category="discovery").memory_id
    elif act == "import":
        core.import_memories([{"content": text, "category": "discovery", "key": "k"}])
        kept = core.resolve("k").id
    else:
        kept = found(core, text, "discovery")
        more = {"content": f"{text} since March"} if act == "edit" else {}
        getattr(core, act)(kept, **more)
    clock.now = START + 399 * DAY
    core.maintenance.run()
    assert core.resolve(kept).is_live


def many(core, number, after=0):
    """So many findings of an agent, each of other words, the later the more important."""
    return [
        core.offer(
            [
                Capture(
                    content=filler(n),
                    category="architecture",
                    importance=0.3 + n / 1_000,
                    rule="claim.finding",
                    origin=Origin("s1", "claude"),
                )
            ]
        )[0].memory_id
        for n in range(after, after + number)
    ]


def fill(core, clock):
    """As many as a small project may have; their ids."""
    limits = "[lifecycle]\nmax_memories = 100\nkeep_memories = 90\n"
    Path(core.home.config).write_text(limits)
    core.session_seen("s1", "claude", "/harbour")
    return many(core, 100)


@pytest.fixture
def full(laid_out, home_path, clock):
    """A full project, and the ids of what is in it."""
    ids = laid_out(fill)
    with open_memory(home_path, "harbour", clock=clock) as memory:
        yield memory, ids


def test_a_full_project_keeps_all_and_one_more_brings_it_down(full, clock):
    small, ids = full
    clock.now = START + 2 * DAY
    assert small.maintenance.run().done["eviction"] == 0
    ids += many(small, 1, after=100)
    least = sorted(ids, key=lambda each: small.worth(each).worth)[:11]
    assert small.maintenance.run().done["eviction"] == 11
    gone = [each for each in ids if not small.resolve(each).is_live]
    assert set(gone) == set(least)
    assert ids[-1] not in gone  # not the newest
    assert {small.resolve(each).retired_as for each in gone} == {"evicted"}
    assert small.stats().totals["evictions"] == 11
    assert small.maintenance.run().done["eviction"] == 0

    small.undo(next(iter(small.audit(limit=1))).seq)
    assert all(small.resolve(each).is_live for each in ids)


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
    clock.now += timedelta(days=7, milliseconds=-1)
    assert core.services.vitals.glance().left == {"expired": 1}
    clock.now += timedelta(milliseconds=1)
    assert core.services.vitals.glance().left == {}

    core.restore(kept)
    assert core.resolve(kept).is_live
    assert core.maintenance.run().done["expiry"] == 0  # nor does it retire what came back


def test_it_is_due_once_a_day(core, clock):
    assert core.services.vitals.is_due()
    core.maintenance.run()
    clock.now += timedelta(days=1, milliseconds=-1)
    assert not core.services.vitals.is_due()
    clock.now += timedelta(milliseconds=1)
    assert core.services.vitals.is_due()
    clock.now = START - timedelta(milliseconds=1)  # turned back
    assert core.services.vitals.is_due()


def test_a_clock_that_leaps_by_years_is_believed_a_day_later(core, clock):
    kept = core.remember(FREEZE, expires=START + timedelta(days=30)).memory_id
    core.maintenance.run()
    clock.now = START + timedelta(days=401)
    report = core.maintenance.run()
    assert "401 days ahead" in report.held_back
    assert report.done.keys() == {"quarantine", "staleness", "duplicates"}  # which retire nothing
    assert core.resolve(kept).is_live
    clock.now += timedelta(days=1, milliseconds=-1)
    assert "ahead" in core.maintenance.run().held_back
    clock.now += timedelta(milliseconds=1)  # a day after the first run that was held back
    assert core.maintenance.run().held_back == ""
    assert core.resolve(kept).retired_as == "expired"
