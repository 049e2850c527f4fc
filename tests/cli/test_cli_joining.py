"""merge and promote: what stays, what retires, who is asked, and the way back."""

import pytest


@pytest.fixture
def said(remembered):
    """The same said three times, each with something of its own."""
    return [
        remembered("Retries stop after three", "--tag", "net", "--importance", "4"),
        remembered("A call is tried three times", "--tag", "http", "--importance", "9"),
        remembered("Give up on the third failure", "--file", "src/retry.py"),
    ]


def shown(cli, identifier):
    return cli("show", identifier, "--json").json


# --- merge


def test_merge_keeps_the_first_with_what_the_others_add(cli, said):
    answer = cli("merge", *said)
    assert answer.code == 0, answer.err
    assert [line.split()[0] for line in answer.out.splitlines()] == ["merged", "merged", "into"]
    kept = shown(cli, said[0])
    assert kept["content"] == "Retries stop after three"
    assert kept["tags"] == ["net", "http"]
    assert kept["files"] == ["src/retry.py"]
    assert kept["importance_10"] == 9
    assert [shown(cli, one)["retired_as"] for one in said[1:]] == ["merged", "merged"]
    assert cli("undo").code == 0
    assert len(cli("list", "--json").lines) == 3
    assert shown(cli, said[0])["tags"] == ["net"]


def test_merge_can_edit_the_result_in_the_same_entry(cli, said):
    answer = cli("merge", said[0], said[1], "--content", "Three tries", "--title", "T", "--json")
    assert answer.code == 0, answer.err
    assert (answer.json["content"], answer.json["title"]) == ("Three tries", "T")
    assert answer.json["merged"] == [said[1]]
    assert cli("undo").code == 0
    assert shown(cli, said[0])["content"] == "Retries stop after three"


def test_merge_takes_the_same_name_twice_as_one(cli, said):
    assert cli("merge", said[0], said[1], said[1][:15], "--json").json["merged"] == [said[1]]


def test_merge_refuses_one_itself_and_what_is_gone(cli, said):
    assert cli("merge", said[0]).code == 2
    assert cli("merge").code == 2
    assert cli("merge", said[0], said[0]).code == 1
    assert cli("merge", said[0], "zzzzzzz").code == 1
    assert cli("merge", said[0], said[1], "--content", "x" * 4_001).code == 1
    cli("forget", said[2])
    answer = cli("merge", said[0], said[1], said[2])
    assert (answer.code, answer.out) == (1, "")
    assert "forgotten" in answer.err
    assert len(cli("list", "--json").lines) == 2


def test_merge_refuses_a_memory_of_another_project(cli, said, remembered):
    other = remembered("Retries stop after five", "--project", "elsewhere")
    for ids in ((said[0], other), (other, said[0])):
        answer = cli("merge", *ids)
        assert (answer.code, answer.out) == (1, "")
        assert "another project" in answer.err
    everywhere = remembered("Retries stop", "--scope", "global", "--yes")
    assert cli("merge", everywhere, said[0], "--yes").code == 0


# --- promote


def test_promote_makes_a_candidate_a_memory_of_the_project(cli, captured):
    identifier = captured(
        "We decided that the deploy script only runs from the release branch, as main may be red.",
        rule="agent.decision",
        importance=0.6,
    )
    assert shown(cli, identifier)["scope"] == "session"
    answer = cli("promote", identifier, "--to", "project")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("promoted")
    memory = shown(cli, identifier)
    assert (memory["scope"], memory["status"]) == ("project", "confirmed")
    assert cli("undo").code == 0
    memory = shown(cli, identifier)
    assert (memory["scope"], memory["status"]) == ("session", "candidate")


def test_promote_to_global_needs_a_yes_where_nobody_can_be_asked(cli, said):
    refused = cli("promote", said[0], "--to", "global")
    assert (refused.code, refused.out) == (1, "")
    assert "--yes" in refused.err
    assert shown(cli, said[0])["scope"] == "project"
    answer = cli("promote", said[0], said[1], "--to", "global", "--yes", "--json")
    assert [one["scope"] for one in answer.lines] == ["global", "global"]
    assert len(cli("list", "--json", "--project", "elsewhere").lines) == 2
    assert cli("undo").code == 1
    assert cli("undo", "--yes").code == 0
    assert cli("list", "--json", "--project", "elsewhere").out == ""


def test_promote_takes_words_and_every_match(cli, said):
    assert cli("promote", "third", "failure", "--to", "project").code == 0
    assert cli("promote", "--all", "tag:net", "--to", "global", "--yes").code == 0
    assert shown(cli, said[0])["scope"] == "global"


def test_promote_refuses_what_cannot_be(cli, said):
    assert cli("promote", said[0]).code == 2
    assert cli("promote", said[0], "--to", "session").code == 2
    assert cli("promote", "--to", "project").code == 2
    assert cli("promote", "zzzzzzz", "--to", "project").code == 1
    cli("forget", said[2])
    assert cli("promote", said[2], "--to", "project").code == 1


def test_undo_names_what_it_took_back(cli, said):
    cli("merge", said[0], said[1])
    assert "merge: " in cli("undo").out
