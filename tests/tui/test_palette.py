"""The palette finds verbs and memories, and shows what others wrote as it stands."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.widgets import OptionList

from memdeck import MemoryCoordinator
from memdeck.tui.acts import acts_in
from memdeck.tui.dialogs.command_line import matching
from memdeck.tui.palette import MOST_MEMORIES, MemoryProvider, system_commands

Driven = Callable[..., AbstractAsyncContextManager[Any]]


@pytest.fixture
def port(core: MemoryCoordinator) -> None:
    """A store with more memories on one subject than the palette shows."""
    core.remember("Retry budget is 3 attempts, then the job fails for good.", title="[/] [b]Retry")
    for number in range(MOST_MEMORIES + 5):
        core.remember(f"Harbour crane {number} wants a permit from the port office first.")


async def test_a_memory_is_found_by_its_words_and_opened_on_the_deck(open_app: Driven, port: None):
    async with open_app() as person:
        await person.press("ctrl+p")
        await person.until(lambda: CommandPalette.is_open(person.app))
        hits = person.app.screen.query_one(OptionList)
        await person.type("retry")
        await person.rest()  # an earlier letter's answer may still be on its way
        chosen = hits.highlighted_option
        assert chosen is not None
        assert "[/] [b]Retry" in str(chosen.prompt)
        await person.press("enter")
        await person.until(lambda: person.here == "[/] [b]Retry")


async def test_no_more_memories_than_one_can_look_through(open_app: Driven, port: None):
    async with open_app() as person:
        provider = MemoryProvider(person.app.screen)
        hits = [hit async for hit in provider.search("crane permit")]

        assert len(hits) == MOST_MEMORIES
        assert hits == sorted(hits, reverse=True)
        assert [hit async for hit in provider.search("  ")] == []


async def test_verbs_are_named_by_noun_and_each_once(open_app: Driven, port: None):
    async with open_app() as person:
        names = [command.title for command in system_commands(person.app, person.app.screen)]

        assert all(": " in name for name in names)
        assert len(names) == len(set(names))
        assert {"go: Deck", "go: Audit", "memory: Pin", "settings: Theme"} <= set(names)


async def test_what_two_keys_do_stands_once_in_every_list_of_acts(open_app: Driven, port: None):
    async with open_app() as person:
        titles = [one.title for one in system_commands(person.app, person.app.screen)]
        assert [title for title in titles if "Quit" in title] == ["app: Quit"]
        assert [act.id for act in matching(acts_in(person.app.stage.shown), "quit")] == ["app.quit"]


async def test_a_verb_goes_to_its_view(open_app: Driven, port: None):
    async with open_app() as person:
        await person.press("ctrl+p")
        await person.until(lambda: CommandPalette.is_open(person.app))
        await person.type("go: audit")
        await person.rest()
        assert person.app.screen.query_one(OptionList).option_count == 1
        await person.press("enter")
        await person.until(lambda: person.app.view == "audit")
