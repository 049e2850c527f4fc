"""Copying works in a terminal, over SSH and in tmux, and says how it went.

What is copied is the advice of a finding: a machine may say anything.
"""

import stat
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdeck.benchmarks.gallery.programs import put_program
from memdeck.core.agents import Finding
from memdeck.tui.app import MemoryApp

from .agents_bench import Machine, an_agent

TEXT = "日本 retry"
LONGEST_FOR_TERMINAL = 74_000  # bytes
TMUX = "/tmp/tmux-0/default,1,0"
HALF = "half \ud83d"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without clipboards: the folder in which a test may put tools."""
    for name in ("TMUX", "WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(MemoryApp, "is_headless", False)  # as in a terminal
    return tools


def a_tool(folder: Path, name: str, exit_code: int = 0) -> Path:
    """A program that writes what it is given into a file, and the file."""
    taken = folder / f"{name}.taken"
    program = folder / name
    put_program(program, f'#!/bin/sh\necho "$@" > {taken}\ncat >> {taken}\nexit {exit_code}\n')
    return taken


class Copier:
    """Somebody who copies what the agents view advises."""

    def __init__(self, person: Any, machine: Machine) -> None:
        self.person, self.machine = person, machine

    async def copies(self, text: str = TEXT) -> str:
        """What is said of it."""
        advice = Finding("program", False, "It cannot be run.", text)
        self.machine.states["claude"] = replace(an_agent("claude"), findings=(advice,))
        await self.person.press("R")
        await self.person.rest()
        self.person.app.clear_notifications()
        await self.person.press("y")
        await self.person.until(lambda: self.person.notices)
        return str(self.person.notices[-1])


async def test_it_is_copied_by_the_nearest_way_that_takes_it(
    open_app: Any, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: Any
):
    machine, changed = Machine(tmp_path), monkeypatch.context
    through = "Copied through the terminal (OSC 52)."
    async with open_app(view="agents", agents=machine, size=(80, 24)) as person:
        one = Copier(person, machine)

        with subtests.test(promise="where there is no tool the terminal is asked"):
            assert await one.copies() == through
            assert person.app.clipboard == TEXT

        for variable, tool in (("WAYLAND_DISPLAY", "wl-copy"), ("DISPLAY", "xclip")):
            with subtests.test(promise="a tool of this machine", tool=tool), changed() as env:
                taken = a_tool(bare, tool)
                env.setenv(variable, ":0")
                assert await one.copies() == f"Copied with {tool}."
                assert taken.read_text().endswith(TEXT)
                taken.unlink()

        with changed() as env:
            env.setenv("DISPLAY", ":0")
            with subtests.test(promise="over ssh the far machine's tool is not used"):
                env.setenv("SSH_CONNECTION", "1.2.3.4 22")
                assert await one.copies() == through
                assert not (bare / "xclip.taken").exists()
                env.delenv("SSH_CONNECTION")
            with subtests.test(promise="a tool that fails leaves it to the terminal"):
                a_tool(bare, "xclip", exit_code=1)
                assert await one.copies() == through
            with subtests.test(promise="a tool that hangs is given up"):
                a_tool(bare, "xclip")
                env.setattr(subprocess, "run", hang)
                assert await one.copies() == through

        with subtests.test(promise="half a character can be copied"):
            assert await one.copies(HALF) == through
            assert person.app.clipboard == "half ?"


def hang(*_: Any, **more: Any) -> None:
    raise subprocess.TimeoutExpired("xclip", more["timeout"])


async def test_inside_tmux_it_is_handed_through(
    open_app: Any, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TMUX", TMUX)
    machine = Machine(tmp_path)
    async with open_app(view="agents", agents=machine, size=(80, 24)) as person:
        one, sent = Copier(person, machine), list[str]()
        taken = a_tool(bare, "tmux")
        assert await one.copies("retry") == "Copied through tmux."
        assert taken.read_text() == "load-buffer -w -\nretry"

        a_tool(bare, "tmux", exit_code=1)  # an old one gets the sequence wrapped
        monkeypatch.setattr(person.app._driver, "write", sent.append)
        assert await one.copies("retry") == "Copied through tmux."
        assert "\x1bPtmux;\x1b\x1b]52;c;cmV0cnk=\x07\x1b\\" in sent


async def test_what_is_too_long_for_a_terminal_goes_to_a_private_file(
    open_app: Any, bare: Path, tmp_path: Path
):
    machine = Machine(tmp_path)
    async with open_app(view="agents", agents=machine, size=(80, 24)) as person:
        one, text = Copier(person, machine), "x" * LONGEST_FOR_TERMINAL
        assert "OSC 52" in await one.copies(text)
        said = await one.copies(f"{text}x")
        path = Path(said.rsplit(" ", 1)[-1])
        assert path.read_text() == f"{text}x"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
