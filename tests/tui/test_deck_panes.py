"""The Deck's panes: borders that are dragged, and sizes that hold until the next run."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator


def widths(person: Any) -> dict[str, int]:
    return {name: person.deck.pane(name).outer_size.width for name in ("facets", "list", "detail")}


async def drag(person: Any, place: tuple[int, int], to: tuple[int, int]) -> None:
    """Press, move, let go."""
    await person.pilot.mouse_down(offset=place)
    await person.pilot.hover(offset=to)
    await person.pilot.mouse_up(offset=to)
    await person.rest()


async def test_a_border_that_is_dragged_holds_also_after_a_restart(open_app: Any, harbour: Any):
    async with open_app(size=(160, 40)) as person:
        before = widths(person)
        border = person.deck.pane("detail").region.x
        await drag(person, (border, 20), (border - 20, 20))
        after = widths(person)
        assert after["detail"] == before["detail"] + 20
        assert after["list"] == before["list"] - 20
        assert sum(after.values()) == 160
        facets = person.deck.pane("facets").region.right - 1
        await drag(person, (facets, 20), (facets + 6, 20))
        assert widths(person)["facets"] == before["facets"] + 6
    async with open_app(size=(160, 40)) as person:
        assert widths(person)["detail"] == after["detail"]
        assert widths(person)["facets"] == before["facets"] + 6
        await person.press("z")
        await person.rest()
        assert widths(person)["list"] == 160
        await person.press("z")
        await person.rest()
        assert widths(person)["detail"] == after["detail"]
        await person.pilot.resize_terminal(60, 20)
        await person.rest()
        assert widths(person)["list"] == 60
        await person.press("enter")
        await person.rest()
        assert widths(person)["detail"] == 60


async def a_double_click_on_a_border_gives_the_usual_sizes(person: Any) -> None:
    usual = widths(person)
    border = person.deck.pane("detail").region.x
    await drag(person, (border, 20), (border - 9, 20))
    assert widths(person) != usual
    await person.pilot.click(offset=(border - 9, 20), times=2)
    await person.until(lambda: widths(person) == usual)
    await person.rest()


@pytest.mark.parametrize("to", [0, 159])
async def test_no_pane_is_dragged_away(open_app: Any, harbour: Any, to: int):
    async with open_app(size=(160, 40)) as person:
        border = person.deck.pane("detail").region.x
        await drag(person, (border, 20), (to, 20))
        assert all(width >= 16 for width in widths(person).values())
        assert sum(widths(person).values()) == 160


async def test_below_each_other_they_are_dragged_too(open_app: Any, harbour: Any):
    async with open_app(size=(80, 40)) as person:
        before = person.deck.pane("detail").outer_size.height
        border = person.deck.pane("detail").region.y
        await drag(person, (20, border), (20, border - 5))
        assert person.deck.pane("detail").outer_size.height == before + 5


async def test_without_a_mouse_panes_are_sized_by_name(open_app: Any, harbour: Any):
    async with open_app(size=(160, 40)) as person:
        before = widths(person)
        await person.press(":")
        await person.until(lambda: person.dialog() == "Palette")
        await person.type("wider pane")
        await person.press("enter")
        await person.until(lambda: widths(person)["list"] > before["list"])
        await person.rest()


async def dragging_inside_a_pane_moves_nothing(person: Any) -> None:
    before = widths(person)
    await drag(person, (60, 20), (30, 20))
    assert widths(person) == before


async def test_what_the_mouse_promises(
    open_app: Any, harbour: Any, core: MemoryCoordinator, promises: Any
):
    async with open_app(size=(160, 40)) as person:
        await promises.hold(
            person,
            a_double_click_on_a_border_gives_the_usual_sizes,
            dragging_inside_a_pane_moves_nothing,
        )
