"""conflicts: both sides are shown, each verdict does what it says, and none is asked for twice."""

import pytest

from memdeck import open_memory

OLD = "Postgres listens on port 5432 on the staging host"
NEW = "Postgres listens on port 5433 on the staging host"


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


def test_no_conflict_is_said_to_be_none(cli, home):
    answer = cli("conflicts")
    assert (answer.code, answer.out) == (0, "")
    assert "No conflict waits for a verdict." in answer.err
    assert cli("conflicts", "--json").out == ""
    assert "decided yet" in cli("conflicts", "--resolved").err


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
    assert (listed["a"]["id"], listed["b"]["id"]) == (old, new)
    assert (listed["verdict"], listed["resolved_at"], listed["context"]) == (None, None, "")
    assert (listed["band"], listed["wording"]) == ("conflict", "contradicts")
    assert 0.5 < listed["probability"] <= 1
    assert listed["id"].startswith(listed["short_id"])
    assert cli("conflicts", "show", listed["short_id"], "--json").json["id"] == listed["id"]


def test_show_tells_both_sides_the_reason_and_where_they_come_from(cli, captured, remembered):
    one = remembered("Tests need a redis", "--file", "tests/queue.py")
    other = captured("From now on, run the queue tests against a fake, never against a redis.")
    identifier = cli("conflicts", "mark", one, other, "--reason", "fake or redis", "--json").json[
        "id"
    ]
    answer = cli("conflicts", "show", identifier[:9])
    assert answer.code == 0
    for words in (
        *("contradictory", "fake or redis", "none yet", "Tests need a redis", "against a fake"),
        *("from a person", "from claude, session s-1, line 3", "tests/queue.py", "never told"),
    ):
        assert words in answer.out, words
    assert f"conflicts resolve {identifier}" in answer.err
    assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_decided_conflicts_are_listed_when_asked(cli, conflict, remembered):
    remembered(OLD)
    remembered(NEW)
    assert cli("conflicts", "resolve", conflict, "--keep", "not-a-conflict").code == 0
    listed = {
        option: [one["verdict"] for one in cli("conflicts", *option, "--json").lines]
        for option in ((), ("--resolved",), ("--all",))
    }
    assert listed == {
        (): [None],
        ("--resolved",): ["not_a_conflict"],
        ("--all",): ["not_a_conflict", None],
    }
    assert "no conflict" in cli("conflicts", "--resolved").out
    assert "decided" in cli("conflicts", "show", conflict).out


def test_options_of_the_list_do_not_go_with_a_verb(cli, conflict):
    assert cli("conflicts", "--all", "show", conflict).code == 2


def test_what_is_no_conflict_is_not_found(cli, conflict, subtests):
    for identifier in ["zzzzzzz", "", "\x1b[2J", "%", "x" * 9_999]:
        with subtests.test(identifier=identifier):
            for words in (["show", identifier], ["resolve", identifier, "--keep", "a"]):
                answer = cli("conflicts", *words)
                assert (answer.code, answer.out) == (1, "")
                assert "memdeck conflicts" in answer.err
                assert "\x1b" not in answer.err


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


def test_a_context_tells_apart_what_both_stay(cli, conflict):
    context = "per line for invoices, in total for receipts"
    answer = cli("conflicts", "resolve", conflict, "--keep", "both", "--context", context, "--json")
    assert answer.code == 0, answer.err
    assert (answer.json["verdict"], answer.json["context"]) == ("both", context)
    assert context in " ".join(cli("conflicts", "show", conflict).out.split())
    assert cli("verify").code == 0
    assert cli("rebuild").code == 0
    assert cli("conflicts", "--resolved", "--json").json["context"] == context


def test_a_context_has_a_longest_length(cli, conflict):
    refused = cli("conflicts", "resolve", conflict, "--keep", "both", "--context", "x" * 501)
    assert refused.code == 1
    assert "500" in refused.err
    assert cli("conflicts", "resolve", conflict, "--keep", "both", "--context", "x" * 500).code == 0


def test_a_merge_can_say_it_for_both(cli, sides, conflict):
    text = "Tax is rounded per line, in decimals"
    answer = cli(
        *("conflicts", "resolve", conflict, "--keep", "merged"),
        *("--content", text, "--title", "Tax", "--json"),
    )
    assert answer.code == 0, answer.err
    assert (answer.json["a"]["content"], answer.json["a"]["title"]) == (text, "Tax")
    assert answer.json["b"]["retired_as"] == "merged"


def test_texts_go_with_a_merge_only(cli, sides, conflict):
    answer = cli("conflicts", "resolve", conflict, "--keep", "a", "--content", "x")
    assert answer.code == 2
    assert "--keep merged" in answer.err
    assert cli("conflicts", "resolve", conflict).code == 2
    assert cli("conflicts", "resolve", conflict, "--keep", "c").code == 2
    assert [standing(cli, side) for side in sides] == ["confirmed", "confirmed"]


def test_a_verdict_is_given_once(cli, conflict):
    assert cli("conflicts", "resolve", conflict, "--keep", "a").code == 0
    again = cli("conflicts", "resolve", conflict, "--keep", "b")
    assert (again.code, again.out) == (1, "")
    assert "memdeck undo" in again.err


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


def test_mark_refuses_what_cannot_disagree(cli, sides):
    assert cli("conflicts", "mark", sides[0], sides[0]).code == 1
    assert cli("conflicts", "mark", sides[0], "zzzzzzz").code == 1
    assert cli("conflicts", "mark", *sides, "--kind", "odd").code == 2
    assert cli("conflicts", "mark", sides[0]).code == 2


def test_mark_refuses_a_memory_of_another_project(cli, sides, remembered):
    other = remembered("Tax is rounded in total", "--project", "elsewhere")
    for first, second in ((sides[0], other), (other, sides[0])):
        answer = cli("conflicts", "mark", first, second)
        assert (answer.code, answer.out) == (1, "")
        assert "another project" in answer.err


@pytest.mark.parametrize("kind", ["contradictory", "superseded", "ambiguous"])
def test_every_kind_that_the_core_knows_can_be_marked(cli, sides, kind):
    assert cli("conflicts", "mark", *sides, "--kind", kind, "--json").json["kind"] == kind


# --- every form


def test_another_project_sees_nothing_of_it(cli, conflict):
    assert cli("conflicts", "--json", "--project", "elsewhere").out == ""
    assert cli("conflicts", "show", conflict, "--project", "elsewhere").code == 1


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
