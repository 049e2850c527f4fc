"""`memdeck pick`: a memory is chosen below the prompt."""

import asyncio
import os
import shutil
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, _NamedTextIOWrapper
from textual.app import App

from memdeck.cli.main import run


async def until(pilot, holds):
    """Wait for a state, not for a time."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.02)


@pytest.fixture
def pick(monkeypatch: pytest.MonkeyPatch, home_path: Path) -> Callable[..., tuple[int, str]]:
    """Runs `memdeck pick` for somebody who does something in it: exit code, and what it prints."""

    def picked(act: Callable[[Any, Any], Any], *words: str) -> tuple[int, str]:
        async def sit_before(app: Any) -> Any:
            async with app.run_test(size=(80, 24)) as pilot:
                await act(app, pilot)
            return app.return_value

        monkeypatch.setattr(App, "run", lambda app, **_: asyncio.run(sit_before(app)))
        monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
        monkeypatch.setenv("MEMDECK_HOME", str(home_path))
        with CliRunner().isolation() as (out, _err, _):
            code = run(["pick", *words, "--project", "harbour"])
            return code, out.getvalue().decode()

    return picked


def test_typing_narrows_in_a_burst_and_enter_takes_what_is_lit(pick, harbour):
    async def types(app, pilot):
        await until(pilot, lambda: len(app.rows) == 5)
        await pilot.press(*"tide")
        await until(pilot, lambda: [row.id for row in app.rows] == [harbour["tide"].id])
        await pilot.press("enter")

    assert pick(types) == (0, f"{harbour['tide'].id}\n")


def test_it_is_as_wide_as_the_terminal_though_the_answer_goes_into_a_pipe(
    pick, harbour, monkeypatch
):
    shown, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (12, 50))
    widths = []

    async def leaves(app, pilot):
        widths.append(shutil.get_terminal_size().columns)  # as Textual asks
        await pilot.press("escape")

    monkeypatch.delenv("COLUMNS", raising=False)
    with open(terminal, "w") as screen, open(os.devnull, "w") as pipe:
        monkeypatch.setattr(sys, "__stderr__", screen)
        monkeypatch.setattr(sys, "__stdout__", pipe)
        assert pick(leaves) == (1, "")
        assert sys.__stdout__ is pipe
    os.close(shown)
    assert widths == [50]


def test_the_words_given_are_where_one_begins_and_the_arrows_move(pick, harbour):
    second = []

    async def moves(app, pilot):
        await until(pilot, lambda: len(app.rows) == 5)
        second.append(app.rows[1].id)
        await pilot.press("down", "down", "up", "enter")

    assert pick(moves, "sort:title") == (0, f"{second[0]}\n")


def test_esc_takes_nothing_and_nothing_found_is_not_taken(pick, harbour):
    async def leaves(app, pilot):
        await until(pilot, lambda: app.rows)
        await pilot.press(*"zebra")
        await until(pilot, lambda: not app.rows)
        await pilot.press("enter", "escape")

    assert pick(leaves) == (1, "")
