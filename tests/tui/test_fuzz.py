"""Random keys in bursts, on every screen and in every dialog: nothing breaks, the store is whole.

`MEMDECK_FUZZ=200` tries so many seeds more.
"""

import os
import random

import pytest

from memdeck.tui.view import APP_ACTS, SCREENS, VIEW_ACTS

SIZES = [(40, 12), (60, 20), (80, 24), (120, 35)]
MOVES = ["j", "k", "g", "G", "tab", "enter", "escape", "up", "down", "left", "right", "ctrl+d"]
TEXT = ["t", "i", "d", "e", " ", ":", "-", '"', "backspace", "ctrl+u", "ö", "7"]
NEVER = {"q", "ctrl+q", "E"}
"""Keys that leave the app or open an editor."""

SEEDS = range(2 + int(os.environ.get("MEMDECK_FUZZ", "0")))


def keys_of_acts():
    acts = [*APP_ACTS, *VIEW_ACTS, *(act for kind in SCREENS for act in kind.view_class.ACTS)]
    keys = {key for act in acts for key in act.key.split(",") if key}
    return sorted((keys | set("12345")) - NEVER)


async def type_at_random(open_app, seed):
    chance = random.Random(seed)
    keys = keys_of_acts()
    async with open_app(size=chance.choice(SIZES)) as person:
        for _ in range(12):
            burst = [chance.choice([*keys, *MOVES, *TEXT]) for _ in range(chance.randint(1, 6))]
            await person.burst(burst)
            if chance.random() < 0.2:
                await person.pilot.resize_terminal(*chance.choice(SIZES))
            await person.rest()
            width, height = person.app.size
            lines = person.screen.split("\n")
            assert len(lines) <= height, (seed, burst)
            assert all(len(line) <= width for line in lines), (seed, burst)
        for _ in range(8):
            await person.press("escape")
        await person.rest()
        outcome = await person.store(lambda core: core.verify())
    assert outcome.ok, (seed, outcome.problems)


@pytest.mark.usefixtures("harbour")
@pytest.mark.parametrize("seed", SEEDS)
async def test_random_keys_break_nothing(open_app, seed):
    await type_at_random(open_app, seed)
