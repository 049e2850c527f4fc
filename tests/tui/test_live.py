"""What others write appears by itself, and nothing that is being read moves."""

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.message_pump import MessagePump
from textual.screen import Screen

from memdeck import MemoryCoordinator


@pytest.fixture(autouse=True)
def _quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app looks around five times as often: what it sees is the same, and comes sooner."""
    for name in ("set_timer", "set_interval"):
        real = getattr(MessagePump, name)

        def sooner(pump: Any, delay: float, *more: Any, real: Any = real, **named: Any) -> Any:
            return real(pump, delay / 5, *more, **named)

        monkeypatch.setattr(MessagePump, name, sooner)


@pytest.fixture
def somebody(home_path: Path, clock: Any) -> Callable[[Callable[[MemoryCoordinator], Any]], None]:
    """Somebody else at the same store: a core of its own in a thread of its own."""

    def write(act: Callable[[MemoryCoordinator], Any]) -> None:
        def run() -> None:
            core = MemoryCoordinator.open(home_path, "harbour", clock=clock)
            try:
                act(core)
            finally:
                core.close()

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()

    return write


NEWS = "The pilot boat answers on channel twelve since Monday."


async def at_rest_at_the_top_new_memories_simply_appear(
    person: Any, harbour: Any, somebody: Any
) -> None:
    somebody(lambda core: core.remember(NEWS))
    await person.until(lambda: len(person.titles) == 6)
    await person.rest()
    assert person.here == harbour["tide"].title  # the memory one reads stays the same
    assert "harbour  6 " in person.screen

    somebody(lambda core: core.remember("The lock keeper goes home at ten."))
    await person.until(lambda: len(person.titles) == 7)
    await person.rest()
    assert person.here == harbour["tide"].title


async def further_down_nothing_moves_until_r_is_pressed(
    person: Any, harbour: Any, somebody: Any
) -> None:
    await person.press("j", "j")
    await person.rest()
    somebody(lambda core: core.remember(NEWS))
    await person.until(lambda: "1 new · R to show" in person.screen)
    assert len(person.titles) == 5
    assert person.here == harbour["staging"].title

    await person.press("R")
    await person.until(lambda: NEWS.startswith(person.titles[0]))
    await person.rest()
    assert "R to show" not in person.screen


async def test_more_news_are_painted_without_laying_the_screen_out(
    open_app: Any, harbour: Any, somebody: Any, monkeypatch: pytest.MonkeyPatch
):
    laid_out: list[Screen[Any]] = []
    lay_out = Screen._refresh_layout

    def counted(screen: Screen[Any], *given: Any, **named: Any) -> None:
        laid_out.append(screen)
        lay_out(screen, *given, **named)

    async with open_app() as person:
        await person.press("j", "j")
        await person.rest()
        somebody(lambda core: core.remember(NEWS))
        await person.until(lambda: "1 new · R to show" in person.screen)
        await person.rest()
        monkeypatch.setattr(Screen, "_refresh_layout", counted)
        somebody(lambda core: core.remember("The lock keeper goes home at ten."))
        await person.until(lambda: "2 new · R to show" in person.screen)
        await person.until(lambda: "harbour  7 " in person.screen)
        await person.rest()
        assert not laid_out


async def what_is_read_is_not_read_again_while_the_cursor_goes_on(
    person: Any, harbour: Any, somebody: Any
) -> None:
    await person.press("j", "j")
    await person.rest()
    somebody(lambda core: core.pin(harbour["staging"].id))
    person.deck.reader.follow_moving()  # a key held down, from here
    person.deck.reader.follow_moving()
    person.deck.reader.follow_news()
    assert person.deck.detail.shown.memory.status != "pinned"
    await person.until(lambda: person.deck.detail.shown.memory.status == "pinned")


async def marks_hold_the_list_still_as_well(person: Any, somebody: Any) -> None:
    await person.press("A")
    await person.rest()
    somebody(lambda core: core.remember(NEWS))
    await person.until(lambda: "1 new · R to show" in person.screen)
    assert len(person.titles) == 5


async def what_others_change_is_seen_where_it_stands(
    person: Any, harbour: Any, somebody: Any
) -> None:
    await person.press("j", "j")
    await person.rest()
    somebody(lambda core: core.pin(harbour["queue"].id))
    await person.until(lambda: "★" in person.screen)
    assert len(person.titles) == 5


async def what_is_chosen_for_a_row_that_left_meanwhile_is_not_done_to_another(
    person: Any, harbour: Any, somebody: Any
) -> None:
    for dialog, takes, gone in (("Palette", "enter", "tide"), ("Menu", "x", "deploy")):
        if dialog == "Palette":
            await person.type(":forget")
        else:
            await person.pilot.click(person.deck.memories, offset=(12, 0), button=3)
        await person.until(lambda name=dialog: person.dialog() == name)
        somebody(lambda core, ref=harbour[gone].id: core.forget(ref))
        await person.until(lambda title=harbour[gone].title: title not in person.titles)
        await person.rest()
        before = await person.store(lambda core: core.last_seq())
        await person.press(takes)
        await person.until(lambda: "nothing was done" in "".join(person.notices))
        await person.rest()
        assert await person.store(lambda core: core.last_seq()) == before


async def what_is_chosen_for_no_row_is_done_though_the_row_left_meanwhile(
    person: Any, harbour: Any, somebody: Any
) -> None:
    await person.type(":sort")
    await person.until(lambda: person.dialog() == "Palette")
    somebody(lambda core: core.forget(harbour["tide"].id))
    await person.until(lambda: harbour["tide"].title not in person.titles)
    await person.rest()
    await person.press("enter")
    await person.until(lambda: person.dialog() == "Menu")
    assert not person.notices


async def test_what_the_query_does_not_ask_for_is_no_news(
    open_app: Any, harbour: Any, somebody: Any
):
    async with open_app(query="timeout") as person:
        somebody(lambda core: core.remember(NEWS))
        await person.until(lambda: "harbour  6 " in person.screen)
        await person.rest()
        assert person.titles == [harbour["queue"].title]
        assert "new · R" not in person.screen


async def test_the_first_memory_of_an_empty_store_appears(open_app: Any, somebody: Any):
    async with open_app() as person:
        somebody(lambda core: core.remember(NEWS))
        await person.until(lambda: "pilot boat" in person.screen)
        await person.rest()


async def test_what_a_crash_left_in_the_journal_is_said_once(
    open_app: Any, harbour: Any, home_path: Path
):
    with open(home_path / "journal" / "000001.jsonl", "ab") as file:
        file.write(b"\n{half of a record")
    async with open_app() as person:
        await person.until(lambda: any("never acknowledged" in one for one in person.notices))
        assert sum("never acknowledged" in one for one in person.notices) == 1
    async with open_app() as person:
        await person.until(lambda: len(person.titles) == len(harbour))
        assert not any("never acknowledged" in one for one in person.notices)


async def test_what_leaves_by_itself_is_told(
    open_app: Any, harbour: Any, somebody: Any, clock: Any
):
    async with open_app() as person:
        ends = clock.now + timedelta(minutes=5)
        somebody(lambda core: core.remember(NEWS, expires=ends))
        await person.until(lambda: len(person.titles) == 6)
        clock.forward(hours=1)
        somebody(lambda core: core.maintenance.run())
        await person.until(lambda: "Left by themselves: 1 expired" in person.screen)


async def test_a_store_that_is_moved_away_is_noticed_and_said_once(
    open_app: Any, harbour: Any, home_path: Path
):
    async with open_app() as person:
        home_path.rename(home_path.with_name("elsewhere"))
        await person.until(lambda: any("moved or replaced" in one for one in person.notices))
        await person.rest()
        for _ in range(3):
            await person.app.news.look().wait()
        assert sum("moved or replaced" in one for one in person.notices) == 1
        assert any("Start memdeck again" in one for one in person.notices)
        assert person.here == harbour["tide"].title  # what was read stays there
        await person.burst("x")  # nothing is written where nobody would find it
        await person.rest()
        assert len(person.titles) == 5


async def a_store_that_stays_is_not_said_to_have_moved(person: Any, somebody: Any) -> None:
    somebody(lambda core: core.remember(NEWS))
    await person.until(lambda: len(person.titles) == 6)
    await person.rest()
    assert person.notices == []


async def test_what_others_write_and_what_one_sees_of_it(
    open_app: Any, harbour: Any, somebody: Any, promises: Any
):
    async with open_app() as person:
        await promises.hold(
            person,
            at_rest_at_the_top_new_memories_simply_appear,
            further_down_nothing_moves_until_r_is_pressed,
            what_is_read_is_not_read_again_while_the_cursor_goes_on,
            marks_hold_the_list_still_as_well,
            what_others_change_is_seen_where_it_stands,
            what_is_chosen_for_a_row_that_left_meanwhile_is_not_done_to_another,
            what_is_chosen_for_no_row_is_done_though_the_row_left_meanwhile,
            a_store_that_stays_is_not_said_to_have_moved,
        )
