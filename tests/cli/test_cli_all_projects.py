"""`project:*`: every project is listed and searched by a person, and none of it is changed."""

import pytest

LAMP, CRANE = "The lamp turns once in eleven seconds", "Crane seven wants a permit first"


@pytest.fixture
def both(cli, remembered):
    remembered(CRANE)
    cli("project", "new", "lighthouse")
    remembered(LAMP, "--project", "lighthouse")


def test_all_projects_are_listed_and_searched_each_row_with_its_own(cli, both):
    told = cli("list", "project:*")
    assert LAMP[:15] in told.out
    assert CRANE[:15] in told.out
    assert "lighthouse-" in told.out
    assert "in all projects" in told.err
    [lamp] = cli("list", "--project", "lighthouse", "--json").lines
    assert f"1 memory in {lamp['project']}" in cli("list", f"project:{lamp['project']}").err
    found = cli("search", "project:*", "lamp", "--json")
    assert [one["content"] for one in found.lines] == [LAMP]
    assert LAMP not in cli("list").out


def test_an_agent_sees_its_own_project_alone(cli, both, monkeypatch):
    [lamp] = cli("list", "--project", "lighthouse", "--json").lines
    monkeypatch.setenv("CLAUDECODE", "1")
    assert [one["content"] for one in cli("list", "project:*", "--json").lines] == [CRANE]
    assert "in all projects" not in cli("list", "project:*").err
    for named in (f"project:{lamp['project']}", "project:*"):
        assert LAMP not in cli("search", named, "lamp").out
        assert LAMP not in cli("list", named).out
    for words in (("list",), ("export",), ("forget", "--all")):
        assert CRANE not in cli(*words, f"project:{lamp['project']}").out, words
    for words in (("show",), ("forget",), ("pin",), ("edit", "--title", "Ours")):
        refused = cli(*words, lamp["id"])
        assert (refused.code, refused.out) == (1, ""), words
        assert LAMP not in refused.err
    for words in (("show", lamp["id"]), ("list",), ("search", "lamp"), ("export",)):
        refused = cli(*words, "--project", "lighthouse")
        assert (refused.code, refused.out, "no other project" in refused.err) == (1, "", True)


WRITES = (
    "remember TEXT",
    "import -",
    "memory budget 700",
    "memory auto off",
    "memory incognito on",
)


@pytest.mark.parametrize("words", [*WRITES, "learn TEXT", "list"])
def test_a_name_that_no_project_has_begins_none(cli, both, words):
    refused = cli(*words.split(), "--project", "lighthuose", stdin="")
    assert (refused.code, refused.out) == (1, "")
    assert "Did you mean lighthouse?" in refused.err
    assert "memdeck project new" in refused.err
    assert len(cli("list", "project:*", "--json").lines) == 2


def test_a_project_is_begun_by_name_once_and_where_no_folder_is(cli, both):
    assert cli("project", "new", "beacon", "--json").json["name"] == "beacon"
    assert cli("remember", LAMP, "--project", "beacon").code == 0
    for name, why in (("beacon", "already"), (".", "is a folder"), ("", "empty")):
        refused = cli("project", "new", name)
        assert refused.code != 0, name
        assert why in refused.err
    assert "in use" in cli("undo", "4").err
    assert [cli("undo", seq).code for seq in ("5", "4")] == [0, 0]
    assert cli("list", "--project", "beacon").code == 1
