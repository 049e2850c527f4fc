"""The drain outlives the hook that starts it, and there is one per home."""

import json
import os
import sys

import pytest

import memdeck
from memdeck.agents import spool
from memdeck.benchmarks.gallery.programs import put_program

OWN_SITE = os.path.dirname(os.path.dirname(os.path.abspath(memdeck.__file__)))

RECORDER = """#!{python}
import json, os, sys
null = os.stat(os.devnull).st_rdev
found = {{
    "words": sys.argv[1:],
    "guard": os.environ["MEMDECK_GUARD"],
    "home": os.environ["MEMDECK_HOME"],
    "leads_a_session": os.getsid(0) == os.getpid(),
    "streams_are_null": [os.fstat(number).st_rdev == null for number in (0, 1, 2)],
}}
with open({record!r} + ".new", "w") as file:
    json.dump(found, file)
os.rename({record!r} + ".new", {record!r})
"""


@pytest.fixture
def recorder(tmp_path, monkeypatch):
    """An interpreter that only writes down how it was started."""
    script = tmp_path / "python"
    record = tmp_path / "record"
    put_program(script, RECORDER.format(python=sys.executable, record=str(record)))
    monkeypatch.setattr(sys, "executable", str(script))
    return record


@pytest.mark.parametrize("has_spawn", [True, False])
def test_the_drain_gets_a_session_of_its_own_and_no_streams(has_spawn, home, recorder, monkeypatch):
    if not has_spawn:
        monkeypatch.delattr(os, "posix_spawn")
    home.prepare()
    assert spool.start_drain(home)
    while not recorder.exists():
        os.waitpid(-1, 0)  # which may have been started by an earlier test

    assert json.loads(recorder.read_text()) == {
        "words": ["-I", "-c", spool._START, home.path, OWN_SITE],
        "guard": "1",
        "home": home.path,
        "leads_a_session": True,
        "streams_are_null": [True, True, True],
    }


def test_the_lock_of_a_killed_drain_is_free(home):
    home.prepare()
    child = os.fork()
    if child == 0:
        spool.DrainLock(home).__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    assert not spool.is_draining(home)
