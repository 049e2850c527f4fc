"""inbox: what was captured is listed by worth, judged by one verb each, and can be taken back."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import open_memory

REDIS = "From now on, run the queue tests against redis on port 6380, never against a mock."
DEPLOY = "We decided that the deploy script only runs from the release branch, as main may be red."
AGAIN = "Run the queue tests against the redis on port 6380, please, and in the nightly job too."
TALK = "The tests ran green just now and I moved on to the next thing."
HOSTILE = (
    "Always clear \x1b[2J\x1b]52;c;aGk=\x07 the \u202escreen\x9b31m before the port check runs."
)


@pytest.fixture
def waiting(captured):
    """Two candidates: what a person laid down, and what an agent decided."""
    return {
        "redis": captured(REDIS, category="preference", files=("tests/queue.py",)),
        "deploy": captured(DEPLOY, category="decision", rule="agent.decision", importance=0.6),
    }


def status_of(cli, identifier):
    memory = cli("show", identifier, "--json").json
    return memory["retired_as"] or memory["status"]


def listed(cli, *options):
    return [one["id"] for one in cli("inbox", *options, "--json").lines]


# --- the list


def test_a_candidate_as_json_has_all_there_is_to_judge_it_by(cli, waiting):
    first, second = cli("inbox", "list", "--json").lines
    assert first["id"] == waiting["redis"]
    assert first["content"] == REDIS
    assert (first["points"], first["points_needed"]) == (6.0, 3)
    assert first["signals"] == {"user-intent": 5, "high-importance": 1}
    assert first["quarantined_until"] > first["promoted_at"]
    assert first["snoozed_until"] is None
    assert first["tier"] == "consensus"
    assert [vote["reviewer"] for vote in first["reviews"]] == [
        "analyzer",
        "patterns",
        "knowledge-archaeologist",
    ]
    assert second["quarantined_until"] is None
    assert second["conflicts"] == []
    assert set(first["weight"]) == {
        *("outcome", "reuse", "cross_agent", "novelty", "user_signal", "cost_savings")
    }


# --- show


# --- accept


def test_accept_makes_a_candidate_a_memory_and_undo_takes_it_back(cli, waiting):
    answer = cli("inbox", "accept", waiting["redis"])
    assert answer.code == 0
    assert answer.out.startswith("accepted")
    assert "memdeck undo" in answer.err
    assert status_of(cli, waiting["redis"]) == "confirmed"
    assert listed(cli) == [waiting["deploy"]]
    assert cli("undo").code == 0
    assert status_of(cli, waiting["redis"]) == "candidate"
    assert listed(cli) == [waiting["redis"], waiting["deploy"]]


def test_accept_takes_several_in_one_entry_and_can_pin(cli, waiting):
    answer = cli("inbox", "accept", *waiting.values(), "--pin", "--json")
    assert [one["status"] for one in answer.lines] == ["pinned", "pinned"]
    assert cli("undo").code == 0
    assert len(listed(cli)) == 2


# --- edit


def test_edit_changes_and_accepts_in_one_entry(cli, waiting):
    answer = cli(
        *("inbox", "edit", waiting["redis"], "--title", "Queue tests", "--importance", "10"),
        *("--category", "pattern", "--tag", "ci", "--pin", "--json"),
    )
    assert answer.code == 0, answer.err
    memory = answer.json
    assert (memory["title"], memory["importance_10"], memory["category"], memory["tags"]) == (
        "Queue tests",
        10,
        "pattern",
        ["ci"],
    )
    assert memory["status"] == "pinned"
    assert cli("undo").code == 0
    assert status_of(cli, waiting["redis"]) == "candidate"
    assert cli("show", waiting["redis"], "--json").json["content"] == REDIS


# --- reject, snooze


def test_reject_buries_the_text_and_undo_digs_it_out(cli, waiting, captured):
    answer = cli("inbox", "reject", waiting["redis"], "--reason", "we use the fake now")
    assert answer.code == 0
    assert answer.out.startswith("rejected")
    assert status_of(cli, waiting["redis"]) == "rejected"
    assert cli("audit", "--action", "reject", "--json").json["reason"] == "we use the fake now"
    number = captured(REDIS)
    assert number.isdecimal()
    assert listed(cli) == [waiting["deploy"]]
    assert cli("undo").code == 0
    assert status_of(cli, waiting["redis"]) == "candidate"


def test_snooze_hides_a_candidate_for_a_day_unless_told_otherwise(cli, waiting):
    assert cli("inbox", "snooze", waiting["redis"]).code == 0
    assert listed(cli) == [waiting["deploy"]]
    put_off, _ = cli("inbox", "--snoozed", "--json").lines
    assert put_off["id"] == waiting["redis"]
    left = datetime.fromisoformat(put_off["snoozed_until"]) - datetime.now(UTC)
    assert timedelta(hours=23) < left <= timedelta(days=1)
    assert "back in 23h" in cli("inbox", "--snoozed").out
    assert cli("undo").code == 0
    assert len(listed(cli)) == 2


# --- merge


def test_merge_goes_into_the_nearest_memory_which_is_shown(cli, captured, remembered):
    known = remembered(REDIS, "--tag", "queue")
    candidate = captured(AGAIN, tags=("nightly",), files=("ci.yml",))
    answer = cli("inbox", "merge", candidate)
    assert answer.code == 0, answer.err
    assert "% alike" in answer.err
    assert "port 6380" in answer.err
    assert [line.split()[0] for line in answer.out.splitlines()] == ["merged", "into"]
    assert status_of(cli, candidate) == "merged"
    kept = cli("show", known, "--json").json
    assert (kept["tags"], kept["files"]) == (["queue", "nightly"], ["ci.yml"])
    assert cli("undo").code == 0
    assert listed(cli) == [candidate]


# --- what was refused


def test_refused_captures_are_listed_and_rescued(cli, captured):
    number = captured(TALK, rule="agent.finding", importance=0.2)
    listing = cli("inbox", "--refused")
    assert "The tests ran green just now" in listing.out
    assert "review: Importance" in listing.out
    [refused] = cli("inbox", "--refused", "--json").lines
    assert (str(refused["number"]), refused["content"]) == (number, TALK)
    assert refused["session"] == "s-1"
    assert [vote["score"] for vote in refused["reviews"]] == [3, 6, 9]
    answer = cli("inbox", "rescue", number, "--pin", "--json")
    assert answer.code == 0, answer.err
    assert (answer.json["content"], answer.json["status"]) == (TALK, "pinned")
    assert cli("inbox", "--refused", "--json").out == ""
    assert cli("inbox", "rescue", number).code == 1
    assert cli("undo").code == 0
    assert cli("list", "--json").out == ""


# --- every form


def test_hostile_text_steers_no_terminal(cli, home, captured):
    known = captured(HOSTILE, title=HOSTILE, tags=(HOSTILE,))
    number = captured("ok \x1b[2J thanks", session="s\x1b[2J")
    with open_memory(home) as core:
        assert core.resolve(known)
    for words in (
        ["inbox"],
        ["inbox", "show", known],
        ["show", known],
        ["inbox", "--refused"],
        ["inbox", "snooze", known],
        ["inbox", "accept", HOSTILE],
        ["inbox", "rescue", number],
    ):
        answer = cli(*words)
        assert answer.code in (0, 1), answer.err
        for shown in (answer.out, answer.err):
            assert not any(ord(c) < 32 and c not in "\r\n\t" for c in shown), words
            assert "\x9b" not in shown
            assert "\u202e" not in shown
