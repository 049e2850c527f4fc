"""Five minutes of somebody who opens the demo for the first time, at a real terminal.

What the keys do is read off the screen, and nothing else: footer, titles, notices. They are typed
in bursts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memdeck.benchmarks.terminal import Terminal, of_demo
from memdeck.demo.store import DemoStore

RIGHT, ESCAPE, F2 = "\x1b[C", "\x1b", "\x1bOQ"
ENTER = "\r"
FIVE_MINUTES_S = 300


@pytest.fixture
def terminal(copy_demo: Callable[[Path], DemoStore], tmp_path: Path) -> Iterator[Terminal]:
    """The demo, freshly opened."""
    demo = copy_demo(tmp_path / "demo")
    terminal = Terminal(of_demo(demo.home, demo.project_root, demo.now))
    yield terminal
    terminal.close()  # again, where the script got no further


def test_within_five_minutes_a_newcomer_has_done_what_the_app_is_for(terminal: Terminal):
    began = time.monotonic()
    terminal.sees("0 Home", "38  candidates wait", "9  conflicts to decide", "14  pinned")

    # the pinned warning
    terminal.type("1/is:pinned category:warning" + ENTER)
    terminal.sees("1 Deck", "11 of 377", "No personal data in logs")

    # a conflict
    terminal.type("3")
    terminal.sees("3 Conflicts", "1 of 57", "keep this · newer", "← → Side")
    terminal.type(RIGHT)
    terminal.type(ENTER)
    terminal.sees("it replaces", "1 of 56")

    # ten candidates
    terminal.type("2")
    terminal.sees("2 Inbox", "1 of 38", "a Accept", "x Reject")
    terminal.type("axaxaxaxax")
    terminal.sees("1 of 28", "inbox 28")

    # why was that told yesterday? and it is not right
    terminal.type("4")
    terminal.sees("I  see what agents were told until now")
    terminal.type("I")
    terminal.sees("20h  claude", "1d  codex")
    terminal.type("j" + ENTER)
    terminal.sees("2 of 57", "prompt     Good", "told in the tier retrieval", "e Edit")
    terminal.type("e")
    terminal.sees("F2 Save")
    terminal.type("Corrected: " + F2)
    terminal.sees("before  told", "the same memories")  # and the proof: before, and now

    # what would a prompt get in Gemini?
    terminal.type("I")
    terminal.sees("c Ask")
    terminal.type("c")
    terminal.type("who gets the next offer?" + ENTER)
    terminal.sees("told ·")
    terminal.type("fh")
    terminal.sees("host gemini", "## Memory Context")

    # many forgotten at once, and it was a mistake
    terminal.type("1")
    terminal.sees("1 Deck", "is:pinned")
    terminal.type(ESCAPE)
    terminal.until(lambda shown: "is:pinned" not in shown, "nothing asked")
    terminal.type("/tag:waitlist" + ENTER)
    terminal.sees(" tag:waitlist ", " of 371")
    terminal.type("A")
    terminal.type("x")
    terminal.sees("Forget 14", "in a conflict")
    terminal.type(ENTER)
    terminal.sees("Forgot 14")
    terminal.type("u")
    terminal.sees("Undid", " of 371")

    # how was it last Monday?
    terminal.type("5")
    terminal.sees("5 Audit", "undo")
    terminal.type(":as of" + ENTER)
    terminal.sees("The Deck as of")
    terminal.type("monday" + ENTER)
    terminal.sees("As of Mon 2026-03-16", "355 memories", "esc Back")
    terminal.type(ESCAPE)
    terminal.sees("5 Audit")

    # and in other colours
    terminal.type(",")
    terminal.sees(", Settings")
    terminal.type("/theme" + ENTER)
    terminal.sees("1 of 222", "Name of a theme")
    terminal.type(ENTER)
    terminal.sees("gruvbox", "⏎ Keep", "esc Back")
    terminal.type("j" + ENTER)
    terminal.sees("app.theme is memdeck-light", "1 set")

    assert time.monotonic() - began < FIVE_MINUTES_S
    assert terminal.close() == 0
