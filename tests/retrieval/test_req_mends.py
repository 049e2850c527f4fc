"""What a caller of the first guide's API relies on, and what a summary must not tell."""

import pytest


@pytest.mark.slow
def test_since_is_asked_of_the_index_too(core, clock):
    old = {"importance": 0.9, "type": "semantic"}
    core.import_memories({**old, "content": f"Sluice {n} opens at high water"} for n in range(40))
    clock.forward(days=1)
    new = core.remember("The sluice near the crane is rusty", importance=0.1).memory_id
    found = core.retrieve("sluice opens at high water", limit=2, since=clock.now)
    assert [memory.id for memory in found] == [new]


def test_a_sessions_summary_tells_nobody_what_was_private_in_it(core):
    """A summary is told to other sessions."""
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
