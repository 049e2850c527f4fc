"""`memdeck learn`: whose session it is, what it answers, and what it refuses."""

import io
import json
import os

import pytest

from memdeck.agents import main as hook
from memdeck.agents.spool import DrainLock

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
    answer = cli("learn", LOCKS, "--session", "one", "--json", code=0)
    assert (answer.json["session"], answer.json["session_from"]) == ("one", "option")
    memory = answer.json["memory"]
    assert (memory["agent"], memory["session"], memory["status"]) == ("claude", "one", "candidate")
    assert (memory["source"], memory["evidence"]) == ("agent, unverified", "unchecked")
    assert "No session was named" not in answer.err


def test_the_environment_of_claude_code_names_it(cli, begin, monkeypatch):
    begin("one")
    begin("two")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "one")
    assert cli("learn", LOCKS, "--json").json["session_from"] == "environment"


def test_why_and_files_are_kept_and_shown(cli, begin):
    begin("one")
    done = cli("learn", LOCKS, "--why", "the boats met", "--file", "berths.py", "--json").json
    assert done["memory"]["files"] == ["berths.py"]
    shown = cli("show", done["id"], "--why").out
    assert "agent, unverified: its session was not read yet" in shown
    assert "the boats met" in shown
    [told] = cli("show", done["id"], "--json").json["numbers"]["recordings"]
    assert (told["why"], told["session"]) == ("the boats met", "one")
    [waiting] = cli("review", "--json").lines
    assert "its session was not read yet" in waiting["reason"]
    assert "The agent's reason: the boats met" in waiting["reason"]


def test_what_is_to_be_replaced_must_be_there_and_live(cli, begin):
    begin("one")
    assert cli("learn", LOCKS, "--replaces", "zzzzzzz").code == 1
    old = cli("learn", LOCKS, "--json").json["id"]
    cli("forget", old)
    assert "is forgotten already" in cli("learn", CENTS, "--replaces", old).err
    assert cli("list", "--json").out == ""
