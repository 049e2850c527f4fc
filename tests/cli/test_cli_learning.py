"""`memdeck learn`: whose session it is, what it answers, and what it refuses."""

import io
import json
import os

import pytest

from memdeck import Capture, Salience, open_memory
from memdeck.agents import main as hook
from memdeck.agents.detach import DrainLock

LOCKS = "The lock of the berth table is taken per row, since two skippers met once."
CENTS = "Payments are booked in cents, never in floats, because sums drifted."


@pytest.fixture
def begin(home):
    """A session of Claude Code that a hook reported and no drain has seen."""

    def tell(session, event="SessionStart", cwd=None, **fields):
        payload = {
            "session_id": session,
            "transcript_path": f"/nowhere/projects/x/{session}.jsonl",
            "cwd": str(cwd or os.getcwd()),
            "hook_event_name": event,
            **({"source": "startup"} if event == "SessionStart" else {"reason": "exit"}),
            **fields,
        }
        from memdeck.db.home import Home

        Home().prepare()
        with DrainLock(Home()):
            hook.main(["claude", event], io.BytesIO(json.dumps(payload).encode()))

    return tell


def test_the_session_that_is_named_counts(cli, begin):
    begin("one")
    begin("two")
    answer = cli("learn", LOCKS, "--session", "one", "--json")
    assert answer.code == 0
    assert (answer.json["session"], answer.json["session_from"]) == ("one", "option")
    memory = answer.json["memory"]
    assert (memory["agent"], memory["session"], memory["status"]) == ("claude", "one", "candidate")
    assert (memory["source"], memory["verified"], memory["said_by"]) == (
        "agent, unverified",
        False,
        "unchecked",
    )
    assert "No session was named" not in answer.err


def test_it_is_called_unverified_only_until_a_person_stands_for_it(cli, begin):
    begin("one")
    found = cli("learn", LOCKS, "--session", "one", "--json").json["memory"]["id"]
    assert "unproven · an agent, unverified" in cli("show", found).out
    assert cli("pin", found).code == 0
    assert "the person's · found by an agent" in cli("show", found).out


def test_in_the_inbox_it_comes_before_what_the_score_found_in_an_agents_sentences(cli, begin):
    begin("one")
    recorded = cli("learn", LOCKS, "--session", "one", "--json").json["memory"]
    sure = Salience(2.5, 0.8, 0.4, True, True)
    with open_memory() as memory:
        found = Capture(CENTS, rule="agent.said", importance=0.65, salience=sure)
        said = Capture(
            "Never push to main, release from a branch.", rule="person.instruction", importance=0.8
        )
        for one in (found, said):
            assert memory.offer([one])[0].stored
    shown = cli("inbox", "--json").lines
    assert [one["content"] for one in shown] == [said.content, LOCKS, CENTS]
    assert recorded["id"] == shown[1]["id"]


def test_the_environment_of_claude_code_names_it(cli, begin, monkeypatch):
    begin("one")
    begin("two")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "one")
    assert cli("learn", LOCKS, "--json").json["session_from"] == "environment"


def test_else_the_newest_that_goes_on_and_the_answer_says_so(cli, begin):
    begin("one")
    begin("two")
    begin("three")
    begin("three", "SessionEnd")
    answer = cli("learn", LOCKS, "--json")
    assert (answer.json["session"], answer.json["session_from"]) == ("two", "newest")
    assert "No session was named: this counts for two" in answer.err


def test_another_hosts_session_is_not_taken_for_it(cli, begin, monkeypatch):
    begin("one")
    monkeypatch.setenv("OPENCODE", "1")
    answer = cli("learn", LOCKS)
    assert answer.code == 1
    assert "Nobody can tell which session this is" in answer.err


def test_without_any_session_nobody_can_tell(cli):
    answer = cli("learn", LOCKS)
    assert answer.code == 1
    assert "Nobody can tell which session this is" in answer.err
    assert "memdeck remember" in answer.err


def test_a_session_of_another_project_is_not_known_here(cli, begin, tmp_path):
    (tmp_path / "elsewhere" / ".git").mkdir(parents=True)
    begin("theirs", cwd=tmp_path / "elsewhere")
    assert cli("learn", LOCKS, "--session", "theirs").code == 1
    assert cli("learn", LOCKS).code == 1
    assert cli("list", "--json").out == ""


def test_the_beginning_of_its_id_will_do_unless_two_begin_so(cli, begin):
    begin("abc-1")
    assert cli("learn", LOCKS, "--session", "abc", "--json").json["session"] == "abc-1"
    begin("abc-2")
    answer = cli("learn", CENTS, "--session", "abc")
    assert answer.code == 1
    assert "Several sessions" in answer.err


def test_a_text_may_come_through_a_pipe_and_must_say_something(cli, begin):
    begin("one")
    assert cli("learn", "-", "--json", stdin=f"{LOCKS}\n").json["outcome"] == "stored"
    assert cli("learn").code == 2
    refused = cli("learn", "ok")
    assert refused.code == 1
    assert "Not recorded" in refused.err


def test_why_and_files_are_kept_and_shown(cli, begin):
    begin("one")
    done = cli("learn", LOCKS, "--why", "the boats met", "--file", "berths.py", "--json").json
    assert done["memory"]["files"] == ["berths.py"]
    shown = cli("show", done["id"], "--why").out
    assert "agent, unverified: its session was not read yet" in shown
    assert "why: the boats met" in shown
    [told] = cli("show", done["id"], "--json").json["recordings"]
    assert (told["why"], told["verified"], told["session"]) == ("the boats met", False, "one")
    [waiting] = cli("inbox", "list", "--json").lines
    assert waiting["recordings"][0]["source"] == "agent, unverified"


def test_what_is_to_be_replaced_must_be_there_and_live(cli, begin):
    begin("one")
    assert cli("learn", LOCKS, "--replaces", "zzzzzzz").code == 1
    old = cli("learn", LOCKS, "--json").json["id"]
    cli("forget", old)
    assert "is forgotten already" in cli("learn", CENTS, "--replaces", old).err
    assert cli("list", "--json").out == ""


def test_a_rebuilt_store_still_counts_and_knows_who_said_it(cli, begin):
    begin("one")
    for text in (LOCKS, CENTS):
        assert cli("learn", text).code == 0
    assert cli("rebuild").code == 0
    assert (
        cli("learn", "The staging cluster has no GPU nodes at all.", "--json").json["recorded"] == 3
    )
    sources = {one["source"] for one in cli("list", "--json").lines}
    assert sources == {"agent, unverified"}
    with open_memory() as memory:
        assert memory.verify().ok


def test_status_says_whether_agents_are_asked(cli, home):
    assert "are asked to record what they learn" in cli("status").out
    (home / "config.toml").write_text("[capture]\nlearn = false\n")
    assert "record nothing: capture.learn is off" in cli("status").out
