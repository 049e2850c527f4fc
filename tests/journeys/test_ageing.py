"""What agents found leaves when its category's life is over, and when there is too much of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdeck import Capture, Origin, Salience, open_memory
from memdeck.tests.fillers import filler

from .project import Project

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
    with open_memory(tmp_path / "home", tmp_path / "harbour", clock=clock) as memory:
        yield memory


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


def test_what_is_read_in_an_old_session_has_its_life_before_it(core, clock):
    core.session_seen("s1", "claude", "/harbour")
    [result] = core.offer(
        [
            Capture(
                content=TEXTS["discovery"],
                category="discovery",
                rule="claim.finding",
                origin=Origin("s1", "claude"),
                said_at=START - 300 * DAY,
            )
        ]
    )
    kept = result.memory_id
    assert core.resolve(kept).created_at == START - 300 * DAY
    clock.now = START + 21 * DAY - timedelta(milliseconds=1)
    core.maintenance.run()
    assert core.resolve(kept).is_live
    clock.now = START + 21 * DAY
    core.maintenance.run()
    assert not core.resolve(kept).is_live


@pytest.mark.parametrize(("uses", "is_live"), [(2, False), (3, True)])
def test_three_uses_outlive_it(core, clock, uses, is_live):
    kept = found(core, TEXTS["discovery"], "discovery")
    for number in range(uses):
        clock.now = START + number * DAY
        told(core, kept)
    clock.now = START + 21 * DAY
    core.maintenance.run()
    assert core.resolve(kept).is_live is is_live


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
    assert (entry.action, entry.reason) == ("compact", "told in the summary of 2026-03-02")
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


@pytest.mark.parametrize(("uses", "is_live"), [(2, False), (3, True)])
def test_three_uses_outlive_folding(core, clock, uses, is_live):
    kept = found(core, TEXTS["architecture"], "architecture", importance=LITTLE)
    for number in range(uses):
        clock.now = START + number * DAY
        told(core, kept)
    core.maintenance.run()
    clock.now += 31 * DAY
    core.maintenance.run()
    assert core.resolve(kept).is_live is is_live


def test_what_no_summary_tells_is_not_folded(core, clock):
    """Of a day's many findings four stand there; the others stay until their lives are over."""
    kept = [
        found(
            core,
            f"The {word} of the harbour is kept by the {word} guild",
            "architecture",
            importance=LITTLE,
        )
        for word in ("anchor", "ballast", "beacon", "berth", "bollard")
    ]
    clock.now = START + DAY
    core.maintenance.run()
    clock.now = START + 31 * DAY
    assert folded(core) == 4
    [left] = [one for one in kept if core.resolve(one).is_live]
    assert core.resolve(left).content not in core.opened_summary("2026-03-02").summary.content


def test_what_a_summary_only_names_is_not_folded(core, clock):
    """A title of its own is not all that a memory says."""
    kept = found(core, TEXTS["architecture"], "architecture", importance=LITTLE, title="The tides")
    clock.now = START + DAY
    core.maintenance.run()
    assert "The tides" in core.opened_summary("2026-03-02").summary.content
    clock.now = START + 31 * DAY
    assert folded(core) == 0
    assert core.resolve(kept).is_live


def test_without_summaries_nothing_is_folded(tmp_path, clock):
    (tmp_path / ".memdeck.toml").write_text("[lifecycle]\nsummaries = false\n")
    with open_memory(tmp_path / "home", tmp_path, clock=clock) as core:
        kept = found(core, TEXTS["architecture"], "architecture", importance=LITTLE)
        for days in (1, 31):
            clock.now = START + days * DAY
            assert "folding" not in core.maintenance.run().done
        assert core.resolve(kept).is_live


def test_what_was_used_within_a_day_waits(core, clock):
    kept = found(core, TEXTS["discovery"], "discovery")
    clock.now = START + 20 * DAY + timedelta(hours=1)
    told(core, kept)
    clock.now = START + 21 * DAY
    core.maintenance.run()
    assert core.resolve(kept).is_live
    clock.now = START + 21 * DAY + timedelta(hours=1)
    core.maintenance.run()
    assert not core.resolve(kept).is_live


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


@pytest.mark.parametrize(("is_person", "is_live"), [(True, True), (False, False)])
def test_a_persons_sentence_on_trial_waits_for_a_verdict_however_long(
    core, clock, is_person, is_live
):
    core.session_seen("s1", "claude", "/harbour")
    judged = Salience(0.0, 0.5, 0.3, is_candidate=True, is_established=False)
    capture = Capture(
        content=TEXTS["discovery"],
        category="discovery",
        rule="person.said" if is_person else "claim.finding",
        origin=Origin("s1", "claude"),
        salience=judged,
    )
    [result] = core.offer([capture])
    said = core.resolve(result.memory_id)
    assert (said.provenance, said.degree) == (
        "person" if is_person else "agent-unverified",
        "unproven",
    )
    clock.now = START + 399 * DAY
    core.maintenance.run()
    assert core.resolve(said.id).is_live is is_live


