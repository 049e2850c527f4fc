"""The journal on the screen, over a real store, driven by keys."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from memdeck import MemoryCoordinator

Driven = Callable[..., AbstractAsyncContextManager[Any]]

RETRY = "Retry budget is 3 attempts, then the job fails for good and pages somebody."
QUEUE = "Queue timeout is 30 s for webhooks, since the payment provider retries after 40 s."
STAGING = "Staging lives on host db-7 behind the jump host; it is reached through the VPN only."


class Reader:
    """Somebody who reads the journal."""

    def __init__(self, person: Any) -> None:
        self.person, self.app, self.pilot = person, person.app, person.pilot
        self.press, self.until, self.store = person.press, person.until, person.store
        view: Any = person.app.stage.view("audit")
        self.view, self.timeline, self.box = view, view.timeline, view.box

    async def ask(self, text: str) -> None:
        """Type a filter."""
        await self.press("/")
        await self.until(lambda: self.box.is_typed_in)
        await self.person.type(text)

    @property
    def shown(self) -> list[str]:
        """Who, what and how it stands, newest first."""
        return [
            f"{entry.actor} {entry.action}{' undone' if entry.undone_by else ''}"
            for entry in self.timeline.entries
        ]

    @property
    def status(self) -> str:
        """What stands at the end of the filter."""
        return str(self.box.status.render()).strip()

    @property
    def told(self) -> str:
        """The words of the pane with one entry in full."""
        return self.view.detail.text.render().plain

    @property
    def nothing(self) -> str:
        """What stands there when there is nothing to show."""
        return str(self.view.query_one("#audit-empty", Static).render())


@pytest.fixture
def laid_life(laid_out: Any) -> list[str]:
    """The store of `lived`."""
    return list(laid_out(_life))


@pytest.fixture
def lived(laid_life: list[str]) -> list[str]:
    """A short life of a store; the ids of its three memories."""
    return laid_life


def _life(core: MemoryCoordinator, clock: Any) -> list[str]:
    ids = [core.remember(text).memory_id or "" for text in (RETRY, QUEUE, STAGING)]
    clock.forward(hours=1)
    core.edit(ids[0], content=RETRY.replace("3 attempts", "5 attempts"))
    clock.forward(hours=1)
    core.forget(ids[1:], "not true any more")
    clock.forward(minutes=10)
    return ids


@pytest.fixture
def edited_since(core: MemoryCoordinator, lived: list[str]) -> None:
    """A later change touched what the first edit touched."""
    core.edit(lived[0], importance=0.9)


@pytest.fixture
def long_life(laid_out: Any) -> int:
    """A memory that was changed very often; the number of entries."""
    return int(laid_out(_long_life))


def _long_life(core: MemoryCoordinator, _clock: Any) -> int:
    memory = core.remember(RETRY).memory_id or ""
    with core.as_one_act():
        for number in range(450):
            core.edit(memory, importance=0.1 + (number % 9) / 10)
    return 451


@pytest.fixture
def hostile(core: MemoryCoordinator) -> None:
    """A memory whose text would like to be more than text."""
    core.remember(
        "[@click=app.quit]leave[/foo] list[int] \x1b[31mred and some more words to keep it",
        title="[@click=app.quit]x[/foo]",
    )


@pytest.fixture
def reading(open_app: Driven) -> Callable[..., Any]:
    """Open the app on the journal."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35)) -> AsyncIterator[Reader]:
        async with open_app(size=size, view="audit") as person:
            yield Reader(person)

    return opened


async def the_newest_change_stands_on_top_with_its_words(reader: Any) -> None:
    await reader.press("j")
    await reader.until(lambda: "5 attempts" in reader.told)

    assert reader.shown == ["person forget", "person edit", *["person add"] * 3]
    assert reader.status == "5 changes"
    assert "Retry budget is 3 attempts" in reader.told


async def an_entry_of_many_memories_names_each(reader: Any) -> None:
    await reader.until(lambda: "retired as" in reader.told)
    for words in ("2 memories", "“not true any more”", "Queue timeout", "Staging lives"):
        assert words in reader.told


async def a_filter_by_time_looks_back_from_now(reader: Any) -> None:
    await reader.press("f", "t")
    await reader.until(lambda: reader.shown == ["person forget"])

    assert reader.box.text == "since:1h"


async def a_memory_nobody_knows_finds_nothing_and_says_so(reader: Any) -> None:
    await reader.ask("memory:zzzz")
    await reader.until(lambda: reader.view.has_class("-empty"))
    await reader.person.rest()

    assert "zzzz" in reader.status
    assert "esc  clear the filter" in reader.nothing


