"""The Inbox: what waits, in which order, and what a person does with it."""

from datetime import timedelta

import pytest

from memdeck import BadInput, NotFound, Refused, StaleEdit


@pytest.fixture
def waiting(offer):
    """Three candidates of different worth: ids by name."""
    return {
        "crane": offer("crane", importance=0.4).memory_id,
        "tide": offer("tide", importance=0.4, rule="person.instruction").memory_id,
        "locks": offer("locks", importance=0.8).memory_id,
    }


def ids(core, **more):
    return [one.memory.id for one in core.candidates(**more)]


# --- what waits


def test_the_most_valuable_candidate_comes_first(core, waiting):
    assert ids(core) == [waiting["tide"], waiting["locks"], waiting["crane"]]
    values = [one.value for one in core.candidates()]
    assert values == sorted(values, reverse=True)
    assert ids(core, limit=1) == [waiting["tide"]]
    assert core.waiting_count() == 3


def test_worth_is_importance_and_at_most_five_points(core, waiting):
    for one in core.candidates():
        assert one.value == pytest.approx(0.6 * one.memory.importance + 0.08 * min(one.points, 5))


def test_a_candidate_comes_with_all_there_is_to_judge_it_by(core, offer, clock):
    offer()
    near = offer("Berth 12 floods in autumn storms as well, so its power is cut at the pier box")
    one = core.candidate(near.memory_id)
    assert one.points_needed == 3
    assert all(vote.score for vote in one.votes)
    assert len(one.votes) == 3
    assert one.tier == "consensus"
    assert one.neighbour.content.startswith("Berth 12 floods at spring tide")
    assert one.weight
    assert one.conflicts == ()


def test_what_is_confirmed_or_gone_waits_for_nobody(core, waiting):
    core.accept(waiting["tide"])
    core.reject(waiting["locks"])
    assert ids(core) == [waiting["crane"]]
    for ref, state in ((waiting["tide"], "confirmed"), (waiting["locks"], "rejected")):
        with pytest.raises(Refused, match=state):
            core.candidate(ref)


def test_working_memory_waits_for_nobody(core):
    core.create_working_memory("Move the tide gauge to pier C", "s1")
    assert core.waiting_count() == 0


def test_candidates_of_another_project_are_not_shown(open_core, waiting):
    assert open_core("airport").candidates() == []


# --- accepting


def test_accepting_makes_memories_of_the_project_in_one_entry(core, waiting):
    accepted = core.accept([waiting["crane"], waiting["locks"]])
    assert {(one.status, one.scope) for one in accepted} == {("confirmed", "project")}
    assert core.audit()[0].action == "accept"
    core.undo()
    assert core.waiting_count() == 3
    assert core.show(waiting["crane"]).scope == "session"


def test_accepting_with_a_pin_is_recalled_always(core, waiting):
    [pinned] = core.accept(waiting["crane"], pin=True)
    assert (pinned.status, pinned.scope) == ("pinned", "project")
    assert core.audit()[0].action == "pin"


def test_an_accepted_candidate_is_on_trial_no_more(core, waiting):
    core.accept(waiting["tide"])
    candidacy = core.candidacy(waiting["tide"])
    assert (candidacy["quarantined_until"], candidacy["snoozed_until"]) == (None, None)
    assert candidacy["promoted_at"] is not None


def test_what_is_no_candidate_cannot_be_accepted_and_nothing_changes(core, waiting, texts):
    memory = core.remember(texts["pilots"]).memory_id
    with pytest.raises(Refused, match="no candidate"):
        core.accept([waiting["tide"], memory])
    assert core.show(waiting["tide"]).status == "candidate"


def test_an_edit_and_its_acceptance_are_one_entry(core, waiting):
    memory = core.accept_edited(
        waiting["crane"], content="The crane at the ferry pier lifts 45 t", importance=0.9, pin=True
    )
    assert (memory.content, memory.status, memory.importance) == (
        "The crane at the ferry pier lifts 45 t",
        "pinned",
        0.9,
    )
    core.undo()
    assert core.show(memory.id).status == "candidate"
    assert core.show(memory.id).content.startswith("The crane at the ferry pier lifts forty")


def test_an_edit_of_a_candidate_that_changed_meanwhile_is_refused(core, open_core, waiting):
    before = core.show(waiting["crane"])
    open_core().edit(before.id, title="The ferry crane")
    with pytest.raises(StaleEdit):
        core.accept_edited(before.id, title="Mine", expected_revision=before.revision)
    assert core.show(before.id).status == "candidate"


def test_a_broken_edit_accepts_nothing(core, waiting):
    with pytest.raises(BadInput):
        core.accept_edited(waiting["crane"], importance=1.5)
    assert core.show(waiting["crane"]).status == "candidate"


# --- rejecting


def test_a_rejected_text_is_not_captured_again_until_it_is_restored(core, waiting, offer):
    [rejected] = core.reject(waiting["tide"], "not true any more")
    assert rejected.retired_as == "rejected"
    assert core.audit()[0].reason == "not true any more"
    assert offer("tide", session="s9").outcome == "refused"
    core.undo()
    assert ids(core)[0] == waiting["tide"]
    assert offer("tide", session="s9").outcome == "duplicate"


# --- putting off


def test_what_is_put_off_waits_again_when_the_time_has_come(core, waiting, clock):
    core.snooze(waiting["tide"], clock.now + timedelta(hours=2))
    assert ids(core) == [waiting["locks"], waiting["crane"]]
    assert ids(core, snoozed=True)[0] == waiting["tide"]
    assert core.waiting_count() == 2
    clock.forward(hours=1, minutes=59)
    assert core.waiting_count() == 2
    clock.forward(minutes=1)
    assert ids(core)[0] == waiting["tide"]


def test_putting_off_touches_no_points(core, waiting, clock):
    before = core.candidate(waiting["tide"])
    core.snooze(waiting["tide"], clock.now + timedelta(days=1))
    after = core.candidate(waiting["tide"])
    assert (after.points, after.signals, after.memory) == (
        before.points,
        before.signals,
        before.memory,
    )
    core.undo()
    assert core.candidate(waiting["tide"]) == before


@pytest.mark.parametrize("minutes", [0, -1])
def test_the_past_is_no_time_to_wait_for(core, waiting, clock, minutes):
    with pytest.raises(BadInput, match="passed"):
        core.snooze(waiting["tide"], clock.now + timedelta(minutes=minutes))


def test_only_a_candidate_can_be_put_off(core, texts, clock):
    memory = core.remember(texts["pilots"]).memory_id
    with pytest.raises(Refused):
        core.snooze(memory, clock.now + timedelta(days=1))


# --- what nobody knows


def test_a_name_that_nothing_has_is_not_found(core, waiting, clock):
    later = clock.now + timedelta(days=1)
    for act in (core.candidate, core.accept, core.reject, core.reviews, core.candidacy):
        with pytest.raises(NotFound):
            act("zzzz")
    with pytest.raises(NotFound):
        core.snooze("zzzz", later)
