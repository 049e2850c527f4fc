"""Whatever the keyboard does, the mouse does too."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator


def place_of(screen: str, text: str) -> tuple[int, int]:
    """Column and row at which `text` stands."""
    for row, line in enumerate(screen.splitlines()):
        if text in line:
            return line.index(text), row
    raise AssertionError(f"{text!r} is not on the screen")


async def a_click_on_a_facet_narrows_the_query(person: Any, harbour: Any) -> None:
    column, row = place_of(person.screen, "staging")
    await person.pilot.click(offset=(column + 2, row))
    await person.until(lambda: person.deck.box.text == "tag:staging")
    await person.rest()
    assert person.titles == [harbour["staging"].title]


async def a_right_click_on_a_facet_leaves_it_out(person: Any, harbour: Any) -> None:
    column, row = place_of(person.screen, "staging")
    await person.pilot.click(offset=(column + 2, row), button=3)
    await person.until(lambda: person.deck.box.text == "-tag:staging")
    await person.rest()
    assert harbour["staging"].title not in person.titles


async def a_double_click_opens_and_a_right_click_asks(person: Any, harbour: Any) -> None:
    _, row = place_of(person.screen, "Deploys")
    await person.pilot.click(offset=(40, row), times=2)
    await person.until(lambda: person.deck.detail.has_focus)
    assert person.here == harbour["deploy"].title

    await person.pilot.click(offset=(40, row), button=3)
    await person.until(lambda: person.dialog() == "Menu")
    await person.press("p")
    await person.until(lambda: any("Pinned" in notice for notice in person.notices))
    await person.rest()


async def test_header_and_footer_can_be_clicked(open_app: Any, harbour: Any):
    async with open_app() as person:
        column, row = place_of(person.screen, "5 Audit")
        await person.pilot.click(offset=(column, row))
        await person.until(lambda: person.app.view == "audit")
        await person.rest()
        column, row = place_of(person.screen, "1 Deck")
        await person.pilot.click(offset=(column, row))
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        column, row = place_of(person.screen, "Forget")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: len(person.titles) == 4)
        await person.rest()


async def a_click_on_undo_in_the_notice_takes_the_act_back(person: Any) -> None:
    await person.press("x")
    await person.until(lambda: "Undo (u)" in person.screen)
    await person.rest()
    column, row = place_of(person.screen, "Undo (u)")
    await person.pilot.click(offset=(column + 2, row))
    await person.until(lambda: len(person.titles) == 5)
    await person.rest()


async def test_what_a_click_promises(open_app: Any, harbour: Any, promises: Any):
    async with open_app() as person:
        await promises.hold(
            person,
            a_click_on_a_facet_narrows_the_query,
            a_right_click_on_a_facet_leaves_it_out,
            a_double_click_opens_and_a_right_click_asks,
            a_click_on_undo_in_the_notice_takes_the_act_back,
        )


async def test_a_click_on_a_count_shows_what_it_counts(
    open_app: Any, harbour: Any, core: MemoryCoordinator, in_conflict: Any
):
    async with open_app() as person:
        await person.until(lambda: "≠ 1" in person.screen)
        column, row = place_of(person.screen, "≠ 1")
        await person.pilot.click(offset=(column, row))
        await person.until(lambda: person.app.view == "conflicts")
        await person.until(lambda: "← keep this" in person.screen)
        await person.rest()
        assert harbour["retry"].content[:12] in person.screen


async def test_the_menu_of_a_memory_offers_only_what_can_be_done_to_it(
    open_app: Any, harbour: Any, forgotten_queue: Any
):
    async with open_app() as person:
        for query, offered, not_offered in (
            ("", "Forget", "Restore"),
            ("is:retired", "Restore", "Forget"),
        ):
            person.deck.finder.ask_for(query)
            await person.until(lambda query=query: person.deck.finder.asked.text == query)
            await person.rest()
            await person.pilot.click(person.deck.memories, offset=(12, 0), button=3)
            await person.until(lambda: person.dialog() == "Menu")
            labels = str(
                [str(one.prompt) for one in person.app.screen.query_one("#menu-list").options]
            )
            assert offered in labels
            assert not_offered not in labels
            await person.press("escape")
            await person.until(lambda: person.dialog() == "Screen")


async def test_a_click_on_a_key_that_an_empty_list_offers_presses_it(open_app: Any, harbour: Any):
    async with open_app(query="nothing-of-the-kind") as person:
        column, row = place_of(person.screen, "clear the query")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: len(person.titles) == 5)
        await person.rest()


@pytest.fixture
def in_conflict(core: MemoryCoordinator, harbour: Any) -> None:
    """Two of the five contradict each other."""
    core.mark_conflict(harbour["retry"].id, harbour["queue"].id)


async def test_a_click_on_a_columns_name_sorts_by_it_and_a_second_turns_it_round(
    open_app: Any, harbour: Any
):
    async with open_app(size=(120, 35)) as person:
        _, row = place_of(person.screen, "newest first")
        line = person.screen.splitlines()[row]
        age = line.index(" age") + 1
        assert line[age - 1 : age + 3] in (" age", "↓age")
        for text, title in (("-created", "retry"), ("created", "tide")):
            await person.pilot.click(offset=(age + 1, row))
            await person.until(lambda text=text: person.deck.box.text == f"sort:{text}")
            await person.rest()
            assert person.titles[0] == harbour[title].title
            sign = "↑" if text.startswith("-") else "↓"
            assert sign in person.screen.splitlines()[row]
        for text in ("title", "-title"):
            titles = sorted(person.titles, key=str.lower, reverse=text == "-title")
            await person.pilot.click(offset=(line.index("newest first") + 1, row))
            await person.until(lambda text=text: person.deck.box.text == f"sort:{text}")
            await person.rest()
            assert person.titles == titles
