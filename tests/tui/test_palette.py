"""The palette finds verbs and memories, and shows what others wrote as it stands."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import OptionList

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp
from memdeck.tui.palette import MOST_MEMORIES, MemoryProvider, system_commands


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for a state, not for a time."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.002)


async def rest(pilot: Pilot[None]) -> None:
    """Wait until no answer of the core is on its way."""
    await until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))


@pytest.fixture
def app(home_path: Path, clock: Any, core: MemoryCoordinator) -> MemoryApp:
    core.remember("Retry budget is 3 attempts, then the job fails for good.", title="[/] [b]Retry")
    for number in range(MOST_MEMORIES + 5):
        core.remember(f"Harbour crane {number} wants a permit from the port office first.")
    return MemoryApp(str(home_path), "harbour", clock=clock)


async def test_a_memory_is_found_by_its_words_and_opened_on_the_deck(app: MemoryApp):
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p", *"retry")
        await until(pilot, lambda: CommandPalette.is_open(app))
        hits = app.screen.query_one(OptionList)
        await until(
            pilot, lambda: any("[/] [b]Retry" in str(option.prompt) for option in hits.options)
        )
        await pilot.press("enter")
        deck = app.stage.view("deck")
        await until(
            pilot, lambda: getattr(deck.memories.current, "title", "").startswith("[/] [b]Retry")
        )
        await rest(pilot)


async def test_no_more_memories_than_one_can_look_through(app: MemoryApp):
    async with app.run_test() as pilot:
        await rest(pilot)
        provider = MemoryProvider(app.screen)

        hits = [hit async for hit in provider.search("crane permit")]

        assert len(hits) == MOST_MEMORIES
        assert [hit async for hit in provider.search("  ")] == []
        assert hits == sorted(hits, reverse=True)


async def test_verbs_are_named_by_noun_and_each_once(app: MemoryApp):
    async with app.run_test() as pilot:
        await rest(pilot)
        names = [command.title for command in system_commands(app, app.screen)]

        assert all(": " in name for name in names)
        assert len(names) == len(set(names))
        assert {"go: Deck", "go: Audit", "memory: Pin", "settings: Theme"} <= set(names)


async def test_a_verb_goes_to_its_view(app: MemoryApp):
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p", *"go: audit")
        await until(pilot, lambda: app.screen.query_one(OptionList).option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: app.view == "audit")
        await rest(pilot)
