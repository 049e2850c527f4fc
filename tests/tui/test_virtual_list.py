"""The list: any number of rows, and only those one looks at are read."""

import threading
import tracemalloc
from array import array
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

pytestmark = pytest.mark.painted
PAGE = 100  # rows that are read at once


class Reader:
    """Somebody before the Deck's list, in which a store of any size is shown."""

    def __init__(self, person: Any, row: Any) -> None:
        self.person, self.press, self.rest = person, person.press, person.rest
        self.lines = person.deck.memories
        self.asked: list[int] = []  # numbers of rows
        self.row = row

    def rows(self, nums: Iterable[int]) -> list[Any]:
        """The rows of these numbers, of which each says its own."""
        return [replace(self.row, num=num, title=f"line {num}") for num in nums]

    async def sees(self, count: int) -> None:
        """So many rows from now on, the cursor on the first."""
        self.show(range(1, count + 1))
        await self.press("g")
        await self.rest()
        self.asked.clear()

    def show(self, nums: Iterable[int], **more: Any) -> None:
        keys = array("q", nums)
        self.lines.show(keys, self.rows(keys[:PAGE]), **more)

    @property
    def shown(self) -> list[str]:
        """What stands in the list, line by line, without its columns."""
        lines = self.lines
        height = lines.scrollable_content_region.height
        texts = (lines.render_line(row).text.replace("▌", " ") for row in range(height))
        return [text.strip().partition("  ")[0] for text in texts]


@pytest.fixture
def reading(open_app: Any, harbour: Any, home_path: Path, monkeypatch: Any) -> Callable[..., Any]:
    """Open the Deck with one line a row, on a store that has every row it is asked for."""
    (home_path / "config.toml").write_text("[app]\ncompact_list = true\n")

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (60, 14)) -> AsyncIterator[Reader]:
        async with open_app(size=size) as person:
            [row] = await person.store(lambda core: core.rows([harbour["tide"].num]))
            reader = Reader(person, row)

            def rows(_core: MemoryCoordinator, nums: Iterable[int], *_: Any) -> list[Any]:
                reader.asked += nums
                return reader.rows(nums)

            monkeypatch.setattr(MemoryCoordinator, "rows", rows)
            yield reader

    return opened


