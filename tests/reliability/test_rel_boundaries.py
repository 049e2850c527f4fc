"""Global and local memories, forgetting and coming back, taking back and bringing back again."""

import pytest

from memdeck import Ambiguous, Capture, NotFound, Refused
from memdeck.tests.fillers import filler

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"
LOCKS = "The reservation table is locked per berth because two skippers once got the same one"


def keep(core, text=TIDE, **fields):
    return core.remember(text, **fields).memory_id


def outcome(core, text=TIDE):
    """What becomes of a capture of this text."""
    [result] = core.offer([Capture(content=text, rule="test")])
    return result.outcome


def contents(core, query=""):
    return [memory.content for memory in core.list(query)]


@pytest.fixture
def harbour(open_core):
    return open_core("harbour")


@pytest.fixture
def airport(open_core):
    return open_core("airport")


# --- global memories


def test_a_forgotten_global_memory_is_captured_nowhere_until_it_is_restored(harbour, airport):
    memory = keep(harbour, scope="global")
    airport.forget(memory)
    assert contents(harbour) == contents(airport) == []
    assert outcome(harbour) == outcome(airport) == "refused"

    harbour.restore(memory)
    assert outcome(harbour) == outcome(airport) == "duplicate"
    assert contents(airport) == [TIDE]


def test_a_forgotten_global_text_that_a_person_says_again_may_be_captured_again(harbour, airport):
    harbour.forget(keep(harbour, scope="global"))
    again = harbour.remember(TIDE, scope="global")
    assert again.stored
    assert outcome(harbour) == outcome(airport) == "duplicate"
    assert harbour.verify().ok


def test_a_text_forgotten_in_one_project_is_welcome_in_another(harbour, airport):
    harbour.forget(keep(harbour))
    assert outcome(harbour) == "refused"
    assert outcome(airport) == "stored"
    assert contents(airport) == [TIDE]
    assert contents(harbour) == []


def test_scope_changes_move_a_memory_out_and_in_again(harbour, airport):
    memory = keep(harbour)
    assert harbour.edit(memory, scope="global").project == ""
    assert contents(airport) == [TIDE]
    assert airport.search("spring tide")[0].id == memory

    back = airport.edit(memory, scope="project")
    assert back.project == airport.project.id
    assert contents(harbour) == []
    assert harbour.search("spring tide") == []
    assert contents(airport) == [TIDE]
    assert airport.undo().action == "undo"
    assert contents(harbour) == [TIDE]
    assert harbour.verify().ok


def test_a_global_text_said_in_a_project_is_the_same_memory_and_the_other_way_it_is_not(
    harbour, airport
):
    everywhere = keep(harbour, scope="global")
    assert keep(airport) == everywhere
    here = keep(airport, LOCKS)
    assert keep(airport, LOCKS, scope="global") != here


# --- names


def test_a_key_names_a_memory_of_its_own_project_only(harbour, airport):
    ours = keep(harbour, key="7")
    theirs = keep(airport, LOCKS, key="7")
    assert harbour.show("7").id == ours
    assert airport.show("7").id == theirs
    airport.forget("7")
    assert harbour.show("7").is_live
    keep(airport, "Runway 2 is closed at night", key="only here")
    with pytest.raises(NotFound):
        harbour.show("only here")


def test_of_several_memories_with_one_key_the_live_one_is_meant(harbour):
    harbour.import_memories([{"content": TIDE, "key": "a"}])
    first = harbour.show("a").id
    harbour.forget("a")
    assert harbour.show("a").id == first
    harbour.import_memories([{"content": LOCKS, "key": "a"}])
    assert harbour.show("a").content == LOCKS
    assert harbour.forget("a")[0].content == LOCKS
    assert harbour.show("a").content == LOCKS  # the one that was forgotten last


