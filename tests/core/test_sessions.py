"""The course of sessions: asked, told, learned, spent, left open. The clock moves."""

import pytest

from memdeck import NotFound
from memdeck.core.context import names_of
from memdeck.tests.tasks import Task

DEPLOYS = "Deploys go out on Mondays before noon, never on a Friday."
TODO = "The staging certificate has to be renewed before the regatta."


@pytest.fixture
def three(core, clock, offer):
    """One learns, a fork of it is told that, a third one of another host stays silent."""
    core.session_seen("s-1", "claude", cwd="/src/harbour")
    core.session_goal("s-1", "Make the deploys safe")
    told = core.remember(DEPLOYS)
    assert told.memory_id
    offer("tide", session="s-1")
    offer(TODO, session="s-1", type="prospective", rule="agent.todo")
    core.sync_tasks(
        "s-1", [Task("1", "Write the runbook"), Task("2", "Ask the pilots", "completed")]
    )
    core.session_ended("s-1", "clear")
    clock.forward(days=1)
    core.session_seen("s-2", "claude", source="resume", parent="s-1")
    core.fork_session("s-1", as_id="s-2")
    clock.forward(minutes=5)
    core.recall("when do deploys go out?", host="claude", session="s-2")
    clock.forward(minutes=5)
    core.recall("may we deploy on a Friday?", host="claude", session="s-2")
    clock.forward(days=1)
    core.session_seen("s-3", "codex")
    return core


def test_a_session_without_a_goal_is_called_by_its_agent_and_its_beginning(three):
    newest = three.services.sessions.overviews()[0]
    assert newest.name.startswith("codex, ")
    assert f"{newest.session.started_at.astimezone():%b %Y}" in newest.name
    names = names_of(three.context.database, ["s-1", None, "nowhere", "s-3", "s-1"])
    assert names == {"s-1": "Make the deploys safe", "s-3": newest.name}


def test_opened_it_tells_what_it_left_open_and_where_it_went_on(three):
    opened = three.services.sessions.detail("s-1")
    assert [one.content for one in opened.todos] == [TODO]
    assert [one.content for one in opened.tasks] == ["Write the runbook"]
    assert opened.todos[0] in opened.memories
    assert [one.id for one in opened.forks] == ["s-2"]
    assert opened.parent is None

    three.done(opened.todos[0].id)
    three.sync_tasks("s-1", [Task("1", "Write the runbook", "completed")])
    after = three.services.sessions.detail("s-1")
    assert (after.todos, after.tasks, after.overview.open) == ((), (), 0)

    fork = three.services.sessions.detail("s-2")
    assert fork.parent is not None
    assert fork.parent.name == "Make the deploys safe"
    asked = ["when do deploys go out?", "may we deploy on a Friday?"]
    assert [one.prompt for one in fork.receipts] == asked
    with pytest.raises(NotFound):
        three.services.sessions.detail("nowhere")


def test_what_is_to_be_decided_counts_until_it_is(three):
    tide, deploys = (
        next(one for one in three.list() if text in one.content) for text in ("Berth 12", "Mondays")
    )
    conflict = three.mark_conflict(tide.id, deploys.id)
    assert three.services.sessions.detail("s-1").overview.undecided == 1
    assert [one.id for one in three.services.sessions.detail("s-1").conflicts] == [conflict]
    three.resolve_conflict(conflict, "both")
    assert three.services.sessions.detail("s-1").overview.undecided == 0
