"""Who the person is, over sessions that are days apart: said once, told at each start, undone."""

import json

from .project import contents, framed
from .scripts import GREETING

SAID = """
    P: The answers are too long. From now on always answer in one short sentence, without a summary.
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
TABS = "Use tabs for indentation, never spaces."
NOTE = '<memory type="semantic" category="preference" age="{age}" source="person">{text}</memory>'


def said(project):
    """What the user prefers, as the project's list has it."""
    lines = project.command("list", "category:preference", "--json").out
    memories = [json.loads(line) for line in lines.splitlines()]
    return [memory["content"] for memory in memories if memory["degree"] == "person"]


def test_what_the_person_said_once_is_their_profile_at_each_start_and_told_once(project):
    project.session(SAID)
    assert said(project) == [SHORT]
    told = project.session(GREETING)
    assert contents(told.start) == framed(NOTE.format(age="1d", text=SHORT))
    assert told.prompts == ("",)
    assert project.session("P: Are answers short?\nA: Yes.", days=30).prompts == ("",)


def test_what_an_agent_guesses_of_the_person_never_gets_into_it(project):
    project.session(GUESS)
    project.session(GUESS, days=2)
    assert project.session(GREETING, days=40).start == ""
    assert not said(project)


def test_a_light_preference_is_told_by_the_profile_alone_and_not_where_it_is_off(project):
    project.session(GREETING)
    words = ("remember", TABS, "--category", "preference", "--importance", "1")
    assert project.command(*words).code == 0
    assert contents(project.session(GREETING).start) == framed(NOTE.format(age="1d", text=TABS))
    settings = project._folder / "home" / "config.toml"
    settings.write_text("[recall]\nprofile_share = 0\n", encoding="utf-8")
    assert project.session(GREETING).start == ""
    settings.unlink()
    assert TABS in project.session(GREETING).start