async def a_quick_key_keeps_the_life_of_one_memory(reader: Any, lived: list[str]) -> None:
    await reader.press("j", "f", "m")
    await reader.until(lambda: reader.shown == ["person edit", "person add"])
    assert reader.box.text == f"memory:{lived[0]}"

    await reader.press("f", "m")
    await reader.until(lambda: len(reader.shown) == 5)
    assert reader.box.text == ""


async def enter_keeps_what_was_typed_and_esc_clears_it(reader: Any) -> None:
    await reader.ask("edit")
    await reader.until(lambda: len(reader.shown) == 1)
    assert reader.status == "1 of 5"

    await reader.press("enter")
    await reader.until(lambda: reader.timeline.has_focus)
    assert reader.box.text == "edit"

    await reader.press("escape")
    await reader.until(lambda: len(reader.shown) == 5)


async def test_what_the_journal_promises(reading: Any, lived: list[str], promises: Any):
    async with reading() as reader:
        await promises.hold(
            reader,
            the_newest_change_stands_on_top_with_its_words,
            an_entry_of_many_memories_names_each,
            a_filter_by_time_looks_back_from_now,
            a_memory_nobody_knows_finds_nothing_and_says_so,
            a_quick_key_keeps_the_life_of_one_memory,
            enter_keeps_what_was_typed_and_esc_clears_it,
        )


async def test_this_entry_is_undone_not_the_newest(reading: Any, lived: list[str]):
    async with reading() as reader:
        await reader.press("j")
        assert not any(map(reader.view.why_not, ("undo_this", "open", "same('actor')")))
        assert reader.view.why_not("same('session')") == "This entry has no session."
        await reader.press("U")
        await reader.until(lambda: "person edit undone" in reader.shown)

        seq = reader.timeline.entries[0].seq
        said = f"Entry #{seq} took this one back already."
        assert reader.view.why_not("undo_this") == said
        assert reader.shown[0] == "person undo"
        assert reader.timeline.entry.action == "edit"
        assert reader.view.check_action("undo_this", ()) is None
        assert (await reader.store(lambda core: core.resolve(lived[0]))).content == RETRY
        kept = await reader.store(lambda core: core.resolve(lived[1]))
        assert kept.retired_as == "forgotten"


async def test_u_undoes_the_newest(reading: Any, lived: list[str]):
    async with reading() as reader:
        await reader.press("j", "u")
        await reader.until(lambda: "person forget undone" in reader.shown)

        assert (await reader.store(lambda core: core.resolve(lived[1]))).is_live
        assert "5 attempts" in (await reader.store(lambda core: core.resolve(lived[0]))).content


async def test_a_refused_undo_says_why(reading: Any, lived: list[str], edited_since: None):
    async with reading() as reader:
        await reader.press("j", "j", "U")
        await reader.until(lambda: bool(reader.person.notices))

        assert "changed" in " ".join(reader.person.notices)
        assert not any("undone" in row for row in reader.shown)
        assert "5 attempts" in (await reader.store(lambda core: core.resolve(lived[0]))).content


async def test_enter_opens_the_memory_on_the_deck(reading: Any, lived: list[str]):
    async with reading() as reader:
        await reader.press("j", "enter")
        await reader.until(lambda: reader.app.view == "deck")
        await reader.until(lambda: reader.person.here.startswith("Retry budget"))
        await reader.person.rest()

        await reader.press("backspace")
        await reader.until(lambda: reader.app.view == "audit")
        assert reader.timeline.index == 1


async def test_of_many_memories_one_is_chosen(reading: Any, lived: list[str]):
    async with reading() as reader:
        await reader.press("enter")
        await reader.until(lambda: reader.person.dialog() == "Menu")
        await reader.press("down", "enter")
        await reader.until(lambda: reader.app.view == "deck")
        await reader.until(lambda: reader.person.here.startswith(("Queue", "Staging")))


async def test_what_others_write_is_announced_and_moves_nothing(
    reading: Any, lived: list[str], home_path: Path, clock: Any
):
    def write_elsewhere() -> None:
        with MemoryCoordinator.open(home_path, "harbour", clock=clock, actor="agent") as other:
            other.remember("Migrations run before the deploy, never after it, says the runbook.")

    async with reading() as reader:
        await reader.press("j")
        await reader.until(lambda: reader.app.news.version is not None)  # from here on it watches
        await asyncio.to_thread(write_elsewhere)
        await reader.until(lambda: "1 new" in reader.status)
        assert len(reader.shown) == 5

        await reader.press("R")
        await reader.until(lambda: len(reader.shown) == 6)
        assert (reader.shown[0], reader.timeline.index) == ("agent add", 0)
        assert "new" not in reader.status


