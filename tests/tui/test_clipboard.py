"""Copying works in a terminal, over SSH and in tmux, and says how it went."""

import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from memdeck.tui import clipboard


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without clipboards: the folder in which a test may put tools."""
    for name in ("TMUX", "WAYLAND_DISPLAY", "DISPLAY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setattr(clipboard.sys, "platform", "linux")
    monkeypatch.setattr(clipboard.tempfile, "tempdir", str(tmp_path))
    return tools


def a_tool(folder: Path, name: str, exit_code: int = 0) -> Path:
    """A program that writes what it is given into a file, and the file."""
    taken = folder / f"{name}.taken"
    program = folder / name
    program.write_text(f'#!/bin/sh\necho "$@" > {taken}\ncat >> {taken}\nexit {exit_code}\n')
    program.chmod(0o755)
    return taken


class Terminal(App[None]):
    """An app in a terminal, as far as copying is concerned; it keeps what it was sent."""

    @property
    def is_headless(self) -> bool:
        return False


async def copied(app: App[None], text: str) -> str:
    async with app.run_test():
        return clipboard.copy(app, text)


async def test_the_terminal_is_asked_when_there_is_no_tool(bare: Path):
    app = Terminal()

    assert await copied(app, "retry") == "Copied through the terminal (OSC 52)."
    assert app.clipboard == "retry"


@pytest.mark.parametrize(
    ("variable", "tool"), [("WAYLAND_DISPLAY", "wl-copy"), ("DISPLAY", "xclip")]
)
async def test_a_tool_of_this_machine_is_used(
    bare: Path, monkeypatch: pytest.MonkeyPatch, variable: str, tool: str
):
    taken = a_tool(bare, tool)
    monkeypatch.setenv(variable, ":0")

    assert await copied(Terminal(), "日本 retry") == f"Copied with {tool}."
    assert taken.read_text().endswith("日本 retry")


async def test_a_tool_that_fails_leaves_it_to_the_terminal(
    bare: Path, monkeypatch: pytest.MonkeyPatch
):
    a_tool(bare, "xclip", exit_code=1)
    monkeypatch.setenv("DISPLAY", ":0")

    assert "OSC 52" in await copied(Terminal(), "retry")


async def test_over_ssh_the_tool_of_the_far_machine_is_not_used(
    bare: Path, monkeypatch: pytest.MonkeyPatch
):
    taken = a_tool(bare, "xclip")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("SSH_CONNECTION", "1.2.3.4 22")

    assert "OSC 52" in await copied(Terminal(), "retry")
    assert not taken.exists()


async def test_inside_tmux_it_is_handed_through(bare: Path, monkeypatch: pytest.MonkeyPatch):
    taken = a_tool(bare, "tmux")
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")

    assert await copied(Terminal(), "retry") == "Copied through tmux."
    assert taken.read_text() == "load-buffer -w -\nretry"


async def test_an_old_tmux_gets_the_sequence_wrapped(bare: Path, monkeypatch: pytest.MonkeyPatch):
    a_tool(bare, "tmux", exit_code=1)
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    app, sent = Terminal(), []
    async with app.run_test():
        assert app._driver is not None
        monkeypatch.setattr(app._driver, "write", sent.append)
        assert clipboard.copy(app, "retry") == "Copied through tmux."

    assert sent[-1] == "\x1bPtmux;\x1b\x1b]52;c;cmV0cnk=\x07\x1b\\"


async def test_what_is_too_long_for_a_terminal_goes_to_a_private_file(bare: Path):
    text = "x" * (clipboard.LONGEST_FOR_TERMINAL + 1)

    said = await copied(Terminal(), text)

    path = Path(said.rsplit(" ", 1)[-1])
    assert path.read_text() == text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_tool_that_hangs_is_given_up(bare: Path, monkeypatch: pytest.MonkeyPatch):
    def hang(*_: Any, **more: Any) -> None:
        raise subprocess.TimeoutExpired("xclip", more["timeout"])

    a_tool(bare, "xclip")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(clipboard.subprocess, "run", hang)

    assert "OSC 52" in await copied(Terminal(), "retry")


async def test_half_a_character_can_be_copied(bare: Path):
    assert "OSC 52" in await copied(Terminal(), "half \ud83d")
