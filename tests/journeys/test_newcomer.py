"""Five minutes of somebody who opens the demo for the first time, at a real terminal.

What the keys do is read off the screen, and nothing else: footer, titles, notices. They are typed
in bursts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memdeck.benchmarks.terminal import Terminal, of_demo
from memdeck.demo.store import DemoStore

LEFT, ESCAPE, ENTER = "\x1b[D", "\x1b", "\r"
FIVE_MINUTES_S = 300


@pytest.fixture
def terminal(copy_demo: Callable[[Path], DemoStore], tmp_path: Path) -> Iterator[Terminal]:
    """The demo, freshly opened."""
    demo = copy_demo(tmp_path / "demo")
    terminal = Terminal(of_demo(demo.home, demo.project_root, demo.now))
    yield terminal
    terminal.close()  # again, where the script got no further


def to_review(shown: str) -> int:
    """The number beside Review in the first line."""
    found = re.search(r"2 Review (\d+)", shown)
    return int(found[1]) if found else -1


def test_within_five_minutes_a_newcomer_has_done_what_the_app_is_for(terminal: Terminal):
    began = time.monotonic()
    # it opens on Review, since memories contradict each other
    terminal.sees("Conflicts 9", "If you do nothing:", "a Accept")
    count = to_review(terminal.until(lambda shown: to_review(shown) > 32, "a count of Review"))

    # a conflict
    terminal.type("/tax half" + ENTER)
    terminal.sees("Conflicts 1", "stays", "goes", "Tax is rounded half-up on the total")
    terminal.type(LEFT + ENTER)
    terminal.sees("Kept “Tax is", f"2 Review {count - 1}")
    terminal.type(ESCAPE)
    terminal.until(lambda shown: "/ tax" not in shown, "no filter")

    # ten candidates
    terminal.type("/new" + ENTER + "g" + "ax" * 5)
    terminal.sees("New 22")

    # the pinned warning
    terminal.type("1/is:pinned category:warning" + ENTER)
    terminal.sees("11 of ", "No personal data in logs")

    # many forgotten at once, and it was a mistake
    terminal.type(ESCAPE)
    terminal.until(lambda shown: "is:pinned" not in shown, "no query")
    terminal.type("/tag:waitlist" + ENTER)
    terminal.sees("tag:waitlist", " 12 of ", "The offer mail")
    terminal.type("A")
    terminal.type("x")
    terminal.sees("Forget 12", "in a conflict")
    terminal.type(ENTER)
    terminal.sees("Forgot 12")
    terminal.type("u")
    terminal.sees("Undid forget", "12 of ")

    # how was it last Monday?
    terminal.type(ESCAPE)
    terminal.until(lambda shown: "tag:waitlist" not in shown, "no query")
    terminal.type("/at:monday" + ENTER)
    terminal.sees("as of monday, read only")
    terminal.type(ESCAPE)
    terminal.until(lambda shown: "at:monday" not in shown, "today")

    # what would a prompt get, and what did the last one get?
    terminal.type("3")
    terminal.sees("Try a prompt", "13:24 Good catch.")
    terminal.type("c")
    terminal.type("who gets the next offer?" + ENTER)
    terminal.sees("Try: who gets the next offer?", "The waitlist is ordered by time")

    # who did what
    terminal.type("4")
    terminal.sees("undo", "U Undo this")

    assert time.monotonic() - began < FIVE_MINUTES_S
    assert terminal.close() == 0
