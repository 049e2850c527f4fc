"""inbox: what was captured is listed by worth, judged by one verb each, and can be taken back."""

import shlex
import sys
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import Envelope, open_memory

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


def test_an_empty_inbox_says_what_it_is_for(cli, home):
    answer = cli("inbox")
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing waits for a verdict." in answer.err
    assert cli("inbox", "--json").out == ""
    assert "Nothing was refused." in cli("inbox", "--refused").err


def test_the_most_valuable_candidate_comes_first(cli, waiting):
    answer = cli("inbox")
    assert answer.code == 0
    first, second = answer.out.splitlines()
    assert "6/3 points" in first
    assert "trial 23h left" in first
    assert "From now on, run" in first
    assert "0/3 points" in second
    assert "trial" not in second
    assert "2 candidates waiting in acme-api" in answer.err
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    values = [one["value"] for one in cli("inbox", "--json").lines]
    assert values == sorted(values, reverse=True)


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


def test_a_limit_is_kept_and_none_is_refused(cli, waiting):
    assert listed(cli, "--limit", "1") == [waiting["redis"]]
    assert listed(cli, "list", "--limit", "2") == [waiting["redis"], waiting["deploy"]]
    assert cli("inbox", "--limit", "0").code == 2


@pytest.mark.slow
def test_a_long_inbox_shows_a_person_its_beginning_and_a_program_all(cli, home):
    with open_memory(home) as core:
        core.import_memories(
            {"content": f"Crane {n} lifts {n} tons.", "status": "candidate"} for n in range(51)
        )
    answer = cli("inbox")
    assert len(answer.out.splitlines()) == 50
    assert "51 candidates waiting in acme-api, the first 50 shown" in answer.err
    assert "shown" not in cli("inbox", "--limit", "51").err
    assert len(listed(cli)) == 51


def test_options_of_the_list_do_not_go_with_a_verb(cli, waiting):
    answer = cli("inbox", "--snoozed", "accept", waiting["redis"])
    assert answer.code == 2
    assert "inbox list" in answer.err
    assert status_of(cli, waiting["redis"]) == "candidate"


# --- show


def test_show_tells_points_trial_reviews_factors_work_and_neighbour(cli, captured):
    captured("The queue tests need a redis on port 6380; the compose file starts one.")
    identifier = captured(
        REDIS,
        files=("tests/queue.py",),
        envelope=Envelope(task="Mend the queue", outcome="success", tokens=1200, time_ms=3000),
    )
    answer = cli("inbox", "show", identifier)
    assert answer.code == 0
    for words in (
        *("6 of 3", "+5 a person said it", "trial", "h left", "tests/queue.py"),
        *("reviews: 3 of 3 answered, consensus", "analyzer", "built-in", "novelty"),
        *("Mend the queue", "success", "1,200 tokens, 3 s"),
        *("nearest known", "% alike", "compose file"),
        "claude, session s-1, line 3",
    ):
        assert words in answer.out, words
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    shown = cli("inbox", "show", "mock", "--json").json
    assert shown["id"] == identifier
    assert 0 < shown["neighbour"]["similarity"] < 1
    assert shown["envelope"]["task"] == "Mend the queue"


def test_show_names_the_conflicts(cli, captured, remembered):
    identifier = captured(REDIS)
    other = remembered("Queue tests use an in-memory fake")
    conflict = cli("conflicts", "mark", identifier, other, "--reason", "fake or real", "--json")
    answer = cli("inbox", "show", identifier)
    assert "in conflict with" in answer.out
    assert "Queue tests use an in-memory fake" in answer.out
    assert conflict.json["id"] in answer.out
    assert cli("inbox", "show", identifier, "--json").json["conflicts"] == [conflict.json["id"]]


def test_what_nothing_is_near_to_is_called_new(cli, waiting):
    assert "it is new" in cli("inbox", "show", waiting["deploy"]).out


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


def test_accept_takes_search_words_among_candidates_only(cli, waiting, remembered):
    remembered("The deploy script lives in ops/deploy.sh")
    answer = cli("inbox", "accept", "deploy", "script")
    assert answer.code == 0, answer.err
    assert status_of(cli, waiting["deploy"]) == "confirmed"


def test_accept_all_takes_a_query(cli, waiting):
    assert cli("inbox", "accept", "--all", "category:decision").code == 0
    assert listed(cli) == [waiting["redis"]]


