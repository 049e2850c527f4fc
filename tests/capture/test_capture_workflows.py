"""Jobs that a person asked for and an agent did: their steps, and what stood in the way."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck.core.capture.extract import extract
from memdeck.core.capture.workflows import IN_GENERAL, JOBS, MANY_TASKS, job_in

ROOT = "/home/dev/acme-api"
TASKS = (
    "Add the export endpoint",
    "Write the CSV serializer",
    "Write the JSON serializer",
    "Add the button to the orders page",
    "Document the export API",
    "Cover the export with journeys",
)


def released(session, closing="Version 2.4.0 is published."):
    session.asks("Can you please cut the 2.4.0 release? You need to be logged in to the registry.")
    session.runs("make check", "214 passed")
    session.runs("git tag v2.4.0 && git push origin v2.4.0", "pushed")
    session.runs("make publish", "ERROR: 403 Forbidden: version 2.3.9 already exists", 1)
    session.edits("pyproject.toml", 'version = "2.3.9"', 'version = "2.4.0"')
    session.runs("RELEASE_CHANNEL=stable make publish", "uploaded")
    session.runs("make smoke", "ok")
    return session.says(closing)


def procedures(session, **options):
    return [
        c for c in session.captures(**options) if c.rule in ("agent.workflow", "agent.tasks-done")
    ]


def test_a_release_that_worked_becomes_a_procedure_with_its_steps(session):
    [kept] = procedures(released(session))
    assert kept.content == (
        "To cut the 2.4.0 release: `make check`, then `git tag v2.4.0`, then `git push origin"
        ' v2.4.0`, then edit pyproject.toml: `version = "2.3.9"` became `version = "2.4.0"`, then'
        " `make publish`, then `make smoke`. On the way it failed with “ERROR: 403 Forbidden:"
        " version 2.3.9 already exists”."
    )
    assert (kept.type, kept.category, kept.title) == (
        "procedural",
        "pattern",
        "How to cut the 2.4.0 release",
    )
    assert kept.files == ("pyproject.toml",)


def test_every_field_of_the_procedure_is_filled(session):
    [kept] = procedures(released(session))
    details = dict(kept.details)
    assert details["procedure_name"] == "Cut the 2.4.0 release"
    assert details["category"] == "workflow"
    assert details["steps"][0] == "make check"
    assert details["steps"][-2:] == ["make publish", "make smoke"]
    assert details["prerequisites"] == [
        "`RELEASE_CHANNEL` is set",
        "You need to be logged in to the registry.",
    ]
    assert details["success_conditions"] == ["`make smoke` succeeds", "Version 2.4.0 is published."]
    assert details["failure_patterns"] == ["ERROR: 403 Forbidden: version 2.3.9 already exists"]
    assert details["performance_metrics"]["task_type"] == "release"
    assert details["performance_metrics"]["success"] is True
    assert (details["usage_count"], details["success_rate"]) == (1, 1.0)


def test_how_long_it_took_is_told_in_minutes(session):
    began = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)
    session.asks("Deploy the API to staging.", at=began)
    session.runs("make image").runs("make push").runs("kubectl apply -f k8s")
    session.says("Staging is up.", at=began + timedelta(minutes=12))
    [kept] = procedures(session)
    assert kept.details["performance_metrics"]["duration_minutes"] == 12.0


def test_the_agents_report_is_not_kept_beside_the_procedure(session):
    released(session, "Version 2.4.0 is published and the tag is pushed.")
    assert [c.rule for c in session.captures()].count("agent.outcome") == 0


@pytest.mark.parametrize(
    "closing",
    [
        "I could not publish version 2.4.0.",
        "The wheel is published, but the docs are not yet done.",
    ],
)
def test_a_job_that_the_agent_did_not_finish_is_no_procedure(session, closing):
    assert procedures(released(session, closing)) == []


def test_a_job_whose_last_command_failed_is_no_procedure(session):
    session.asks("Deploy the API to staging.")
    session.runs("make image").runs("make push").runs("kubectl apply -f k8s", "error: denied", 1)
    assert procedures(session.says("That is how far it goes.")) == []


def test_a_job_that_the_person_calls_wrong_is_no_procedure(session):
    released(session).asks("No, that was the wrong registry.")
    assert procedures(session) == []


def test_two_commands_are_no_procedure_and_three_are(session):
    session.asks("Set up the database on this machine.")
    session.runs("docker compose up -d db").runs("make migrate").says("The database is running.")
    assert procedures(session) == []
    session.turns.pop()
    session.runs("make seed").says("The database is running.")
    assert len(procedures(session)) == 1


def test_work_on_code_is_no_procedure(session):
    session.asks("Port the parser to the new lexer.")
    session.edits("app/parser.py", "a", "b").runs("pytest tests/parser").runs("ruff check .")
    session.runs("git commit -am parser").runs("git push").says("The parser uses the new lexer.")
    assert procedures(session) == []


def test_a_job_that_is_not_over_is_no_procedure_yet(session):
    session.asks("Deploy the API to staging.").runs("make image").runs("make push").runs(
        "make apply"
    )
    assert procedures(session, is_over=False) == []
    session.says("Staging is up.")
    assert len(procedures(session, is_over=False)) == 1


def test_a_nod_in_between_belongs_to_the_job(session):
    session.asks("Deploy the API to staging.").runs("make image").runs("make push")
    session.says("Ready to apply.").asks("ok, go on").runs("kubectl apply -f k8s")
    session.says("Staging is up.")
    assert procedures(session)[0].details["steps"] == [
        "make image",
        "make push",
        "kubectl apply -f k8s",
    ]


def test_a_request_that_points_at_something_is_told_in_general(session):
    session.asks("Release it.").runs("make a").runs("make b").runs("make c").says("Released.")
    assert procedures(session)[0].content.startswith("To make a release: `make a`")


def test_the_fix_of_a_step_does_not_take_the_place_of_the_procedure(session):
    session.asks("Deploy to prod please").runs("make deploy", "Error: lock held by pod api-7f", 1)
    session.runs("kubectl delete pod api-7f").runs("make deploy").runs("make smoke")
    kept = {c.rule: c for c in session.says("Production is deployed.").captures()}
    assert set(kept) == {"agent.error-fix", "agent.workflow"}
    assert kept["agent.workflow"].title == "How to deploy to prod"


def test_read_in_two_parts_a_procedure_is_found_once_and_under_one_name(session):
    turns = released(session).turns
    [whole] = procedures(session)
    for cut in range(1, len(turns)):
        first = extract(turns[:cut], session="s1", project_root=ROOT, is_over=False)
        second = extract(turns, session="s1", project_root=ROOT, since_line=turns[cut - 1].line)
        found = [c.origin.ref for c in (*first, *second) if c.rule == whole.rule]
        assert set(found) == {whole.origin.ref}, cut


def listed(session, tasks):
    session.asks("Build the export feature for the orders page.")
    session.calls("TodoWrite", todos=[{"content": t, "status": "pending"} for t in tasks])
    session.calls("TodoWrite", todos=[{"content": t, "status": "completed"} for t in tasks])
    return session.says("The export is there.")


def test_more_than_five_completed_tasks_become_a_procedure(session):
    [kept] = procedures(listed(session, TASKS))
    assert len(TASKS) == MANY_TASKS + 1
    assert kept.content.startswith("To build the export feature for the orders page: Add the")
    assert kept.details["steps"] == list(TASKS)
    assert kept.details["performance_metrics"]["success"] is True
    assert kept.category == "pattern"


def test_five_completed_tasks_do_not(session):
    assert procedures(listed(session, TASKS[:MANY_TASKS])) == []


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


@pytest.mark.parametrize(
    ("asked", "job"),
    [
        ("Release 2.4 to the registry.", "release"),
        ("Please publish the wheel", "release"),
        ("Cut the 2.4 release", "release"),
        ("Cut the response time of the search in half", ""),
        ("Deploy to staging", "deployment"),
        ("We need to migrate the users table to UUID keys", "migration"),
        ("Could you run the migration on staging?", "migration"),
        ("Set the dev database up", "setup"),
        ("Get the test suite running on this machine", "setup"),
        ("Roll back the last deploy", "recovery"),
        ("Back the orders database up", "backup"),
        ("Backfill the totals", "data"),
        ("Rotate the signing keys", "rotation"),
        ("Build the docker image", "build"),
        ("Build the export feature", ""),
        ("Fix the migration test", ""),
        ("Why did the release fail?", ""),
        ("", ""),
    ],
)
def test_a_job_is_known_by_how_its_request_begins(asked, job):
    assert job_in(asked) == job


def test_every_kind_of_job_can_be_asked_for_and_has_a_name_in_general():
    assert set(JOBS) == set(IN_GENERAL)
    assert set(JOBS) == {
        "release", "deployment", "migration", "setup", "recovery", "backup", "data", "rotation",
        "build",
    }  # fmt: skip
