"""Both ends of the numbers of tasks, trials and what is said again, each lived over sessions."""

from .project import live
from .scripts import GREETING


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
