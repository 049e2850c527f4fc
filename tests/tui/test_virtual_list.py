"""The list at lengths that no store of a test has: only what one looks at is read and held."""

import tracemalloc
from array import array
from dataclasses import dataclass
from typing import Any

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.strip import Strip

from memdeck.tui.widgets.virtual_list import Look, VirtualList

from .waiting import press, rest

pytestmark = pytest.mark.painted

PAGE = 128  # rows that a list asks for at once


@dataclass(frozen=True)
class Line:
    num: int
    revision: int = 0


class Lines(VirtualList[Line]):
    def draw_row(self, row: Line, look: Look) -> Strip:
        return Strip([Segment(f"line {row.num}")]).adjust_cell_length(look.width)


class ListApp(App[None]):
    """A list alone, whose pages come at once or never."""

    def __init__(self, count: int, *, answers: bool = True) -> None:
        super().__init__()
        self.count, self.answers = count, answers
        self.asked: list[int] = []

    def compose(self) -> ComposeResult:
        yield Lines(id="lines")

    def on_mount(self) -> None:
        keys = array("q", range(1, self.count + 1))
        self.lines.show(keys, [Line(key) for key in keys[:PAGE]])
        self.lines.focus()

    @property
    def lines(self) -> Lines:
        return self.query_one(Lines)

    def on_page_wanted(self, event: Any) -> None:
        self.asked.append(event.page)
        if self.answers:
            keys = self.lines.keys[event.page * PAGE : (event.page + 1) * PAGE]
            self.lines.page_arrived(event.generation, event.page, [Line(key) for key in keys])


def shown(app: ListApp) -> list[str]:
    lines = app.lines
    height = lines.scrollable_content_region.height
    return [lines.render_line(row).text.strip() for row in range(height)]


@pytest.mark.parametrize("count", [0, 1, 400, 100_000, 1_000_000])
async def test_the_same_list_at_every_length(count: int):
    app = ListApp(count)
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, "G")
        await rest(pilot)
        assert app.lines.current_key == (count or None)
        if count:
            assert f"line {count}" in shown(app)
        await press(pilot, "g", "pagedown", "ctrl+u", "j", "k")
        assert app.lines.cursor >= 0


async def test_a_row_takes_sixteen_bytes_at_most():
    app = ListApp(1)
    async with app.run_test(size=(40, 10)) as pilot:
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            app.lines.show(array("q", range(1_000_000)), [Line(key) for key in range(PAGE)])
            await press(pilot, "G", "g", "pagedown", "space", "j")
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert after - before <= 16 * 1_000_000


async def test_only_the_pages_in_sight_are_read():
    app = ListApp(100_000)
    async with app.run_test(size=(40, 20)) as pilot:
        await press(pilot, "G")
        await rest(pilot)
        last = (100_000 - 1) // PAGE
        assert set(app.asked) <= {last, last - 1}


async def test_an_answer_to_an_older_list_is_not_taken():
    app = ListApp(1_000, answers=False)
    async with app.run_test(size=(40, 10)):
        lines = app.lines
        lines.show(array("q", [7, 8]), [Line(7), Line(8)])
        lines.page_arrived(lines.pages.generation - 1, 0, [Line(99)])
        assert shown(app)[:2] == ["line 7", "line 8"]
