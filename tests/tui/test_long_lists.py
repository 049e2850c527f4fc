"""A list of any length: only what one looks at is read, and columns leave as it gets narrower."""

import tracemalloc
from array import array
from typing import Any

import pytest

from memdeck import MemoryCoordinator

MANY = 260  # memories; rows are read a hundred and some at a time
COLUMNS = (
    (200, "type session age"),
    (150, "type age"),
    (100, "type session age"),  # the list has all the width
    (80, "type age"),
    (40, ""),
)
"""By cells of the terminal, the columns beside the title."""


@pytest.fixture
def many(laid_out: Any) -> None:
    laid_out(_many)


def _many(core: MemoryCoordinator, _clock: Any) -> None:
    core.import_memories({"content": f"Berth {number} is swept in May."} for number in range(MANY))


@pytest.mark.painted
async def test_rows_on_their_way_have_their_place_and_the_cursor_its_key(
    open_app: Any, many: None, slow_reads: Any, home_path: Any
):
    (home_path / "config.toml").write_text("[app]\ncompact_list = true\n")
    async with open_app(size=(120, 35)) as person:
        memories = person.deck.memories
        assert len(memories.keys) == MANY
        goes_on = slow_reads("pages")
        await person.burst("G")
        await person.until(lambda: person.screen.count("┄┄┄┄┄┄") > 8)
        assert memories.current_key == memories.keys[-1]
        goes_on.set()
        await person.until(lambda: person.here == "Berth 0 is swept in May")
        assert "┄┄" not in person.screen

        known = [memories.current]

        memories.scroll_to(y=100, animate=False)
        await person.rest()
        await person.pilot.click(memories, offset=(12, 3))
        assert memories.cursor == 103
        await person.press("k")
        assert memories.cursor == 102
        for cells, columns in COLUMNS:
            await person.pilot.resize_terminal(cells, 30)
            await person.rest()
            head = next(line for line in person.screen.splitlines() if "newest first" in line)
            named = head.split("newest first")[1].split("││")[0].replace("↓", "").strip("│ ")
            assert named.split() == columns.split()
            assert "Berth 157 is swept" in person.screen

        # as many as no store of a test has: what is not looked at is a number
        keys, begin = array("q", range(1, 1_000_001)), memories.pages.generation
        tracemalloc.start()
        memories.show(keys, [])
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert held <= 8 * len(keys)  # beside the keys themselves: 16 bytes a row
        await person.press("G", "pagedown", "ctrl+u", "g", "G")
        assert memories.current_key == 1_000_000
        assert "Berth 0 is swept" not in person.screen
        memories.page_arrived(begin, 1_000_000 // 128, known)  # for the list before this one
        await person.rest()
        assert "is swept" not in person.screen
        memories.show(array("q"), [])
        await person.press("G", "g", "j")
        assert memories.current_key is None
