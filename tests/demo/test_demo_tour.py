"""The tour: plain text for a pipe, made of real calls, and it leaves no secret behind."""

import os
import shutil

import pytest

from memdeck.tests import forked

SCRIPT = """
import sys
from datetime import datetime
from memdeck.demo.tour import print_tour

print_tour(sys.argv[1], now=datetime.fromisoformat(sys.argv[2]))
"""


@pytest.fixture(scope="module")
def toured(tmp_path_factory, demo_template):
    """A store after the tour was run in a process without a terminal, and what that printed."""
    home = str(tmp_path_factory.mktemp("toured") / "home")
    shutil.copytree(demo_template.home, home)
    return home, forked.run(SCRIPT, home, demo_template.now.isoformat())


def test_the_tour_ends_well_without_a_terminal(toured):
    _, run = toured
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""


def test_the_tour_has_four_steps_in_plain_lines(toured):
    lines = toured[1].stdout.splitlines()
    steps = [line[0] for line in lines if line[:3] in ("1  ", "2  ", "3  ", "4  ")]
    assert steps == ["1", "2", "3", "4"]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in toured[1].stdout


def test_the_tour_shows_hooks_memories_and_the_answer(toured):
    text = toured[1].stdout
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        assert event in text
    assert "9 pt" in text
    assert "The dock list is sorted by pontoon" in text
    assert "<project_memory>" in text
    assert "make demo" in text


def test_a_pasted_token_is_shown_as_taken_out_and_found_nowhere(toured):
    home, run = toured
    assert "[REDACTED:github-token]" in run.stdout
    for folder, _, names in os.walk(home):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert b"ghp_" not in file.read(), name
