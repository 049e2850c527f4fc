"""How agents use memory in their own code: the four patterns of the programmer's guide (001-16)."""

from datetime import timedelta

import pytest


def test_an_agent_stores_what_it_did_while_it_works(open_core):
    """001-16: background store in an agent."""
    builder = open_core(agent="claude", session="s1")
    stored = builder.store(
        "The importer reads tide tables line by line, because the whole file needs four gigabytes",
        "procedural",
        {"success_rate": 1.0, "tags": ["importer"]},
    )
    memory = open_core().show(stored.memory_id)
    assert (memory.type, memory.status) == ("procedural", "candidate")
    assert (memory.origin.agent, memory.origin.session) == ("claude", "s1")
    assert (memory.details["success_rate"], memory.tags) == (1.0, ("importer",))


@pytest.mark.parametrize(("words", "given"), [(20, 5), (200, 4), (800, 0)])
def test_past_decisions_come_five_at_most_and_within_a_thousand_tokens(core, words, given):
    """001-16: context-aware retrieval, 5 items, 1,000 tokens."""
    core.import_memories(
        {
            "content": f"Decision {number}: the sluice opens at high water {'rope ' * words}",
            "type": ("episodic", "semantic", "procedural")[number % 3],
        }
        for number in range(18)
    )
    past = core.retrieve(
        "when does the sluice open?", ["episodic", "semantic"], limit=5, max_tokens=1_000
    )
    assert len(past) == given
    assert sum(memory.token_count for memory in past) <= 1_000
    assert all(memory.type != "procedural" for memory in past)


@pytest.mark.slow
def test_a_session_starts_with_ten_reminders_and_how_urgent_each_is(core, clock):
    """001-16: reminders at session start, 10, with a priority label; those due first come first."""
    for number in range(12):
        core.remember(
            f"Rotate staging key {number}",
            type="prospective",
            due=clock.now + timedelta(days=20 - number),
        )
    others = ({"content": f"Crane {number} has {number} bolts"} for number in range(40))
    core.import_memories(others)  # newer, and not asked for
    start = core.recall("", event="SessionStart", host="codex", context_left=100_000)
    todos = [hit.memory.title for hit in start.items if hit.memory.type == "prospective"]
    assert todos == [f"Rotate staging key {number}" for number in range(11, 1, -1)]
    assert start.text.count("priority 3/5") == 10
    waiting = core.query({"type": "prospective"}, limit=10)
    assert [memory.type for memory in waiting] == ["prospective"] * 10
    assert {memory.metadata["priority"] for memory in waiting} == {"medium"}


def test_a_sessions_working_memory_is_consolidated_and_cleared(core, clock):
    """001-16: 100 working items -> semantic with promoted_from, then clear."""
    for number in range(100):
        core.create_working_memory(f"Tide gauge {number} was read by hand", "s1")
    other = core.create_working_memory("Paint the light house", "s2")
    held = core.query({"type": "working", "session": "s1"}, limit=100)
    assert len(held) == 100
    assert {memory.context["session_id"] for memory in held} == {"s1"}
    assert {memory.metadata["session_id"] for memory in held} == {"s1"}  # as 001 asks for it
    assert len(core.working_memory("s1")) == 100  # they are of no task
    assert len(core.working_memory("s1", todo_id="t-1")) == 0
    kept = core.store(
        "The tide gauges of basin four are read by hand because their radio fails in winter",
        "semantic",
        {"tags": ["promoted_from:working"]},
        {"session_id": "s1"},
    )
    clock.now += timedelta(hours=1)  # its minutes are over, and no upkeep has run
    assert core.clear_working_memory("s1") == 100
    assert core.query({"type": "working"}) == [core.show(other.id)]
    assert [one.id for one in core.query({"tags": "promoted_from:working"})] == [kept.memory_id]
    assert len(core.list("is:retired")) == 100  # cleared, never deleted
