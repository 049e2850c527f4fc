"""The workbench at every size, with hostile text, by mouse, and with the person's own keys."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .conflicts_bench import TEXTS, Made, bench, pairs_of
from .promises import close_dialogs
from .test_hostile import HOSTILE
from .test_typeahead import opens_a_dialog

SIZES = [(60, 20), (200, 50)]


@pytest.fixture
def rivals(core: MemoryCoordinator, clock: Any) -> list[Made]:
    return pairs_of(core, clock)


@pytest.fixture
def judging(open_app: Any) -> Any:
    return bench(open_app)


# -- sizes


async def test_the_two_stand_beside_each_other_from_100_columns_on(
    judging: Any, rivals: Any, subtests: Any
):
    async with judging(SIZES[0]) as judge:
        await judge.sees(0)
        for size in (*SIZES, (99, 30), (100, 30)):
            with subtests.test(size=size):
                await judge.pilot.resize_terminal(*size)
                await judge.person.rest()
                left, right = judge.view.sides.left.region, judge.view.sides.right.region
                if size[0] < 100:
                    assert (left.x, left.width) == (right.x, right.width)
                    assert left.bottom == right.y
                else:
                    assert (left.y, left.height) == (right.y, right.height)
                screen = judge.person.screen
                assert "30 seconds" in screen
                assert "60 seconds" in screen
                assert "1 of 3" in screen
                lines = screen.splitlines()
                assert "← → Side" in lines[-1]
                assert all(len(line) <= size[0] for line in lines)


async def test_it_still_works_when_it_is_small(judging: Any, rivals: Any, subtests: Any):
    async with judging((300, 12)) as judge:
        for size in ((300, 12), (40, 10)):
            with subtests.test(size=size):
                await judge.pilot.resize_terminal(*size)
                await judge.sees(0)
                await judge.person.rest()
                assert "30" in judge.person.screen
                assert "60" in judge.person.screen
                await judge.press("left")
                await judge.until(lambda: judge.view.lit == "a")
                await judge.press("escape")
        await judge.decide("left enter", 2)
        assert "migrate" in judge.person.screen


async def test_every_key_works_in_a_tiny_terminal(judging: Any, rivals: Any):
    async with judging((40, 10)) as judge:
        # what opens a dialog is pressed in as tiny a terminal in test_typeahead
        acts = [act for act in judge.view.ACTS if not opens_a_dialog("conflicts", act.id)]
        keys = [key for act in acts for key in act.key.split(",")]
        for key in (*"jkGg", "ctrl+d", "ctrl+u", "pagedown", "pageup", "tab", *keys):
            await judge.person.burst([key])
            await judge.person.rest()
            await close_dialogs(judge.person)
            if judge.app.view != "conflicts":
                await judge.app.action_view("conflicts")
            await judge.press("escape") if judge.view.has_class("-zoomed") else None
            await judge.press("u")
            await judge.person.rest()
        assert judge.app.is_running


async def test_a_resize_keeps_the_conflict_and_its_keys(judging: Any, rivals: Any):
    async with judging() as judge:
        await judge.press("n")
        await judge.sees(1)
        await judge.press("tab")
        await judge.until(lambda: judge.view.sides.right.has_focus)
        for size in [(60, 20), (39, 9), (200, 50), (80, 24), (1, 1), (120, 35)]:
            await judge.pilot.resize_terminal(*size)
            await judge.person.rest()
        assert judge.seen == TEXTS[1][0]
        await judge.until(lambda: judge.view.has_focus_within)  # its keys work again
        await judge.decide("left enter", 2)


async def test_where_the_list_has_no_place_it_comes_over_the_rest_and_goes(
    judging: Any, rivals: Any
):
    async with judging((80, 24)) as judge:
        await judge.sees(0)
        pane = judge.view.query_one("#conflict-list-pane")
        assert not pane.display
        await judge.press("h")
        await judge.until(lambda: judge.view.list.has_focus)
        assert pane.display
        await judge.press("j")
        await judge.sees(1)
        await judge.press("escape")
        await judge.until(lambda: judge.view.sides.left.has_focus)
        assert not pane.display
        assert judge.app.view == "conflicts"


async def test_a_zoomed_side_has_all_the_room(judging: Any, rivals: Any):
    async with judging() as judge:
        await judge.sees(0)
        await judge.press("tab", "z")
        await judge.until(lambda: judge.view.sides.right.size.width > 100)
        assert "60 seconds" in judge.person.screen
        assert not judge.view.sides.left.display
        await judge.press("escape")
        await judge.until(lambda: judge.view.sides.left.display)
        assert judge.app.view == "conflicts"


@pytest.fixture
def long_ones(core: MemoryCoordinator, clock: Any) -> None:
    """A conflict between two long texts that differ in their last line."""
    steps = "\n".join(f"{number}. step {number} of the runbook" for number in range(1, 60))
    pairs_of(core, clock, ((f"{steps}\nthen tea", f"{steps}\nthen coffee"),))


def glides(judge: Any) -> bool:
    """Whether a side is still on its way."""
    animator, sides = judge.app.animator, judge.view.sides
    return any(animator.is_being_animated(side, "scroll_y") for side in (sides.left, sides.right))


async def test_both_sides_scroll_together_beside_each_other_alone_when_stacked(
    judging: Any, long_ones: Any
):
    async with judging() as judge:
        await judge.until(lambda: judge.view.judged is not None)
        await judge.person.rest()
        await judge.press("ctrl+d", "j", "j")
        await judge.until(
            lambda: judge.view.sides.right.scroll_y == judge.view.sides.left.scroll_y > 0
        )
        await judge.person.rest()
        await judge.press("tab", "g")
        await judge.until(lambda: judge.view.sides.left.scroll_y == 0)
        for burst in (["ctrl+d", "shift+tab", "j"], ["tab", "ctrl+d", "shift+tab", "j"]):
            await judge.person.burst(burst)  # the one still glides when the other begins
            await judge.person.until(lambda: not glides(judge))
            assert judge.view.sides.right.scroll_y == judge.view.sides.left.scroll_y > 0
        await judge.press("tab", "g")
        await judge.person.until(lambda: not glides(judge))
        assert judge.view.sides.left.scroll_y == 0

        await judge.pilot.resize_terminal(80, 24)
        await judge.person.rest()
        await judge.press("ctrl+d")
        await judge.until(lambda: judge.view.sides.right.scroll_y > 0)
        assert judge.view.sides.left.scroll_y == 0


# -- hostile text


@pytest.fixture
def hostile(core: MemoryCoordinator, clock: Any) -> int:
    """Every hostile text against every next one; how many conflicts."""
    texts = list(HOSTILE.values())
    ids = [
        core.import_memories([{"content": text, "tags": ["[red]"], "files": ["src/[x]/y.py"]}]).ids
        for text in texts
    ]
    names = [one or "" for [one] in ids]
    for first, second in itertools.pairwise(names):
        core.mark_conflict(first, second, reason="[/foo] \x1b[31m[@click=app.leave]x[/]")
    return len(names) - 1


async def test_every_text_is_shown_and_does_nothing(judging: Any, hostile: int):
    async with judging((60, 20)) as judge:
        for place in range(hostile):
            await judge.until(
                lambda place=place: (
                    judge.view.judged is not None and judge.view.list.cursor == place
                )
            )
            await judge.person.rest()
            assert "[/foo]" in judge.person.screen
            assert (
                "\x1b" not in judge.view.sides.left.told.plain + judge.view.sides.right.told.plain
            )
            await judge.press("a")
            await judge.until(lambda: judge.person.dialog() == "Ask")
            await judge.press("escape")
            await judge.until(lambda: judge.person.dialog() == "Screen")
            await judge.press("n")
            await judge.until(lambda place=place: judge.view.list.cursor != place)
        for left in range(hostile - 1, -1, -1):
            await judge.decide("s", left)
        assert judge.app.is_running


# -- the mouse


async def test_the_mouse_chooses_decides_and_opens(judging: Any, rivals: Any):
    async with judging() as judge:
        await judge.sees(0)
        column, row = judge.place_of("Always migrate")
        await judge.pilot.click(offset=(column + 1, row))
        await judge.sees(1)

        await judge.pilot.click(judge.view.sides.right, offset=(6, 4), button=3)
        await judge.until(lambda: judge.person.dialog() == "Menu")
        await judge.press("r")  # the letter of a choice: keep right
        await judge.sees(2)
        decided = await judge.store(lambda core: core.conflict(rivals[1][0]))
        assert decided.verdict == "b"

        column, row = judge.place_of("s No conflict")
        await judge.pilot.click(offset=(column + 2, row))
        await judge.sees(0)
        await judge.pilot.click(judge.view.sides.right, offset=(6, 4), times=2)
        await judge.until(lambda: judge.app.view == "deck")
        await judge.until(lambda: judge.person.here == rivals[0][2].title)


async def test_a_click_on_a_link_or_on_the_count_goes_there(judging: Any, rivals: Any):
    async with judging() as judge:
        await judge.decide("left enter", 2)
        await judge.press("f")
        await judge.sees(0)
        column, row = judge.place_of("superseded by")
        await judge.pilot.click(offset=(column + 2, row))
        await judge.until(lambda: judge.app.view == "deck")
        await judge.person.rest()
        column, row = judge.place_of("≠ 2")
        await judge.pilot.click(offset=(column, row))
        await judge.until(lambda: judge.app.view == "conflicts")
        await judge.person.rest()


# -- the person's own keys


async def test_the_keymap_takes_the_verdicts_and_the_acts_of_every_view(
    judging: Any, rivals: Any, home_path: Path
):
    (home_path / "config.toml").write_text(
        '[app.keymap]\n"verdict.left" = "b"\n"conflict.next" = "m"\n"audit.undo" = "ctrl+y"\n'
        '"inbox.accept" = "f7"\n"no.such" = "k"\n'
    )
    async with judging() as judge:
        await judge.sees(0)
        assert [note for note in judge.person.notices if "keymap" in note] == [
            "Settings keymap: no act is called no.such."
        ]
        await judge.press("m")
        await judge.sees(1)
        await judge.decide("b", 2)
        decided = await judge.store(lambda core: core.conflict(rivals[1][0]))
        assert decided.verdict == "a"