async def test_the_oldest_entry_is_reached_page_by_page(reading: Any, long_life: int):
    async with reading() as reader:
        assert len(reader.timeline.entries) == 200
        assert reader.status == "451 changes"  # though not all are read

        await reader.press("G")
        await reader.until(lambda: reader.timeline.is_complete)

        assert len(reader.timeline.entries) == long_life
        assert reader.timeline.entry.action == "add"


async def test_scrolling_reads_on_before_the_end(reading: Any, long_life: int):
    async with reading() as reader:
        for shown in (400, 451):
            while len(reader.timeline.entries) < shown:
                await reader.press("pagedown")
        seqs = [entry.seq for entry in reader.timeline.entries]

        assert seqs == list(range(long_life, 0, -1))


async def test_an_empty_journal_says_what_it_is_for(reading: Any, core: MemoryCoordinator):
    async with reading() as reader:
        await reader.until(lambda: reader.view.has_class("-empty"))
        await reader.person.rest()
        await reader.press("j", "U", "enter", "f", "escape", "G")

        assert "Nothing was changed yet" in reader.nothing
        assert "1  go to the Deck" in reader.nothing  # a key that can be clicked, as in each view
        assert reader.app.is_running
        assert reader.view.why_not("open") == "No entry is chosen."
        await reader.store(lambda core: core.add_alias("quay", ["pier"]))
        await reader.person.app.news.wrote([])
        await reader.until(lambda: reader.timeline.entry is not None)
        assert reader.view.why_not("open") == "This entry touched no memory."


async def test_memory_text_is_shown_and_does_nothing(reading: Any, hostile: None):
    async with reading() as reader:
        await reader.until(lambda: "list[int]" in reader.told)

        assert "[@click=app.quit]leave[/foo]" in reader.told
        assert "\x1b" not in reader.told
        await reader.pilot.click(reader.view.detail.text, offset=(8, 0))
        assert reader.app.is_running


@pytest.mark.parametrize("size", [(60, 20), (80, 14)])
async def test_where_one_pane_fits_the_entry_takes_the_place_of_the_list(
    reading: Any, lived: list[str], size: tuple[int, int]
):
    async with reading(size) as reader:
        assert reader.timeline.display
        assert not reader.view.detail.display

        await reader.press("j", "enter")
        await reader.until(lambda: reader.view.detail.has_focus)
        assert not reader.timeline.display

        await reader.press("escape")
        await reader.until(lambda: reader.timeline.has_focus)
        assert reader.timeline.index == 1


async def test_every_key_works_at_every_size(reading: Any, lived: list[str], subtests: Any):
    async with reading((1, 1)) as reader:
        for size in ((1, 1), (40, 10), (120, 35)):
            with subtests.test(size=size):
                await reader.pilot.resize_terminal(*size)
                await reader.person.rest()
                keys = (*"jkGg", "ctrl+d", "ctrl+u", "pagedown", "pageup", "z", "escape")
                await reader.person.burst(keys)
                await reader.person.rest()
                keys = (*"fafcfmfsft", "tab", *"jkGg", "escape", "R", "/", "escape")
                await reader.person.burst(keys)
                await reader.person.rest()
                assert not reader.box.is_typed_in
                assert reader.person.screen
                await reader.person.burst(["escape", "escape"])
                assert reader.app.is_running


async def test_a_resize_keeps_filter_and_cursor(reading: Any, lived: list[str]):
    async with reading() as reader:
        await reader.press("j", "j", "f", "a")
        await reader.until(lambda: reader.box.text == "actor:person")
        await reader.person.rest()
        await reader.pilot.resize_terminal(70, 22)
        await reader.pilot.resize_terminal(200, 50)

        assert reader.timeline.index == 2
        assert reader.box.text == "actor:person"


async def test_the_mouse_selects_and_asks_for_the_acts(reading: Any, lived: list[str]):
    async with reading() as reader:
        await reader.pilot.click(reader.timeline, offset=(10, 4))
        assert reader.timeline.index == 2

        await reader.pilot.click(reader.timeline, offset=(10, 3), button=3)
        await reader.until(lambda: reader.person.dialog() == "Menu")
        await reader.press("U")
        await reader.until(lambda: "person edit undone" in reader.shown)
