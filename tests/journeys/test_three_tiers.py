"""A task's store, a project's and everybody's, each over sessions and each within its bounds."""

import time

import pytest

from memdeck import ProjectMemoryStore
from memdeck.tests.fillers import filler
from memdeck.tests.tasks import Task

from .project import Lived, Project, live, newest_session
from .scripts import GREETING

GAUGE = "The gauge at pier C answered 4.1 m at noon, which is a hand above the tide table."
HELD = "P: Paint the harbour.\nT\n  [~] Paint the quay of the harbour\nA: Begun.\n"


# --- 004-05: the task's store


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    def live(project):
        project.session(GREETING)
        project.session(HELD)
        session = newest_session(project).id
        with project.memory() as memory:
            memory.sync_tasks(session, [a_task("in_progress")])
            note = {"session": session, "todo_id": "1"}
            bled = "The quay needs two coats, for its first one bled"
            memory.note_step(bled, stage="plan", **note)
            memory.note_step(GAUGE, stage="measure", kind="tool_output", **note)

    return Lived(tmp_path_factory.mktemp("task"), live)


@pytest.fixture
def at_work(lived):
    """A project whose last session is at work on a task, with what two of its stages brought."""
    return lived.again()


def a_task(status):
    return Task("1", "Paint the quay of the harbour", status)


def held(project, session, **more):
    with project.memory() as memory:
        return {one.content: one.importance for one in memory.working_memory(session, **more)}


def test_a_tasks_thoughts_weigh_half_what_its_tools_say_more_and_each_stage_has_its_own(at_work):
    """004-05: .5 and .7, by stage."""
    project, task = at_work, newest_session(at_work).id
    assert set(held(project, task, stage="measure").values()) == {0.7}
    assert set(held(project, task, stage="plan").values()) == {0.5}
    assert len(held(project, task, todo_id="1")) == 3
    with project.memory() as memory:
        assert GAUGE in memory.recall("Please go on.", session=task).text
    heard = project.session(GREETING, days=0)  # another session is told none of it
    assert "4.1 m" not in heard.start + "".join(heard.prompts)


THOUGHT = "The parser drops hour 0, for the feed counts its hours from one, the table from zero."
FAILED = "FAILED tests/test_feed.py::test_hour_zero"
REPAIR = f"""
    P: Make the tide import whole.
    T
      [~] Repair the hours of tests/test_feed.py
    $ make e2e
    > {FAILED}
    ! 1
    A: {THOUGHT}
    P: Go on.
    A: I go on.
    C: The user wants the tide import whole.
    P: And now?
    A: Soon.
"""


def test_what_the_task_came_to_is_told_again_when_the_context_was_compacted(project):
    """004-05: what a session itself said is told to it only where it is gone from its context."""
    project.session(GREETING)
    first, second, compacted, _ = project.go_on(REPAIR, "resume")[1:]
    assert THOUGHT not in first + second
    background = compacted.partition("<unverified>")[2]
    assert THOUGHT in background
    assert FAILED in background
    assert "Repair the hours" in compacted.partition("<unverified>")[0]
    with project.memory() as memory:  # and the session is over now
        gone = memory.list("is:retired tag:tool_output")
        assert [(FAILED in one.content, one.retired_as) for one in gone] == [(True, "cleared")]
    start = project.session(GREETING).start
    assert THOUGHT not in start
    assert FAILED not in start


@pytest.mark.parametrize(
    ("status", "is_cleared"), [("completed", True), ("cancelled", True), ("in_progress", False)]
)
def test_a_task_that_is_done_leaves_nothing_but_what_was_promoted_before(
    at_work, status, is_cleared
):
    """004-05: cleared at a terminal state, promoted before, told to later sessions."""
    project, task = at_work, newest_session(at_work).id
    with project.memory() as memory:
        [answer] = memory.working_memory(task, stage="measure")
        memory.promote(answer.id, "project")
        memory.sync_tasks(task, [a_task(status)])
    assert (held(project, task) == {}) is is_cleared
    project.session(GREETING, days=2)
    heard = project.session("P: What did the gauge at pier C answer?\nA: 4.1 m.\n", days=30)
    assert GAUGE in heard.start + "".join(heard.prompts)
    assert "two coats" not in heard.start + "".join(heard.prompts)
    gone = [one for one in live(project, "is:retired") if "two coats" in one.content]
    assert [one.retired_as for one in gone] == ["cleared" if is_cleared else "expired"]


