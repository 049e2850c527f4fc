"""Tidying what is known: what is proposed, what is not, and what becomes of it."""

from datetime import timedelta

import pytest

from memdeck import BadInput, Refused


def proposed(core, *kinds):
    tidy = core.services.tidy
    return tidy.proposals(kinds) if kinds else tidy.proposals()


def kept(core, text, **more):
    return core.remember(text, **more).memory_id


def test_a_new_store_has_nothing_to_tidy(core):
    assert proposed(core) == []
    kept(core, "Deploys go out on Mondays before noon")
    assert proposed(core) == []


def test_a_kind_that_is_none_is_refused(core):
    with pytest.raises(BadInput):
        core.services.tidy.proposals(["dust"])


def test_what_no_agent_was_told_is_proposed_after_thirty_days_and_kept_for_as_long(core, clock):
    memory = kept(core, "Tide tables are read from the port authority at six")
    clock.forward(days=29)
    assert proposed(core) == []
    clock.forward(days=2)
    [one] = proposed(core)
    assert (one.kind, one.memory.id, one.why) == ("untold", memory, "told to no agent in 31 days")
    core.services.tidy.keep(one)
    assert proposed(core) == []
    clock.forward(days=29)
    assert proposed(core) == []
    clock.forward(days=2)
    assert [one.memory.id for one in proposed(core)] == [memory]
    core.undo()
    assert proposed(core)


def test_what_an_agent_was_told_is_not_proposed(core, clock):
    kept(core, "Tide tables are read from the port authority at six")
    core.recall("where are tide tables read from?", host="claude", session="s1")
    clock.forward(days=40)
    assert proposed(core, "untold") == []


def test_what_is_pinned_or_waits_in_the_inbox_is_no_part_of_it(core, clock):
    pinned = kept(core, "word " * 400 + "of the harbour")
    core.pin(pinned)
    clock.forward(days=60)
    assert proposed(core) == []


@pytest.mark.parametrize(("words", "is_long"), [(116, True), (115, False)])
def test_a_long_text_is_proposed_until_a_person_stands_for_it(core, clock, words, is_long):
    kept(core, " ".join(f"berth{number}" for number in range(words)))
    found = proposed(core, "long")
    assert bool(found) == is_long
    if is_long:
        assert "tokens" in found[0].why
        core.services.tidy.keep(found[0])
        assert proposed(core, "long") == []


def test_a_task_is_asked_about_once_it_is_old_or_over_and_done_ends_it(core, clock):
    kept(core, "Renew the certificate of the feed", type="prospective")
    due = clock.now + timedelta(days=3)
    kept(core, "Call the port authority about berths", type="prospective", due=due)
    assert proposed(core, "task") == []
    clock.forward(days=4)
    [over] = proposed(core, "task")
    assert "port authority" in over.memory.content
    clock.forward(days=11)
    assert len(proposed(core, "task")) == 2
    core.services.tidy.done(over)
    assert core.show(over.memory.id).retired_as == "completed"
    [old] = proposed(core, "task")
    core.services.tidy.keep(old)
    assert proposed(core, "task") == []
    assert core.show(old.memory.id).is_live


@pytest.fixture
def repeated(core, clock):
    """Two that say the same, brought by an import: nothing laid them beside each other."""
    texts = [
        "The retry budget of the webhook worker is three attempts, then the job fails.",
        "The webhook worker's retry budget is three attempts, then the job fails.",
    ]
    for text in texts:
        core.import_memories([{"content": text, "category": "decision"}])
        clock.forward(minutes=5)
    return texts


def test_what_says_the_same_is_proposed_once_and_becomes_one(core, repeated):
    [one] = proposed(core, "repetition")
    assert {side.content for side in one.sides} == set(repeated)
    assert one.memory.content == repeated[0]  # the older one may leave
    core.services.tidy.merge(one, one.memory.id)
    assert core.show(one.memory.id).retired_as == "merged"
    assert proposed(core, "repetition") == []
    core.undo()
    assert len(proposed(core, "repetition")) == 1


def test_the_other_side_may_leave_as_well(core, repeated):
    [one] = proposed(core, "repetition")
    core.services.tidy.drop(one, one.other.id)
    assert core.show(one.memory.id).is_live
    assert core.show(one.other.id).retired_as == "forgotten"


def test_two_that_both_stay_are_not_asked_about_again_and_one_undo_asks_again(core, repeated):
    [one] = proposed(core, "repetition")
    core.services.tidy.keep(one)
    assert proposed(core, "repetition") == []
    assert core.conflicts() == []
    core.undo()
    assert len(proposed(core, "repetition")) == 1
    assert core.conflicts() == []


def test_a_conflict_is_proposed_and_dropping_a_side_decides_it(core, clock):
    first = kept(core, "The queue timeout is 30 seconds")
    clock.forward(days=1)
    second = kept(core, "Deploys go out before noon")
    ref = core.mark_conflict(first, second, reason="30 against noon")
    [one] = proposed(core, "contradiction")
    assert (one.conflict, one.memory.id, one.other.id) == (ref, first, second)
    assert one.why == "30 against noon"
    core.services.tidy.drop(one, second)
    decided = core.conflict(ref)
    assert decided.verdict == "a"
    assert core.show(second).retired_as == "superseded"
    assert proposed(core, "contradiction") == []

    core.mark_conflict(first, kept(core, "Deploys go out at night"), "superseded")
    [one] = proposed(core, "contradiction")  # nobody said why
    assert one.why == "one seems to replace the other"


def test_a_side_that_is_none_is_refused(core, repeated):
    [one] = proposed(core, "repetition")
    stranger = kept(core, "Deploys go out before noon")
    with pytest.raises(BadInput):
        core.services.tidy.drop(one, stranger)
    assert core.show(stranger).is_live


def test_a_side_that_left_or_was_reworded_meanwhile_takes_no_verdict(core, repeated):
    [one] = proposed(core, "repetition")
    for change in (
        lambda: core.forget(one.other.id),  # else the last one that says it could leave as well
        lambda: core.edit(one.memory.id, content="Cranes are greased at dawn, by two people."),
    ):
        change()
        for settle in (core.services.tidy.drop, core.services.tidy.merge):
            with pytest.raises(Refused, match="changed meanwhile"):
                settle(one, one.memory.id)
        with pytest.raises(Refused):
            core.services.tidy.keep(one)
        assert core.show(one.memory.id).is_live
        core.undo()


def test_an_edit_makes_it_another_proposal(core, clock):
    memory = kept(core, "Tide tables are read from the port authority at six")
    clock.forward(days=40)
    [before] = proposed(core)
    core.pin(memory)
    core.unpin(memory)
    clock.forward(days=40)
    [after] = proposed(core)
    assert after.key != before.key


def test_what_was_found_alike_stands_until_something_changed(core, repeated):
    tidy = core.services.tidy
    found = tidy.alike()
    assert [one.key for one in tidy.still(found)] == [one.key for one in found]
    tidy.merge(found[0], found[0].memory.id)
    assert tidy.still(found) == []
    core.undo()
    assert len(tidy.still(found)) == 1
    tidy.keep(found[0])
    assert tidy.still(found) == []
    core.undo()
    core.edit(found[0].memory.id, content="The cranes are greased on Tuesdays")
    assert tidy.still(found) == []


def test_looking_in_parts_finds_what_looking_at_once_does(core, repeated):
    tidy = core.services.tidy
    whole = {one.pair for one in tidy.alike()}
    assert {one.pair for start in range(3) for one in tidy.alike(start, 1)} == whole
    assert tidy.alike(2, 10) == []
