"""What a memory is worth follows its life: sessions that use it, people who judge it, and time."""

import json
from datetime import timedelta

import pytest

from .project import Lived
from .scripts import ASKS_OF_FIX, FIX

TALK = """
    P: good morning, what time is it?
    A: Half past nine.
"""
RULE = "The tide import drops the first hour unless `TIDE_ZONE=UTC` stands in front of it."
LATER = """
    P: Why does the tide import drop the first hour?
    A: I do not know yet, the log is empty.
"""
SAYS_IT = """
    P: Why does the tide import drop the first hour?
    A: The tide import drops the first hour unless TIDE_ZONE=UTC stands in front of it.
"""
DOES_IT = """
    P: Why does the tide import drop the first hour?
    $ TIDE_ZONE=UTC make tides
    > 24 hours imported
    A: It is complete now.
"""
WAS_SAID_BEFORE = """
    P: The tide import drops the first hour unless `TIDE_ZONE=UTC` stands in front, doesn't it?
    A: Yes: it drops the first hour unless TIDE_ZONE=UTC stands in front of the tide import.
"""
DENIES_IT = """
    P: Why does the tide import drop the first hour?
    A: The tide import never drops the first hour, whether TIDE_ZONE=UTC stands in front or behind.
"""


@pytest.fixture
def project(project):
    project.session(TALK)
    return project


def keep(project, text=RULE, *options):
    ran = project.command("remember", text, "--json", *options)
    assert ran.code == 0, ran.err
    return ran.json["id"]


def shown(project, identifier):
    ran = project.command("show", identifier, "--json")
    assert ran.code == 0, ran.err
    return ran.json


@pytest.mark.parametrize(
    ("script", "is_use"),
    [
        (SAYS_IT, True),
        (DOES_IT, True),
        (LATER, False),
        (WAS_SAID_BEFORE, False),
        (DENIES_IT, False),
    ],
    ids=["said again", "acted on", "passed over", "the prompt said it", "denied"],
)
def test_an_answer_that_follows_what_was_told_counts_as_use(project, script, is_use):
    """003-11, reuse: three sessions, days and hosts apart, each told the same."""
    kept = keep(project)
    for host in ("claude", "codex", "gemini"):
        before = shown(project, kept)
        heard = project.session(script, host=host, days=1)
        assert "TIDE_ZONE" in heard.start + "".join(heard.prompts)
        after = shown(project, kept)
        assert after["used"] - before["used"] == int(is_use)
        assert after["accesses"] > before["accesses"]  # it was told
    parts = shown(project, kept)["numbers"]["worth"]
    assert (parts["factors"]["reuse"] > 0.4) is is_use
    assert (parts["factors"]["cross_agent"] == 1.0) is is_use
    assert parts["base"] == 0.6
    assert (parts["importance"] > 0.95) is is_use


def test_opinions_move_the_worth_both_ways(project):
    kept, other = keep(project), keep(project, "Berth 12 floods at spring tide in most years.")
    project.session(LATER)
    start = {one: shown(project, one)["numbers"]["worth"]["importance"] for one in (kept, other)}
    with project.memory() as memory:
        [receipt, *_] = memory.receipts(memory=kept)
        memory.feedback(receipt.id, kept, False)
    assert shown(project, kept)["numbers"]["worth"]["importance"] == pytest.approx(
        start[kept] - 0.075
    )
    with project.memory() as memory:
        memory.feedback(receipt.id, kept, True)
    assert shown(project, kept)["numbers"]["worth"]["importance"] == pytest.approx(start[kept])
    assert shown(project, other)["numbers"]["worth"]["importance"] == pytest.approx(start[other])


# --- cold


ASKS, MENDED = ASKS_OF_FIX, "make e2e"
HARDLY = """
    P: please rename the crane module, move its tests into a folder, update the changelog, check the
      dashboards of the pilots and see whether the report of the radar still builds, then tell me
    A: Done.
"""


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    def live(project):
        project.session(TALK)
        for host in ("claude", "codex"):
            project.session(FIX, host=host, days=1)

    return Lived(tmp_path_factory.mktemp("established"), live)


@pytest.fixture
def established(lived):
    """A project, and what mended an error in two sessions."""
    project = lived.again()
    with project.memory() as memory:
        [one] = [one for one in memory.list() if "ECONNREFUSED" in one.content]
        memory.edit(one.id, importance=0.5)
        one = memory.show(one.id)
        assert one.degree == "established"
    return project, one.id


def tier(project, identifier):
    """As the list has it, after the day's upkeep."""
    assert project.command("maintain").code == 0
    [one] = [one for one in _lines(project, "list") if one["id"] == identifier]
    return one["tier"]


def test_what_lay_for_a_month_is_told_only_when_it_is_asked_for(established):
    """003-08: hot, warm and cold over weeks; search and lists find it all the time."""
    project, found = established
    assert tier(project, found) == "hot"
    for _ in range(3):  # asked for so often, it outlives its category
        assert MENDED in project.session(ASKS, days=1).start  # its days begin anew
    project.now += timedelta(days=8)
    assert tier(project, found) == "warm"
    project.now += timedelta(days=30)
    assert tier(project, found) == "cold"

    opened = project.session(HARDLY, days=1)
    assert MENDED not in opened.start + opened.prompts[0]
    assert [hit["id"] for hit in _lines(project, "search", "ECONNREFUSED")] == [found]
    assert found in [one["id"] for one in _lines(project, "list", "tier:cold")]
    assert found not in [one["id"] for one in _lines(project, "list", "tier:hot")]
    assert "1 cold" in project.command("status").out

    asked = project.session(ASKS, days=1)
    assert MENDED not in asked.start
    assert MENDED in asked.prompts[0]
    project.session(TALK, days=1)  # a day later it is weighed anew
    assert tier(project, found) == "hot"
    assert MENDED in project.session(TALK, days=1).start


def test_what_is_a_persons_or_pinned_is_never_cold(established):
    project, found = established
    kept = keep(project)
    project.person(lambda memory: memory.pin(found))
    for _ in range(3):
        project.now += timedelta(days=200)
        assert tier(project, kept) == tier(project, found) == "warm"
    start = project.session(TALK, days=1).start
    assert RULE in start
    assert MENDED in start


def _lines(project, *words):
    ran = project.command(*words, "--json")
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]
