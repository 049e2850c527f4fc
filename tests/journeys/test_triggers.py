"""A task waits for a file or for an event, over sessions and days (000-12)."""

import pytest

from .project import Project

TALK = """
    P: good morning, what time is it?
    A: Half past nine.
"""
READ = """
    P: please look around in the code
    A: There are two modules.
"""
FEED = "Drop the legacy tide feed"
SPLIT = "Split the invoice rows into a module of their own"


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path)
    project.session(TALK)
    return project


def put_off(project, text, *options):
    ran = project.command("remember", text, *options, "--json")
    assert ran.code == 0, ran.err
    return ran.json["memory"]


def test_a_task_that_waits_for_a_file_is_told_when_that_file_is_opened(project):
    kept = put_off(project, SPLIT, "--when-file", "src/billing.py")
    assert kept["type"] == "prospective"
    assert kept["details"]["trigger_type"] == "context"
    assert kept["details"]["trigger_condition"] == "src/billing.py"
    for name, days in (("src/berths.py", 2), ("src/billing.py", 30)):
        session = project.session(READ, days=days)
        assert SPLIT in session.start  # it is open, for every session
        assert (SPLIT in touched(project, name)) == (name == "src/billing.py")
        assert SPLIT not in touched(project, name)  # once
    project.command("done", kept["id"])
    project.session(READ, days=1)
    assert SPLIT not in touched(project, "src/billing.py")


def touched(project, name):
    """What the agent of the last session is told before it edits the file."""
    player = project.player
    return player.tell(player.dialect.touches(str(player.root / name)))


def test_a_task_that_waits_for_an_event_is_told_with_the_prompt_that_says_it(project):
    kept = put_off(project, FEED, "--when-event", "the harbour release is out")
    assert kept["details"]["trigger_type"] == "event"
    assert kept["details"]["trigger_condition"] == "the harbour release is out"
    early = project.session(TALK, days=1)
    assert FEED not in "".join((early.start, *early.prompts))
    half = project.session(TALK.replace("good morning", "my release of pressure"), days=1)
    assert FEED not in "".join((half.start, *half.prompts))
    said = project.session(
        TALK.replace("good morning", "The release of the harbour is out since noon"), days=30
    )
    assert FEED not in said.start
    assert FEED in said.prompts[0]
    after = project.session(TALK, days=1)  # it has come: now it is open like any other
    assert FEED in after.start
    project.command("done", kept["id"])
    over = project.session(
        TALK.replace("good morning", "the harbour release is out, again"), days=1
    )
    assert FEED not in "".join((over.start, *over.prompts))


@pytest.mark.parametrize(
    "options",
    [
        ("--when-file", "a.py", "--when-event", "it rains"),
        ("--when-file", "a.py", "--type", "semantic"),
        ("--when-event", "of the"),  # no word by which a prompt could say it
    ],
)
def test_what_cannot_wait_is_refused(project, options):
    assert project.command("remember", FEED, *options).code == 2
