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


async def test_a_click_on_a_facet_narrows_the_query(open_app: Any, harbour: Any):
    async with open_app() as person:
        column, row = place_of(person.screen, "staging")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: person.deck.box.text == "tag:staging")
        await person.rest()
        assert person.titles == [harbour["staging"].title]


async def test_a_double_click_opens_and_a_right_click_asks(open_app: Any, harbour: Any):
    async with open_app() as person:
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
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: person.app.view == "audit")
        await person.rest()
        column, row = place_of(person.screen, "1 Deck")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        column, row = place_of(person.screen, "Forget")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: len(person.titles) == 4)
        await person.rest()


async def test_a_click_on_undo_in_the_notice_takes_the_act_back(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.press("x")
        await person.until(lambda: "Undo (u)" in person.screen)
        await person.rest()
        column, row = place_of(person.screen, "Undo (u)")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: len(person.titles) == 5)
        await person.rest()


async def test_a_click_on_a_count_shows_what_it_counts(
    open_app: Any, harbour: Any, core: MemoryCoordinator, in_conflict: Any
):
    async with open_app() as person:
        await person.until(lambda: "≠ 1" in person.screen)
        column, row = place_of(person.screen, "≠ 1")
        await person.pilot.click(offset=(column, row))
        await person.until(lambda: person.deck.box.text == "is:conflict")
        await person.rest()
        assert len(person.titles) == 2


@pytest.fixture
def in_conflict(core: MemoryCoordinator, harbour: Any) -> None:
    """Two of the five contradict each other."""
    core.mark_conflict(harbour["retry"].id, harbour["queue"].id)
