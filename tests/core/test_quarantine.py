"""Promoted candidates are on trial for 24 hours: used or not decides."""

import pytest

LAID_DOWN = {"rule": "person.instruction", "importance": 0.5}
PROMPT = "which berth floods at spring tide?"


@pytest.fixture
def promoted(core, offer):
    """A candidate on trial."""
    return offer(**LAID_DOWN).memory_id


def test_who_was_not_used_loses_a_fifth_once_and_waits_on(core, promoted, clock):
    before = core.show(promoted).importance
    clock.forward(hours=24, milliseconds=-1)
    assert core.end_quarantines() == []
    clock.forward(milliseconds=1)
    assert core.end_quarantines() == [promoted]
    for _ in range(3):
        clock.forward(hours=48)
        assert core.end_quarantines() == []
    after, entry = core.show(promoted), core.history(promoted)[0]
    assert (after.status, after.scope) == ("candidate", "project")
    assert after.importance == pytest.approx(before * 0.8)
    assert entry.reason == "unused for a day"
    core.undo(entry.seq)
    assert core.show(promoted).importance == before
    assert core.candidacy(promoted)["quarantined_until"] is not None


@pytest.mark.parametrize(
    ("act", "status", "raised"),
    [
        ("pin", "pinned", 0),
        ("accept", "confirmed", 0),
        ("remember", "confirmed", 0.1),
        ("forget", "candidate", 0),
    ],
)
def test_what_a_person_decided_on_trial_never_decays(core, promoted, clock, act, status, raised):
    before = core.show(promoted)
    getattr(core, act)(before.content if act == "remember" else promoted)
    clock.forward(hours=48)
    assert core.end_quarantines() == []
    after = core.show(promoted)
    assert after.status == status
    assert after.importance == pytest.approx(before.importance + raised)


@pytest.mark.parametrize(("act", "share"), [("accept", 1), ("forget", 1), ("end_quarantines", 0.8)])
def test_what_is_decided_while_trials_end_is_let_be(core, promoted, offer, clock, act, share):
    before = core.show(promoted).importance
    clock.forward(hours=1)
    other = core.show(offer("crane", **LAID_DOWN).memory_id)
    core.recall(PROMPT)
    clock.forward(hours=24)
    acts = [act]

    def meanwhile(*_):
        while acts:
            getattr(core, acts.pop())(*() if act == "end_quarantines" else (other.id,))
        return True

    assert core.maintenance.run(meanwhile).done["quarantine"] == 1
    after = core.show(promoted)
    assert (after.status, after.importance) == ("confirmed", before)
    assert core.history(promoted)[0].reason == "used while on trial"
    assert core.show(other.id).importance == pytest.approx(other.importance * share)


@pytest.mark.parametrize(
    ("rule", "again", "status"),
    [
        ("person.instruction", "s1", "confirmed"),
        ("agent.finding", "s4", "confirmed"),
        ("agent.finding", "s1", "candidate"),  # its own session proves nothing
        ("agent.finding", None, "candidate"),  # nor does the repetition that promoted it
    ],
)
def test_a_repetition_during_a_trial_is_a_use(core, offer, clock, rule, again, status):
    for session in ("s1", "s2", "s3"):
        memory = offer(session=session, rule=rule).memory_id
    if again:
        clock.forward(hours=5)
        offer(session=again, rule=rule)
    clock.forward(hours=24)
    core.end_quarantines()
    assert core.show(memory).status == status


def test_a_trial_begins_again_once_the_clock_was_turned_back(core, promoted, clock):
    before = core.show(promoted).importance
    clock.forward(days=-3)
    assert core.end_quarantines() == [promoted]
    assert core.end_quarantines() == []
    clock.forward(hours=24)
    assert core.end_quarantines() == [promoted]
    assert core.show(promoted).importance == pytest.approx(before * 0.8)