def test_both_sides_of_an_open_conflict_stay(core, clock):
    one = found(core, "The harbour import runs at 03:00 each night, before the tide table", "error")
    other = found(
        core, "The harbour import runs at 05:00 each night, before the tide table", "error", "s2"
    )
    assert core.resolve(one).in_conflict
    clock.now = START + 200 * DAY
    core.maintenance.run()
    assert core.resolve(one).is_live
    assert core.resolve(other).is_live
    [conflict] = core.conflicts()
    core.resolve_conflict(conflict.id, "both")
    clock.now += 200 * DAY
    core.maintenance.run()
    assert not core.resolve(one).is_live


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
    assert small.maintenance.run().done["eviction"] == 0

    small.undo(next(iter(small.audit(limit=1))).seq)
    assert all(small.resolve(each).is_live for each in ids)


def test_what_is_used_pinned_or_a_persons_is_not_evicted(full, clock):
    small, ids = full
    ids += many(small, 1, after=100)
    clock.now = START + 2 * DAY
    small.pin(ids[0])
    small.confirm(ids[1])
    told(small, ids[2])
    own = [small.remember(f"{TEXTS['decision']} at berth {n}").memory_id for n in range(5)]
    assert small.maintenance.run().done["eviction"] == 0  # 99 count now
    least = min(ids[3:], key=lambda each: small.worth(each).worth)
    many(small, 2, after=101)
    assert small.maintenance.run().done["eviction"] == 11
    assert all(small.resolve(each).is_live for each in [*ids[:3], *own])
    assert not small.resolve(least).is_live


def test_over_months_of_sessions_what_nobody_needed_leaves_and_a_rule_stays(tmp_path):
    project = Project(tmp_path)
    project.session(
        """
        P: From now on, keep the backups of the booking database for 9 days.
        A: ok
        P: the nightly import takes seven minutes, please make it faster
        E import.py
        - a
        + b
        A: Decided that the nightly import must only write its rows in batches of 500, because one
          connection per row costs most of the time.
        P: thanks
        A: ok
        """
    )
    greeting = """
        P: good morning, what time is it?
        A: Half past nine.
    """

    def live():
        with project.memory() as memory:
            return [one.content for one in memory.list()]

    assert {text for text in live() if "9 days" in text}
    assert any("batches of 500" in text for text in live())
    project.session(greeting, days=88)
    assert any("batches of 500" in text for text in live())
    project.session(greeting, days=4)
    assert not any("batches of 500" in text for text in live())
    assert any("9 days" in text for text in live())
    with project.memory() as memory:
        [gone] = [one for one in memory.list("is:retired") if "batches of 500" in one.content]
        assert gone.retired_as == "expired"
        assert memory.history(gone.id)[0].reason == "decision: kept 90 days"
        memory.restore(gone.id)
    assert project.command("status").out.count("1 expired") == 0
    project.session(greeting, days=2)
    assert any("batches of 500" in text for text in live())  # what came back stays a while


def test_the_status_tells_what_left_and_how_full_it_is(full, clock):
    small, _ = full
    many(small, 1, after=100)
    clock.now = START + 2 * DAY
    glance = small.maintenance.glance()
    assert (glance.count, glance.limit, glance.left) == (101, 100, {})
    small.maintenance.run()
    glance = small.maintenance.glance()
    assert (glance.count, glance.left, glance.last_at) == (90, {"evicted": 11}, clock.now)
    clock.now += timedelta(days=8)
    assert small.maintenance.glance().left == {}


def test_each_drain_holds_the_limit(full, clock):
    small, _ = full
    clock.now = START + 2 * DAY
    small.maintenance.after_drain()
    many(small, 1, after=100)
    assert not small.maintenance.is_due()
    assert small.maintenance.after_drain().done["eviction"] == 11


@pytest.mark.parametrize(("is_on", "kind"), [("true", "semantic"), ("false", "episodic")])
def test_what_happens_in_three_sessions_becomes_a_fact_where_that_is_wanted(
    tmp_path, clock, is_on, kind
):
    (tmp_path / "harbour").mkdir()
    (tmp_path / "harbour" / ".memdeck.toml").write_text(f"[lifecycle]\nconsolidation = {is_on}\n")
    with open_memory(tmp_path / "home", tmp_path / "harbour", clock=clock) as memory:
        for number in range(3):
            session = f"s{number}"
            memory.session_seen(session, "claude", "/harbour")
            capture = Capture(
                content=TEXTS["error"],
                type="episodic",
                rule="claim.finding",
                origin=Origin(session, "claude"),
            )
            [result] = memory.offer([capture])
            clock.now += DAY
        assert memory.resolve(result.memory_id).type == kind
