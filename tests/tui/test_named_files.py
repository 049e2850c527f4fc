"""The file that a memory names: `b` opens it in the person's editor."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from memdeck.benchmarks.gallery.programs import put_program


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An editor that notes what it was asked for, and a terminal that lets go."""
    notes = tmp_path / "asked.txt"
    program = tmp_path / "vi"
    put_program(program, f'#!/bin/sh\necho "$@" >> {notes}\n')
    monkeypatch.setenv("EDITOR", str(program))
    monkeypatch.setattr(App, "suspend", lambda _: nullcontext())
    return notes


@pytest.fixture
def quay(open_core: Any, clock: Any, tmp_path: Path) -> Path:
    """A project with a folder: the newest memory names a file's line, one before it two files."""
    folder = tmp_path / "quay"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "queue.py").write_text("x = 1\n" * 50)
    core = open_core(str(folder))
    files = ["lost.py", "src/queue.py"]
    core.remember("Cranes are steered from two places", files=files)
    clock.forward(minutes=1)
    core.remember("The queue drops jobs at src/queue.py:42 when Redis is away")
    return folder


async def test_b_opens_the_file_at_the_line_that_is_named_and_of_several_asks_which(
    open_app: Any, quay: Path, opener: Path
):
    async with open_app(project=str(quay)) as person:
        await person.burst("b")
        await person.rest()
        assert opener.read_text() == f"+42 {quay}/src/queue.py\n"
        opener.unlink()
        await person.burst("jb")
        await person.until(lambda: person.dialog() == "Menu")
        assert "gone" in person.screen
        await person.press("enter")  # what is there stands first
        await person.rest()
        assert opener.read_text() == f"{quay}/src/queue.py\n"
        await person.burst(["b", "j", "enter"])
        await person.rest()
        assert any("lost.py is not there any more" in notice for notice in person.notices)
        assert opener.read_text() == f"{quay}/src/queue.py\n"


async def test_without_a_file_b_says_so(open_app: Any, harbour: Any, opener: Path):
    async with open_app() as person:
        await person.burst("b")
        await person.rest()
        assert not opener.exists()
        assert any("It names no file" in notice for notice in person.notices)
