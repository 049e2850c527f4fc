"""What a person may set about tiers and privacy, with its effect on what is told."""

import pytest

from memdeck import BadInput

ASKED = "which sluice opens at high water?"


@pytest.mark.slow
def test_the_shares_of_the_tiers_can_be_set(core, settings):
    core.import_memories(
        {"content": f"Sluice {scope[0]}{number} opens at high water {'rope ' * 16}", "scope": scope}
        for scope in ("project", "global")
        for number in range(40)
    )

    def tokens(scope, **more):
        more = {"policy": "tiered", "context_left": 20_000, **more}
        told = core.recall(ASKED, write_receipt=False, **more)
        assert told.tokens <= told.budget == 1_600
        return sum(told.costs[hit.id] for hit in told.items if hit.memory.scope == scope)

    room = {
        "token_estimate": "words",
        "injection_top_n": 50,
        "top_k": 100,
        "drop_bottom_share": 0.0,
    }
    settings(**room, shares={"task": 0.4})
    assert 590 < tokens("project") <= 640
    settings(**room, shares={"task": 0.2, "project": 0.2, "global": 0.6})
    assert 270 < tokens("project") <= 320
    assert 850 < tokens("global") <= 960
    settings(**room, shares_by_agent={"codex": {"task": 0.2, "project": 0.2, "global": 0.6}})
    assert 850 < tokens("global", host="codex") <= 960
    assert 270 < tokens("global") <= 320
    shares = {"task": 0.2, "project": 0.6, "global": 0.2}
    assert 850 < tokens("project", host="codex", shares=shares) <= 960
    with pytest.raises(BadInput, match="quay"):
        tokens("project", shares={"quay": 1.0})
    with pytest.raises(BadInput, match="task"):
        tokens("project", shares={"task": 2.0})


@pytest.mark.parametrize(("hours", "is_told"), [(7 * 24 - 1, False), (7 * 24, True)])
def test_what_is_private_is_shared_after_a_period(core, settings, clock, hours, is_told, keep):
    settings(private_days=7)
    keep(
        {
            "content": "Sluice 4 opens at high water",
            "privacy": "private",
            "session": "s1",
            "created_at": clock.now.isoformat(),
        }
    )
    clock.forward(hours=hours)
    told = core.recall(ASKED, session="s2", write_receipt=False)
    assert bool(told.items) is is_told
    assert core.recall(ASKED, session="s1", write_receipt=False).items


def test_unless_somebody_says_so_it_never_is(core, clock, keep):
    keep({"content": "Sluice 4 opens at high water", "privacy": "private", "session": "s1"})
    clock.forward(days=4_000)
    assert core.recall(ASKED, session="s2", write_receipt=False).items == ()
