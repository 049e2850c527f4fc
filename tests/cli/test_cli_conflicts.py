"""conflicts: both sides are shown, each verdict does what it says, and none is asked for twice."""

import pytest

from memdeck import open_memory


@pytest.fixture
def sides(remembered):
    """Two memories of which nothing says yet that they disagree."""
    return remembered("Tax is rounded per line", "--file", "tax.py"), remembered("Use decimals")


@pytest.fixture
def conflict(cli, sides):
    """A conflict between the two, with a reason."""
    answer = cli("conflicts", "mark", *sides, "--reason", "per line against in total", "--json")
    assert answer.code == 0, answer.err
    return answer.json["id"]


def standing(cli, identifier):
    memory = cli("show", identifier, "--json").json
    return memory["retired_as"] or memory["status"]


# --- list and show


def test_what_a_person_says_is_listed_where_it_contradicts_what_is_known(cli, remembered):
    held = "A berth at the outer pier is held for {} minutes while a guest pays"
    old, new = remembered(held.format(10)), remembered(held.format(15))
    answer = cli("conflicts")
    assert answer.code == 0
    head, first, second = answer.out.splitlines()
    assert "15 minutes" in head
    assert first.split()[:2] == ["a", "≠"]
    assert second.split()[:2] == ["b", "≠"]
    assert "1 conflict without a verdict" in answer.err
    [listed] = cli("conflicts", "list", "--json").lines
    assert (listed["first"]["id"], listed["second"]["id"]) == (old, new)
    assert (listed["verdict"], listed["resolved_at"], listed["context"]) == (None, None, "")
    assert (listed["band"], listed["wording"]) == ("conflict", "contradicts")
    assert 0.5 < listed["probability"] <= 1
    assert listed["id"].startswith(listed["short_id"])
    assert cli("conflicts", "show", listed["short_id"], "--json").json["id"] == listed["id"]


# --- resolve


@pytest.mark.parametrize(
    ("keep", "first", "second"),
    [
        ("a", "confirmed", "superseded"),
        ("b", "superseded", "confirmed"),
        ("both", "confirmed", "confirmed"),
        ("neither", "rejected", "rejected"),
        ("merged", "confirmed", "merged"),
        ("not-a-conflict", "confirmed", "confirmed"),
    ],
)
def test_each_verdict_leaves_what_it_says_and_can_be_taken_back(
    cli, sides, conflict, keep, first, second
):
    answer = cli("conflicts", "resolve", conflict, "--keep", keep)
    assert answer.code == 0, answer.err
    assert answer.out.startswith(f"resolved  {conflict}")
    assert "memdeck undo" in answer.err
    assert [standing(cli, side) for side in sides] == [first, second]
    assert cli("conflicts", "--json").out == ""
    assert cli("verify").code == 0
    assert cli("undo").code == 0
    assert [standing(cli, side) for side in sides] == ["confirmed", "confirmed"]
    assert cli("conflicts", "--json").json["id"] == conflict


# --- mark


def test_mark_notes_a_conflict_once_and_undo_takes_it_back(cli, sides):
    answer = cli("conflicts", "mark", *sides, "--kind", "ambiguous")
    assert answer.code == 0
    assert answer.out.startswith("marked")
    assert cli("show", sides[0], "--json").json["in_conflict"] is True
    assert cli("verify").code == 0
    again = cli("conflicts", "mark", *reversed(sides), "--json")
    assert again.json["id"] == cli("conflicts", "--json").json["id"]
    assert again.json["kind"] == "ambiguous"
    assert cli("undo").code == 0
    assert cli("conflicts", "--json").out == ""


# --- every form


def test_hostile_text_steers_no_terminal(cli, home):
    text = "Clear \x1b[2J\x1b]52;c;aGk=\x07 the \u202escreen\x9b31m"
    with open_memory(home) as core:
        sides = [core.remember(f"{text} {n}", title=text).memory_id for n in (1, 2)]
        conflict = core.mark_conflict(*sides, reason=text)
    for words in (
        ["conflicts"],
        ["conflicts", "show", conflict],
        ["conflicts", "resolve", conflict, "--keep", "both", "--context", text],
        ["conflicts", "--all"],
        ["conflicts", "show", conflict],
        ["conflicts", "--all", "--json"],
    ):
        answer = cli(*words)
        assert answer.code == 0, answer.err
        for shown in (answer.out, answer.err):
            assert not any(ord(c) < 32 and c not in "\r\n\t" for c in shown), words
            assert "\x9b" not in shown
            assert "\u202e" not in shown
