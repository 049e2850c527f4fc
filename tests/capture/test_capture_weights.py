"""The priorities of triggers are importance, and captures come out with it."""

from .test_capture_workflows import TASKS

FOUND = (
    "The cause: `enter()` in gateway/auth.py:57 always trusts the header of the tenant, since the"
    " proxy must not be asked twice."
)


def test_each_trigger_has_the_importance_of_its_priority(session):
    """Critical, high and medium, all under the 0.7 that is worth a point."""
    session.asks("From now on, ask before you push. Remind me to rotate the staging key tomorrow.")
    session.calls("TodoWrite", todos=[{"content": "Load-test it", "status": "in_progress"}])
    session.runs("pytest", "E  ModuleNotFoundError: No module named 'x'", 1)
    session.runs("uv sync --extra dev").runs("pytest")
    session.calls("Agent", FOUND, prompt="Where does the gateway decide who may come in?")
    session.says("Done.")
    session.asks("Build the export feature for the orders page.")
    for status in ("pending", "completed"):
        session.calls("TodoWrite", todos=[{"content": task, "status": status} for task in TASKS])
    session.says("The export is there.")
    weights = {one.rule: round(one.importance, 2) for one in session.captures()}
    assert weights == {
        "person.from-now-on": 0.85,
        "agent.error-fix": 0.68,
        "person.intention": 0.65,
        "agent.tasks-done": 0.6,
    }


def test_what_is_left_open_has_a_high_priority(session):
    todo = {"content": "Load-test the gateway with k6", "status": "in_progress"}
    [kept] = session.asks("Go on.").calls("TodoWrite", todos=[todo]).says("Done.").captures()
    assert (kept.rule, kept.importance) == ("agent.open-todo", 0.6)
