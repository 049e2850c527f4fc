"""The list: any number of rows, and only those one looks at are read."""

import tracemalloc
from array import array
from dataclasses import dataclass
from typing import Any

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.strip import Strip

from memdeck.tui.widgets.memory_columns import (
    COLUMNS,
    LEAVING,
    ONE_LINE,
    columns_for,
    title_width,
)
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
        self.moves = 0

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

    def on_moved(self, event: Any) -> None:
        self.moves += 1


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


async def test_a_row_that_is_not_here_yet_is_a_quiet_placeholder_in_its_place():
    app = ListApp(1_000, answers=False)
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, "G")
        await rest(pilot)
        assert shown(app) == ["┄┄┄┄┄┄"] * 10
        assert app.lines.current_key == 1_000


async def test_an_answer_to_an_older_list_is_not_taken():
    app = ListApp(1_000, answers=False)
    async with app.run_test(size=(40, 10)):
        lines = app.lines
        lines.show(array("q", [7, 8]), [Line(7), Line(8)])
        lines.page_arrived(lines.pages.generation - 1, 0, [Line(99)])
        assert shown(app)[:2] == ["line 7", "line 8"]


async def test_the_cursor_stays_on_its_key_or_else_in_its_place():
    app = ListApp(10)
    async with app.run_test(size=(40, 10)) as pilot:
        lines = app.lines
        await press(pilot, "j", "j")
        lines.show(array("q", [9, 5, 3, 1]), [Line(key) for key in (9, 5, 3, 1)], keep=3)
        assert lines.current_key == 3
        lines.show(array("q", [9, 5, 1]), [Line(key) for key in (9, 5, 1)], keep=3)
        assert lines.cursor == 2
        lines.show(array("q"), [])
        assert lines.current is None


async def test_showing_moves_nobody():
    app = ListApp(10)
    async with app.run_test(size=(40, 10)) as pilot:
        app.lines.show(array("q", [5, 3]), [Line(5), Line(3)], keep=3)
        await rest(pilot)
        assert app.moves == 0
        await press(pilot, "k")
        assert app.moves == 1


async def test_a_click_selects_and_the_wheel_scrolls():
    app = ListApp(400)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click(Lines, offset=(3, 4))
        assert app.lines.cursor == 4
        app.lines.scroll_to(y=100, animate=False)
        await rest(pilot)
        await pilot.click(Lines, offset=(3, 2))
        assert app.lines.cursor == 102


def test_columns_leave_in_a_fixed_order_and_the_title_never():
    names = [column.name for column in COLUMNS if column.name in ONE_LINE]
    order = [name for name in LEAVING if name in ONE_LINE]
    before = list(names)
    for width in range(250, 10, -1):
        now = [column.name for column in columns_for(width)]
        gone = [name for name in before if name not in now]
        assert gone == [name for name in order if name in gone]
        assert now == [name for name in names if name in now]
        left = [name for name in order if name in now]
        assert left == order[len(order) - len(left) :]
        assert title_width(width, columns_for(width)) >= min(width - 7, 20)
        before = now
    assert before == []


def test_the_row_at_eighty_columns_has_type_and_age(request: Any):
    assert [column.name for column in columns_for(77)] == ["type", "age"]


@pytest.mark.parametrize("height", [1, 2, 3])
@pytest.mark.parametrize("starts", [(), (0,), (0, 1, 4, 9), (0, 3)])
def test_lines_and_rows_are_the_same_thing_seen_twice(height: int, starts: tuple[int, ...]):
    lines, count = Lines().lines, 11
    lines.height = height
    lines.group(starts)
    expected = [
        (row, part)
        for row in range(count)
        for part in ([-1] if row in starts else []) + list(range(height))
    ]
    assert [lines.at(line) for line in range(lines.top(count))] == expected
    assert [lines.top(row) for row in range(count)] == [
        expected.index((r, 0)) for r in range(count)
    ]
    for top in range(lines.top(count)):
        for window in range(height + 1, 9):
            seen = expected[top : top + window]
            whole = [r for r in range(count) if all((r, p) in seen for p in range(height))]
            if whole:
                assert lines.within(top, window, count) == (whole[0], whole[-1])
