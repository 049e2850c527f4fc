"""The store notes what sessions are at work on, and a rebuild forgets none of it."""

from dataclasses import astuple

import pytest


def test_a_secret_in_a_files_name_or_a_failures_is_not_kept(open_core):
    """What is noted of a tool's work passes redaction like everything else."""
    core = open_core()
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    core.note_activity("s1", files=[f"keys/{secret}.txt"], failures=1, last_failure=secret)
    noted = core.activity("s1")
    assert secret not in repr(noted)
    assert "[REDACTED:" in noted.files[0]
    assert "[REDACTED:" in noted.last_failure


def test_the_last_thirty_files_are_kept_the_newest_first(open_core):
    core = open_core()
    for number in range(31):
        core.note_activity("s1", files=[f"f{number}"])
    assert core.activity("s1").files == tuple(f"f{number}" for number in range(30, 0, -1))
    core.note_activity("s1", files=["f5"])
    assert core.activity("s1").files[:2] == ("f5", "f30")
    assert len(core.activity("s1").files) == 30


@pytest.mark.parametrize("switch", ["auto_memory", "incognito"])
def test_of_a_session_that_is_not_taken_down_nothing_is_noted(open_core, switch):
    core = open_core()
    core.session_seen("s1", "claude")
    core.set_switch(switch, switch == "incognito")
    core.note_activity("s1", files=["tides.csv"], tools=1)
    assert not any(astuple(core.activity("s1")))