def test_a_stage_of_more_than_a_thousand_gives_a_thousand(project):
    """004-05: the oldest first."""
    project.session(GREETING)
    with project.memory() as memory:
        memory.note_step("Mooring 0 was looked at", "s9", todo_id="1", stage="plan")
        memory.import_memories(  # held as steps are, in one act
            {
                "content": f"Mooring {number} was looked at",
                "type": "working",
                "scope": "task",
                "session": "s9",
                "tags": ["task", "reasoning", "plan"],
            }
            for number in range(1, 1_000)
        )
        memory.note_step("Mooring 1000 was looked at", "s9", todo_id="1", stage="plan")
        memory.note_step(GAUGE, "s9", todo_id="1", stage="measure")
        assert [one.content for one in memory.working_memory("s9", stage="measure")] == [GAUGE]
        found = memory.working_memory("s9", stage="plan")
        assert len(found) == 1_000
        assert (found[0].content, found[-1].content) == (
            "Mooring 0 was looked at",
            "Mooring 999 was looked at",
        )


# --- 004-06: the project's store


def test_what_a_project_holds_to_weighs_by_its_kind_and_no_other_project_is_told(tmp_path):
    """004-06: decisions .9, conventions .8, failures .85; decisions by any of their tags."""
    project = Project(tmp_path)
    project.session(GREETING)
    with project.memory() as memory:
        store = ProjectMemoryStore(memory.project.name, memory.backend)
        decided = store.add_decision("Tides live in Postgres, for Redis lost some", ["storage"])
        moored = store.add_decision("Boats over nine metres moor at pier C", ["piers", "boats"])
        conventional = store.add_convention("The clock is the last argument", "handlers")
        failed = store.add_failure("timeout", "The export times out beyond 500 rows at once")
        items = (decided, conventional, failed)
        weights = [memory.show(item.context_item_id).importance for item in items]
        assert weights == [0.9, 0.8, 0.85]
        assert store.query_decisions() == [moored, decided]
        assert store.query_decisions(["boats", "storage"]) == [moored, decided]
        assert store.query_decisions(["piers"]) == [moored]
        assert store.query_decisions(["tides"]) == []
    asked = "P: Where do the tides live, in Postgres or in Redis?\nA: In Postgres.\n"
    for days in (1, 90, 300):
        heard = project.session(asked, days=days)
        assert "Tides live in Postgres" in heard.start + "".join(heard.prompts)
    elsewhere = Project(tmp_path, "airport")  # in the same home
    elsewhere.now = project.now
    elsewhere.session(GREETING)
    heard = elsewhere.session(asked)
    assert "Postgres" not in heard.start + "".join(heard.prompts)
    with elsewhere.memory() as memory:
        store = ProjectMemoryStore(memory.project.name, memory.backend)
        assert (store.query_decisions(), store.backend.count()) == ([], 0)


# --- 004-16: many items in three tiers


def test_of_more_than_a_thousand_in_three_tiers_each_is_told_where_it_belongs(project):
    """004-16: 1,000 items and more, within the budget, at no more than a few times the work."""
    project.session(GREETING)
    project.session(HELD)
    session = newest_session(project).id

    def told(prompt):
        began = time.process_time()
        with project.memory() as memory:
            injection = memory.recall(prompt, session=session, write_receipt=False)
        return injection, time.process_time() - began

    def fill(numbers, scope):
        with project.memory() as memory, memory.context.consent.agreeing(lambda _: True):
            memory.import_memories(
                {
                    "content": f"The {scope} crane {filler(n, 1)} lifts {n * 7 + 3} tonnes an hour",
                    "scope": scope,
                    "type": "semantic",
                    "confidence": 1.0,
                    "status": "confirmed",
                }
                for n in numbers
            )

    fill(range(100), "project")
    with project.memory() as memory:
        memory.create_working_memory(GAUGE, session, todo_id="7")
    prompt = f"How many tonnes an hour does the project crane {filler(77, 1)} lift?"
    told(prompt)  # what is loaded once
    few = min(told(prompt)[1] for _ in range(5))
    fill(range(100, 1_000), "project")
    fill(range(4_000, 4_200), "global")
    injection, _ = told(prompt)
    much = min(told(prompt)[1] for _ in range(5))
    assert f"{filler(77, 1)} lifts 542 tonnes" in injection.text
    assert GAUGE in injection.text  # the task's own, always
    assert injection.tokens <= injection.budget
    injection, _ = told(f"How many tonnes an hour does the global crane {filler(4_042, 1)} lift?")
    assert f"{filler(4_042, 1)} lifts 28297 tonnes" in injection.text
    assert much < 6 * few  # of twelve times as many
    heard = project.session(f"P: {prompt}\nA: 542.\n", days=1)
    assert "542 tonnes" in heard.start + "".join(heard.prompts)
