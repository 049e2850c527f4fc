"""The Deck explains what a memory is worth, part by part, with its past and what is to come."""

import re
from typing import Any

import pytest
from rich.cells import cell_len

TEXT = "The crane at the ferry pier lifts forty tonnes, and its brake is tested every Monday"


@pytest.fixture
def brought(core: Any, clock: Any) -> Any:
    """A memory that lay for twenty days, and one that lay for forty."""
    older = "Pilots report by radio when they pass the outer buoy, since the radar is blind there"
    core.import_memories([{"content": older, "importance": 0.5, "type": "semantic"}])
    clock.forward(days=20)
    core.import_memories([{"content": TEXT, "importance": 0.7, "type": "semantic"}])
    clock.forward(days=20)
    core.maintenance.run()
    [crane] = core.list("crane")
    return core.worth(crane.id)


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
async def test_its_parts_its_past_and_the_forecast_stand_in_the_pane(
    open_app: Any, brought: Any, home_path: Any, glyphs: str, subtests: Any
):
    if glyphs == "ascii":
        (home_path / "config.toml").write_text("[app]\nascii_glyphs = true\n")
    async with open_app(size=(80, 24)) as person:
        for size in ((80, 24), (120, 35), (200, 50)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                seen = await read_through(person)
                for words in (
                    "warm, cold in 10 days",
                    f"{brought.worth:.2f}",
                    "given",
                    "quiet",
                    f"{brought.ahead(7):.2f} in 7 days",
                    f"{brought.ahead(30):.2f} in 30 days",
                    "20d ago",
                    "+30d",
                ):
                    assert words in seen, words
                assert bool(re.search("[▃▄▅▆▇]{4}", seen)) == (glyphs == "unicode")
                assert all(cell_len(line) <= size[0] for line in seen.splitlines())


async def read_through(person: Any) -> str:
    """The screens that one sees from the top of the memory to its end."""
    detail, seen = person.deck.detail, person.screen
    detail.scroll_home(animate=False, immediate=True)
    while detail.scroll_y < detail.max_scroll_y:
        detail.scroll_page_down(animate=False)
        await person.rest()
        seen += f"\n{person.screen}"
    return str(seen)


async def a_tier_is_chosen_among_the_facets(person: Any) -> None:
    await person.press("f")
    await person.until(lambda: person.deck.facets.has_focus)
    while person.deck.facets.current.value != "cold":
        await person.press("j")
        await person.rest()
    assert person.deck.facets.current.count == 1
    await person.press("enter")
    await person.until(lambda: person.deck.box.text == "tier:cold")
    await person.rest()
    assert len(person.titles) == 1
    assert person.here.startswith("Pilots")


async def a_tier_that_is_typed_in_one_burst_narrows_the_list(person: Any) -> None:
    await person.burst(["/", *"tier:warm", "enter"])
    await person.until(lambda: person.deck.box.text == "tier:warm")
    await person.rest()
    assert len(person.titles) == 1
    assert person.here.startswith("The crane")


async def test_what_choosing_a_tier_promises(open_app: Any, brought: Any, promises: Any):
    async with open_app() as person:
        await promises.hold(
            person,
            a_tier_is_chosen_among_the_facets,
            a_tier_that_is_typed_in_one_burst_narrows_the_list,
        )
