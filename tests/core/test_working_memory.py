"""Working memory: made with a task, told with every prompt, cleared when the task is done."""

from dataclasses import replace

import pytest

from memdeck import BadInput
from memdeck.tests.tasks import Task


def held(core):
    return sorted(memory.content for memory in core.list("type:working"))


ONE = Task("1", "Move the tide gauge to pier C", "in_progress", 4)
TWO = Task("2", "Check the brake of the ferry crane")


def test_a_changed_task_is_held_as_it_reads_now(core):
    core.sync_tasks("s1", [ONE])
    [before] = core.list("type:working")
    assert core.sync_tasks("s1", [Task("1", "Move it to pier D")]) == (1, 0)
    [after] = core.list("type:working")
    assert (after.id, after.content, after.created_at) == (
        before.id,
        "Move it to pier D",
        before.created_at,
    )


def test_it_expires_after_five_minutes_and_stays_on_record(core, clock):
    core.create_working_memory(session_id="s1", content="At work on the crane", todo_id="t1")
    clock.forward(minutes=5, seconds=-1)
    assert "At work on the crane" in core.recall("go on", session="s1", write_receipt=False).text
    assert core.clear_expired() == 0
    clock.forward(seconds=1)
    assert core.recall("go on", session="s1", write_receipt=False).text == ""
    assert core.clear_expired() == 1
    [gone] = core.list("is:retired")
    assert (gone.content, gone.retired_as) == ("At work on the crane", "expired")


def test_a_sign_of_the_task_holds_it_anew(core, clock):
    core.sync_tasks("s1", [ONE])
    clock.forward(days=10)
    assert core.sync_tasks("s1", [ONE]) == (1, 0)
    clock.forward(days=10)
    assert core.clear_expired() == 0
    clock.forward(days=4)
    assert core.clear_expired() == 1


def test_the_task_at_work_comes_first_with_its_state(core):
    """The active one is marked, and no longer when another is at work."""
    core.sync_tasks("s1", [replace(ONE, status="pending"), replace(TWO, status="in_progress")])
    told = core.recall("go on", session="s1").text
    assert told.index(TWO.content) < told.index(ONE.content)
    assert told.count('state="active"') == 1
    core.sync_tasks("s1", [replace(ONE, status="in_progress"), TWO])
    told = core.recall("go on", session="s1").text
    assert told.index(ONE.content) < told.index(TWO.content)
    assert told.count('state="active"') == 1


def test_a_list_of_tasks_on_the_topic_takes_no_answers_place(core):
    """Working memory is outside the places of the answers, within its own share."""
    facts = [
        core.remember(f"The tide gauge on {pier} {what}").memory_id
        for pier, what in (("pier C", "stops below 2 m"), ("pier D", "needs a new battery"))
    ]
    core.sync_tasks("s1", [Task(str(n), f"Mend the tide gauge, part {n}") for n in range(12)])
    told = core.recall("what is known of the tide gauge?", session="s1")
    answers = {hit.id for hit in told.items if hit.memory.type != "working"}
    assert answers == set(facts)
    assert 0 < told.per_tier["working"] <= told.limits["working"]


def test_words_and_numbers_outside_their_ranges_are_refused(core, subtests):
    rows = [{"priority": 0}, {"priority": 6}, {"scope": "project"}, {"context_type": "mood"}]
    for fields in rows:
        with subtests.test(fields=fields):
            with pytest.raises(BadInput):
                core.create_working_memory("The gauge is on the left pile", "s1", **fields)
            assert held(core) == []


def test_what_was_asked_for_last_is_held_once(core):
    """Fallback on the prompt: the prompt also becomes working memory."""
    core.hold_prompt("s1", "Make the tide importer faster")
    core.hold_prompt("s1", "Now make it survive a missing gauge " * 40)
    [one] = core.list("type:working")
    assert one.content.startswith("Asked for now: Now make it survive")
    assert len(one.content) <= 515
    assert (one.scope, one.details["context_type"]) == ("session", "state")
    core.sync_tasks("s1", [TWO], is_whole=True)
    assert len(held(core)) == 2  # no list names it, and none clears it


def test_what_is_held_for_a_task_does_not_swallow_what_is_said_for_good(core, offer, texts):
    core.sync_tasks("s1", [Task("1", texts["tide"]), Task("2", texts["crane"])])
    said = core.remember(texts["tide"])
    found = offer("crane")
    assert (said.stored, found.stored) == (True, True)
    core.import_memories([{"content": texts["tide"]}])
    core.clear_working_memory("s1")
    assert {memory.id for memory in core.list()} == {said.memory_id, found.memory_id}


def test_an_agents_list_is_the_agents_and_what_a_person_holds_is_the_persons(core):
    core.sync_tasks("s1", [ONE], agent="claude")
    core.create_working_memory("Keep the old pier closed", "s1")
    listed, held = core.working_memory("s1")
    assert (listed.origin.agent, listed.provenance, listed.degree) == (
        "claude",
        "agent-unverified",
        "unproven",
    )
    assert (held.provenance, held.degree) == ("person", "person")
    told = core.recall("good morning", session="s1", host="claude").text.splitlines()
    sources = {line.partition('from="')[2].partition('"')[0]: line for line in told}
    assert ONE.content in sources["claude"]
    assert "old pier" in sources["user"]
