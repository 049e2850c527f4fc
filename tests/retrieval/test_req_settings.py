"""What a person may set about tiers and privacy, with its effect on what is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.config.limits import RecallLimits
from memdeck.core.retrieval.budget import SCOPE_SHARES, allocate, scope_shares

ASKED = "which sluice opens at high water?"


@pytest.fixture
def settings(core):
    """Write the [recall] section of the settings; the core reads it anew."""

    def write(text):
        core.home.prepare()
        with open(core.home.config, "w", encoding="utf-8") as file:
            file.write(f"[recall]\n{text}\n")
        core.context.read_policy_anew()

    return write


@pytest.mark.slow
def test_the_shares_of_the_tiers_can_be_set(core, settings):
    """004-10: 40/40/20, adjustable."""
    core.import_memories(
        {
            "content": f"Sluice {scope[0]}{number} opens at high water {'rope ' * 15}",
            "scope": scope,
        }
        for scope in ("project", "global")
        for number in range(40)
    )

    def tokens(scope):
        told = core.recall(ASKED, policy="tiered", context_left=20_000, write_receipt=False)
        assert told.tokens <= told.budget == 1_600
        return sum(told.costs[hit.id] for hit in told.items if hit.memory.scope == scope)

    room = "injection_top_n = 50\ntop_k = 100\ndrop_bottom_share = 0.0\n"
    settings(f"{room}task_share = 0.4")
    assert 590 < tokens("project") <= 640
    settings(f"{room}task_share = 0.2\nproject_share = 0.2\nglobal_share = 0.6")
    assert 270 < tokens("project") <= 320
    assert 850 < tokens("global") <= 960


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_shares_are_relative_and_fit_the_total(task, project, everywhere):
    limits = RecallLimits(
        budget_policy="tiered", task_share=task, project_share=project, global_share=everywhere
    )
    shares = scope_shares(limits)
    assert sum(shares.values()) == pytest.approx(1.0)
    allocation = allocate(limits, 20_000)
    assert sum(allocation.limits.values()) <= allocation.total == 1_600


def test_shares_of_nothing_count_as_not_given():
    limits = RecallLimits(task_share=0.0, project_share=0.0, global_share=0.0)
    assert scope_shares(limits) == SCOPE_SHARES


@pytest.mark.parametrize(("hours", "is_told"), [(7 * 24 - 1, False), (7 * 24, True)])
def test_what_is_private_is_shared_after_a_period(core, settings, clock, hours, is_told):
    """003-07: private may become shared after a period."""
    settings("private_days = 7")
    core.import_memories(
        [
            {
                "content": "Sluice 4 opens at high water",
                "privacy": "private",
                "session": "s1",
                "created_at": clock.now.isoformat(),
            }
        ]
    )
    clock.forward(hours=hours)
    told = core.recall(ASKED, session="s2", write_receipt=False)
    assert bool(told.items) is is_told
    assert core.recall(ASKED, session="s1", write_receipt=False).items


def test_unless_somebody_says_so_it_never_is(core, clock):
    """003-07: may, not must."""
    core.import_memories(
        [{"content": "Sluice 4 opens at high water", "privacy": "private", "session": "s1"}]
    )
    clock.forward(days=4_000)
    assert core.recall(ASKED, session="s2", write_receipt=False).items == ()
