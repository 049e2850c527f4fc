"""A memory cannot confirm itself: what an agent repeats of what it was told is use, no evidence."""

import pytest

from memdeck.core.ingest.promotion import SECOND_HAND
from memdeck.core.recall.frame import INTRODUCTIONS

from .project import Lived, Project
from .scripts import GREETING, TIDE

SAID = "The tide import drops the first hour, since it needs TIDE_ZONE set to UTC."
RULE = "`TIDE_ZONE` must be set to UTC for the tide import, otherwise it silently drops an hour."
ASKED = "Why does the tide import drop the first hour?"
HOSTS = ("codex", "gemini", "claude")


def finding(*, learns):
    """A session that asks about the import, and whose agent says why it fails."""
    learn = f"$ memdeck learn '{TIDE}' --json\n    > recorded\n    " if learns else ""
    return f"""
    P: {ASKED}
    A: {SAID if learns else TIDE}
    {learn}A: It works now.
"""


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("found")
    return Lived(folder, lambda project: project.session(finding(learns=True)))


@pytest.fixture
def project(lived):
    """The project after a session in which an agent recorded what it makes of the import."""
    return lived.again()


def the_memory(project):
    """The one live memory about the import, and how far it is on its way."""
    with project.memory() as memory:
        [found] = [one for one in memory.list() if "TIDE_ZONE" in one.content]
        return found, memory.candidacy(found.id)


def say_again(project, *, learns):
    """Three sessions, days and hosts apart, whose agents say it again; what each was told."""
    return [project.session(finding(learns=learns), host=host, days=2) for host in HOSTS]


@pytest.mark.parametrize("learns", [False, True], ids=["quoted", "recorded again"])
def test_a_guess_that_was_told_and_said_again_in_three_sessions_is_promoted_by_none(
    project, learns
):
    first, before = the_memory(project)
    assert (first.degree, before["promoted_at"]) == ("unproven", None)
    told = say_again(project, learns=learns)
    for heard in told:
        opening = heard.start + heard.prompts[0]
        assert TIDE in opening.partition(INTRODUCTIONS["recorded_by_agents"])[2]
    last, after = the_memory(project)
    assert after["signals"] == before["signals"]
    assert after["points"] == before["points"]
    assert after["promoted_at"] is None
    assert (last.provenance, last.degree) == (first.provenance, "unproven")
    assert last.importance == first.importance
    assert last.accesses > first.accesses  # it was of use


def test_what_a_file_says_is_not_established_by_agents_that_repeat_it(tmp_path):
    project = Project(tmp_path)
    for host in HOSTS:
        project.session(
            f"""
            P: {ASKED}
            $ cat README.md
            > # Tides
            > {RULE}
            A: {RULE} I set it, and the import works.
            """,
            host=host,
        )
        if host == HOSTS[0]:
            project.session(f"P: {ASKED}\nA: {RULE}\n", host="gemini")
    with project.memory() as memory:
        repeated = [one for one in memory.list() if "TIDE_ZONE" in one.content]
        assert repeated
        for one in repeated:
            assert SECOND_HAND in one.tags
            assert memory.candidacy(one.id)["promoted_at"] is None
            assert one.degree == "unproven"


def test_a_persons_act_brings_it_into_the_first_part_and_nothing_else_does(project):
    def parts():
        start = project.session(GREETING, days=1).start
        first, _, others = start.partition("<recorded_by_agents>")
        return first, others

    say_again(project, learns=True)
    first, second = parts()
    assert TIDE not in first
    assert TIDE in second
    project.person(lambda memory: memory.pin(the_memory(project)[0].id))
    first, second = parts()
    assert INTRODUCTIONS["confirmed"] in first
    assert TIDE in first
    assert TIDE not in second
    memory, _ = the_memory(project)
    assert (memory.provenance, memory.degree) == ("agent-verified", "person")
    project.person(lambda memory: memory.undo())
    assert the_memory(project)[0].degree == "unproven"
    assert TIDE not in parts()[0]
