"""`memdeck open`: the file that a memory names, in the person's editor at its line."""

from pathlib import Path
from typing import Any

import pytest

from memdeck.benchmarks.gallery.programs import put_program


@pytest.fixture
def noted(home: Path, remembered: Any) -> str:
    """A memory that names a line of a file that is there, and a file that is not."""
    Path("src").mkdir()
    Path("src/queue.py").write_text("x = 1\n" * 50)
    text = "The queue drops jobs at src/queue.py:42 when Redis is away"
    return remembered(text, "--file", "lost.py", "--file", "src/queue.py")


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        *((name, "+42 {}") for name in ("vi", "nvim", "nano", "emacs", "micro")),
        *((name, "-g {}:42") for name in ("code", "cursor", "codium")),
        *((name, "{}:42") for name in ("subl", "hx")),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(
    cli: Any, noted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str, words: str
):
    program, notes = tmp_path / editor, tmp_path / "asked.txt"
    put_program(program, f'#!/bin/sh\necho "$@" > {notes}\n')
    monkeypatch.setenv("VISUAL", str(program))
    assert cli("open", noted).code == 0
    assert notes.read_text() == words.format(Path("src/queue.py").resolve()) + "\n"


def test_a_lost_file_and_none_at_all_are_refused(cli: Any, remembered: Any):
    lost = remembered("Cranes are steered from the quay", "--file", "lost.py")
    none = remembered("The harbour office opens at seven")
    refused = cli("open", lost)
    assert (refused.code, "not there any more" in refused.err) == (1, True)
    refused = cli("open", none)
    assert (refused.code, "names no file" in refused.err) == (1, True)
