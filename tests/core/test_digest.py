"""What changed of late: each part from what happened, and only from that."""

from datetime import timedelta

import pytest

from memdeck import BadInput, NotFound

STAGING = "Staging lives on host db-7, reached through the bastion"
BUDGET = "Retry budget is three attempts per call"
CARGO = "Cargo manifests are validated before the crane moves"


def digest(core, **asked):
    return core.services.digest_book.digest(**asked)


def kept(core, text, **more):
    return core.remember(text, **more).memory_id


def titles(items):
    return [one.title for one in items]


def test_a_week_in_which_nothing_happened(core, clock):
    kept(core, STAGING)
    clock.forward(days=8)
    made = digest(core)
    assert made.is_empty
    assert (made.until.at - made.since.at) == timedelta(days=7)


def test_three_days_later_the_new_are_told_the_weightiest_first(core, clock):
    kept(core, CARGO)
    clock.forward(days=8)
    kept(core, STAGING, importance=0.3)
    clock.forward(days=1)
    pinned = kept(core, BUDGET, importance=0.1)
    core.pin(pinned)
    clock.forward(days=2)
    made = digest(core)
    assert titles(made.new) == [BUDGET, STAGING]
    assert (made.new_count, made.waiting) == (2, 0)
    assert titles(digest(core, shown=1).new) == [BUDGET]
    assert digest(core, shown=0).new_count == 2
    clock.forward(days=4, hours=12)
    assert titles(digest(core).new) == [BUDGET]  # the first is now older than a week


def test_what_is_written_anew_is_told_by_the_sentence_that_differs(core, clock):
    memory = kept(core, f"{CARGO}. {STAGING}.")
    clock.forward(days=1)
    since = clock()
    core.edit(memory, content=f"{CARGO}. Staging lives on host db-9, reached through the bastion.")
    made = digest(core, since=since - timedelta(minutes=1))
    [said] = made.corrected
    assert (said.before, said.after) == (
        STAGING + ".",
        "Staging lives on host db-9, reached through the bastion.",
    )
    assert said.actor == "person"
    assert made.new_count == 0


def test_a_pin_or_a_weight_is_no_correction(core, clock):
    memory = kept(core, STAGING)
    clock.forward(days=8)
    core.pin(memory)
    core.edit(memory, importance=0.9)
    assert digest(core).is_empty


def test_a_correction_by_another_memory_names_both(core, clock):
    old, new = kept(core, STAGING), kept(core, "Staging lives on host db-9 now")
    conflict = core.mark_conflict(old, new, reason="hosts")
    clock.forward(days=8)
    core.resolve_conflict(conflict, "b")
    made = digest(core)
    [said] = made.corrected
    assert (said.before, said.after, said.id) == (STAGING, "Staging lives on host db-9 now", new)
    assert made.retired_count == 0  # it is told once
    assert (made.opened, made.decided) == (0, 1)
    [dispute] = made.conflicts
    assert {dispute.first, dispute.second} == {STAGING, "Staging lives on host db-9 now"}
    assert dispute.verdict in ("a", "b")


def test_an_open_conflict_is_told_when_it_is_found_and_not_again(core, clock):
    one, other = kept(core, STAGING), kept(core, "Staging lives on host db-9 now")
    core.mark_conflict(one, other, reason="hosts")
    made = digest(core)
    assert (made.opened, made.decided, made.conflicts[0].verdict) == (1, 0, None)
    clock.forward(days=8)
    assert digest(core).opened == 0


def test_what_left_is_told_by_reason_the_commonest_first(core, clock):
    ids = [kept(core, f"Berth {number} has shore power at the north pier") for number in "ABCDE"]
    again = kept(core, BUDGET)
    core.forget(again)
    clock.forward(days=8)
    core.forget(ids[0], reason="sold")
    core.forget(ids[1], reason="rebuilt")
    core.forget(ids[2], reason="rebuilt")
    core.restore(again)
    made = digest(core)
    assert [(left.reason, left.count, left.retired_as) for left in made.retired] == [
        ("rebuilt", 2, "forgotten"),
        ("sold", 1, "forgotten"),
    ]
    assert made.retired_count == 3
    assert titles(made.restored) == [BUDGET]


def test_what_agents_were_told_is_counted(core, clock):
    memory = kept(core, STAGING)
    clock.forward(days=8)
    before = digest(core)
    assert before.agents.prompts == 0
    for session in ("s-1", "s-2", "s-3"):
        clock.forward(minutes=5)
        core.recall("where does staging live?", session=session, host="claude")
    agents = digest(core).agents
    assert (agents.prompts, agents.memories, agents.hosts) == (3, 1, ("claude",))
    [used] = agents.used
    assert (used.id, used.told) == (memory, 3)


def test_another_project_is_no_news_here(core, open_core):
    kept(open_core("elsewhere"), STAGING)
    assert digest(core).is_empty


def test_the_past_must_have_been(core):
    kept(core, STAGING)
    with pytest.raises(NotFound):
        digest(core, since=9)
    with pytest.raises(BadInput, match="zone"):
        digest(core, since=core.now().replace(tzinfo=None))
    assert digest(core, since=0).new_count == 1
