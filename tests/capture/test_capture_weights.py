"""The priorities of 003-02 are numbers in one table, and captures follow them."""

import pytest

from memdeck.core.ingest.extract.weights import CRITICAL, HIGH, LOW, MEDIUM, PRIORITIES

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
        ("decision", "high"),
        ("intention", "high"),
        ("session-goal", "medium"),
    ],
)
def test_each_trigger_has_the_priority_of_the_requirement(rule, priority):
    """003-02."""
    assert PRIORITIES[rule][0] == priority


def test_captures_come_out_with_these_weights(session):
    """003-02, through extraction."""
    session.asks("Run the tests.").runs("pytest", "E  ModuleNotFoundError: No module named 'x'", 1)
    session.runs("uv sync --extra dev").runs("pytest")
    weights = {c.rule: c.importance for c in session.captures()}
    assert weights == {
        "agent.error-fix": CRITICAL,
    }
