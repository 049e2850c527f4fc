"""What a caller of the first guide's API relies on, and what a summary must not tell."""

import pytest


@pytest.mark.slow
def test_since_is_asked_of_the_index_too(core, clock):
    """001-06."""
    old = {"importance": 0.9, "type": "semantic"}
    core.import_memories({**old, "content": f"Sluice {n} opens at high water"} for n in range(40))
    clock.forward(days=1)
    new = core.remember("The sluice near the crane is rusty", importance=0.1).memory_id
    found = core.retrieve("sluice opens at high water", limit=2, since=clock.now)
    assert [memory.id for memory in found] == [new]


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
