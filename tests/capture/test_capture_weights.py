"""The priorities of 003-02 are numbers in one table, and captures follow them."""

import pytest

from memdeck.core.capture.languages import ENGLISH
from memdeck.core.capture.weights import CRITICAL, HIGH, LOW, MEDIUM, PRIORITIES, importance_of

ORDER = ("critical", "high", "medium", "low")


def test_the_priorities_lie_one_above_the_other():
    assert 1 > CRITICAL > HIGH > MEDIUM > LOW > 0
    levels = dict(zip(ORDER, (CRITICAL, HIGH, MEDIUM, LOW), strict=True))
    for name, (priority, importance) in PRIORITIES.items():
        assert importance >= levels[priority], name


@pytest.mark.parametrize(
    ("rule", "priority"),
    [
        ("error-fix", "critical"),
        ("cause", "critical"),
        ("decision", "high"),
        ("approval", "high"),
        ("workflow", "high"),
        ("intention", "high"),
        ("session-goal", "medium"),
    ],
)
def test_each_trigger_has_the_priority_of_the_requirement(rule, priority):
    """003-02."""
    assert PRIORITIES[rule][0] == priority


def test_an_agents_rules_take_their_importance_from_the_table():
    for rule in (*ENGLISH.agent, *ENGLISH.reports):
        assert rule.importance == importance_of(rule.name)


def test_captures_come_out_with_these_weights(session):
    """003-02, through extraction."""
    session.asks("Run the tests.").runs("pytest", "E  ModuleNotFoundError: No module named 'x'", 1)
    session.runs("uv sync --extra dev").runs("pytest")
    session.says("I chose uv because pip ignores the lock file.\n\n`make x` now returns 0.")
    weights = {c.rule: c.importance for c in session.captures()}
    assert weights == {
        "agent.error-fix": CRITICAL,
        "agent.decision": importance_of("decision"),
        "agent.outcome": importance_of("outcome"),
    }


def test_a_cause_that_is_only_guessed_weighs_less(session):
    session.asks("Run the tests.").runs("pytest tests/a", "E  AssertionError: 1 != 2", 1)
    session.edits("app/settings.toml", "a = 1\nb = 1\nc = 1", "a = 2\nb = 2\nc = 3")
    session.runs("pytest tests/a")
    [kept] = session.captures()
    assert CRITICAL > kept.importance == pytest.approx(0.55)
