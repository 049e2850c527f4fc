"""Copying works in a terminal, over SSH and in tmux, and says how it went.

What is copied is the advice of a finding: a machine may say anything.
"""

import asyncio
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from memdeck.benchmarks.gallery.programs import put_program
from memdeck.tui.app import MemoryApp
from memdeck.tui.view import copy

TEXT = "日本 retry"
LONGEST_FOR_TERMINAL = 74_000  # bytes
TMUX = "/tmp/tmux-0/default,1,0"
HALF = "half \ud83d"


@pytest.fixture
def bare(monkeypatch, tmp_path):
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


def a_tool(folder, name, exit_code=0):
    """A program that writes what it is given into a file, and the file."""
    taken = folder / f"{name}.taken"
    program = folder / name
    put_program(program, f'#!/bin/sh\necho "$@" > {taken}\ncat >> {taken}\nexit {exit_code}\n')
    return taken


async def copies(person, text=TEXT):
    """Copy a text as a screen does, off the event loop; return what is said of it."""
    return await asyncio.to_thread(copy, person.app, text)


async def test_it_is_copied_by_the_nearest_way_that_takes_it(open_app, bare, monkeypatch, subtests):
    changed = monkeypatch.context
    through = "Copied through the terminal (OSC 52)."
    async with open_app(size=(80, 24)) as person:
        with subtests.test(promise="where there is no tool the terminal is asked"):
            assert await copies(person) == through
            assert person.app.clipboard == TEXT

        for variable, tool in (("WAYLAND_DISPLAY", "wl-copy"), ("DISPLAY", "xclip")):
            with subtests.test(promise="a tool of this machine", tool=tool), changed() as env:
                taken = a_tool(bare, tool)
                env.setenv(variable, ":0")
                assert await copies(person) == f"Copied with {tool}."
                assert taken.read_text().endswith(TEXT)
                taken.unlink()

        with changed() as env:
            env.setenv("DISPLAY", ":0")
            with subtests.test(promise="over ssh the far machine's tool is not used"):
                env.setenv("SSH_CONNECTION", "1.2.3.4 22")
                assert await copies(person) == through
                assert not (bare / "xclip.taken").exists()
                env.delenv("SSH_CONNECTION")
            with subtests.test(promise="a tool that fails leaves it to the terminal"):
                a_tool(bare, "xclip", exit_code=1)
                assert await copies(person) == through
            with subtests.test(promise="a tool that hangs is given up"):
                a_tool(bare, "xclip")
                env.setattr(subprocess, "run", hang)
                assert await copies(person) == through

        with subtests.test(promise="half a character can be copied"):
            assert await copies(person, HALF) == through
            assert person.app.clipboard == "half ?"


def hang(*_, **more):
    raise subprocess.TimeoutExpired("xclip", more["timeout"])


async def test_inside_tmux_it_is_handed_through(open_app, bare, monkeypatch):
    monkeypatch.setenv("TMUX", TMUX)
    async with open_app(size=(80, 24)) as person:
        taken = a_tool(bare, "tmux")
        assert await copies(person, "retry") == "Copied through tmux."
        assert taken.read_text() == "load-buffer -w -\nretry"

        a_tool(bare, "tmux", exit_code=1)  # one before 3.2 has no `-w`
        assert "Written to" in await copies(person, "retry")


async def test_what_is_too_long_for_a_terminal_goes_to_a_private_file(open_app, bare):
    async with open_app(size=(80, 24)) as person:
        text = "x" * LONGEST_FOR_TERMINAL
        assert "OSC 52" in await copies(person, text)
        said = await copies(person, f"{text}x")
        path = Path(said.rsplit(" ", 1)[-1])
        assert path.read_text() == f"{text}x"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
