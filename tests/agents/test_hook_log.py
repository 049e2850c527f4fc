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
