"""The store notes what sessions are at work on, and a rebuild forgets none of it."""

import os
from dataclasses import astuple

import pytest

from memdeck.tests.mending import rebuild

TEXT = "The gauge of berth 12 is read on port 7600"


def test_a_rebuild_keeps_what_the_journal_does_not_have(open_core):
    core = open_core()
    core.note_activity("s1", files=["tides.csv"], tools=3, failures=1, last_failure="Bash")
    noted = core.activity("s1")
    core.close()
    rebuild(core.home)
    again = open_core()
    assert again.activity("s1") == noted
    assert again.activity("s1").last_failure == "Bash"
    assert again.verify().ok


def test_none_of_it_stands_in_the_journal(open_core):
    core = open_core()
    core.remember(TEXT)
    core.note_activity("s1", files=["src/kestrel.py"], failures=1, last_failure="Kestrel")
    with open(os.path.join(core.home.journal, "000001.jsonl"), "rb") as file:
        text = file.read().lower()
    assert b"gauge" in text
    assert b"kestrel" not in text


def test_a_secret_in_a_files_name_or_a_failures_is_not_kept(open_core):
    """003-02: what is noted of a tool's work passes redaction like everything else."""
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
