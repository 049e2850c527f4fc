"""What a memory is worth, and its tier: each range at both its ends, on a moving clock."""

from datetime import timedelta

import pytest

TEXT = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"


@pytest.fixture
def brought(core):
    """Bring a memory of this importance, nobody's word here; its id."""

    def bring(importance, text=TEXT, **more):
        one = {"content": text, "importance": importance, "type": "semantic", **more}
        [identifier] = core.import_memories([one]).ids
        return identifier

    return bring


# --- decay


@pytest.mark.parametrize(
    ("status", "course"),
    [
        (
            "confirmed",
            [  # days after the first telling, tellings till then, what is left
                (0, 0, 0.5),
                (0, 1, 0.55),
                (0, 9, 0.95),
                (0, 10, 1.0),
                (0, 11, 1.0),
                (-100, 11, 1.0),  # a clock that was turned back
                (7, 11, 0.95),
                (14, 11, 0.9025),
                (36_500, 11, 0.0),
            ],
        ),
        ("candidate", [(0, 10, 0.9)]),
        ("candidate", [(7, 0, 0.5 * 0.95 * 0.9)]),
    ],
)
def test_time_use_and_trial_leave_what_is_required(open_core, brought, clock, status, course):
    one, begin, told = brought(0.8, status=status), clock.now, 0
    for days, tellings, left in course:
        while told < tellings:
            found = open_core(session=f"s{told}").recall("Why does berth 12 flood at spring tide?")
            assert TEXT in found.text
            told += 1
        clock.now = begin + timedelta(days=days)
        worth = open_core().worth(one)
        assert worth.uses == tellings
        assert worth.worth == pytest.approx(worth.importance * left), (days, tellings)
        assert 0 <= worth.worth <= 1


# --- the account


def test_the_parts_make_the_worth(core, brought, clock):
    """What is shown adds up; asked for twice, it is the same."""
    one = brought(0.7)
    clock.forward(days=40)
    worth = core.worth(one)
    assert worth.importance == pytest.approx(worth.base + sum(worth.moved.values()))
    assert worth.worth == pytest.approx(
        worth.importance * worth.fading * worth.use * worth.trial, abs=1e-9
    )
    assert core.worth(one) == worth


def test_being_told_makes_it_worth_more(open_core, clock, brought):
    one = brought(0.7)
    clock.forward(days=10)
    before = open_core().worth(one)
    for session in ("s1", "s2", "s3"):
        clock.forward(days=3)
        core = open_core(session=session)
        assert TEXT in core.recall("Why does berth 12 flood at spring tide?").text
    after = core.worth(one)
    assert (after.uses, after.quiet_days) == (3, 0)
    assert after.use == pytest.approx(0.65)
    assert after.worth > before.worth


# --- tiers


@pytest.mark.parametrize(
    ("importance", "days", "tier", "action"),
    [
        (1.0, 0, "hot", "keep"),
        (1.0, 4000, "warm", "keep"),
        (0.8, 7, "warm", "keep"),
        (0.8, 400, "warm", "keep"),
        (0.79, 29.9, "warm", "keep"),
        (0.79, 30, "cold", "summarise"),
        (0.6, 29.9, "warm", "keep"),
        (0.6, 30, "cold", "summarise"),
        (0.59, 6.9, "hot", "keep"),
        (0.59, 7, "warm", "summarise"),
        (0.4, 6.9, "hot", "keep"),
        (0.4, 7, "warm", "summarise"),
        (0.4, 30, "cold", "summarise"),
        (0.39, 0, "warm", "summarise"),
        (0.39, 29.9, "warm", "summarise"),
        (0.39, 30, "cold", "archive"),
        (0.0, 0, "warm", "summarise"),
        (0.0, 30, "cold", "archive"),
    ],
)
def test_tier_and_action_follow_importance_and_quiet_days(
    core, brought, clock, importance, days, tier, action
):
    one = brought(importance)
    clock.forward(days=days)
    worth = core.worth(one)
    assert (worth.tier, worth.action) == (tier, action)
    core.weigh()
    assert core.show(one).tier == tier
    assert [memory.id for memory in core.list(f"tier:{tier}")] == [one]
    assert core.count(f"-tier:{tier}") == 0
    assert core.stats().by_tier == {"hot": 0, "warm": 0, "cold": 0} | {tier: 1}
    assert core.facets()["tier"] == [(tier, 1)]


def test_a_pin_does_not_fade_where_it_is_shown_and_ordered(core, brought, clock):
    pinned, other = brought(0.6), brought(0.6, "Pilots report by radio when they pass the buoy")
    core.pin(pinned)
    clock.forward(days=400)
    core.weigh()
    worth = core.worth(pinned)
    assert worth.worth == worth.importance == core.show(pinned).worth
    assert (worth.fading, worth.use, worth.trial) == (1.0, 1.0, 1.0)
    assert core.worth(other).worth < 0.1 * core.worth(other).importance
    core.unpin(pinned)
    assert core.worth(pinned).worth < 0.1


def test_maintain_weighs_once_a_day_and_after_the_clock_was_turned_back(core, brought, clock):
    one = brought(0.7)
    assert core.services.vitals.is_due()
    for days, tier in ((0, "hot"), (31, "cold"), (4000, "cold"), (-4031, "hot")):
        clock.forward(days=days)
        core.maintenance.run()
        assert core.show(one).tier == tier
        assert core.show(one).worth == pytest.approx(core.worth(one).worth)


def test_each_project_is_weighed_by_its_own(open_core, brought, clock):
    one = brought(0.7)
    elsewhere = open_core("shipyard")
    assert elsewhere.weigh() == 0
    assert open_core().weigh() == 1
    assert open_core().show(one).worth is not None


def test_the_file_at_hand_brings_what_is_cold(open_core, clock, brought):
    """As the person's own prompt would: the work names the very thing."""
    brought(0.7, files=["src/berths.py"], status="confirmed")
    clock.forward(days=31)
    open_core().weigh()
    core = open_core(session="s2")
    touched = core.recall("", event="PreToolUse", files=["src/berths.py"])
    assert TEXT in touched.text
    assert TEXT not in core.recall("", event="PreToolUse", files=["src/cranes.py"]).text
