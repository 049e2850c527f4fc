"""The course of sessions: asked, told, learned, spent, left open. The clock moves."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator, NotFound
from memdeck.core.documents.session import session_document
from memdeck.tests.tasks import Task

DEPLOYS = "Deploys go out on Mondays before noon, never on a Friday."
TODO = "The staging certificate has to be renewed before the regatta."


@pytest.fixture
def three(core: MemoryCoordinator, clock: Any, offer: Any) -> MemoryCoordinator:
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


def test_each_session_has_its_numbers_the_newest_first(three: MemoryCoordinator):
    newest, fork, first = three.services.sessions.overviews()
    assert [newest.session.id, fork.session.id, first.session.id] == ["s-3", "s-2", "s-1"]

    assert (first.learned, first.open, first.prompts, first.tokens) == (2, 2, 0, 0)
    assert first.waiting == 2
    assert first.name == "Make the deploys safe"

    assert (fork.prompts, fork.injected) == (2, 1)  # the second prompt received nothing new
    assert fork.tokens == sum(one.tokens for one in three.receipts(session="s-2"))
    assert fork.tokens > 0
    assert fork.last_at > fork.session.started_at

    assert (newest.learned, newest.injected, newest.open, newest.undecided) == (0, 0, 0, 0)
    assert newest.last_at == newest.session.started_at
    assert len(three.services.sessions.overviews(1)) == 1


def test_a_session_without_a_goal_is_called_by_its_agent_and_its_beginning(
    three: MemoryCoordinator,
):
    newest = three.services.sessions.overviews()[0]
    assert newest.name.startswith("codex, ")
    assert f"{newest.session.started_at.astimezone():%b %Y}" in newest.name
    names = three.services.sessions.names(["s-1", None, "nowhere", "s-3", "s-1"])
    assert names == {"s-1": "Make the deploys safe", "s-3": newest.name}


def test_opened_it_tells_what_it_left_open_and_where_it_went_on(three: MemoryCoordinator):
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


def test_what_is_to_be_decided_counts_until_it_is(three: MemoryCoordinator):
    tide, deploys = (
        next(one for one in three.list() if text in one.content) for text in ("Berth 12", "Mondays")
    )
    conflict = three.mark_conflict(tide.id, deploys.id)
    assert three.services.sessions.detail("s-1").overview.undecided == 1
    assert [one.id for one in three.services.sessions.detail("s-1").conflicts] == [conflict]
    three.resolve_conflict(conflict, "both")
    assert three.services.sessions.detail("s-1").overview.undecided == 0


def test_another_project_has_none_of_it(three: MemoryCoordinator, open_core: Any):
    assert open_core("elsewhere").services.sessions.overviews() == []


def test_a_session_is_laid_out_with_its_prompts_what_it_learned_and_left_open(
    three: MemoryCoordinator,
):
    layout = session_document(three.services.sessions.detail("s-1"))
    rows = {part.title: part.rows for part in layout.sections}
    assert layout.title == "Make the deploys safe"
    assert [mark.text for mark in layout.marks] == ["claude"]
    assert [row.value for row in rows["left open"]] == [TODO[:-1], "Write the runbook"]
    assert [row.link for row in rows["forks"]] == ["session:s-2"]
    fork = session_document(three.services.sessions.detail("s-2"))
    prompts = next(part for part in fork.sections if part.title == "prompts").rows
    assert [row.value for row in prompts] == [
        "when do deploys go out?",
        "may we deploy on a Friday?",
    ]
    assert [row.note.endswith(" tokens") for row in prompts] == [True, False]
    assert {mark.text for mark in fork.marks} == {"claude", "fork"}
