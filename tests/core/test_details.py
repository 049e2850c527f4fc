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

    return lambda text, kind, **more: (
        core.show(core.remember(text, type=kind, **more).memory_id).details
    )


def test_a_put_off_task_gets_its_kind_urgency_and_occasion(kept):
    fields = kept("Remind me, urgent, to split it when you touch billing.py", "prospective")
    assert (fields["intention_type"], fields["priority"]) == ("reminder", 5)
    assert fields["trigger_type"] == "context"
    assert fields["trigger_condition"] == "when you touch billing.py"


def test_a_numbered_list_gives_the_steps_of_a_procedure(kept):
    fields = kept("1. Stop the worker\n2. Run `make migrate`", "procedural")
    assert fields["steps"] == ["Stop the worker", "Run `make migrate`"]
