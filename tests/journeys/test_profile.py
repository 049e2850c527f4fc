"""Who the person is, over sessions that are days apart: said once, told at each start, undone."""

import json

from .project import framed
from .scripts import GREETING
from .test_told_truly import RELEASE

SAID = """
    P: The answers are too long. From now on always answer in one short sentence, without a summary.
    A: Understood.
"""
AGAINST = """
    P: From now on always answer at length with a summary, never in one short sentence.
    A: Understood.
"""
GUESS = """
    P: Please make the export faster.
    A: I noticed that the user prefers very long variable names in the export module, always.
    E export.py
    - a = 1
    + rows_of_the_export = 1
    A: Done, it is faster.
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


def test_what_an_agent_guesses_of_the_person_never_gets_into_it(project):
    project.session(GUESS)
    project.session(GUESS, days=2)
    assert project.session(GREETING, days=40).start == ""
    assert not said(project)


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


def test_what_sessions_bear_out_is_a_fact_among_the_notes_and_the_persons_word_above_them(project):
    project.session(RELEASE)
    project.session("P: error: tag v2.4.0 already exists on the remote, what is it?\nA: Wait.")
    project.session(GREETING)
    found = profile(project)
    assert [(one["content"][:10], one["whose"]) for one in found["facts"]] == [
        ("Root cause", "established")
    ]
    assert [one["whose"] for one in found["preferences"]] == ["yours"]
    laid_down, notes = project.session(GREETING, days=2).start.split("</laid_down>")
    assert "smoke tests" in laid_down
    assert "Root cause" in notes


def test_a_light_preference_is_told_by_the_profile_alone_and_not_where_it_is_off(project):
    project.session(GREETING)
    words = ("remember", TABS, "--category", "preference", "--importance", "1")
    assert project.command(*words).code == 0
    assert project.session(GREETING).start == framed(NOTE.format(age="1d", text=TABS))
    settings = project._folder / "home" / "config.toml"
    for off in ("[lifecycle]\nprofile = false\n", "[recall]\nprofile_share = 0\n"):
        settings.write_text(off, encoding="utf-8")
        assert project.session(GREETING).start == ""
    settings.unlink()
    assert TABS in project.session(GREETING).start
