"""The Deck as it was, over the journal: typed in bursts, on a real store."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from memdeck import MemoryCoordinator

Driven = Callable[..., AbstractAsyncContextManager[Any]]

RETRY = "Retry budget is 3 attempts, then the job fails for good and pages somebody."
QUEUE = "Queue timeout is 30 s for webhooks, since the payment provider retries after 40 s."
STAGING = "Staging lives on host db-7 behind the jump host; it is reached through the VPN only."


class Visitor:
    """Somebody who looks at the Deck as it was."""

    def __init__(self, person: Any) -> None:
        self.person, self.app = person, person.app
        self.press, self.until, self.store = person.press, person.until, person.store

    @property
    def is_over(self) -> bool:
        """Whether the screen of the past stands on top."""
        return type(self.app.screen).__name__ == "PastScreen"

    @property
    def past(self) -> Any:
        """The screen on top."""
        assert self.is_over
        return self.app.screen

    @property
    def is_there(self) -> bool:
        """Whether it stands, and shows a Deck."""
        return self.is_over and self.app.screen.glance is not None

    def stands_at(self, entry: int) -> bool:
        """Whether the Deck is the one after that entry."""
        return self.is_there and self.past.glance.entry == entry

    @property
    def titles(self) -> list[str]:
        """What is listed, from the top down."""
        memories = self.past.memories
        rows = [memories.pages.row(index) for index in range(len(memories.keys))]
        return [row.title[:14] for row in rows]

    @property
    def says(self) -> str:
        """The line above the list."""
        return str(self.past.query_one("#past-place").render())

    @property
    def became(self) -> str:
        """What became of the memory under the cursor."""
        return str(self.past.query_one("#past-became").render()).strip()


@pytest.fixture
def lived(core: MemoryCoordinator, clock: Any) -> list[str]:
    """Entries 1 to 3 add, 4 edits the first, 5 forgets the others; the ids."""
    ids = [core.remember(text).memory_id or "" for text in (RETRY, QUEUE, STAGING)]
    clock.forward(hours=1)
    core.edit(ids[0], content=RETRY.replace("3 attempts", "5 attempts"))
    clock.forward(days=1)
    core.forget(ids[1:], "not true any more")
    clock.forward(minutes=10)
    return ids


@pytest.fixture
def visiting(open_app: Driven) -> Callable[..., Any]:
    """Open the app on the journal."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35)) -> AsyncIterator[Visitor]:
        async with open_app(size=size, view="audit") as person:
            visitor = Visitor(person)
            view = person.app.stage.view("audit")
            await person.until(lambda: len(view.timeline.entries) == 5)
            yield visitor

    return opened


async def test_each_key_it_names_and_what_is_read_is_whole_at_every_size(
    visiting: Any, lived: list[str], subtests: Any
):
    sizes = ((60, 20), (80, 24), (200, 50))
    async with visiting(size=sizes[0]) as visitor:
        await visitor.person.burst("jP")
        await visitor.until(lambda: visitor.stands_at(4))
        for size in sizes:
            with subtests.test(size=size, entry=4):
                await visitor.person.pilot.resize_terminal(*size)
                await visitor.person.rest()
                shown = visitor.person.screen.splitlines()
                assert "? Help" in shown[-1]
                assert "…" not in shown[-1]
                if size[0] >= 80:  # what is read has its frame, as everywhere
                    assert any("Memory then" in line for line in shown)
                    assert any(
                        line.rstrip().endswith("│") and "Retired since" in line for line in shown
                    )
        await visitor.press("n")
        await visitor.until(lambda: visitor.stands_at(5))
        for size in reversed(sizes):
            with subtests.test(size=size, entry=5):
                await visitor.person.pilot.resize_terminal(*size)
                await visitor.person.rest()
                screen = visitor.person.screen
                assert "As of Sat 2026-03-21 10:30" in screen
                assert "Retry budget" in screen
                assert "esc Back" in screen
                assert "told   " not in screen  # nobody knows how often it had been, then


async def the_deck_after_the_entry_under_the_cursor(visitor: Any) -> None:
    await visitor.person.burst("jP")
    await visitor.until(lambda: visitor.stands_at(4))

    assert visitor.titles == ["Staging lives ", "Queue timeout ", "Retry budget i"]
    assert "3 memories" in visitor.says
    assert "person edit" in visitor.says
    await visitor.until(lambda: visitor.became == "Retired since: forgotten.")
    await visitor.press("G")
    await visitor.until(lambda: visitor.became == "It stands today as it did then.")


