"""Whatever arrives, the agent's session goes on: exit 0, no noise, one valid reply or nothing."""

import io
import os
import stat
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


def test_bad_input_is_survived(tell, assert_reply, subtests):
    for path in INVALID:
        with subtests.test(path.name):
            assert_reply(tell(path.read_bytes(), "claude", "UserPromptSubmit"), "UserPromptSubmit")


@many
@given(data=st.binary(max_size=400), event=st.sampled_from([*EVENTS, "", "X", "\ud800"]))
def test_any_bytes_under_any_event_end_well(home, starts, capfd, data, event):
    assert door.main(["claude", event], io.BytesIO(data)) == 0
    assert capfd.readouterr() == ("", "")


def test_a_guarded_process_does_nothing(home, tell, monkeypatch):
    monkeypatch.setenv("MEMDECK_GUARD", "1")
    assert tell(A_STOP, "claude", "Stop") == ""
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


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_nothing_that_can_be_raised_gets_out(error, home, tell, monkeypatch, hook_errors):
    def fail(*_):
        raise error("the password is hunter2")

    monkeypatch.setattr(spool, "append", fail)
    assert tell(A_STOP, "claude", "Stop") == ""
    [line] = hook_errors()
    assert f"Z claude Stop {error.__name__} test_hook_door.py:" in line
    assert "hunter2" not in line
    assert stat.S_IMODE(os.stat(Path(home.log, "hooks.log")).st_mode) == 0o600


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
