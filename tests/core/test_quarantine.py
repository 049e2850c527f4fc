"""Promoted candidates are on trial for 24 hours: used or not decides."""

import pytest

LAID_DOWN = {"rule": "person.instruction", "importance": 0.5}
PROMPT = "which berth floods at spring tide?"


@pytest.fixture
def promoted(core, offer):
    """A candidate on trial."""
    return offer(**LAID_DOWN).memory_id


@pytest.mark.parametrize(("hours", "is_over"), [(23.9999, False), (24, True), (240, True)])
def test_a_trial_ends_at_24_hours_and_not_before(core, promoted, clock, hours, is_over):
    before = core.show(promoted).importance
    clock.forward(hours=hours)
    assert core.end_quarantines() == ([promoted] if is_over else [])
    expected = before * 0.8 if is_over else before
    assert core.show(promoted).importance == pytest.approx(expected)
    assert (core.candidacy(promoted)["quarantined_until"] is None) == is_over


def test_who_was_recalled_on_trial_is_confirmed_as_it_was(core, promoted, clock):
    before = core.show(promoted).importance
    clock.forward(hours=5)
    assert [hit.id for hit in core.recall(PROMPT).items] == [promoted]
    clock.forward(hours=19)
    assert core.end_quarantines() == [promoted]
    after = core.show(promoted)
    assert (after.status, after.importance) == ("confirmed", before)
    assert core.history(promoted)[0].reason == "used while on trial"


def test_who_was_not_used_loses_a_fifth_once_and_waits_on(core, promoted, clock):
    before = core.show(promoted).importance
    clock.forward(hours=24)
    core.end_quarantines()
    for _ in range(3):
        clock.forward(hours=48)
        assert core.end_quarantines() == []
    after = core.show(promoted)
    assert (after.status, after.scope) == ("candidate", "project")
    assert after.importance == pytest.approx(before * 0.8)
    assert core.history(promoted)[0].reason == "unused for a day"


@pytest.mark.parametrize("how", ["accept", "pin"])
def test_what_is_pinned_or_accepted_never_decays(core, promoted, clock, how):
    before = core.show(promoted).importance
    core.accept(promoted, pin=how == "pin")
    clock.forward(hours=48)
    assert core.end_quarantines() == []
    after = core.show(promoted)
    assert (after.status, after.importance) == ("pinned" if how == "pin" else "confirmed", before)


def test_the_end_of_a_trial_can_be_taken_back(core, promoted, clock):
    before = core.show(promoted)
    clock.forward(hours=24)
    core.end_quarantines()
    core.undo(core.history(promoted)[0].seq)
    after = core.show(promoted)
    assert (after.status, after.importance) == (before.status, before.importance)
    assert core.candidacy(promoted)["quarantined_until"] is not None


def test_a_trial_begins_again_once_the_clock_was_turned_back(core, promoted, clock):
    before = core.show(promoted).importance
    clock.forward(days=-3)
    assert core.end_quarantines() == [promoted]
    clock.forward(hours=24)
    assert core.end_quarantines() == [promoted]
    assert core.show(promoted).importance == pytest.approx(before * 0.8)
