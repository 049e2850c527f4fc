"""Each bar says what it is of, and how much: in every view that draws one."""

import re
from pathlib import Path
from typing import Any

import pytest

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .inbox.story import put_into
from .views import VIEWS

BAR = re.compile(r"[━█▓▒░]{2,}|━+─+|[▁▂▃▄▅▆▇█]{3,}")
PLOT, ITS_AXIS = re.compile(r"[\s▁▂▃▄▅▆▇█]+"), re.compile(r"(today|ago) +\+\d+d")
NAME, NUMBER = re.compile(r"[^\W\d_]{3,}"), re.compile(r"\d")
KEYS_TO_BARS = {
    "home": "", "deck": "", "inbox": "", "conflicts": "", "recall": "I", "health": "",
}  # fmt: skip
"""The views that draw bars, and what leads to them."""

SAYS = {
    "recall": ("a tier's bar: tokens of its limit", "a memory's: its", "✓ fine", "! over"),
    "health": ("✓ fine", "blocks: weeks, recalls"),
}
"""What a view says of bars that are more than a part of a whole."""


@pytest.fixture
def busy(core: Any, clock: Any, harbour: Any) -> None:
    """Something that has a bar in each of them."""
    put_into(core, "webhook", "tariffs", "tide")
    pairs_of(core, clock)
    clock.forward(hours=1)
    core.recall("", event="SessionStart", host="claude", session="s1")
    for _ in range(3):
        core.recall("when do deploys go out, and how long is the queue timeout?", host="claude")
    clock.forward(hours=1)


@pytest.mark.usefixtures("busy")
async def test_each_bar_stands_between_its_name_and_its_number(
    open_app: Any, tmp_path: Path, subtests: Any
):
    machine = Machine(tmp_path, a_busy_machine())
    async with open_app(size=(120, 50), agents=machine) as person:
        for view, keys in KEYS_TO_BARS.items():
            await person.burst([VIEWS[view].key, *keys])
            await person.until(lambda view=view: person.app.view == view)
            await person.rest()
            with subtests.test(view=view):
                bars_are_told(person.screen, view)


def bars_are_told(screen: str, view: str) -> None:
    """Whether each bar on the screen has its words, and the view says what they are."""
    pieces = [piece for line in screen.splitlines() for piece in line.split("│")]
    drawn = [piece for piece in pieces if BAR.search(piece)]
    assert drawn, screen
    for piece in drawn:
        if PLOT.fullmatch(piece):  # of several lines, above its axis
            assert ITS_AXIS.search(screen), screen
        else:
            assert NAME.search(piece), piece
            assert NUMBER.search(piece), piece
    for words in SAYS.get(view, ()):
        assert words in screen
