"""What is written down at each moment of a session, and how much it counts (003-02).

Each is lived through the hooks and the drain: kept with its priority's importance to the digit,
told or not told by it, and said again with a tenth more.
"""

import pytest

from .scripts import FIX, GREETING

INTENT = "P: I still need to renew the crane's licence at some point.\nA: I note it.\n"
APPROVAL = """
    P: How should the tide table be stored?
    A: We decided that the tide rows must be stored in SQLite instead of Postgres, never one by
      one, because one connection per row costs most of the time.
    P: Yes, let's do that.
    A: Done.
"""
DECISION = """
    P: How do we store the tides?
    A: We decided that the tide rows must be stored in SQLite instead of Postgres, never one by
      one, because one connection per row costs most of the time.
"""
OPEN = """
    P: Please paint the quay.
    T
      [ ] Paint the quay of the harbour
      [x] Buy the paint for the quay
    A: Half of it is done.
"""
CRITICAL, HIGH, MEDIUM = 0.68, 0.6, 5 / 9
POINT_FROM = 0.7
"""The importance that is worth a point by itself (002-08)."""


def kept(project, words):
    """The one live memory with these words, and what it earned."""
    with project.memory() as core:
        [memory] = [one for one in core.list() if words in one.content]
        return memory, core.candidacy(memory.id)


@pytest.mark.parametrize(
    ("script", "words", "least", "below"),
    [
        pytest.param(INTENT, "crane's licence", HIGH, CRITICAL, id="intent-is-high"),
        pytest.param(OPEN, "Paint the quay", HIGH, CRITICAL, id="next-action-is-high"),
        pytest.param(DECISION, "SQLite instead of", HIGH, CRITICAL, id="decision-is-high"),
        pytest.param(APPROVAL, "stored in SQLite", HIGH, CRITICAL, id="approval-is-high"),
        pytest.param(FIX, "ECONNREFUSED", CRITICAL, POINT_FROM, id="workaround-is-critical"),
    ],
)
def test_what_is_written_down_has_the_importance_of_its_moment(
    project, script, words, least, below
):
    """003-02: at least its own priority's, less than the next one's."""
    project.session(script)
    memory, earned = kept(project, words)
    assert least <= memory.importance < below
    signals = earned["signals"] if earned else {}
    assert ("high-importance" in signals) is (memory.importance >= POINT_FROM)


@pytest.mark.parametrize(("shown", "is_told"), [(6, True), (5, False)])
def test_a_start_tells_from_six_of_ten_on(project, shown, is_told):
    """000-35: `recall.min_importance`, at both sides; what a prompt asks for is told anyway."""
    project.session(GREETING)
    fact = "The harbour pilot answers on channel 16."
    assert project.command("remember", fact, "--importance", str(shown)).code == 0
    assert (fact in project.session(GREETING).start) is is_told
    asked = project.session("P: On which channel does the harbour pilot answer?\nA: 16.\n")
    assert fact in asked.start + "".join(asked.prompts)
