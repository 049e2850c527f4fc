"""Memory text is data: whatever it holds, it is shown, and nothing else happens."""

from typing import Any

import pytest
from rich.cells import cell_len

from memdeck import MemoryCoordinator

HOSTILE = {
    "a stray closing tag": "See [/foo] and [/] and [bold]nothing[/bold] in this sentence.",
    "a link that acts": "[@click=app.leave]press me[/] and [link=file:///etc]here[/link] too.",
    "brackets of code": "The function takes list[int] and dict[str, list[int]] and returns x[-1].",
    "terminal control": "Before \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J and after, on one line.",
    "bidi and zero width": "user\u202egnp.exe\u202c, zero\u200bwidth, \u2060joined\ufeff words.",
    "wide characters": "日本語のテキストと絵文字 🎉👩‍👩‍👧‍👦🏳️‍🌈 を含む記憶です。",
    "combining marks": "Z̷̢̛a̸͎͝l̶̰͑g̵̙̈o̶ text climbs out of its line, but not out of its column.",
    "one endless line": "x" * 4_000,
    "many lines": "\n".join(f"line {number}" for number in range(300)),
    "quotes of the query": '" OR 1=1 -- ; DROP TABLE memory; NEAR(a b) * ^ title:x AND NOT (',
}


@pytest.fixture
def hostile(core: MemoryCoordinator, clock: Any) -> dict[str, str]:
    """A store full of hostile texts; their ids by name."""
    ids = {}
    for name, text in HOSTILE.items():
        clock.forward(minutes=1)
        stored = core.remember(text, tags=["[red]", "a/b", name], files=["src/[x]/y.py"])
        ids[name] = stored.memory_id or ""
    return ids


async def test_every_text_is_shown_and_does_nothing(open_app: Any, hostile: Any, subtests: Any):
    async with open_app(size=(60, 20)) as person:
        for size, ways in (
            ((60, 20), (["enter"],)),  # it takes the place of the list
            ((120, 35), (["w", "h", "enter"], ["w", "H"])),  # its parts and its past beside it
        ):
            await person.pilot.resize_terminal(*size)
            await person.burst("g")
            await person.rest()
            for name in reversed(HOSTILE):  # the newest stands first
                with subtests.test(size=size, text=name):
                    for keys in ways:
                        await person.burst(keys)
                        await person.rest()
                        assert person.app.is_running
                        assert person.screen
                    await person.burst(["escape", "j"])
        assert len(person.titles) == len(HOSTILE)


async def test_acts_on_hostile_titles_say_what_they_did(open_app: Any, hostile: Any):
    async with open_app() as person:
        for _ in HOSTILE:
            await person.burst("pt")
            await person.rest()
            assert person.dialog() == "Ask"
            assert person.screen
            await person.burst(["escape", "j"])
        await person.rest()
        pinned = await person.store(lambda core: core.list("is:pinned"))
        assert len(pinned) == len(HOSTILE)


async def test_wide_characters_never_shift_a_column(open_app: Any, hostile: Any):
    async with open_app() as person:
        memories = person.deck.memories
        for row in range(len(memories.keys)):
            strip = memories.render_line(row)
            assert strip.cell_length == memories.scrollable_content_region.width
            assert cell_len(strip.text) == strip.cell_length
        assert len({memories.render_line(row).text.rstrip()[-4:] for row in range(3)}) <= 3


QUERIES = (
    *('"', "(", "NOT (", "auth.py", "x:y", "type:", "-", '-"', "importance:>=", "[/x]", "* ^ ~"),
    *("[@click=app.leave]x[/]", "日本", "\u202e", "created:<9999999w", "a" * 2_000, "sort:x is:"),
)


async def test_no_query_can_raise_an_error(open_app: Any, harbour: Any, subtests: Any):
    async with open_app() as person:
        for query in QUERIES:
            with subtests.test(query=query):
                person.deck.finder.ask_for(query)
                await person.rest()
                await person.burst(["/", "tab"])
                await person.rest()
                assert person.screen
                assert person.app.is_running
        await person.burst(["escape"] * 3)
        await person.rest()
        assert len(person.titles) == len(harbour)


async def test_a_facet_with_brackets_can_be_chosen(open_app: Any, hostile: Any):
    async with open_app() as person:
        facets = person.deck.facets
        await person.press("f")
        await person.until(lambda: facets.has_focus)
        while facets.current is None or facets.current.value != "[red]":
            await person.press("j")
            await person.rest()
        await person.press("enter")
        await person.until(lambda: "tag:[red]" in person.deck.box.text)
        await person.rest()
        assert len(person.titles) == len(HOSTILE)
