"""The way from a question to what is told, step by step (003-05), through a real store."""

from datetime import timedelta

import pytest

ASKED = "which port does the retryBudget service of the harbour use?"
FACT = "The retryBudget service of the harbour uses port 8080"


def keys(injection):
    return [hit.key for hit in injection.items]


def recalled(core, prompt=ASKED, **more):
    return core.recall(prompt, write_receipt=False, **more)


@pytest.mark.parametrize(
    ("fields", "asking", "is_told"),
    [
        ({"session": "s1", "scope": "session"}, {"session": "s1"}, True),
        ({"session": "s1", "scope": "session"}, {"session": "s2"}, True),  # "Settled": crosses
        ({"session": "s1", "scope": "task"}, {"session": "s1"}, True),
        ({"session": "s1", "scope": "task"}, {"session": "s2"}, False),
        ({"scope": "global"}, {"session": "s2"}, True),
        ({"role": "reasoner", "privacy": "agent-only"}, {"role": "reasoner"}, True),
        ({"role": "reasoner", "privacy": "agent-only"}, {"role": "executor"}, False),
    ],
)
def test_it_is_told_where_its_scope_reaches(core, fields, asking, is_told):
    """003-05: scope session, user, agent."""
    core.import_memories([{"content": FACT, "key": "fact", **fields}])
    assert keys(recalled(core, **asking)) == (["fact"] if is_told else [])


def test_the_words_of_the_intent_find_it_and_small_words_do_not(core):
    """003-05: intent keywords."""
    core.import_memories(
        [
            {"content": FACT, "key": "fact"},
            {"content": "Which does the? Use of the!", "key": "small words"},
        ]
    )
    assert keys(recalled(core)) == ["fact"]
    assert "retrybudget" in recalled(core).items[0].matched


def test_without_words_the_recent_and_important_are_told(core, clock):
    """003-05: recency and importance filter; what is shown as 6 of 10 and more (000-35)."""
    core.import_memories([{"content": "An old rule of weight", "importance": 0.8, "key": "old"}])
    clock.forward(days=200)
    core.import_memories(
        [
            {"content": "A new rule of weight", "importance": 0.8, "key": "new"},
            {"content": "Something by the way", "importance": 0.5, "key": "light"},
        ]
    )
    assert keys(recalled(core, "", event="PreAssistantResponse")) == ["new", "old"]


def test_of_two_that_answer_alike_the_newer_and_the_weightier_come_first(core, clock):
    """003-05: rank."""
    core.import_memories([{"content": f"{FACT}, berth 1", "key": "old", "importance": 0.5}])
    clock.forward(days=200)
    core.import_memories(
        [
            {"content": f"{FACT}, berth 2", "key": "new", "importance": 0.5},
            {"content": f"{FACT}, berth 3", "key": "weighty", "importance": 0.9},
        ]
    )
    assert keys(recalled(core)) == ["weighty", "new", "old"]


@pytest.mark.parametrize(
    "asked",
    [
        "what is retryBudget?",  # exact
        "the retry budget of the harbour",  # its parts
        "which ports do harbours use?",  # stems
        "which prot does the harbour servcie use?",  # slips
        "where is the endpoint of the harbour service?",  # another word for "api"
    ],
)
def test_the_exact_and_the_similar_are_found(core, asked):
    """003-05: exact and semantic, without a model."""
    core.remember(FACT + ", its API on 8081", key="fact")
    core.remember("The crane is yellow and new", key="crane")
    assert keys(recalled(core, asked)) == ["fact"]


def test_what_says_the_same_is_told_once(core):
    """003-05: dedup."""
    core.import_memories(
        [
            {"content": FACT, "key": "one"},
            {"content": f"{FACT}.", "key": "again"},
            {"content": FACT.replace("8080", "8081"), "key": "other"},
        ]
    )
    injection = recalled(core)
    assert len(injection.items) == 2
    assert "other" in keys(injection)
    assert "says the same as another that is injected" in dict(injection.left_out).values()


def test_what_has_expired_is_not_told(core, clock):
    core.remember(FACT, key="fact", expires=clock.now + timedelta(days=1))
    assert keys(recalled(core)) == ["fact"]
    clock.forward(days=1)
    assert keys(recalled(core)) == []
