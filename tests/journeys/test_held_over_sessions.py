"""What a task, a correction, a pin and a yes come to, lived over sessions with a moving clock."""

import pytest

from .project import Project, live
from .scripts import GREETING

PLAN = """
    P: Please paint the harbour.
    T
      [~] Paint the quay of the harbour
      [ ] Paint the crane of the harbour
    A: Begun.
"""
DONE = """
    P: Please go on.
    T
      [~] Paint the quay of the harbour
      [ ] Paint the crane of the harbour
    A: Nearly.
    P: And?
    T
      [x] Paint the quay of the harbour
      [~] Paint the crane of the harbour
    A: The quay is painted.
"""
DATES = "Write dates as 2026-03-20 in every project of mine."


@pytest.fixture
def project(tmp_path):
    """The project after a first session, so that its store is there."""
    found = Project(tmp_path)
    found.session(GREETING)
    return found


# --- tasks


def test_a_task_is_pending_then_active_then_completed_and_a_cancelled_one_is_told_no_more(project):
    """000-12: the four states; 3 is the priority of what nobody weighed."""
    project.session(PLAN)
    states = {
        memory.content.split()[-4]: memory.details["status"]
        for memory in live(project, "type:prospective")
    }
    assert states == {"quay": "active", "crane": "pending"}
    assert {m.details["priority"] for m in live(project, "type:prospective")} == {3}
    project.session(DONE, host="codex")
    [crane] = live(project, "type:prospective")
    assert "crane" in crane.content
    assert crane.details["status"] == "active"  # begun by another agent than had left it open
    [quay] = live(project, "type:prospective is:retired")
    assert (quay.retired_as, quay.details["status"]) == ("completed", "completed")
    assert quay.details["completed_at"] is not None
    asked = "P: What is left of the quay and the crane of the harbour?\nA: The crane.\n"
    told = project.session(asked)
    assert "Paint the crane" in told.start + told.prompts[0]
    assert "Paint the quay" not in told.start + told.prompts[0]
    with project.memory() as core:
        core.end_todos("elsewhere", [("Paint the crane of the harbour", None)], "cancelled")
    told = project.session(asked)
    assert "Paint the" not in told.start + told.prompts[0]


# --- what every project is told


def test_what_every_project_is_told_is_looked_at_freely_and_changed_by_a_yes_alone(project):
    """004-09: adding, changing and forgetting ask; viewing and searching do not."""
    added = ("remember", DATES, "--scope", "global", "--category", "preference", "--json")
    assert project.command(*added).code == 1
    assert "2026-03-20" not in project.session(GREETING).start
    memory = project.command(*added, "--yes").json["memory"]["id"]
    assert "2026-03-20" in project.session(GREETING).start
    for words in (("show", memory), ("search", "dates"), ("profile",)):
        assert project.command(*words).code == 0
    for act in (
        ("edit", memory, "--content", "Write dates as 20.03.2026, in every project."),
        ("forget", memory),
    ):
        refused = project.command(*act)
        assert refused.code == 1
        assert "This needs confirmation" in refused.err
    assert "2026-03-20" in project.session(GREETING).start
    assert project.command("forget", memory, "--yes").code == 0
    assert "2026-03-20" not in project.session(GREETING).start
