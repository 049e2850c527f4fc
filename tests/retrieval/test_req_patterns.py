"""How agents use memory in their own code: the four patterns of the programmer's guide (001-16)."""

import pytest


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