@pytest.mark.parametrize(
    "ref", ["%", "_", "%%%%%%%", "'", '"', "*", "\uffff", "\0", " ", "0' OR 1"]
)
def test_a_name_is_no_pattern(harbour, ref):
    keep(harbour)
    keep(harbour, LOCKS, key="a_b%c")
    for act in (harbour.show, harbour.forget, harbour.pin):
        with pytest.raises(NotFound):
            act(ref)
    assert harbour.show("a_b%c").content == LOCKS
    assert len(harbour.list()) == 2


def test_a_name_of_two_projects_must_be_told_apart(open_core, tmp_path):
    for place in ("one", "two"):
        (tmp_path / place / "api" / ".git").mkdir(parents=True)
        keep(open_core(tmp_path / place / "api"), f"{TIDE}, {place}")
    with pytest.raises(Ambiguous) as caught:
        open_core("api")
    for project in open_core("harbour").projects():
        assert project.id in caught.value.hint
        assert len(open_core(project.id).list()) == 1


# --- undo and redo


def test_undo_takes_back_what_was_done_here_not_what_was_done_elsewhere(harbour, airport):
    keep(harbour)
    keep(airport, LOCKS)
    harbour.undo()
    assert contents(harbour) == []
    assert contents(airport) == [LOCKS]
    with pytest.raises(NotFound, match="nothing to undo"):
        harbour.undo()
    harbour.redo()
    assert contents(harbour) == [TIDE]
    with pytest.raises(NotFound, match="nothing to redo"):
        airport.redo()


def test_forgetting_cannot_be_undone_once_the_text_was_said_again_but_restored(harbour):
    old = keep(harbour)
    harbour.forget(old)
    forgotten = harbour.last_seq()
    new = keep(harbour)
    with pytest.raises(Refused, match="forgotten text"):
        harbour.undo(forgotten)
    assert [memory.id for memory in harbour.list()] == [new]
    assert harbour.show(old).retired_as == "forgotten"

    harbour.undo()  # the second saying
    harbour.undo()  # and now the forgetting
    assert [memory.id for memory in harbour.list()] == [old]
    assert outcome(harbour) == "duplicate"


def test_undo_and_redo_go_on_after_a_restart(open_core):
    first = open_core()
    memory = keep(first)
    first.pin(memory)
    first.undo()
    first.close()
    assert open_core().redo().action == "redo"
    assert open_core().show(memory).status == "pinned"
    assert open_core().undo().undoes == 4  # the redo
    assert open_core().undo().undoes == 1
    assert contents(open_core()) == []


def test_redo_follows_an_undo_directly_and_only_once(harbour):
    memory = keep(harbour)
    harbour.pin(memory)
    harbour.undo()
    harbour.edit(memory, title="Tides")
    with pytest.raises(NotFound, match="nothing to redo"):
        harbour.redo()
    harbour.undo()
    harbour.redo()
    with pytest.raises(NotFound):
        harbour.redo()
    assert harbour.show(memory).title == "Tides"


def test_an_entry_that_was_brought_back_names_what_to_take_back_now(harbour):
    memory = keep(harbour)
    harbour.pin(memory)
    harbour.undo()
    harbour.redo()
    with pytest.raises(Refused) as caught:
        harbour.undo(2)
    assert "4" in caught.value.hint
    harbour.undo(4)
    assert harbour.show(memory).status == "confirmed"


def test_what_a_rule_changed_since_makes_undo_refuse_and_change_nothing(harbour):
    memory = keep(harbour)
    outcome(harbour)  # a session says the same: the memory grows
    before = harbour.show(memory)
    with pytest.raises(Refused, match="was changed later"):
        harbour.undo()
    assert harbour.show(memory) == before


def test_a_bulk_act_is_undone_as_a_whole_or_not_at_all(harbour):
    ids = [keep(harbour, f"{TIDE}, season {number}") for number in range(5)]
    harbour.forget(ids)
    harbour.restore(ids[2])
    with pytest.raises(Refused):
        harbour.undo(harbour.last_seq() - 1)
    assert [memory.id for memory in harbour.list()] == [ids[2]]


# --- many at once

MANY = 1_001


