"""Who the person is, over sessions that are days apart: said once, told at each start, undone."""

import json

from .project import framed
from .scripts import GREETING

SAID = """
    P: The answers are too long. From now on always answer in one short sentence, without a summary.
    A: Understood.
"""
AGAINST = """
    P: From now on always answer at length with a summary, never in one short sentence.
    A: Understood.
"""
SHORT = "From now on always answer in one short sentence, without a summary."
LONG = "From now on always answer at length with a summary, never in one short sentence."
TABS = "Use tabs for indentation, never spaces."
SPACES = "Use spaces for indentation, never tabs."
NOTE = '<memory type="semantic" category="preference" age="{age}" source="person">{text}</memory>'


def profile(project):
    return json.loads(project.command("profile", "--json").out)


def said(project, section="preferences"):
    return [one["content"] for one in profile(project)[section]]


def test_what_the_person_said_once_is_their_profile_at_each_start_and_told_once(project):
    project.session(SAID)
    assert said(project) == [SHORT]
    assert profile(project)["preferences"][0]["group"] == "answers"
    told = project.session(GREETING)
    assert told.start == framed(NOTE.format(age="1d", text=SHORT))
    assert told.prompts == ("",)
    assert project.session("P: Are answers short?\nA: Yes.", days=30).prompts == ("",)
    [entry] = profile(project)["preferences"]
    assert entry["provenance"] == "person"


def test_what_the_person_says_against_it_later_takes_its_place_and_a_clear_is_undone(project):
    project.session(SAID)
    project.session(AGAINST, days=3)
    assert said(project) == [LONG]
    told = project.session(GREETING, days=3).start
    assert LONG in told
    assert SHORT not in told

    cleared = project.command("profile", "clear", "--category", "answers", "--yes")
    assert cleared.code == 0, cleared.err
    assert project.session(GREETING, days=5).start == ""
    assert project.command("undo").code == 0
    assert LONG in project.session(GREETING, days=5).start


def test_two_that_contradict_are_told_to_no_session_until_the_person_decides(project):
    project.session(SAID)
    for text in (TABS, SPACES):
        assert project.command("remember", text, "--category", "preference").code == 0
    [question] = profile(project)["questions"]
    assert question["band"] == "conflict"
    expected = framed(NOTE.format(age="1d", text=SHORT))
    assert project.session(GREETING).start == expected
    side = "a" if question["a"]["content"] == TABS else "b"
    assert project.command("review", "keep", question[side]["id"]).code == 0
    told = project.session(GREETING, days=2).start
    assert TABS in told
    assert SPACES not in told
    assert not profile(project)["questions"]
