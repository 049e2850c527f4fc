"""What a caller of the first guide's API relies on, and what a summary must not tell."""

import pytest

from memdeck import BadInput


@pytest.fixture
def busy(core):
    """Two reminders under forty newer memories of another type."""
    for number in range(2):
        core.remember(f"Rotate staging key {number}", type="prospective")
    core.import_memories({"content": f"Staging crane {n} has {n} bolts"} for n in range(40))
    return core


@pytest.mark.slow
@pytest.mark.parametrize("query", ["", "staging"])
def test_a_type_is_found_under_however_many_others(busy, query):
    """001-06, 001-16: the types are asked of the index, not picked from its first answers."""
    found = busy.retrieve(query, ["prospective"], limit=10)
    assert {memory.content for memory in found} == {f"Rotate staging key {n}" for n in range(2)}


@pytest.mark.slow
def test_since_is_asked_of_the_index_too(core, clock):
    """001-06."""
    old = {"importance": 0.9, "type": "semantic"}
    core.import_memories({**old, "content": f"Sluice {n} opens at high water"} for n in range(40))
    clock.forward(days=1)
    new = core.remember("The sluice near the crane is rusty", importance=0.1).memory_id
    found = core.retrieve("sluice opens at high water", limit=2, since=clock.now)
    assert [memory.id for memory in found] == [new]


def test_a_type_that_there_is_not_is_named(core):
    with pytest.raises(BadInput, match="'semantc'"):
        core.retrieve("sluice", ["semantc"])


def test_what_a_type_has_no_field_for_is_kept_as_a_tag(core):
    """001-16: promoted_from."""
    stored = core.store(
        "The tide gauges of basin four are read by hand because their radio fails in winter",
        "semantic",
        {"promoted_from": "working", "success": True, "long": "x" * 500, "evidence_count": 2},
    )
    memory = core.show(stored.memory_id)
    assert memory.tags == ("promoted_from:working", "success:True")
    assert core.query({"tags": "promoted_from:working"}) == [memory]


def test_the_account_of_an_injection_has_the_names_of_the_design(core):
    """000-45: total_tokens, budget, utilization, per_type, trimmed_count."""
    for number, learned in enumerate(
        (
            "The north sluice opens at high water",
            "To open the sluice at high water, turn the big key",
            "High water closes the road along the sluice",
            "Before high water a sluice is greased by hand",
            "The lock keeper writes down each high water at the sluice",
            "High water is announced at the sluice with a red lamp",
            "The sluice gauge is read at high water only",
            "Boats wait outside the sluice until high water",
            "Every sluice has a spare motor for high water",
        )
    ):
        core.remember(learned, type=("semantic", "procedural")[number % 2])
    assert not any(one.is_sure for one in core.conflicts())
    told = core.recall("which sluice opens at high water?", policy="five-type")
    account = told.metadata
    assert (account["total_tokens"], account["budget"]) == (told.tokens, 8_000)
    assert account["utilization"] == pytest.approx(told.tokens / 8_000)
    assert account["per_type"].keys() == {"semantic", "procedural"}
    assert sum(account["per_type"].values()) == sum(told.costs.values()) <= told.tokens
    assert account["trimmed_count"] == len(told.left_out) > 0
    nothing = core.recall("ok thanks", context_left=0).metadata
    assert (nothing["utilization"], nothing["per_type"]) == (0.0, {})


def test_a_sessions_summary_tells_nobody_what_was_private_in_it(core):
    """003-07: a summary is told to other sessions."""
    core.session_seen("s1", "claude")
    core.import_memories(
        {
            "content": f"The {privacy} sluice opens at high water",
            "category": "decision",
            "session": "s1",
            "agent": "claude",
            "role": "researcher",
            "privacy": privacy,
        }
        for privacy in ("public", "agent-only", "private")
    )
    assert core.finalize_session("s1")
    start = core.recall("", event="SessionStart", session="s2", host="codex")
    assert "Decided: The public sluice" in start.text
    assert "agent-only sluice" not in start.text
    assert "private sluice" not in start.text