def test_a_thousand_memories_are_forgotten_and_brought_back_in_one_entry(harbour):
    report = harbour.import_memories({"content": f"{TIDE}, number {n}"} for n in range(MANY))
    assert report.added == harbour.count() == MANY
    many = list(report.ids)
    before = harbour.last_seq()
    harbour.forget(many, "the season is over")
    assert harbour.last_seq() == before + 1
    assert (harbour.count(), harbour.count("is:retired")) == (0, MANY)
    assert harbour.history(many[700])[0].action == "forget"
    harbour.undo()
    assert len(harbour.list()) == MANY
    assert outcome(harbour, f"{TIDE}, number 9") == "duplicate"
    assert harbour.verify().ok


def test_a_bulk_act_shows_in_the_history_of_each_memory_it_touched(harbour):
    ids = [keep(harbour, filler(number)) for number in range(60)]
    harbour.pin(ids)
    harbour.retag(ids, add=["tide"])
    harbour.forget(ids)
    for memory in (ids[0], ids[30], ids[59]):
        assert [e.action for e in harbour.history(memory)] == ["forget", "edit", "pin", "add"]


# --- the same text twice


@pytest.mark.parametrize(
    ("status", "said_by", "becomes"),
    [
        ("candidate", "person", "confirmed"),
        ("candidate", "session", "candidate"),
        ("confirmed", "session", "confirmed"),
        ("pinned", "person", "pinned"),
        ("pinned", "session", "pinned"),
    ],
)
def test_a_repetition_confirms_a_candidate_only_when_a_person_repeats_it(
    harbour, status, said_by, becomes
):
    harbour.import_memories([{"content": TIDE, "status": status, "importance": 0.5}])
    [memory] = harbour.list()
    if said_by == "person":
        harbour.remember(TIDE)
    else:
        outcome(harbour)
    after = harbour.show(memory.id)
    assert (after.status, after.importance) == (becomes, pytest.approx(0.6))
    assert after.accesses == 1
    harbour.remember(TIDE, pin=True)
    assert harbour.show(memory.id).status == "pinned"


def test_an_edit_may_say_what_another_memory_says_and_both_stay(harbour):
    one, other = keep(harbour), keep(harbour, LOCKS)
    harbour.edit(other, content=TIDE)
    assert {memory.id for memory in harbour.list()} == {one, other}
    assert keep(harbour) == one  # a repetition is the older one's
    harbour.forget([one, other])
    assert harbour.audit()[0].count == 3  # two memories, one text
    harbour.undo()
    assert len(harbour.list()) == 2
    assert harbour.verify().ok


def test_an_act_that_changes_nothing_is_no_entry(harbour, clock):
    memory = keep(harbour, tags=["tide"])
    harbour.edit(memory, title="Tides")
    harbour.pin(memory)
    before = harbour.last_seq()
    clock.forward(minutes=1)
    harbour.edit(memory, title="Tides", content=TIDE, tags=["tide"])
    harbour.retag(memory, add=["tide"])
    harbour.pin(memory)
    harbour.confirm(memory)
    assert harbour.last_seq() == before


def test_a_date_that_is_moved_moves_what_recall_goes_by(harbour, clock):
    soon, later = clock.now.replace(hour=12), clock.now.replace(hour=18)
    todo = keep(harbour, "Order the new pump", due=soon)
    working = keep(harbour, "Pump order number is 4711", type="working", expires=soon)
    harbour.edit(todo, due=later)
    harbour.edit(working, expires=later)
    in_ms = round(later.timestamp() * 1000)
    assert harbour.show(todo).details["due_at"] == in_ms
    assert harbour.show(working).details["expires_at"] == in_ms


def test_a_change_of_type_leaves_nothing_of_the_old_type_behind(harbour):
    memory = keep(harbour, type="prospective")
    changed = harbour.edit(memory, type="procedural", details={"steps": ["look at the tide table"]})
    assert changed.details["steps"] == ["look at the tide table"]
    assert changed.details["category"] == "workflow"
    back = harbour.edit(memory, type="prospective")
    assert set(back.details) >= {"status", "priority"}
    assert "steps" not in back.details
    assert harbour.verify().ok
