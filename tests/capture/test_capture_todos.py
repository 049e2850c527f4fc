"""What the agent's own list still holds."""

import pytest

from .conftest import SessionBuilder


def todo(content, status="pending", **more):
    return {"content": content, "status": status, **more}


@pytest.mark.parametrize(
    ("calls_after", "left_open"), [(9, ["Todo left open: Add the audit table."]), (10, [])]
)
def test_a_list_that_the_work_left_behind_tells_nothing(session, calls_after, left_open):
    session.calls("TodoWrite", todos=[todo("Add the audit table")])
    for number in range(calls_after):
        session.calls("Read", "…", file_path=f"app/part_{number}.py")
    assert session.contents() == left_open


def test_tasks_are_followed_through_their_updates(subtests):
    for spelling in ["taskId", "task_id", "id"]:
        with subtests.test(spelling=spelling):
            session = SessionBuilder()
            session.calls(
                "TaskCreate",
                "Task #4 created successfully: Add the audit table",
                subject="Add the audit table",
                description="With tenant_id.",
            )
            assert session.contents() == ["Todo left open: Add the audit table. With tenant_id."]
            session.calls(
                "TaskUpdate", "Updated task #4 status", **{spelling: "4", "status": "completed"}
            )
            assert session.contents() == []


def test_an_update_that_failed_changes_nothing(session):
    session.calls("TaskCreate", subject="Add the audit table", details={"task_id": "1"})
    session.calls("TaskUpdate", taskId="1", status="completed", details={"success": False})
    assert len(session.contents()) == 1


def test_of_a_list_without_end_the_first_items_are_listed(session):
    tasks = [{"content": f"Mend jetty number {n}", "status": "completed"} for n in range(500)]
    open_one = {"content": "Add the audit table to the crane module", "status": "pending"}
    session.calls("TodoWrite", todos=[*tasks[1:], open_one])
    assert len(session.contents()) == 1
    session.calls("TodoWrite", todos=[*tasks, open_one])
    assert session.contents() == []


def test_the_same_item_has_the_same_name_however_often_it_is_written(session):
    session.calls("TodoWrite", todos=[todo("Add the audit table")])
    first = session.captures()[0].origin.ref
    session.calls("TodoWrite", todos=[todo("Other work on rates"), todo("Add the audit table")])
    assert first in [c.origin.ref for c in session.captures()]


def test_a_session_that_goes_on_keeps_its_todos_to_itself(session):
    session.calls("TodoWrite", todos=[todo("Add the audit table")])
    assert session.captures(is_over=False) == []


def test_a_todo_older_than_the_last_reading_is_kept_when_the_session_ends(session):
    session.calls("TodoWrite", todos=[todo("Add the audit table")]).says("Good night.")
    assert len(session.captures(since_line=3)) == 1


def test_a_long_list_is_cut(session):
    session.calls(
        "TodoWrite", todos=[todo(f"Port module number {n} to asyncio") for n in range(90)]
    )
    assert len(session.contents()) == 20


def test_what_is_completed_ends_and_what_vanishes_or_is_begun_again_does_not(lived):
    left = {
        "Add the audit table": "completed",
        "Drop the legacy column": None,  # vanished from the list
        "Write the migration guide": None,  # begun again
        "Measure the nightly import": "completed",  # by an update
        "Paint the quay in white": None,  # deleted
        "Oil the brake of the crane": "cancelled",
    }
    table, column, guide, measure, paint, oil = left
    with lived.before() as core:
        kept = {
            task: core.store(f"Todo left open: {task}.", "prospective").memory_id for task in left
        }
    done = [todo(table, "completed"), todo(guide, "completed"), todo(oil, "cancelled")]
    lived.calls("TodoWrite", {"todos": [todo(table), todo(column), todo(guide), todo(oil)]})
    lived.calls("TodoWrite", {"todos": [*done, todo(column)]})
    lived.calls("TodoWrite", {"todos": [todo(guide, "in_progress")]})
    for number, task in (("1", measure), ("2", paint)):
        lived.calls("TaskCreate", {"subject": task}, kept={"task": {"id": number}})
    lived.calls("TaskUpdate", {"taskId": "1", "status": "completed"})
    lived.calls("TaskUpdate", {"taskId": "2", "status": "deleted"})
    with lived.core() as core:
        assert {task: core.show(memory).retired_as for task, memory in kept.items()} == left


@pytest.fixture
def ends(core):
    """Whether a task that is done ends the memory of one that was left open."""

    def _ends(task, memory):
        kept = core.store(memory, "prospective").memory_id
        return core.end_todos("s1", [(task, None)]) == [kept]

    return _ends


def test_a_short_task_is_not_a_longer_one(ends):
    assert not ends("Write tests", "Todo left open: Write tests for the importer.")
    assert not ends("", "Todo left open: nothing.")
