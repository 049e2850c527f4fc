"""history, verify, rebuild: what was changed, and whether the store is whole."""

import sqlite3

import pytest

TEXT = "Staging lives on host db-7, reached through the bastion"


@pytest.fixture
def changed(cli, remembered):
    """A memory that was added, edited and pinned."""
    identifier = remembered(TEXT)
    cli("edit", identifier, "--title", "Where staging is")
    cli("pin", identifier)
    return identifier


def test_history_lists_changes_newest_first(cli, changed):
    answer = cli("history", "--json", code=0)
    assert [entry["action"] for entry in answer.lines] == ["pin", "edit", "add"]
    assert {entry["actor"] for entry in answer.lines} == {"person"}
    assert answer.lines[0]["memories"] == [changed]
    assert cli("audit", "--json").out == answer.out  # an alias
    assert answer.lines[0].keys() >= {"seq", "at", "reason", "session", "undoes", "undone_by"}


def test_history_in_plain_words(cli, changed):
    lines = cli("history").out.splitlines()
    assert len(lines) == 3
    assert "pin" in lines[0]
    assert "Where staging is" in lines[0]
    assert max(len(line) for line in lines) <= 80


def test_history_filters(cli, changed, remembered):
    other = remembered("Retry budget is three attempts per call")
    for words, actions in (
        (["--memory", other], ["add"]),
        (["--action", "edit"], ["edit"]),
        (["--actor", "person", "--limit", "1"], ["add"]),
        (["--actor", "rule"], []),
        (["--since", "1h", "--action", "pin"], ["pin"]),
        (["--since", "2099-01-01"], []),
        (["--until", "1h"], []),
        (["--session", "none"], []),
    ):
        found = cli("history", "--json", *words, code=0)
        assert [entry["action"] for entry in found.lines] == actions, words


def test_history_pages_backwards(cli, changed):
    newest = cli("history", "--limit", "2", "--json").lines
    older = cli("history", "--before", str(newest[-1]["seq"]), "--json").lines
    assert [entry["action"] for entry in older] == ["add"]
    assert "--before" in cli("history", "--limit", "2").err


def test_history_refuses_what_cannot_be(cli):
    assert cli("history", "--since", "whenever").code == 2
    assert cli("history", "--actor", "ghost").code == 2
    assert cli("history", "--limit", "0").code == 2
    assert cli("history", "--memory", "zzzzzzz").code == 1


def test_an_empty_trail_says_so(cli):
    answer = cli("history")
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing was changed in this project yet." in answer.err
    assert "No change matches." in cli("history", "--actor", "rule").err


def test_one_entry_shows_before_and_after(cli, changed):
    [edited] = cli("history", "--action", "edit", "--json").lines
    answer = cli("history", str(edited["seq"]), "--json")
    [title] = [each for each in answer.json["differences"] if each["field"] == "title"]
    assert title["after"] == "Where staging is"
    plain = cli("history", str(edited["seq"])).out
    assert "+ Where staging is" in plain
    assert "- Staging lives" in plain


def test_an_entry_that_is_not_there_is_refused(cli, changed):
    answer = cli("history", "999")
    assert (answer.code, answer.out) == (1, "")
    assert "memdeck history" in answer.err


def test_verify_names_what_was_altered_and_rebuild_mends_it(cli, home, changed):
    with sqlite3.connect(home / "memory.db") as database:
        database.execute("UPDATE memory SET title = 'forged'")
    answer = cli("verify", code=1)
    assert changed in answer.out
    assert "memdeck rebuild" in answer.err

    assert cli("rebuild").code == 0
    assert cli("verify").code == 0
    assert cli("show", changed, "--json").json["title"] == "Where staging is"
