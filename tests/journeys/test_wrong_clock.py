"""What a clock that was wrong for a while leaves behind, once it is right again."""

from datetime import timedelta

from .scripts import ASKS_OF_FIX, FIX, GREETING


def ahead(project, days, *scripts):
    """Live sessions by a clock that is so many days ahead, and set it right again."""
    before = project.now
    project.now += timedelta(days=days)
    for script in scripts:
        project.session(script, days=0)
    project.now = before


def everything(project, words):
    with project.memory() as core:
        found = [*core.list(), *core.list("is:retired")]
    return [one for one in found if words in one.content]


def test_maintain_says_that_it_leapt_and_what_to_do(project):
    project.session(GREETING)
    project.command("maintain")
    project.now += timedelta(days=3_650)
    assert project.command("maintain").err.splitlines()[-2:] == [
        "The clock is 3650 days ahead of the last maintain: nothing is retired today.",
        "  Run it again in a day if the clock is right.",
    ]


def test_a_trial_that_it_began_is_held_anew_and_ends(project):
    project.session(GREETING)
    ahead(project, 3_650, FIX, FIX)
    [tried] = everything(project, "ECONNREFUSED")
    assert (tried.status, tried.degree) == ("candidate", "established")
    project.session(GREETING, days=0.1)
    project.session(ASKS_OF_FIX, days=0.5)
    [tried] = everything(project, "ECONNREFUSED")
    assert tried.status == "candidate"  # the day is not over
    project.session(GREETING)
    [tried] = everything(project, "ECONNREFUSED")
    assert tried.status == "confirmed"
