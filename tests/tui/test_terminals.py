"""The app as a process of its own on several kinds of terminal: tmux, screen, a browser."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdeck.benchmarks.terminal import PATIENCE_S, Screen, Terminal

MOUSE = {"?1000", "?1003", "?1006", "?1015"}
"""Reports of the mouse that leave what `shift` is held with to the terminal (xterm, ctlseqs)."""

SHIFT = 4
"""The bit of a button's number that says `shift` was held (xterm, ctlseqs, SGR 1006)."""


def command(home: Path) -> list[str]:
    run = [sys.executable, "-m", "memdeck", "--home", str(home), "--project", "harbour"]
    return [*run, "--screen", "deck"]


@pytest.fixture
def terminal(home_path: Path, harbour: Any) -> Iterator[Terminal]:
    """The five on the Deck, on a terminal of the usual kind."""
    terminal = Terminal(command(home_path))
    terminal.sees("Tide tables", "1 of 5", "newest first", " staging ")  # the facets as well
    yield terminal
    assert terminal.close() == 0


@pytest.mark.parametrize("kind", ["tmux-256color", "screen-256color"])
def test_inside_tmux_and_screen_rows_stand_there_keys_work_and_nothing_stays_behind(
    home_path: Path, harbour: Any, kind: str
):
    inside = {**os.environ, "TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%0"}
    terminal = Terminal(command(home_path), 80, 24, inside, kind)
    terminal.sees("Tide tables", "1 of 5")
    terminal.type("j\x1b[B")  # a letter, and an arrow as tmux sends it
    terminal.sees("3 of 5")
    terminal.type("/deploys\r")
    terminal.sees("1 of 1", "Deploys go out")
    assert "?1049" in terminal.screen.modes
    assert terminal.close() == 0
    left = terminal.screen.modes
    assert not left & (MOUSE | {"?1049", "?2004"}), "the terminal is as it was"


# -- the mouse with shift


def click(column: int, line: int, held: int = 0) -> str:
    """The left button pressed and let go in one cell, counted from 1."""
    return f"\x1b[<{held};{column};{line}M\x1b[<{held};{column};{line}m"


def drag(column: int, line: int, to: int, held: int = 0) -> str:
    """The left button pressed, moved along the line, and let go."""
    moved = f"\x1b[<{held + 32};{to};{line}M"
    return f"\x1b[<{held};{column};{line}M{moved}\x1b[<{held};{to};{line}m"


def place_of(shown: str, text: str) -> tuple[int, int]:
    """Column and line of `text`, as a terminal counts them."""
    for line, said in enumerate(shown.splitlines(), 1):
        if text in said:
            return said.index(text) + 1, line
    raise AssertionError(f"{text!r} is not there:\n{shown}")


def the_terminal_is_not_asked_to_give_it_away(terminal: Terminal) -> None:
    reports = {mode for mode in terminal.screen.modes if re.fullmatch(r"\?(9|10\d\d)", mode)}
    assert "?1003" in reports
    assert reports - {"?1004", "?1049"} <= MOUSE
    # XTSHIFTESCAPE, `CSI > 1 s`, would have shift reported to the app
    assert not [one for one in terminal.screen.others if one.startswith(">") and one[-1] == "s"]


def shift_let_go_before_the_button_is_no_click_either(terminal: Terminal) -> None:
    column, line = place_of(str(terminal.screen), "Deploys")
    terminal.type(click(column, line) + "k")
    terminal.sees("1 of 5")
    terminal.type(f"\x1b[<{SHIFT};{column};{line}M\x1b[<0;{column};{line}m" + "j")
    terminal.sees("2 of 5")  # from the first: what was pressed on before is not clicked again


def a_border_that_is_dragged_stays(terminal: Terminal) -> None:
    shown = str(terminal.screen)
    border, line = place_of(shown, "││")
    terminal.type(drag(border, line, border + 9, SHIFT) + "j")
    shown = terminal.sees("2 of 5")
    assert place_of(shown, "││")[0] == border
    terminal.type(drag(border, line, border + 9))
    terminal.until(lambda shown: place_of(shown, "││")[0] == border + 9, "the border further right")


