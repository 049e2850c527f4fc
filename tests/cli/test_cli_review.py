"""`memdeck review` lists and decides what needs the user's word; two aliases do the same."""

import pytest

REDIS = "From now on, run the queue tests against redis on port 6380, never against a mock."
DEPLOY = "We decided that the deploy script only runs from the release branch, as main may be red."
HOSTILE = (
    "Always clear \x1b[2J\x1b]52;c;aGk=\x07 the \u202escreen\x9b31m before the port check runs."
)
ALWAYS = "Always moor the pilot boat at the inner quay when the wind is from the north"
NEVER = "Never moor the pilot boat at the inner quay when the wind is from the north"


@pytest.fixture
def waiting(captured):
    """Two candidates: a rule of the user, and an agent's sentence that is likely junk."""
    return {
        "redis": captured(REDIS, category="preference", files=("tests/queue.py",)),
        "deploy": captured(DEPLOY, category="decision", rule="agent.decision", importance=0.3),
    }


@pytest.fixture
def sides(cli):
    """Two memories in a conflict, older first."""
    return [cli("remember", text, "--json").json["memory"]["id"] for text in (ALWAYS, NEVER)]


def status_of(cli, identifier):
    memory = cli("show", identifier, "--json").json
    return memory["retired_as"] or memory["status"]


def keys(cli, *options):
    return [one["key"] for one in cli("review", *options, "--json").lines]


def test_the_queue_is_listed_with_likely_junk_last(cli, waiting, sides):
    second, first, third = cli("review", "--json").lines
    assert [one["kind"] for one in (second, first, third)] == ["conflict", "candidate", "candidate"]
    assert [one["is_junk"] for one in (second, first, third)] == [False, False, True]
    assert first["memories"][0]["content"] == REDIS
    assert first["reason"] == "You said it."
    assert first["if_nothing"]
    assert [one["id"] for one in second["memories"]] == sides
    for alias in ("inbox", "conflicts"):
        assert [one["key"] for one in cli(alias, "--json").lines] == keys(cli)
    assert len(keys(cli, "--kind", "conflict")) == 1
    assert len(keys(cli, "--limit", "1")) == 1
    shown = cli("review").out
    assert shown.index("Conflicts") < shown.index("New") < shown.index("Likely junk")
    assert cli("review", "--kind", "dust").code == 2


def test_a_card_says_what_happens_without_a_verdict(cli, waiting, sides):
    shown = cli("review", "show", waiting["redis"]).out
    assert "If you do nothing: its trial ends in 24 h." in " ".join(shown.split())
    assert "Promotion" not in shown
    assert "Promotion" in cli("review", "show", waiting["redis"], "--why").out
    whole = cli("review", "show", waiting["redis"], "--json").json
    assert whole["numbers"]["points"] == 6.0
    pair = cli("review", "show", sides[0]).out
    assert ALWAYS in " ".join(pair.split())
    assert NEVER in " ".join(pair.split())


def test_accept_reject_snooze_and_undo(cli, waiting):
    assert cli("review", "accept", waiting["redis"], "--pin").code == 0
    assert status_of(cli, waiting["redis"]) == "pinned"
    assert cli("undo").code == 0
    assert cli("review", "snooze", waiting["redis"], "--until", "3d").code == 0
    assert keys(cli) == [f"candidate:{waiting['deploy']}"]
    assert len(keys(cli, "--snoozed")) == 2
    assert cli("undo").code == 0
    assert cli("review", "reject", "--junk").code == 0
    assert status_of(cli, waiting["deploy"]) == "rejected"
    assert status_of(cli, waiting["redis"]) == "candidate"
    assert cli("review", "reject", waiting["deploy"]).code == 1
    assert cli("review", "reject").code == 2


def test_words_name_a_candidate(cli, waiting):
    assert cli("review", "reject", "release", "branch", "--reason", "not so").code == 0
    assert status_of(cli, waiting["deploy"]) == "rejected"
    assert cli("review", "accept", "--all", "redis").code == 0
    assert status_of(cli, waiting["redis"]) == "confirmed"


def test_a_conflict_keeps_one_side_both_or_neither(cli, sides):
    first, second = sides
    assert cli("review", "keep", first).code == 0
    assert status_of(cli, second) == "superseded"
    assert cli("undo").code == 0
    assert cli("review", "accept", first, "--context", "one in winter").code == 0
    assert keys(cli) == []
    assert cli("undo").code == 0
    assert cli("review", "merge", first, "--title", "Mooring").code == 0
    assert status_of(cli, first) == "merged"
    assert cli("undo").code == 0
    assert cli("review", "neither", first, "--over", second).code == 0
    assert [status_of(cli, one) for one in sides] == ["rejected", "rejected"]
    assert cli("undo").code == 0
    assert cli("review", "reject", first).code == 1
    assert cli("review", "keep", second, "--over", first).code == 0
    assert cli("review", "keep", second).code == 1


def test_two_memories_are_marked_as_a_conflict(cli):
    one, other = (
        cli("remember", text, "--json").json["memory"]["id"]
        for text in ("The lamp of pier C is red at night", "The radar is blind at the outer buoy")
    )
    marked = cli("review", "mark", one, other, "--reason", "lamp", "--json").json
    assert keys(cli) == [f"conflict:{marked['id']}"]


def test_a_filtered_capture_is_rescued(cli, captured):
    captured(
        "The tests ran green just now and I moved on to the next thing.",
        importance=0.2,
        rule="agent.finding",
    )
    [capture] = cli("review", "--filtered", "--json").lines
    assert capture["reason"]
    assert "rescue" in cli("review", "--filtered").err
    assert cli("review", "rescue", str(capture["number"])).code == 0
    assert cli("review", "--filtered", "--json").lines == []


def test_no_text_of_a_memory_reaches_the_terminal_raw(cli, captured):
    memory = captured(HOSTILE, rule="person.instruction")
    for words in ((), ("show", memory, "--why")):
        shown = cli("review", *words).out
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*shown}
