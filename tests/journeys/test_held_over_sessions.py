"""What a task, a correction, a pin and a yes come to, lived over sessions with a moving clock."""

from datetime import timedelta

import pytest

from .project import Project
from .scripts import FIX, GREETING

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
DAY = timedelta(days=1)


@pytest.fixture
def project(tmp_path):
    """The project after a first session, so that its store is there."""
    found = Project(tmp_path)
    found.session(GREETING)
    return found


def listed(project, query):
    with project.memory() as core:
        return core.list(query)


# --- tasks


def test_a_task_is_pending_then_active_then_completed_and_a_cancelled_one_is_told_no_more(project):
    """000-12: the four states; 3 is the priority of what nobody weighed."""
    project.session(PLAN)
    states = {
        memory.content.split()[-4]: memory.details["status"]
        for memory in listed(project, "type:prospective")
    }
    assert states == {"quay": "active", "crane": "pending"}
    assert {m.details["priority"] for m in listed(project, "type:prospective")} == {3}
    project.session(DONE, host="codex")
    [crane] = listed(project, "type:prospective")
    assert "crane" in crane.content
    assert crane.details["status"] == "active"  # begun by another agent than had left it open
    [quay] = listed(project, "type:prospective is:retired")
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


def test_each_task_of_a_list_is_held_with_the_lists_own_id_while_its_session_lasts(project):
    """000-17: made when the todo is, linked to it; cleared with the session, never erased."""
    project.session(PLAN)
    first = {m.content: m.details["todo_id"] for m in listed(project, "type:working is:retired")}
    assert len(first) == 2
    assert all(first.values())
    assert len(set(first.values())) == 2
    assert listed(project, "type:working") == []
    project.session(DONE, host="claude")
    cleared = listed(project, "type:working is:retired")
    assert {m.retired_as for m in cleared} == {"cleared"}
    assert {m.details["todo_id"] for m in cleared} == set(first.values())


@pytest.mark.parametrize(("chosen", "is_held"), [("turn", True), ("never", False)])
def test_a_prompt_is_held_as_what_is_worked_on_where_the_person_wants_it(tmp_path, chosen, is_held):
    """001-10: the prompt is working memory as well, at the two ends of the setting."""
    settings = f'[working]\nprompts = "{chosen}"\n'
    (tmp_path / "home" / "config.toml").write_text(settings)
    project = Project(tmp_path)
    project.session(GREETING)
    project.session(GREETING)
    project.session("P: We need to repaint the harbour's crane in yellow later.\nA: I note it.\n")
    held = [m.content for m in listed(project, "type:working is:retired")]
    assert any("crane in yellow" in content for content in held) is is_held
    [task] = listed(project, "type:prospective")
    assert "crane in yellow" in task.content


# --- said again, overturned, pinned


def test_a_decision_that_is_overturned_names_what_holds_now(project):
    """003-10: retired as superseded, linked to its successor; the successor alone is told."""
    project.session("P: Remember: we store the tides in Redis streams.\nA: Noted.\n")
    project.session(
        "P: Redis lost tides. Remember: we store the tides in Postgres now, not in Redis"
        " streams any more.\nA: Noted.\n",
        days=3,
    )
    [old] = listed(project, "is:retired tides")
    [new] = [m for m in listed(project, "tides") if "Postgres" in m.content]
    assert old.retired_as == "superseded"
    with project.memory() as core:
        links = [(link.kind, link.source, link.target) for link in core.links(old.id)]
    assert links == [("superseded_by", old.id, new.id)]
    told = project.session("P: where do we store the tides?\nA: In Postgres.\n", days=2)
    assert "in Postgres now" in told.start + told.prompts[0]
    assert "store the tides in Redis streams." not in told.start + told.prompts[0]


@pytest.mark.parametrize(("is_pinned", "left"), [(True, 1.0), (False, 0.8)])
def test_what_is_pinned_does_not_decay_when_its_trial_ends(project, is_pinned, left):
    """002-21."""
    project.session(FIX)
    project.session(FIX, host="codex")
    [memory] = listed(project, "ECONNREFUSED")
    if is_pinned:
        assert project.command("pin", memory.id).code == 0
    project.now += 2 * DAY
    assert project.command("maintain").code == 0
    [after] = listed(project, "ECONNREFUSED")
    assert after.importance == pytest.approx(memory.importance * left)
    assert after.status == ("pinned" if is_pinned else "candidate")


# --- what every project is told


def test_what_every_project_is_told_is_looked_at_freely_and_changed_by_a_yes_alone(project):
    """004-09: adding, changing, forgetting and clearing ask; viewing and searching do not."""
    added = ("remember", DATES, "--scope", "global", "--category", "preference", "--json")
    assert project.command(*added).code == 1
    assert "2026-03-20" not in project.session(GREETING).start
    memory = project.command(*added, "--yes").json["memory"]["id"]
    assert "2026-03-20" in project.session(GREETING).start
    for words in (("show", memory), ("search", "dates"), ("profile", "show")):
        assert project.command(*words).code == 0
    for act in (
        ("edit", memory, "--content", "Write dates as 20.03.2026, in every project."),
        ("forget", memory),
        ("profile", "clear"),
    ):
        refused = project.command(*act)
        assert refused.code == 1
        assert "Nobody is here to agree" in refused.err
        assert ("cannot be undone" in refused.err) is (act[0] == "profile")
    assert "2026-03-20" in project.session(GREETING).start
    assert project.command("profile", "clear", "--yes").code == 0
    assert "2026-03-20" not in project.session(GREETING).start
