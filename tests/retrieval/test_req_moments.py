"""When an agent is told something, and what; a prompt that nothing answers."""

import pytest

STATED = {
    "pinned": {"content": "Never touch the auth middleware", "status": "pinned"},
    "preference": {"content": "Prefers uv over pip", "category": "preference", "scope": "global"},
    "policy": {"content": "Releases go through the canary first", "importance": 0.9},
    "todo": {"content": "Rotate the staging key", "type": "prospective"},
    "similar": {"content": "The queue tests need a redis on port 6380", "importance": 0.3},
    "steps": {
        "content": "Queue tests: start redis, run make queue",
        "type": "procedural",
        "importance": 0.3,
    },
    "minor": {"content": "The logo has two colours", "importance": 0.1},
    "role": {"content": "The tide gauge of basin four is wrong by eleven centimetres since March"},
}
ASKED = "run the queue tests with redis"


@pytest.fixture
def stocked(open_core):
    """One memory for each moment; "role" was learned by a researcher, and a person accepted it."""
    core = open_core(agent="claude")
    learned = STATED["role"]["content"]
    stored = core.store(learned, "semantic", None, {"role": "researcher"})
    core.edit(stored.memory_id, importance=0.2)
    core.confirm(stored.memory_id)
    core.import_memories(
        {**memory, "key": name} for name, memory in STATED.items() if name != "role"
    )
    return core


def told(core, event, prompt="", **more):
    injection = core.recall(prompt, event=event, write_receipt=False, **more)
    return {
        name for name, memory in STATED.items() if memory["content"] in injection.text
    }, injection


def test_before_a_tool_runs_similar_tasks_and_procedures_are_told(stocked):
    names, injection = told(stocked, "PreToolUse", ASKED)
    assert names == {"similar", "steps"}
    assert len(injection.items) <= 3


def test_before_an_answer_the_recent_and_important_are_told(stocked):
    """PreAssistantResponse; importance from 6 of 10 on."""
    names, injection = told(stocked, "PreAssistantResponse")
    assert "policy" in names
    assert not names & {"minor", "similar", "steps", "todo", "role"}
    assert len(injection.items) <= 5


@pytest.mark.parametrize(("role", "is_told"), [("researcher", True), ("executor", False)])
def test_an_agent_that_takes_over_is_told_what_its_role_learned(stocked, role, is_told):
    names, injection = told(stocked, "SubagentStart", role=role)
    assert ("role" in names) is is_told
    if is_told:
        answers = [hit for hit in injection.items if injection.tiers[hit.id] == "retrieval"]
        assert answers[0].memory.origin.role == "researcher"
        assert answers[0].parts == {"role": 1.0}


def test_a_session_starts_with_preferences_policies_and_reminders(stocked, open_core):
    names, _ = told(stocked, "SessionStart")
    assert names >= {"pinned", "preference", "policy", "todo"}
    assert not names & {"minor", "similar"}
    elsewhere, _ = told(open_core("airport"), "SessionStart")
    assert elsewhere == {"preference"}  # what a person prefers holds everywhere


def test_at_a_new_task_the_two_that_fit_it_best_are_told(stocked):
    names, injection = told(stocked, "TaskBoundary", f"{ASKED}, then rotate the staging key")
    assert names == {"similar", "steps"}  # and neither another task nor what is pinned
    assert len(injection.items) == 2


def test_every_read_trigger_has_its_moment(stocked):
    """No two of them tell the same, but for a tool and a task with the same words."""
    moments = ("PreToolUse", "PreAssistantResponse", "SubagentStart", "SessionStart")
    tellings = {event: frozenset(told(stocked, event, ASKED)[0]) for event in moments}
    assert all(tellings.values())
    assert len(set(tellings.values())) == len(moments), tellings


# --- a prompt


def test_a_prompt_is_answered_within_8000_tokens_before_it_and_stays_as_it_is(core):
    core.import_memories(
        {"content": f"The sluice of basin {n} opens at high water {'rope ' * 500}", "key": str(n)}
        for n in range(12)
    )
    injection = core.recall("which sluice opens at high water?", policy="five-type")
    assert injection.budget == 8_000
    assert injection.items
    assert injection.tokens <= 8_000
    assert injection.text.startswith("## Memory Context")


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_an_agent_that_a_prompt_names_is_noticed(core, agent):
    core.import_memories(
        {"content": f"The retry budget is {value}", "agent": name, "key": name}
        for name, value in (("claude", "two"), ("codex", "three"), ("gemini", "four"))
    )
    injection = core.recall(f"what did {agent} note about the retry budget?")
    assert injection.items[0].key == agent
    assert injection.items[0].parts["speaker"] > 0
