"""A store that another process holds: records of agents wait in the queue, a user's write waits."""

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from memdeck import open_memory
from memdeck.agents import caller, mcp, spool
from memdeck.agents.drain import drain_spool, failed
from memdeck.cli.main import run
from memdeck.db import connection
from memdeck.db.errors import StoreBusy

FEED = "The feed is cut at midnight by the operator"
BERTH = "Berth 12 is closed until the crane is repaired"
OPEN = "Berth 12 is open again since the crane was repaired in the spring"
TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"


@pytest.fixture
def project(tmp_path, monkeypatch, home):
    place = tmp_path / "harbour"
    (place / ".git").mkdir(parents=True)
    monkeypatch.chdir(place)
    with open_memory(home, place) as memory:
        memory.session_seen("s1", "claude", str(place), None)
    return place


@pytest.fixture
def held(project, home, starts, monkeypatch):
    """The store, held by another connection until that is closed."""
    monkeypatch.setattr(caller, "BUSY_S", 0.1)
    monkeypatch.setitem(connection.PRAGMAS, "busy_timeout", 20)
    other = sqlite3.connect(home.database, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def learned(home, project):
    with open_memory(home, project) as memory:
        return [(item.content, item.status, item.origin.agent) for item in memory.list()]


def test_a_record_waits_in_the_queue_and_is_stored_as_the_agents_own(held, home, project, capfd):
    words = ["learn", FEED, "--session", "s1", "--why", f"the job failed with {TOKEN}"]
    assert run([*words, "--json"]) == 0
    shown = capfd.readouterr()
    assert json.loads(shown.out)["outcome"] == "queued"
    assert "Saved to the queue: another process holds the store." in shown.err
    assert TOKEN not in Path(spool.path_of(home)).read_text()
    held.close()
    assert drain_spool(home).stored == 1
    assert learned(home, project) == [(FEED, "candidate", "claude")]
    with open_memory(home, project) as memory:
        [item] = memory.list()
        assert memory.history(item.id)[0].actor == "agent"
        assert memory.verify().ok


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "PRAGMA locking_mode = EXCLUSIVE"])
@pytest.mark.parametrize("session", ["s1", ""])
def test_a_record_of_the_server_waits_too(held, home, project, monkeypatch, lock, session):
    held.execute("ROLLBACK")
    held.execute(lock)
    held.execute("BEGIN EXCLUSIVE" if "PRAGMA" in lock else "SELECT 1")
    for name in ("CLAUDE_CODE_SESSION_ID", "CLAUDECODE") if session else ():
        monkeypatch.setenv(name, session)
    answer: Any = mcp.Tools().call("memory_learn", {"content": FEED})
    assert (answer["outcome"], answer["id"]) == ("queued", None)
    held.close()
    assert drain_spool(home).stored == 1
    assert [item[:2] for item in learned(home, project)] == [(FEED, "candidate")]


def test_a_store_that_shuts_out_readers_queues_a_record_and_answers_no_question(held, home, capfd):
    held.execute("ROLLBACK")
    held.execute("PRAGMA locking_mode = EXCLUSIVE")
    held.execute("BEGIN EXCLUSIVE")
    assert run(["learn", FEED, "--session", "s1"]) == 0
    assert run(["learn", FEED, "--session", "s1", "--project", "elsewhere"]) != 0
    assert run(["list"]) != 0
    with pytest.raises(StoreBusy):
        mcp.Tools().call("memory_search", {"query": "feed"})
    held.close()
    assert drain_spool(home).stored == 1


def test_a_queued_record_replaces_nothing_of_the_users(held, home, project):
    held.close()
    with open_memory(home, project) as memory:
        berth = memory.remember(BERTH).memory_id
        who = caller.Caller("s1", "claude", "option", ())
        caller.queue(home, str(project), who, OPEN, why="", files=(), replaces=berth)
    drain_spool(home)
    assert {status for _, status, _ in learned(home, project)} == {"confirmed", "candidate"}


def test_what_is_refused_later_is_set_aside_with_the_reason_and_no_words(held, home, project):
    held.close()
    with open_memory(home, project) as memory:
        who = caller.Caller("s1", "claude", "option", ())
        caller.queue(home, str(project), who, FEED, why="", files=(), replaces=None)
        memory.set_incognito("s1", is_on=True)
    assert drain_spool(home).refused == 1
    [aside] = failed(home)
    assert "not recorded" in str(aside["why"])
    assert FEED not in json.dumps(aside)
    assert learned(home, project) == []


def test_a_users_write_waits_and_says_so(held, home, project, capfd):
    end = threading.Timer(0.5, held.close)
    end.start()
    assert run(["remember", BERTH]) == 0
    end.join()
    assert capfd.readouterr().err.count("Waiting for another process") == 1
    assert learned(home, project) == [(BERTH, "confirmed", None)]
    assert not spool.has_waiting(home)


def test_a_recall_answers_at_once_and_its_receipt_waits(held, home, project, capfd, monkeypatch):
    held.execute("COMMIT")
    assert run(["remember", BERTH]) == 0
    held.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr("memdeck.db.connection.READING_S", 0.1)
    prompt = f"Is berth 12 closed? {TOKEN}"
    assert BERTH in mcp.Tools().call("memory_recall", {"prompt": prompt})["text"]
    assert run(["recall", "Is berth 12 open?", "--session", "s1"]) == 0
    assert BERTH in capfd.readouterr().out
    assert TOKEN not in Path(spool.path_of(home)).read_text()
    held.close()
    assert drain_spool(home).receipts == 2
    with open_memory(home, project) as memory:
        assert {item.prompt for item in memory.receipts()} == {
            "Is berth 12 open?",
            "Is berth 12 closed? [REDACTED:github-token]",
        }