async def test_the_same_list_at_every_length_and_only_the_pages_in_sight_are_read(
    reading: Any, subtests: Any
):
    async with reading() as one:
        for count in (0, 1, 400, 100_000, 1_000_000):
            with subtests.test(count=count):
                await one.sees(count)
                await one.press("G")
                await one.rest()
                assert one.lines.current_key == (count or None)
                if count:
                    assert f"line {count}" in one.shown
                last = max(count - 1, 0) // PAGE
                assert {(num - 1) // PAGE for num in one.asked} <= {last, last - 1}
                await one.press("g", "pagedown", "ctrl+u", "j", "k")
                assert one.lines.cursor >= 0


async def test_a_row_takes_sixteen_bytes_at_most(reading: Any):
    async with reading() as one:
        await one.sees(1)
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            one.show(range(1_000_000))
            await one.press("G", "g", "pagedown", "space", "j")
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert after - before <= 16 * 1_000_000


async def test_a_row_that_is_not_here_yet_is_a_quiet_placeholder_in_its_place(
    reading: Any, slow_reads: Callable[..., threading.Event]
):
    async with reading() as one:
        await one.sees(1_000)
        goes_on = slow_reads("pages")
        await one.press("G")
        assert set(one.shown) == {"┄┄┄┄┄┄"}
        assert one.lines.current_key == 1_000
        # an answer to an older list is not taken
        generation = one.lines.pages.generation
        one.show([7, 8])
        one.lines.page_arrived(generation, 0, one.rows([99, 99]))
        assert one.shown[:2] == ["line 7", "line 8"]
        goes_on.set()
        await one.rest()
        assert one.shown[:2] == ["line 7", "line 8"]


async def showing_moves_nobody_and_the_cursor_stays_on_its_key_or_in_its_place(
    one: Reader,
) -> None:
    await one.sees(10)
    moves: list[str] = []
    post = one.lines.post_message

    def told(message: Any) -> bool:
        if type(message).__name__ == "Moved":
            moves.append("moved")
        return bool(post(message))

    one.lines.post_message = told
    await one.press("j", "j")
    await one.rest()
    assert len(moves) == 2
    one.show([9, 5, 3, 1], keep=3)
    assert one.lines.current_key == 3
    one.show([9, 5, 1], keep=3)
    assert one.lines.cursor == 2
    one.show([])
    assert one.lines.current is None
    one.show([5, 3], keep=3)
    await one.rest()
    assert len(moves) == 2
    await one.press("k")
    assert len(moves) == 3
    del one.lines.post_message


async def a_click_selects_and_the_wheel_scrolls(one: Reader) -> None:
    await one.sees(400)
    pilot, (left, top) = one.person.pilot, one.lines.content_region.offset
    await pilot.click(offset=(left + 3, top + 4))
    await one.rest()
    assert one.lines.cursor == 4
    one.lines.scroll_to(y=100, animate=False)
    await one.rest()
    await pilot.click(offset=(left + 3, top + 2))
    await one.rest()
    assert one.lines.cursor == 102


async def marks_of_a_range_follow_its_end(one: Reader) -> None:
    one.show([10, 20, 30, 40])
    await one.press("g", "j", "j", "j", "space", "g")
    marks = one.lines.marks
    assert marks.keys == {40}
    await one.press("v", "j", "j")
    assert marks.keys == {10, 20, 30, 40}
    await one.press("k")
    assert marks.keys == {10, 20, 40}
    await one.press("v", "*")  # the range ends, then what is not marked is
    assert marks.keys == {30}


LEAVING = ("files", "scope", "session", "age", "type")
"""The columns of a row with one line, in the order in which they leave."""


async def test_columns_leave_in_a_fixed_order_and_the_title_never(reading: Any, subtests: Any):
    async with reading() as one:
        one.row = replace(
            one.row, files=("src/quay.py",), session_name="Mend the crane", scope="project",
            type="semantic", agent="claude", title="x" * 200,
        )  # fmt: skip
        words = {"files": "quay.py", "scope": "project", "session": "Mend the crane",
                 "age": "now", "type": "semantic"}  # fmt: skip
        seen: dict[int, tuple[str, ...]] = {}
        for columns in (250, 190, 170, 150, 120, 80, 60, 50, 40):
            with subtests.test(columns=columns):
                await one.person.pilot.resize_terminal(columns, 14)
                await one.rest()
                one.lines.show(array("q", [1]), [replace(one.row, num=1, title="x" * 200)])
                line = one.lines.render_line(0).text
                now = tuple(name for name in LEAVING if words[name] in line)
                assert now == LEAVING[len(LEAVING) - len(now) :]
                width = one.lines.size.width
                assert line.count("x") >= min(width - 8, 20)
                seen[width] = now
        assert (seen[max(seen)], seen[min(seen)]) == (LEAVING, ())
        assert seen[78] == ("age", "type"), seen


async def lines_and_rows_are_the_same_thing_seen_twice(one: Reader) -> None:
    lines, count = type(one.lines.lines)(), 11
    for height in (1, 2, 3):
        for starts in ((), (0,), (0, 1, 4, 9), (0, 3)):
            lines.height = height
            lines.group(starts)
            seen_twice(lines, height, starts, count)


def seen_twice(lines: Any, height: int, starts: tuple[int, ...], count: int) -> None:
    """What a list of so many rows says of its lines, for groups that begin there."""
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


PROMISES = (
    marks_of_a_range_follow_its_end,
    showing_moves_nobody_and_the_cursor_stays_on_its_key_or_in_its_place,
    a_click_selects_and_the_wheel_scrolls,
    lines_and_rows_are_the_same_thing_seen_twice,
)


async def test_what_a_list_promises_of_marks_moves_the_mouse_and_its_lines(
    reading: Any, subtests: Any
):
    async with reading() as one:
        for promise in PROMISES:
            with subtests.test(promise=promise.__name__):
                await promise(one)
                await one.press("escape", "escape")
