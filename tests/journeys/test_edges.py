"""Both ends of the numbers of tasks, trials and what is said again, each lived over sessions."""

import pytest

from .scripts import GREETING


def listed(*subjects, state=" "):
    """A step in which the agent writes its list."""
    return "T\n" + "".join(f"  [{state}] {subject}\n" for subject in subjects)


def live(project, query):
    with project.memory() as core:
        return core.list(query)


# --- tasks


@pytest.mark.parametrize(("count", "learned"), [(5, 0), (6, 1)])
def test_a_list_of_more_than_five_that_is_done_leaves_a_procedure_and_nothing_else(
    project, count, learned
):
    """000-50."""
    steps = [
        f"{verb} the harbour's tide table"
        for verb in ("Fetch", "Parse", "Check", "Store", "Show", "Announce")
    ][:count]
    project.session(GREETING)
    project.session(f"P: Please bring the tide table up.\n{listed(*steps)}A: Planned.\n")
    assert len(live(project, "type:working")) == 0  # the session is over
    project.session(
        f"P: Please bring the tide table up again.\n{listed(*steps)}"
        f"A: Planned.\nP: Go on.\n{listed(*steps, state='x')}A: All done.\n"
    )
    assert len(live(project, "type:procedural")) == learned
    assert live(project, "type:working") == []


# --- what is put off


# --- said again


# --- on trial


def test_a_task_that_was_of_use_three_times_is_offered_to_all_projects_and_not_after_two(project):
    """000-52: a person's yes decides."""
    task = "renew the crane's licence at the harbour office"
    project.session(GREETING)
    project.session(f"P: TODO: {task}, no rush.\nA: I note it.\n")
    asked = f"P: What did I put off about the crane?\nA: To {task}, no rush.\n"
    for uses in (1, 2, 3):
        assert "crane's licence" in project.session(asked).start
        offers = project.command("review", "--kind", "global", "--json").out
        assert ("crane's licence" in offers) is (uses == 3)
    [memory] = live(project, "type:prospective")
    assert (memory.scope, memory.used) == ("project", 3)
    assert project.command("promote", memory.id, "--to", "global").code != 0  # nobody was asked
    assert project.command("promote", memory.id, "--to", "global", "--yes").code == 0
    assert live(project, "type:prospective")[0].scope == "global"


# --- a project's folder
