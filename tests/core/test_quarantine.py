"""Promoted candidates are on trial for 24 hours: used or not decides (002-21)."""

import pytest

from memdeck import Salience

SURE = Salience(3.0, 0.9, 0.7, is_candidate=True, is_established=True)
LAID_DOWN = {"rule": "person.instruction", "importance": 0.5}
PROMPT = "which berth floods at spring tide?"


@pytest.fixture
def promoted(core, offer):
    """A candidate on trial."""
    return offer(**LAID_DOWN).memory_id


def test_a_trial_lasts_24_hours_from_promotion(core, promoted, clock):
    """002-21."""
    candidate = core.candidate(promoted)
    assert candidate.promoted_at == clock.now
    assert (candidate.quarantined_until - clock.now).total_seconds() == 24 * 3600


@pytest.mark.parametrize(("hours", "is_over"), [(23.9999, False), (24, True), (240, True)])
def test_a_trial_ends_at_24_hours_and_not_before(core, promoted, clock, hours, is_over):
    """002-21, at both sides."""
    before = core.show(promoted).importance
    clock.forward(hours=hours)
    assert core.end_quarantines() == ([promoted] if is_over else [])
    expected = before * 0.8 if is_over else before
    assert core.show(promoted).importance == pytest.approx(expected)
    assert (core.candidate(promoted).quarantined_until is None) == is_over


def test_who_was_recalled_on_trial_is_confirmed_as_it_was(core, promoted, clock):
    """002-21: accessed -> confirmed."""
    before = core.show(promoted).importance
    clock.forward(hours=5)
    assert [hit.id for hit in core.recall(PROMPT).items] == [promoted]
    clock.forward(hours=19)
    assert core.end_quarantines() == [promoted]
    after = core.show(promoted)
    assert (after.status, after.importance) == ("confirmed", before)
    assert core.history(promoted)[0].reason == "used while on trial"


def test_who_was_said_again_on_trial_is_confirmed(core, promoted, offer, clock):
    """002-21, 002-27: a repetition is a use."""
    clock.forward(hours=1)
    offer(session="s2")
    clock.forward(hours=23)
    core.end_quarantines()
    assert core.show(promoted).status == "confirmed"


@pytest.mark.parametrize(
    ("session", "status"), [("s1", "candidate"), ("fork", "candidate"), ("s2", "confirmed")]
)
def test_what_the_score_promoted_is_used_by_another_session_alone(
    core, offer, clock, session, status
):
    """002-21: nothing confirms itself, neither by saying it again nor by asking for it."""
    core.session_seen("s1", "claude", "/harbour")
    core.session_seen("fork", "claude", "/harbour", parent="s1")
    memory = offer(rule="agent.said", salience=SURE).memory_id
    assert core.candidate(memory).promoted_at == clock.now
    clock.forward(hours=1)
    assert [hit.id for hit in core.recall(PROMPT, session=session).items] == [memory]
    offer(session=session)
    clock.forward(hours=23)
    assert core.end_quarantines() == [memory]
    assert core.show(memory).status == status


def test_the_repetition_that_promotes_is_no_use_on_trial(core, offer, clock):
    memory = offer("crane", rule="agent.error-fix").memory_id
    clock.forward(hours=1)
    offer("crane", session="s2")
    assert core.candidate(memory).promoted_at == clock.now
    clock.forward(hours=24)
    core.end_quarantines()
    assert core.show(memory).status == "candidate"


def test_who_was_not_used_loses_a_fifth_once_and_waits_on(core, promoted, clock):
    """002-21: importance x 0.8, exactly once."""
    before = core.show(promoted).importance
    clock.forward(hours=24)
    core.end_quarantines()
    for _ in range(3):
        clock.forward(hours=48)
        assert core.end_quarantines() == []
    after = core.show(promoted)
    assert (after.status, after.scope) == ("candidate", "project")
    assert after.importance == pytest.approx(before * 0.8)
    assert core.waiting_count() == 1
    assert core.history(promoted)[0].reason == "unused for a day"


def test_a_later_repetition_starts_no_second_trial(core, promoted, offer, clock):
    clock.forward(hours=24)
    core.end_quarantines()
    offer(session="s2", rule="person.instruction")
    assert core.candidate(promoted).quarantined_until is None
    clock.forward(hours=48)
    assert core.end_quarantines() == []


@pytest.mark.parametrize("how", ["accept", "pin"])
def test_what_is_pinned_or_accepted_never_decays(core, promoted, clock, how):
    """002-21: pinned never decay."""
    before = core.show(promoted).importance
    core.accept(promoted, pin=how == "pin")
    clock.forward(hours=48)
    assert core.end_quarantines() == []
    after = core.show(promoted)
    assert (after.status, after.importance) == (
        "pinned" if how == "pin" else "confirmed",
        before,
    )


def test_what_was_pinned_in_a_list_never_decays_either(core, promoted, clock):
    before = core.show(promoted).importance
    core.pin(promoted)
    clock.forward(hours=48)
    core.end_quarantines()
    assert (core.show(promoted).status, core.show(promoted).importance) == ("pinned", before)


def test_what_was_rejected_is_left_alone(core, promoted, clock):
    core.reject(promoted)
    before = core.show(promoted)
    clock.forward(hours=24)
    assert core.end_quarantines() == []
    assert core.show(promoted) == before


def test_what_stays_in_its_session_is_on_no_trial(core, offer, clock):
    memory = offer().memory_id
    clock.forward(hours=48)
    assert core.end_quarantines() == []
    assert core.candidate(memory).quarantined_until is None


def test_the_end_of_a_trial_can_be_taken_back(core, promoted, clock):
    before = core.show(promoted)
    clock.forward(hours=24)
    core.end_quarantines()
    core.undo(core.history(promoted)[0].seq)
    after = core.show(promoted)
    assert (after.status, after.importance) == (before.status, before.importance)
    assert core.candidate(promoted).quarantined_until is not None


def test_a_trial_of_another_project_is_not_ended_from_here(core, open_core, promoted, clock):
    clock.forward(hours=24)
    assert open_core("airport").end_quarantines() == []
    assert core.end_quarantines() == [promoted]
