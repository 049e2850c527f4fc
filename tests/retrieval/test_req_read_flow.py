"""The way from a question to what is told, step by step, through a real store."""

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
    core.import_memories([{"content": FACT, "key": "fact", **fields}])
    assert keys(recalled(core, **asking)) == (["fact"] if is_told else [])


def test_the_words_of_the_intent_find_it_and_small_words_do_not(core, keep):
    keep(
        {"content": FACT, "key": "fact"},
        {"content": "Which does the? Use of the!", "key": "small words"},
    )
    assert keys(recalled(core)) == ["fact"]
    assert "retrybudget" in recalled(core).items[0].matched


def test_without_words_the_recent_and_important_are_told(core, clock, keep):
    """Recency and importance filter; what is shown as 6 of 10 and more."""
    core.import_memories([{"content": "An old rule of weight", "importance": 0.8, "key": "old"}])
    clock.forward(days=200)
    keep(
        {"content": "A new rule of weight", "importance": 0.8, "key": "new"},
        {"content": "Something by the way", "importance": 0.5, "key": "light"},
    )
    assert keys(recalled(core, "", event="PreAssistantResponse")) == ["new", "old"]
