"""`at:`: memories as they were."""

import pytest

STAGING = "Staging lives on host db-7, reached through the bastion"
BUDGET = "Retry budget is three attempts per call"


@pytest.fixture
def week(cli, remembered):
    """Five entries: two memories are added, the first edited and pinned, the second forgotten."""
    staging, budget = remembered(STAGING), remembered(BUDGET)
    cli("edit", staging, "--content", "Staging lives on host db-9, reached through the bastion")
    cli("pin", staging)
    cli("forget", budget)
    return staging, budget


def titles(answer):
    assert answer.code == 0, answer.err
    return [memory["title"] for memory in answer.lines]


def test_a_list_as_of_an_entry_is_the_list_that_stood_then(cli, week):
    assert titles(cli("list", "at:#1", "--json")) == [STAGING]
    assert titles(cli("list", "at:#2", "--json")) == [BUDGET, STAGING]
    last = cli("list", "at:#5", "--json").lines
    assert [(one["title"][:28], one["status"]) for one in last] == [
        ("Staging lives on host db-9, ", "pinned")
    ]
    now = cli("list", "--json").lines
    assert [one["id"] for one in last] == [one["id"] for one in now]
    assert last[0].keys() == now[0].keys()


def test_a_list_as_of_a_time_says_which(cli, week):
    before = cli("list", "at:yesterday")
    assert (before.code, before.out) == (0, "")
    assert "acme-api has no memories as of 20" in before.err
    assert len(titles(cli("list", "at:0h", "--json"))) == 1


def test_an_agent_is_not_shown_the_past(cli, week, monkeypatch):
    cli("remember", "My own note on pay", "--privacy", "private")
    monkeypatch.setenv("CLAUDECODE", "1")
    refused = cli("list", "at:#2")
    assert (refused.code, refused.out) == (1, "")
    assert "the user only" in refused.err
