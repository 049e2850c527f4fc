"""The hooks' log: enough to mend things, never a word of what was said."""

import os
import stat
from pathlib import Path

import pytest

from memdeck.agents import spool

A_STOP = {"session_id": "s1", "cwd": "/home/dev/p", "hook_event_name": "Stop"}


@pytest.fixture
def fail(tell, monkeypatch):
    """A hook in which something is raised."""

    def _fail(error, word="Stop"):
        def raising(_home):
            raise error

        monkeypatch.setattr(spool, "start_drain", raising)
        assert tell(A_STOP, "claude", word) == ""

    return _fail


@pytest.fixture
def log(home):
    home.prepare()
    return Path(home.log, "hooks.log")


def test_a_line_says_when_what_and_where_but_not_the_text(fail, hook_errors):
    fail(ValueError("the password is hunter2"))
    [line] = hook_errors()
    assert line[10] == "T"
    assert " claude Stop ValueError test_hook_log.py:" in line
    assert "hunter2" not in line


def test_the_log_is_private(fail, log):
    fail(ValueError())
    assert stat.S_IMODE(os.stat(log).st_mode) == 0o600


def test_the_log_is_bounded(fail, log):
    """At 256 kB it begins anew, and one such file stays."""
    log.write_text("x" * 99 + "\n")
    for _ in range(3):
        os.truncate(log, 256 * 1024 - 10)
        fail(ValueError())
        assert not log.exists()
        fail(ValueError())
    names = {path.name: path.stat().st_size for path in log.parent.glob("hooks*")}
    assert set(names) == {"hooks.log", "hooks.log.1"}
    assert sum(names.values()) < 257 * 1024
