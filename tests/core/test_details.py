"""The words and ranges of a type's own fields are those that the tables hold to."""

import re

import pytest

from memdeck import BadInput

KINDS = ("episodic", "semantic", "prospective", "procedural", "working")
SAID = "Each berth of the harbour has a name"


def constraints_of(core, kind):
    """What the table of a type allows, by column: its words, or its two ends."""
    [sql] = core._store.connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = ?", (kind,)
    ).fetchone()
    words = {
        name: re.findall(r"'(.*?)'", listed)
        for name, listed in re.findall(r'"?(\w+)"? IN \((.*?)\)', sql)
    }
    ends = re.findall(r'"?(\w+)"? BETWEEN (\S+) AND ([\d.-]+)', sql)
    return words, {name: (float(low), float(high)) for name, low, high in ends}


@pytest.mark.parametrize("kind", KINDS)
def test_the_rule_and_the_table_say_the_same(core, kind):
    words, ends = constraints_of(core, kind)
    assert words
    good = [(name, word) for name, listed in words.items() for word in listed]
    good += [(name, end) for name, pair in ends.items() for end in pair]
    items = [
        {"content": f"{SAID} {n}", "type": kind, "details": {name: value}}
        for n, (name, value) in enumerate(good)
    ]
    report = core.import_memories(items)
    assert report.refused == ()
    for memory, (name, value) in zip(report.ids, good, strict=True):
        assert core.show(memory).details[name] == value
    for name, listed in words.items():
        with pytest.raises(BadInput) as refused:
            core.remember(SAID, type=kind, details={name: "else"})
        assert refused.value.hint == f"Use: {', '.join(listed)}."
    for name, (low, high) in ends.items():
        for beyond in (low - 1, high + 1):
            with pytest.raises(BadInput) as refused:
                core.remember(SAID, type=kind, details={name: beyond})
            assert refused.value.hint == f"Give {low:g} to {high:g}."


@pytest.fixture
def kept(open_core):
    """The fields of the type's own table that a person's words leave behind."""
    core = open_core()

    def _kept(text, kind, **more):
        return core.show(core.remember(text, type=kind, **more).memory_id).details

    return _kept


def test_a_fact_gets_a_noun_phrase_as_its_concept(kept):
    fields = kept("Store idempotency keys in Postgres, not Redis.", "semantic", tags=["db"])
    assert fields["concept"] == "idempotency keys"
    assert fields["related_concepts"] == ["postgres", "redis"]
    assert fields["evidence_count"] == 1


def test_a_fact_about_the_business_is_knowledge_of_the_domain(kept):
    text = "Invoices of EU tenants carry the tax of the buyer."
    assert kept(text, "semantic", category="discovery")["category"] == "domain_knowledge"
    rule = "Never touch the invoices of EU tenants by hand."
    assert kept(rule, "semantic", category="preference")["category"] == "principle"


def test_a_put_off_task_gets_its_kind_urgency_and_occasion(kept):
    fields = kept("Remind me, urgent, to split it when you touch billing.py", "prospective")
    assert (fields["intention_type"], fields["priority"]) == ("reminder", 5)
    assert fields["trigger_type"] == "context"
    assert fields["trigger_condition"] == "when you touch billing.py"


def test_a_day_that_is_given_triggers_by_time(kept, clock):
    fields = kept("Rotate the keys after the release", "prospective", due=clock())
    assert fields["trigger_type"] == "time"
    assert fields["due_at"] == round(clock().timestamp() * 1000)


def test_a_numbered_list_gives_the_steps_of_a_procedure(kept):
    fields = kept("1. Stop the worker\n2. Run `make migrate`", "procedural")
    assert fields["steps"] == ["Stop the worker", "Run `make migrate`"]


@pytest.mark.parametrize(
    ("text", "valence"), [("I hate how the deploy went.", -2), ("The deploy was awesome.", 2)]
)
def test_an_event_keeps_how_the_person_felt(kept, text, valence):
    assert kept(text, "episodic")["emotional_valence"] == valence


def test_what_is_given_stands_above_what_the_words_say(kept):
    given = {"concept": "keys", "related_concepts": ["ops"]}
    fields = kept("Store idempotency keys in Postgres.", "semantic", details=given)
    assert (fields["concept"], fields["related_concepts"]) == ("keys", ["ops"])
