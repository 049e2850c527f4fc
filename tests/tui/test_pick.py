"""`memdeck pick`: a memory is chosen below the prompt."""

import time

from memdeck import MemoryCoordinator
from memdeck.tui.pick import Picker


async def until(pilot, holds):
    """Wait for a state, not for a time."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.02)


def picker(home_path, clock, query=""):
    return Picker(
        str(home_path),
        None,
        lambda: MemoryCoordinator.open(str(home_path), "harbour", clock=clock),
        clock,
        query,
    )


async def test_typing_narrows_in_a_burst_and_enter_takes_what_is_lit(home_path, clock, harbour):
    app = picker(home_path, clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.rows) == 5)
        await pilot.press(*"tide")
        await until(pilot, lambda: [row.id for row in app.rows] == [harbour["tide"].id])
        await pilot.press("enter")
    assert app.return_value == harbour["tide"].id


async def test_the_words_given_are_where_one_begins_and_the_arrows_move(home_path, clock, harbour):
    app = picker(home_path, clock, "sort:title")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.rows) == 5)
        await pilot.press("down", "down", "up", "enter")
        second = app.rows[1].id
    assert app.return_value == second


async def test_esc_takes_nothing_and_nothing_found_is_not_taken(home_path, clock, harbour):
    app = picker(home_path, clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.rows)
        await pilot.press(*"zebra")
        await until(pilot, lambda: not app.rows)
        await pilot.press("enter", "escape")
    assert app.return_value is None
