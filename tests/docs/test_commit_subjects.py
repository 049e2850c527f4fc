"""The commit hook refuses subjects that the history should not have."""

import subprocess
from pathlib import Path

import pytest

HOOK = Path(__file__).resolve().parents[2] / ".githooks" / "commit-msg"


@pytest.mark.parametrize(
    ("subject", "is_taken"),
    [
        ("Show the nearest memory beside a candidate", True),
        ("Speed up search in large projects", True),
        ("Merge branch 'search'", True),
        ("# a comment above\nRemove the digest screen\n\nNobody opened it.", True),
        ("A" + "dd words " * 9, False),
        ("Add " + "x" * 68, True),
        ("Add " + "x" * 69, False),
        ("Added a screen", False),
        ("Adding a screen", False),
        ("The app shows pins", False),
        ("fix: typo", False),
        ("show pins", False),
        ("New screen for prompts", False),
    ],
)
def test_a_subject_begins_with_a_verb_and_is_short(subject, is_taken, tmp_path):
    message = tmp_path / "message"
    message.write_text(subject, encoding="utf-8")
    done = subprocess.run([HOOK, message], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is is_taken
    assert bool(done.stderr) is not is_taken