async def walking_from_entry_to_entry_typed_in_a_burst(visitor: Any) -> None:
    await visitor.press("P")
    await visitor.until(lambda: visitor.stands_at(5))
    assert visitor.titles == ["Retry budget i"]
    for entry in (4, 3, 2):
        await visitor.press("N")
        await visitor.until(lambda entry=entry: visitor.stands_at(entry))
    assert visitor.titles == ["Queue timeout ", "Retry budget i"]
    await visitor.person.burst("NNNn")  # to the oldest, twice beyond it, and on
    await visitor.until(lambda: visitor.stands_at(2) and "person add" in visitor.says)
    await visitor.person.burst("nnnNnnn")
    await visitor.until(lambda: visitor.stands_at(5) and "the newest entry" in visitor.says)
    assert visitor.titles == ["Retry budget i"]


async def play_goes_on_to_the_newest_and_stops(visitor: Any) -> None:
    await visitor.person.burst("GP")
    await visitor.until(lambda: visitor.stands_at(1))
    assert visitor.titles == ["Retry budget i"]
    await visitor.press("space")
    await visitor.until(lambda: visitor.stands_at(5) and "the newest entry" in visitor.says)
    assert visitor.titles == ["Retry budget i"]


async def the_past_is_asked_a_query(visitor: Any) -> None:
    await visitor.person.burst("jP")
    await visitor.until(lambda: visitor.stands_at(4))
    await visitor.press("/")
    await visitor.person.type("staging")
    await visitor.until(lambda: visitor.titles == ["Staging lives "])
    await visitor.press("escape")
    await visitor.until(lambda: len(visitor.titles) == 3)
    await visitor.press("escape")
    await visitor.until(lambda: not visitor.is_over)


async def a_named_day_is_gone_to_and_words_that_are_none_are_asked_again(visitor: Any) -> None:
    view = visitor.app.stage.view("audit")
    visitor.app.run_act(next(act for act in view.ACTS if act.id == "audit.as_of"))
    await visitor.until(lambda: type(visitor.app.screen).__name__ == "Ask")
    await visitor.person.type("whenever")
    await visitor.press("enter")
    await visitor.until(
        lambda: "is not a time" in str(visitor.app.screen.query_one("#ask-about").render())
    )
    for _ in "whenever":
        await visitor.press("backspace")
    await visitor.person.type("#3")
    await visitor.press("enter")
    await visitor.until(lambda: visitor.stands_at(3))
    assert len(visitor.titles) == 3


async def test_enter_opens_the_memory_as_it_is_today(visiting: Any, lived: list[str]):
    async with visiting() as visitor:
        await visitor.person.burst("jP")
        await visitor.until(lambda: visitor.stands_at(4))
        await visitor.person.burst(["G", "enter"])
        await visitor.until(lambda: visitor.app.view == "deck")
        deck = visitor.app.stage.view("deck")
        await visitor.until(lambda: deck.memories.current and deck.memories.current.id == lived[0])


async def looking_back_writes_nothing_and_leaves_no_file(visitor: Any, home_path: Any) -> None:
    before = await visitor.store(lambda core: core.last_seq())
    files = {path.name for path in home_path.rglob("*") if "log" not in str(path)}
    await visitor.person.burst("GP")
    await visitor.until(lambda: visitor.stands_at(1))
    assert {path.name for path in home_path.rglob("*") if "log" not in str(path)} == files
    await visitor.person.burst(["x", "p", "e", "d", "D", "u", "escape"])
    await visitor.until(lambda: not visitor.is_over)
    await visitor.person.rest()
    assert await visitor.store(lambda core: core.last_seq()) == before


async def test_what_the_deck_as_it_was_promises(
    visiting: Any, lived: list[str], home_path: Any, promises: Any
):
    async with visiting() as visitor:
        await promises.hold(
            visitor,
            the_deck_after_the_entry_under_the_cursor,
            walking_from_entry_to_entry_typed_in_a_burst,
            play_goes_on_to_the_newest_and_stops,
            the_past_is_asked_a_query,
            a_named_day_is_gone_to_and_words_that_are_none_are_asked_again,
            looking_back_writes_nothing_and_leaves_no_file,
        )
