"""The ledger: who earned what, what is offered, and the way back (002-08, 000-52, 004-13)."""

from __future__ import annotations

import pytest

from memdeck import Refused

TASK = "Rotate the staging key of the payment partner."
RULE = "Berth 12 floods at spring tide, so larger boats are moved to pier C."


@pytest.fixture
def core(open_core):
    return open_core("harbour", confirmation_callback=lambda _question: True)


def ledger(core):
    return core.services.promotions.ledger()


def offered(core):
    return [(one.memory.title, one.to, one.why) for one in core.services.promotions.offers()]


def test_three_sessions_and_two_agents_earn_a_promotion_that_the_ledger_explains(
    core, offer, clock
):
    found = offer("tide", session="s1", agent="claude", into=core).memory_id
    clock.forward(days=1)
    offer("tide", session="s2", agent="claude", into=core)
    assert ledger(core) == []  # two points of three
    clock.forward(days=1)
    core.session_seen("s3", "codex")
    offer("tide", session="s3", agent="codex", into=core)
    [one] = ledger(core)
    assert (one.memory, one.action, one.actor, one.agent) == (found, "promote", "rule", "claude")
    assert {"multi-session": 2, "multi-agent": 1}.items() <= one.signals.items()
    assert one.points == sum(one.signals.values()) >= 3
    assert "multi-session 2" in one.why
    assert one.scope == "project"
    offer("locks", session="s3", agent="codex", into=core)
    claude, codex = core.services.promotions.earnings()
    assert (claude.agent, claude.found, claude.promoted, claude.everywhere) == ("claude", 1, 1, 0)
    assert (codex.agent, codex.found, codex.promoted) == ("codex", 1, 0)


def test_by_hand_to_every_project_and_back(core, open_core):
    core.remember(RULE)
    memory = core.search("berth 12")[0].id
    core.promote(memory, "global")
    assert open_core("another").search("berth 12")
    [wide] = ledger(core)
    assert (wide.action, wide.actor, wide.why, wide.scope) == (
        "promote", "person", "to global", "global",
    )  # fmt: skip
    [back] = core.demote(memory)
    assert (back.scope, back.project) == ("project", core.project_id)
    assert not open_core("another").search("berth 12")
    assert [one.action for one in ledger(core)] == ["demote", "promote"]
    core.undo()
    assert core.show(memory).scope == "global"
    assert [(one.action, one.undone) for one in ledger(core)] == [
        ("demote", True), ("promote", False),
    ]  # fmt: skip


def test_what_holds_for_one_project_goes_down_to_where_it_counts_least(core):
    core.remember(RULE, pin=True)
    memory = core.search("berth 12")[0].id
    core.demote(memory)
    assert core.show(memory).status == "confirmed"
    core.demote(memory)
    assert core.show(memory).importance == 0
    with pytest.raises(Refused, match="counts least already"):
        core.demote(memory)
    core.undo()
    core.undo()
    assert core.show(memory).status == "pinned"


@pytest.mark.parametrize(("uses", "is_offered"), [(2, False), (3, True)])
def test_a_recurring_task_is_offered_for_every_project(core, uses, is_offered):
    """000-52: three uses."""
    core.remember(TASK, type="prospective")
    for _ in range(uses):
        core.recall("rotate the staging key of the payment partner")
    wanted = [(TASK.rstrip("."), "global", f"used {uses} times")]
    assert [(title.rstrip("."), to, why) for title, to, why in offered(core)] == (
        wanted if is_offered else []
    )


@pytest.mark.parametrize(("projects", "is_offered"), [(2, False), (3, True)])
def test_what_several_projects_know_is_offered_for_all(core, open_core, projects, is_offered):
    core.remember(RULE)
    for number in range(projects - 1):
        open_core(f"other-{number}").remember(RULE)
    whys = [(to, why) for _, to, why in offered(core)]
    assert whys == ([("global", "known in 3 projects, word for word")] if is_offered else [])


def test_a_declined_offer_comes_back_only_by_undo(core):
    core.remember(TASK, type="prospective")
    for _ in range(3):
        core.recall("rotate the staging key of the payment partner")
    [offer] = core.services.promotions.offers()
    core.services.promotions.decline(offer.memory.id)
    assert offered(core) == []
    assert core.audit(action="decline")[0].title.startswith("not for every project")
    with pytest.raises(Refused, match="not offered"):
        core.services.promotions.decline(offer.memory.id)
    core.undo()
    assert len(offered(core)) == 1