def what_is_clicked_is_neither_selected_nor_sorted_nor_narrowed(terminal: Terminal) -> None:
    shown = str(terminal.screen)
    row, header, facet = (place_of(shown, text) for text in ("Deploys", " age", "staging"))
    for column, line in (row, (header[0] + 2, header[1]), facet):
        terminal.type(click(column, line, SHIFT))
    terminal.type("j")
    shown = terminal.sees("2 of 5")  # it stood on the first
    assert "sort:" not in shown
    assert "tag:staging" not in shown
    for place, sees in (
        (row, "2 of 5"),
        ((header[0] + 2, header[1]), "sort:"),
        (facet, "tag:staging"),
    ):
        terminal.type("kkkkk" + click(*place))
        terminal.sees(sees)  # without it each of them is heard


WITH_SHIFT = (
    the_terminal_is_not_asked_to_give_it_away,
    shift_let_go_before_the_button_is_no_click_either,
    a_border_that_is_dragged_stays,
    what_is_clicked_is_neither_selected_nor_sorted_nor_narrowed,
)


def test_what_the_mouse_does_with_shift_is_left_to_the_terminal(terminal: Terminal, subtests: Any):
    for promise in WITH_SHIFT:
        terminal.type("kkkkk")
        terminal.sees("1 of 5")
        with subtests.test(promise=promise.__name__):
            promise(terminal)


# -- a browser


class Browser:
    """What stands between the app and a browser: packets on its input and output.

    A byte that says what it is (`D` data, `M` meta), four for the length, and the content, as
    textual-serve and textual-web speak them.
    """

    def __init__(self, home: Path, columns: int, lines: int) -> None:
        driver = {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
        size = {"COLUMNS": str(columns), "ROWS": str(lines), "TEXTUAL_COLOR_SYSTEM": "truecolor"}
        self.screen = Screen(columns, lines)
        self.said: list[dict[str, Any]] = []
        self.app = subprocess.Popen(
            command(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **driver, **size, "LC_ALL": "C.UTF-8"},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.app.stdout is not None
        while self.app.stdout.readline() not in (b"__GANGLION__\n", b""):
            pass
        while head := self.app.stdout.read(5):
            content = self.app.stdout.read(int.from_bytes(head[1:], "big"))
            if head[:1] == b"D":
                self.screen.feed(content.decode())
            else:
                self.said.append(json.loads(content))

    def send(self, kind: bytes, content: bytes) -> None:
        assert self.app.stdin is not None
        self.app.stdin.write(kind + len(content).to_bytes(4, "big") + content)
        self.app.stdin.flush()

    def sees(self, *words: str) -> str:
        end = time.monotonic() + PATIENCE_S
        while not all(word in (shown := str(self.screen)) for word in words):
            assert time.monotonic() < end, f"never seen: {words}\n{shown}"
            time.sleep(0.02)
        return shown

    def close(self) -> int:
        """Wait for its end."""
        try:
            return self.app.wait(PATIENCE_S)
        finally:
            self.app.kill()
            self._reader.join(PATIENCE_S)


def test_in_a_browser_rows_stand_there_keys_and_mouse_work_and_it_ends(
    home_path: Path, harbour: Any
):
    browser = Browser(home_path, 120, 35)
    shown = browser.sees("Tide tables", "1 of 5")
    browser.send(b"D", b"j")
    browser.sees("2 of 5")
    browser.send(b"D", click(*place_of(shown, "Retry budget")).encode())
    browser.sees("5 of 5")
    browser.screen = Screen(80, 24)
    browser.send(b"M", json.dumps({"type": "resize", "width": 80, "height": 24}).encode())
    browser.sees("Retry budget", "5 of 5")
    browser.send(b"D", b"\x11")  # ctrl+q
    assert browser.close() == 0
    assert {"type": "exit"} in browser.said


def test_a_browser_that_is_closed_ends_the_app(home_path: Path, harbour: Any):
    browser = Browser(home_path, 120, 35)
    browser.sees("Tide tables", "1 of 5")
    browser.send(b"D", b"j")
    browser.sees("2 of 5")
    browser.send(b"M", json.dumps({"type": "quit"}).encode())
    assert browser.close() == 0
    assert harbour["deploy"].id in (home_path / "app.json").read_text()
