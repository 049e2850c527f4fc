"""What a clock that was wrong for a while leaves behind, once it is right again."""

from datetime import timedelta

import pytest

from memdeck import Capture, Origin

from .scripts import ASKS_OF_FIX, BERTHS, DEPLOYS, FIX, GREETING, TIDE, finds

AHEAD = (20, 300, 3_650)
"""Days: less than the life of a discovery, no leap yet, and a leap."""

ASKS_OF_TIDE = "P: What does the tide import need TIDE_ZONE set to?\nA: UTC, for the hours.\n"


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


def summed_up(project, words):
    """The levels of the summaries that say these words, those of sessions left out."""
    with project.memory() as core:
        found = core.summaries()
    return {one.level for one in found if words in one.content} - {"session"}


def test_maintain_says_that_it_leapt_and_what_to_do(project):
    project.session(GREETING)
    project.command("maintain")
    project.now += timedelta(days=3_650)
    assert project.command("maintain").err.splitlines()[-2:] == [
        "The clock is 3650 days ahead of the last maintain: nothing is retired today.",
        "  Run it again in a day if the clock is right.",
    ]


@pytest.mark.parametrize("days", AHEAD)
def test_what_is_forgotten_after_it_leaves_every_summary(project, days):
    project.session(finds(BERTHS))
    project.session(GREETING)
    ahead(project, days, GREETING)
    assert summed_up(project, "mirror database") >= {"day", "week"}
    project.session(GREETING, days=0.1)
    [kept] = everything(project, "mirror database")
    if not kept.is_live:
        project.command("restore", kept.id)
    project.command("forget", kept.id)
    project.session(GREETING)
    assert summed_up(project, "mirror database") == set()


@pytest.mark.parametrize("days", [20, 3_650])
def test_a_month_that_it_summed_up_too_soon_is_whole_when_it_is_over(project, days):
    project.session("P: From now on backups of the bookings are kept for 9 days.\nA: Noted.\n")
    project.session(GREETING)
    ahead(project, days + 20, GREETING)
    project.session(GREETING, days=0.1)
    project.session(f"P: {DEPLOYS}\nA: Noted.\n", days=3)
    for later in (1, 40):
        project.session(GREETING, days=later)
    assert summed_up(project, "harbour channel") == {"day", "week", "month", "project"}


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


@pytest.mark.parametrize(("is_told", "days"), [(False, 0), (True, 300), (True, 3_650)])
def test_what_was_told_by_it_has_no_longer_life(project, is_told, days):
    project.session(finds(TIDE))
    project.session(GREETING)
    if is_told:
        ahead(project, days, ASKS_OF_TIDE)
        [known] = everything(project, "TIDE_ZONE")
        assert known.accesses == 1
        if not known.is_live:
            project.command("restore", known.id)
    for later in (1, 23, 2):
        project.session(GREETING, days=later)
    [known] = everything(project, "TIDE_ZONE")
    assert known.retired_as == "expired"


@pytest.mark.parametrize("days", [20, 3_650])
def test_what_recurs_as_it_is_set_right_becomes_a_fact(project, days):
    wordings = (
        "The tide tests failed because the fixture server was not running on the build machine",
        "Tests of the tide service fail on the build machine when the fixture server is not"
        " started",
        "On the build machine the fixture server was not running, so the tide tests failed",
    )

    def happens(number):
        with project.memory() as core:
            core.session_seen(f"s{number}", "claude", str(project.player.root))
            origin = Origin(f"s{number}", "claude")
            capture = Capture(
                content=wordings[number],
                type="episodic",
                category="error",
                rule="claim.finding",
                origin=origin,
            )
            assert core.offer([capture])[0].memory_id

    project.session(GREETING)
    for number in (0, 1):
        happens(number)
        project.session(GREETING)
    ahead(project, days, GREETING)
    happens(2)
    project.session(GREETING, days=0.1)
    project.session(GREETING)
    found = everything(project, "fixture server")
    assert "semantic" in {one.type for one in found}


@pytest.mark.parametrize("at", ["0001-01-01", "1969-12-31T23:59:59+00:00", "9999-12-31"])
def test_what_is_dated_at_the_ends_of_the_calendar_is_lived_with(project, at):
    project.session(GREETING)
    with project.memory() as core:
        told = {"content": "The harbour gate is painted red", "created_at": at}
        assert core.import_memories([told]).added == 1
    ahead(project, 3_650, GREETING)
    project.session(finds(BERTHS))
    project.session(GREETING)
    assert summed_up(project, "mirror database") >= {"day"}
    [kept] = everything(project, "painted red")
    assert kept.is_live
