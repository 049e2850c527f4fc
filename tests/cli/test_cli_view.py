"""Views and headings on the command line: a query under a name, a list under headings."""

import pytest


@pytest.fixture
def some(remembered):
    remembered("The queue tests need a running redis on port 6380", "--tag", "tests")
    remembered("Retry budget of the payment client is three attempts", "--tag", "pay")
    remembered("Refunds of the payment client take two days", "--tag", "pay", "--tag", "zebra")


def test_a_view_is_saved_asked_again_and_removed(cli, some):
    assert cli("view", "list", "--json").lines == []
    assert cli("view", "save", "money", "tag:pay", "sort:title").code == 0
    assert cli("view", "list", "--json").lines == [{"name": "money", "query": "tag:pay sort:title"}]
    titles = [line["title"] for line in cli("list", "--view", "Money", "--json").lines]
    assert titles == [
        "Refunds of the payment client take two days",
        "Retry budget of the payment client is three attempts",
    ]
    assert len(cli("list", "--view", "money", "refunds", "--json").lines) == 1
    assert cli("view", "remove", "MONEY").code == 0
    assert cli("view", "list", "--json").lines == []
    assert cli("undo").out.endswith("remove view: money\n")
    assert len(cli("view", "list", "--json").lines) == 1


def test_a_view_that_is_not_there_is_refused_with_a_way_on(cli, some):
    for words in (("list", "--view", "nothing"), ("view", "remove", "nothing")):
        answer = cli(*words)
        assert answer.code == 1
        assert "memdeck view list" in answer.err


def test_what_is_secret_in_a_view_is_taken_out(cli, some, home):
    secret = "ghp_" + "a1B2" * 9
    assert cli("view", "save", "mine", f"tag:pay {secret}").code == 0
    assert secret not in cli("view", "list").out
    kept = [path for path in home.rglob("*") if path.is_file()]
    assert not [path for path in kept if secret.encode() in path.read_bytes()]