@pytest.mark.parametrize("verb", ["accept", "reject", "snooze"])
def test_what_is_no_candidate_is_refused_and_nothing_changes(cli, waiting, remembered, verb):
    confirmed = remembered("Staging lives on host db-7")
    answer = cli("inbox", verb, waiting["redis"], confirmed)
    assert (answer.code, answer.out) == (1, "")
    assert "waits for nobody" in answer.err
    assert status_of(cli, confirmed) == "confirmed"
    assert listed(cli) == [waiting["redis"], waiting["deploy"]]
    assert cli("inbox", verb, "zzzzzzz9").code == 1
    assert cli("inbox", verb).code == 2


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


def test_edit_without_options_opens_the_editor(cli, waiting, monkeypatch, tmp_path):
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[-1])\n"
        "path.write_text(path.read_text().replace('6380', '6390'))\n"
    )
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script)]))
    answer = cli("inbox", "edit", waiting["redis"], "--json")
    assert answer.code == 0, answer.err
    assert answer.json["content"] == REDIS.replace("6380", "6390")
    assert answer.json["status"] == "confirmed"


def test_a_page_left_unchanged_accepts_nothing(cli, waiting, monkeypatch):
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, "-c", "pass"]))
    answer = cli("inbox", "edit", waiting["redis"])
    assert answer.code == 1
    assert "Nothing was changed." in answer.err
    assert status_of(cli, waiting["redis"]) == "candidate"


def test_edit_refuses_what_cannot_be(cli, waiting, remembered):
    confirmed = remembered("Staging lives on host db-7")
    assert cli("inbox", "edit", confirmed, "--title", "x").code == 1
    assert cli("inbox", "edit", waiting["redis"], "--content", "x" * 4_001).code == 1
    assert cli("inbox", "edit", *waiting.values(), "--title", "x").code == 2
    assert cli("inbox", "edit", waiting["redis"]).code == 2  # there is no editor
    assert listed(cli) == [waiting["redis"], waiting["deploy"]]


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


def test_snooze_takes_a_moment_and_refuses_one_that_has_passed(cli, waiting):
    answer = cli("inbox", "snooze", waiting["redis"], "--until", "2030-01-01T00:00:00Z")
    assert answer.code == 0
    [put_off] = [one for one in cli("inbox", "--snoozed", "--json").lines if one["snoozed_until"]]
    assert put_off["snoozed_until"] == "2030-01-01T00:00:00Z"
    answer = cli("inbox", "snooze", waiting["deploy"], "--until", "2020-01-01")
    assert answer.code == 1
    assert "future" in answer.err
    assert cli("inbox", "snooze", waiting["deploy"], "--until", "someday").code == 2


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


def test_merge_takes_a_named_memory(cli, waiting, remembered):
    known = remembered("Releases are cut from the release branch")
    answer = cli("inbox", "merge", waiting["deploy"], "--into", known, "--json")
    assert answer.code == 0, answer.err
    assert (answer.json["id"], answer.json["merged"]) == (known, [waiting["deploy"]])


def test_merge_refuses_what_is_not_near_and_itself(cli, waiting, remembered):
    remembered("The deploy of the staging database takes ten minutes and a coffee")
    far = cli("inbox", "merge", waiting["deploy"])
    assert (far.code, far.out) == (1, "")
    assert "only" in far.err
    assert "--into" in far.err
    alone = cli("inbox", "merge", waiting["redis"])
    assert alone.code == 1
    assert "--into" in alone.err
    assert cli("inbox", "merge", waiting["redis"], "--into", waiting["redis"]).code == 1
    assert cli("inbox", "merge", *waiting.values()).code == 2
    assert len(listed(cli)) == 2


def test_merge_refuses_a_memory_of_another_project(cli, waiting, remembered):
    other = remembered("Releases are cut from main", "--project", "elsewhere")
    answer = cli("inbox", "merge", waiting["deploy"], "--into", other)
    assert (answer.code, answer.out) == (1, "")
    assert "another project" in answer.err


def test_merge_does_not_join_what_contradicts_it(cli, captured, remembered):
    known = remembered(REDIS)
    candidate = captured(AGAIN)
    assert cli("conflicts", "mark", known, candidate).code == 0
    answer = cli("inbox", "merge", candidate)
    assert answer.code == 1
    assert "contradicts it" in answer.err
    assert "memdeck conflicts resolve" in answer.err
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


def test_rescue_of_no_number_is_refused(cli, home):
    answer = cli("inbox", "rescue", "7")
    assert (answer.code, answer.out) == (1, "")
    assert "7" in answer.err
    assert "memdeck inbox --refused" in answer.err
    assert cli("inbox", "rescue", "0").code == 2
    assert cli("inbox", "rescue", "x").code == 2


# --- every form


def test_another_project_sees_nothing_of_it(cli, waiting):
    assert listed(cli, "--project", "elsewhere") == []


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
