"""Whatever arrives, the agent's session goes on: exit 0, no noise, one valid reply or nothing."""

import io
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck.agents import main as door
from memdeck.agents import spool

WIRE = Path(__file__).parent.parent / "wire"
INVALID = sorted((WIRE / "invalid").iterdir())

LIMIT_BYTES = 8 << 20
"""Of a payload, that are read."""

EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"),
    *("TaskCompleted", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact"),
    "SessionEnd",
)

ONE_OF_EACH = (
    "SessionStart.startup",
    "UserPromptSubmit",
    "PostToolUse.TodoWrite.create",
    "TaskCompleted",
    "captured.Stop",
    "SubagentStop",
    "PreCompact.auto",
    "SessionEnd.other",
    "Notification",
)

many = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # one home for all is meant
)

A_STOP = {
    "session_id": "s1",
    "transcript_path": "/home/dev/.claude/projects/p/s1.jsonl",
    "cwd": "/home/dev/p",
    "hook_event_name": "Stop",
}


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_real_process_takes_each_event_quietly(name, quiet_home, run_hook, payload, assert_reply):
    given = payload(name)
    done = run_hook(given["hook_event_name"], json.dumps(given).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert_reply(done.stdout.decode("ascii"), given["hook_event_name"])


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.name)
def test_a_real_process_survives_bad_input(path, quiet_home, run_hook, assert_reply):
    done = run_hook("UserPromptSubmit", path.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert_reply(done.stdout.decode("ascii"), "UserPromptSubmit")


@many
@given(data=st.binary(max_size=400), event=st.sampled_from([*EVENTS, "", "X", "\ud800"]))
def test_any_bytes_under_any_event_end_well(home, starts, capfd, data, event):
    assert door.main(["claude", event], io.BytesIO(data)) == 0
    assert capfd.readouterr() == ("", "")


def test_a_guarded_process_does_nothing(home, tell, monkeypatch):
    monkeypatch.setenv("MEMDECK_GUARD", "1")
    assert tell(A_STOP, "claude", "Stop") == ""
    assert not os.path.exists(home.path)


def test_another_hosts_payload_is_left_alone(home, tell):
    tell({**A_STOP, "timestamp": "2026-11-01T10:00:00Z", "stop_reason": "end_turn"})
    tell({**A_STOP, "transcript_path": "/home/dev/.codex/sessions/rollout-1.jsonl"})
    assert not os.path.exists(home.path)


def test_an_oversize_payload_is_refused_with_one_line(home, tell, hook_errors):
    tell(b'{"a": "' + b"x" * LIMIT_BYTES + b'"}', "claude", "Stop")
    [line] = hook_errors()
    assert line.endswith("Z claude Stop ValueError main.py:" + line.rpartition(":")[2])


def test_no_more_than_the_limit_is_ever_read(quiet_home):
    """An endless writer is cut off, as `yes | head -c 1G | memdeck-hook` would be."""
    read, write = os.pipe()
    hook = subprocess.Popen(
        [sys.executable, "-m", "memdeck.agents.main", "claude", "Stop"],
        stdin=read,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.close(read)
    written = 0
    try:
        while True:
            written += os.write(write, b"y\n" * 32768)
    except BrokenPipeError:
        pass
    finally:
        os.close(write)
    out, err = hook.communicate(timeout=300)
    assert (hook.returncode, out, err) == (0, b"", b"")
    assert written < LIMIT_BYTES + (2 << 20)


@pytest.mark.parametrize("data", [json.dumps(A_STOP).encode(), b'{"half', b""])
def test_a_pipe_that_is_never_closed_ends_by_itself(data, quiet_home):
    read, write = os.pipe()
    try:
        os.write(write, data)
        done = subprocess.run(
            [sys.executable, "-m", "memdeck.agents.main", "claude", "Stop"],
            stdin=read,
            capture_output=True,
            timeout=300,
            check=False,
        )
    finally:
        os.close(read)
        os.close(write)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(spool.read_spool(quiet_home)) == data.endswith(b"}")
    assert not os.path.exists(os.path.join(quiet_home.log, "hooks.log"))  # nothing broke in it


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop"])
@pytest.mark.parametrize("place", ["a file", "below a file", "a link", "a spool file", "too long"])
def test_an_unusable_home_is_nobodys_problem(place, event, tmp_path, monkeypatch, starts, capfd):
    path = tmp_path / "home"
    if place == "a file":
        path.write_text("precious")
    elif place == "below a file":
        (tmp_path / "file").write_text("precious")
        path = tmp_path / "file" / "home"
    elif place == "a link":
        path.symlink_to(tmp_path / "gone")
    elif place == "a spool file":
        path.mkdir()
        (path / "spool").write_text("precious")
    else:
        path = tmp_path / ("x" * 300)
    monkeypatch.setenv("MEMDECK_HOME", str(path))
    monkeypatch.delenv("MEMDECK_GUARD", raising=False)
    payload = {**A_STOP, "hook_event_name": event, "prompt": "what is broken?", "source": "startup"}

    assert door.main(["claude", event], io.BytesIO(json.dumps(payload).encode())) == 0
    assert capfd.readouterr() == ("", "")
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("contents", ["newer", "noise", "empty", "folder"])
def test_an_unusable_store_keeps_recall_silent_and_the_spool_going(contents, home, tell):
    home.prepare()
    if contents == "newer":
        connection = sqlite3.connect(home.database)
        connection.execute("PRAGMA user_version = 999")
        connection.close()
    elif contents == "noise":
        Path(home.database).write_bytes(bytes(range(256)) * 64)
    elif contents == "folder":
        os.mkdir(home.database)
    else:
        Path(home.database).touch()
    for event in ("SessionStart", "UserPromptSubmit"):
        assert tell({**A_STOP, "hook_event_name": event, "prompt": "why?"}, "claude", event) == ""
    assert [record["kind"] for record in spool.read_spool(home)] == ["session_started"]


def test_a_full_disk_is_nobodys_problem(home, tell, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    assert tell(A_STOP, "claude", "Stop") == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_nothing_that_can_be_raised_gets_out(error, home, tell, monkeypatch, hook_errors):
    def fail(*_):
        raise error

    monkeypatch.setattr(spool, "append", fail)
    assert tell(A_STOP, "claude", "Stop") == ""
    assert error.__name__ in hook_errors()[-1]


@pytest.mark.parametrize(
    ("event", "is_started"),
    [("Stop", True), ("PreCompact", True), ("SessionEnd", True), ("SessionStart", False)],
)
def test_the_drain_starts_when_something_is_complete(event, is_started, home, tell, starts):
    tell({**A_STOP, "hook_event_name": event}, "claude", event)
    assert bool(starts) is is_started


def test_a_session_start_starts_the_drain_for_what_was_left_over(home, tell, starts):
    start = {**A_STOP, "hook_event_name": "SessionStart", "source": "startup"}
    tell(start, "claude", "SessionStart")
    assert starts == []
    tell(start, "claude", "SessionStart")
    assert starts == [home.path]
