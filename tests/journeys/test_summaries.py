"""Days, weeks and months are summed up when they are over, and open down to their memories."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import open_memory
from memdeck.tests.conftest import Clock

from .scripts import BERTHS, FIX, GREETING, finds

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DECIDED = "We decided to keep harbour tide tables in Postgres and not in Redis"
ERROR = "The tide import failed with a lock timeout until the batch size was set to 50"
SECRET = "The pier gate for the night crew answers only to the quartermaster"


@pytest.fixture
def clock():
    return Clock(START)


def digests(core, level):
    return {one.name: one.content for one in core.summaries(level)}


def test_a_day_opens_to_its_memories(core):
    kept = core.remember(DECIDED, category="decision").memory_id
    assert "tide tables in Postgres" in digests(core, "day")["2026-03-02"]
    assert [one.id for one in core.opened_summary("2026-03-02").memories] == [kept]


def test_months_open_to_days_and_days_to_memories(core, clock):
    for number, text in enumerate((DECIDED, ERROR)):
        clock.now = START + timedelta(days=9 * number)
        core.remember(text, category=("decision", "error")[number])
    clock.now = START + timedelta(days=40)
    assert set(digests(core, "week")) == {"2026-W10", "2026-W11"}
    opened = core.opened_summary("2026-03")
    assert opened.summary.content.startswith("Solved: ")  # what failed stands first
    assert [one.name for one in opened.summaries] == ["2026-03-02", "2026-03-11"]
    assert core.opened_summary("2026-03-11").memories[0].content == ERROR


def is_summed_up(project, words):
    """The levels of the summaries that say so, and "goal" where the session's own line does."""
    with project.memory() as core:
        levels = {one.level for one in core.summaries() if words in one.content}
        return levels | {"row" for one in core.sessions() if words in one.summary}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("forget",), ""),
        (("edit", "--privacy", "private"), ""),
        (("edit", "--content", BERTHS.replace("mirror", "second")), "second database"),
    ],
)
def test_a_sessions_summary_follows_what_becomes_of_its_memories(project, words, says):
    project.session(finds(BERTHS))
    project.session(GREETING)
    every = {"session", "row", "day", "week", "month", "project"}
    assert is_summed_up(project, "mirror database") == every
    with project.memory() as core:
        [kept] = core.list("mirror database")
        fork = core.fork_session(kept.origin.session)
        assert "mirror database" in fork.summary
    assert project.command(words[0], kept.id, *words[1:]).code == 0
    assert is_summed_up(project, "mirror database") == set()
    assert not says or is_summed_up(project, says) == every
    project.command("undo")
    assert is_summed_up(project, "mirror database") == every


def test_what_mended_an_error_stands_in_every_summary_and_not_only_its_name(project):
    """003-10: a failure's lesson is never lost."""
    project.session(FIX)
    levels = {"session", "row", "day", "week", "month", "project"}
    assert is_summed_up(project, "docker compose up -d db") == levels


def test_what_is_private_or_forgotten_is_in_no_summary(core, clock):
    kept = core.remember(DECIDED, category="decision").memory_id
    hidden = core.remember(SECRET, category="warning").memory_id
    core.edit(hidden, privacy="private")
    assert "quartermaster" not in digests(core, "day")["2026-03-02"]
    core.forget(kept)
    assert digests(core, "day") == {}


def test_the_command_lists_and_opens(cli, home, repo):
    with open_memory(home, repo, clock=lambda: START) as core:
        kept = core.remember(DECIDED, category="decision").memory_id
    assert {one["level"] for one in cli("summaries", "list", "--json").lines} == {
        *("day", "week", "month", "project")
    }
    told = cli("summaries", "show", "2026-03", "--json").json
    assert [one["name"] for one in told["summaries"]] == ["2026-03-02"]
    assert cli("summaries", "show", "2026-03-02", "--json").json["memories"][0]["id"] == kept
    assert "tide tables in Postgres" in cli("summaries").out
    assert cli("summaries", "show", "2026-04").code == 1
