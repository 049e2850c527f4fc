"""Long lists of tasks that a person asked for and an agent worked off."""

import pytest

TASKS = (
    "Add the export endpoint",
    "Write the CSV serializer",
    "Write the JSON serializer",
    "Add the button to the orders page",
    "Document the export API",
    "Cover the export with journeys",
)


def procedures(session, **options):
    return [c for c in session.captures(**options) if c.rule == "agent.tasks-done"]


def listed(session, tasks, asked="Build the export feature for the orders page."):
    session.asks(asked)
    session.calls("TodoWrite", todos=[{"content": t, "status": "pending"} for t in tasks])
    session.calls("TodoWrite", todos=[{"content": t, "status": "completed"} for t in tasks])
    return session.says("The export is there.")


def test_more_than_five_completed_tasks_become_a_procedure(session):
    [kept] = procedures(listed(session, TASKS))
    assert len(TASKS) == 6
    assert kept.content == f"Worked off in this order: {'; '.join(TASKS)}."
    assert kept.details["steps"] == list(TASKS)
    assert kept.details["performance_metrics"]["success"] is True
    assert kept.category == "pattern"


@pytest.mark.parametrize(
    "asked", ["Build the export feature for the orders page.", "Go on with the rest of the list."]
)
def test_a_procedure_is_named_by_what_it_does_never_by_the_last_prompt(session, asked):
    """Its first steps that are no routine name it."""
    tasks = ("Read the code", *TASKS)
    [kept] = procedures(listed(session, tasks, asked))
    assert kept.details["procedure_name"].startswith("Add the export endpoint; Write the CSV")
    assert kept.title.startswith("How to: Read the code; Add the export endpoint")
    told = (kept.title, kept.content, kept.details["procedure_name"])
    assert not any(words in text for text in told for words in ("for the orders", "rest of"))


def test_what_a_shell_did_for_a_request_belongs_to_the_sessions_record(session):
    session.asks("Release 2.4.").runs("make a").runs("make b").runs("make c").says("Released.")
    path = "/home/dev/acme-api/app/new.py"
    session.calls("Write", "ok", file_path=path, content="def a():\n" * 30)
    assert session.says("New module app/new.py is there.").captures() == []


def test_five_completed_tasks_do_not(session):
    assert procedures(listed(session, TASKS[:5])) == []


def test_a_list_with_an_open_task_does_not(session):
    listed(session, TASKS)
    session.calls(
        "TodoWrite",
        todos=[*({"content": t, "status": "completed"} for t in TASKS),
               {"content": "Add the XML serializer", "status": "pending"}],
    )  # fmt: skip
    session.says("One serializer is left.")
    assert procedures(session) == []


def test_a_list_of_routine_is_no_procedure(session):
    routine = ("Run the tests", "Fix lint", "Commit", "Push", "Review changes", "Read the code")
    assert procedures(listed(session, routine)) == []


def test_tasks_done_before_are_not_counted_again(session):
    session.asks("Build the export feature for the orders page.")
    for number, task in enumerate(TASKS):
        session.calls("TaskCreate", f"Task #{number} created", subject=task)
    for number in range(len(TASKS)):
        session.calls("TaskUpdate", taskId=str(number), status="completed")
    session.says("The export is there.")
    session.asks("Now add paging to the orders page as well.")
    session.calls("TaskCreate", "Task #9 created", subject="Add paging to the orders page")
    session.calls("TaskUpdate", taskId="9", status="completed").says("Paging is there.")
    assert [c.details["steps"] for c in procedures(session)] == [list(TASKS)]
