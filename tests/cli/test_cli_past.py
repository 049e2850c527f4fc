"""list --as-of and diff: the Deck as it was, and what differs between two times."""

import re

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
    assert titles(cli("list", "--as-of", "#1", "--json")) == [STAGING]
    assert titles(cli("list", "--as-of", "#2", "--json")) == [BUDGET, STAGING]
    last = cli("list", "--as-of", "#5", "--json").lines
    assert [(one["title"][:28], one["status"]) for one in last] == [
        ("Staging lives on host db-9, ", "pinned")
    ]
    now = cli("list", "--json").lines
    assert [one["id"] for one in last] == [one["id"] for one in now]
    assert last[0].keys() == now[0].keys()


def test_the_past_answers_the_whole_query_language(cli, week):
    assert titles(cli("list", "is:pinned", "--as-of", "#3", "--json")) == []
    assert len(titles(cli("list", "is:pinned", "--as-of", "#4", "--json"))) == 1
    assert titles(cli("list", "db-7", "--as-of", "#2", "--json")) == [STAGING]
    assert titles(cli("list", "db-7", "--as-of", "#3", "--json")) == []
    assert titles(cli("list", "is:retired", "--as-of", "#4", "--json")) == []
    assert titles(cli("list", "is:retired", "--as-of", "#5", "--json")) == [BUDGET]


def test_a_list_as_of_a_time_says_which(cli, week):
    before = cli("list", "--as-of", "yesterday")
    assert (before.code, before.out) == (0, "")
    assert "acme-api has no memories as of 20" in before.err
    assert len(titles(cli("list", "--as-of", "0h", "--json"))) == 1


def test_what_differs_is_named_by_what_a_person_can_type(cli, week):
    cli("promote", week[0], "--to", "global", "--yes")
    named = re.findall(r"^(?:[-+~] )?(\w{7,})  ", cli("diff", "#1").out, re.M)
    assert named
    assert {cli("show", one, "--json").json["id"] for one in named} <= set(week)


def test_looking_back_changes_nothing(cli, week):
    before = cli("audit", "--json").out
    cli("list", "--as-of", "#1")
    cli("diff", "#1")
    assert cli("audit", "--json").out == before
    assert cli("verify").code == 0


def test_times_that_there_were_not_are_refused(cli, week, subtests):
    rows = [
        (("list", "--as-of", "#6"), 1),
        (("list", "--as-of", "some day"), 2),
        (("diff",), 2),
        (("diff", "#6"), 1),
        (("diff", "#4", "#2"), 1),
        (("diff", "today", "yesterday"), 1),
        (("diff", "#0", "#5"), 0),
        (("list", "--as-of", "#0"), 0),
    ]
    for words, code in rows:
        with subtests.test(words=words):
            answer = cli(*words)
            assert answer.code == code
            if code:
                assert answer.err.startswith("memdeck: ")
                assert answer.out == ""


def test_diff_tells_what_differs_between_its_two_ends(cli, week):
    staging, budget = week
    found = cli("diff", "#2", "#5", "--json").json
    assert (found["from"]["entry"], found["to"]["entry"]) == (2, 5)
    [changed], [retired] = found["changed"], found["retired"]
    assert (changed["id"], changed["entry"], changed["action"]) == (staging, 4, "pin")
    assert [one["field"] for one in changed["fields"]] == ["content", "status"]
    assert changed["fields"][1] == {"field": "status", "before": "confirmed", "after": "pinned"}
    assert (retired["id"], retired["retired_as"]) == (budget, "forgotten")
    assert (found["added"], found["restored"]) == ([], [])
    cli("restore", budget)
    assert [one["id"] for one in cli("diff", "#5", "--json").json["restored"]] == [budget]
    assert cli("diff", "#4", "--json").json["retired"] == []  # it is as it was


def test_what_came_and_went_in_between_is_not_told(cli, week, remembered):
    cli("forget", remembered("The nightly job runs at two"))
    found = cli("diff", "#5", "--json").json
    assert not any(found[kind] for kind in ("added", "changed", "retired", "restored"))


def test_an_adding_that_was_taken_back_was_never_there_and_else_has_left(cli, week):
    cli("remember", "The nightly job runs at two")
    cli("undo")
    assert cli("diff", "#5", "--json").json["added"] == []
    [retired] = cli("diff", "#6", "--json").json["retired"]
    assert (retired["title"], retired["retired_as"]) == ("The nightly job runs at two", None)
    assert "taken back" in cli("diff", "#6").out


def test_diff_in_plain_words(cli, week):
    answer = cli("diff", "#2")
    assert answer.code == 0
    assert re.search(rf"^- {week[1][:7]}\w*  {BUDGET}$", answer.out, re.M)
    assert "forgotten, by person" in answer.out
    assert "status + pinned" in answer.out
    assert "1 changed, 1 retired" in answer.err
    assert max(map(len, answer.out.splitlines())) <= 80


def test_diff_stays_in_its_project(cli, week):
    assert cli("remember", "Another place", "--project", "elsewhere").code == 0
    assert cli("diff", "#5", "--json").json["added"] == []
    there = cli("diff", "#5", "--project", "elsewhere", "--json").json
    assert [one["title"] for one in there["added"]] == ["Another place"]


def test_an_agent_is_not_shown_the_past_and_only_what_is_open_of_its_changes(
    cli, week, monkeypatch
):
    cli("remember", "My own note on pay", "--privacy", "private")
    assert len(cli("diff", "#5", "--json").json["added"]) == 1
    monkeypatch.setenv("CLAUDECODE", "1")
    assert cli("diff", "#5", "--json").json["added"] == []
    assert len(cli("diff", "#2", "--json").json["changed"]) == 1
    refused = cli("list", "--as-of", "#2")
    assert (refused.code, refused.out) == (1, "")
    assert "a person only" in refused.err
