"""The workbench as a place: its list, its keys, what was decided, what others do, the way out."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from memdeck import MemoryCoordinator

from .conflicts_bench import TEXTS, Judge, Made, bench, pairs_of
from .promises import MOST_STEPS, close_dialogs


@pytest.fixture
def rivals(core: MemoryCoordinator, clock: Any) -> list[Made]:
    return pairs_of(core, clock)


@pytest.fixture
def somebody(home_path: Path, clock: Any) -> Callable[..., Any]:
    """Somebody else at the same store."""

    async def write(act: Callable[[MemoryCoordinator], Any]) -> None:
        def run() -> None:
            with MemoryCoordinator.open(home_path, "harbour", clock=clock, actor="agent") as other:
                act(other)

        await asyncio.to_thread(run)

    return write


@pytest.fixture
def judging(open_app: Any) -> Any:
    return bench(open_app)


# -- the list, and which keys mean what


async def n_goes_round_and_the_place_is_always_said(judge: Judge) -> None:
    for pair, key in ((0, "n"), (1, "n"), (2, "n"), (0, "N"), (2, "N"), (1, "N")):
        await judge.sees(pair)
        assert judge.person.screen.count(f"{pair + 1} of 3") == 2  # above, and at the list
        await judge.press(key)
    await judge.sees(0)


async def the_list_is_walked_like_every_list(judge: Judge) -> None:
    await judge.press("h")
    await judge.until(lambda: judge.view.list.has_focus)
    await judge.person.rest()
    await judge.press("j")
    await judge.sees(1)
    await judge.press("G")
    await judge.sees(2)
    await judge.press("l", "h")
    await judge.press("g")
    await judge.sees(0)


async def the_last_line_names_the_verdicts_and_their_letters(judge: Judge) -> None:
    footer = judge.person.screen.splitlines()[-1]
    assert footer.startswith(" verdict  ← → Side  ⏎ Keep  a Both hold  M Merge  s No conflict")
    await judge.press("question_mark")
    await judge.until(lambda: judge.person.dialog() == "HelpScreen")
    page = judge.app.screen.query_one("#help-page", Static)
    assert "every other verdict is one letter" in " ".join(str(page.render()).split())
    assert "Verdict" in judge.person.screen


async def in_a_dialog_no_letter_is_a_verdict(judge: Judge) -> None:
    for opens, dialog in (
        ("?", "HelpScreen"),
        (":", "Palette"),
    ):
        await judge.press(opens)
        await judge.until(lambda name=dialog: judge.person.dialog() == name)
        await judge.press(*"abtmscx")
        await judge.person.rest()
        while len(judge.app.screen_stack) > 1:
            await judge.pilot.press("escape")
        await judge.person.rest()
    assert len(judge.view.model.listed) == 3
    assert judge.app.view == "conflicts"


async def ctrl_o_leads_to_panes_by_letter_and_to_views_by_digit(judge: Judge) -> None:
    await judge.press("ctrl+o")
    await judge.until(lambda: judge.person.dialog() == "Jump")
    await judge.press("r")
    await judge.until(lambda: judge.view.sides.right.has_focus)

    await judge.press("ctrl+o")
    await judge.until(lambda: judge.person.dialog() == "Jump")
    await judge.press("5")
    await judge.until(lambda: judge.app.view == "audit")
    assert len(judge.view.model.listed) == 3

    await judge.press("backspace")
    await judge.until(lambda: judge.app.view == "conflicts")
    await judge.person.rest()
    await judge.press("backspace")
    await judge.until(lambda: judge.app.view == "deck")
    await judge.person.rest()


async def the_palette_has_the_verdicts(judge: Judge) -> None:
    await judge.press(":")
    await judge.until(lambda: judge.person.dialog() == "Palette")
    names = {one.offer.also for one in judge.app.screen._shown}
    assert {"go: Conflicts", "verdict: Left", "verdict: Merge", "conflict: Decided"} <= names
    await judge.press("escape")


async def the_count_in_the_header_is_live_on_every_view(
    judge: Judge, rivals: Any, somebody: Any
) -> None:
    await judge.decide("left enter", 2)
    assert "≠ 2" in judge.person.screen
    await judge.press("5")
    await judge.until(lambda: judge.app.view == "audit")
    await somebody(lambda core: core.resolve_conflict(rivals[2][0], "a"))
    await judge.until(lambda: "≠ 1" in judge.person.screen)


# -- what was decided


async def f_shows_what_was_decided_and_how_and_any_of_it_can_be_taken_back(
    judge: Judge, rivals: Any
) -> None:
    for left, keys in ((2, "left enter"), (1, "right enter"), (0, "s")):
        await judge.decide(keys, left)
    await judge.press("f")
    await judge.until(lambda: judge.view.model.shows_decided and len(judge.view.model.listed) == 3)
    await judge.sees(2)  # the newest verdict stands on top
    assert [judge.view.list.row(row).verdict for row in range(3)] == ["none", "right", "left"]
    assert "a Both" not in judge.person.screen
    await judge.press("x")  # what is decided already takes no verdict
    await judge.person.rest()
    verdicts = [one.verdict for one in judge.view.model.listed]
    assert verdicts == ["not_a_conflict", "b", "a"]

    await judge.press("n")
    await judge.sees(1)
    screen = judge.person.screen
    assert "decided  kept the right one, just now" in screen
    assert "Left · older" in screen
    assert "superseded" in screen

    await judge.press("n")
    await judge.sees(0)
    await judge.press("U")  # any verdict, not only the newest
    await judge.until(lambda: not judge.view.model.shows_decided and judge.view.judged is not None)
    await judge.sees(0)
    open_ones = await judge.store(lambda core: core.conflicts())
    assert [one.id for one in open_ones] == [rivals[0][0]]
    assert (await judge.store(lambda core: core.show(rivals[0][2].id))).is_live

    await judge.press("f")
    await judge.sees(2)
    await judge.press("u")  # the newest comes back into view
    await judge.until(lambda: not judge.view.model.shows_decided)
    await judge.sees(2)
    assert len(judge.view.model.listed) == 2


async def a_verdict_that_cannot_be_taken_back_says_why(judge: Judge, rivals: Any) -> None:
    await judge.decide("left enter", 2)
    await judge.store(lambda core: core.restore(rivals[0][2].id))
    await judge.press("f")
    await judge.sees(0)
    await judge.press("U")
    await judge.until(lambda: any("changed" in notice for notice in judge.person.notices))
    assert judge.view.model.shows_decided


async def what_was_resolved_by_forgetting_a_side_is_reopened_by_that_entry(
    judge: Judge, rivals: Any
) -> None:
    await judge.press("L")
    await judge.until(lambda: judge.app.view == "deck")
    await judge.until(lambda: judge.person.here == rivals[0][1].title)
    await judge.person.rest()
    await judge.press("x")
    await judge.until(lambda: len(judge.view.model.listed) == 2)
    await judge.person.rest()
    await judge.press("3")
    await judge.until(lambda: judge.app.view == "conflicts")
    await judge.sees(1)

    await judge.press("f")
    await judge.sees(0)
    await judge.press("U")
    await judge.until(lambda: not judge.view.model.shows_decided)
    await judge.sees(0)
    assert (await judge.store(lambda core: core.show(rivals[0][1].id))).is_live


async def test_what_is_reopened_is_shown_though_a_look_for_others_writing_was_first(
    judging: Any, rivals: Any, monkeypatch: Any
):
    async with judging() as judge:
        await judge.sees(0)
        await judge.press("right", "enter")
        await judge.until(lambda: len(judge.view.model.listed) == 2)
        await judge.press("f")
        await judge.sees(0)
        wrote = judge.app.news.wrote

        async def late(*arguments: Any, **more: Any) -> None:
            judge.app.news.look()  # somebody wrote, as it seems
            await judge.until(lambda: not judge.view.model.listed)
            await wrote(*arguments, **more)

        monkeypatch.setattr(judge.app.news, "wrote", late)
        await judge.press("U")
        await judge.until(lambda: not judge.view.model.shows_decided)
        await judge.sees(0)
        assert not [one for one in judge.person.notices if "elsewhere" in one]


# -- empty places


async def test_an_empty_workbench_says_what_it_is_for_and_the_way_on(judging: Any, core: Any):
    async with judging() as judge:
        await judge.until(lambda: "Nothing is in conflict." in judge.person.screen)
        assert "side by side until you have decided" in judge.person.screen
        await judge.press("j", "n", "N", "enter", "x", "c", "U", "z", "l")
        await judge.person.rest()
        assert judge.app.view == "conflicts"

        column, row = judge.place_of("look at what was decided")
        await judge.pilot.click(offset=(column + 2, row))
        await judge.until(lambda: "No conflict was decided yet." in judge.person.screen)
        await judge.person.rest()
        await judge.press("escape")
        await judge.until(lambda: "Nothing is in conflict." in judge.person.screen)


async def test_the_last_verdict_empties_the_place_and_undo_fills_it(judging: Any, rivals: Any):
    async with judging((80, 24)) as judge:
        for left in (2, 1, 0):
            await judge.decide("s", left)
        assert "Nothing is in conflict." in judge.person.screen
        assert "≠" not in judge.person.header
        await judge.press("u")
        await judge.sees(2)
        await judge.until(lambda: judge.view.sides.left.has_focus)
        assert judge.view.judged is not None


# -- what others do


async def a_new_conflict_arrives_and_moves_nothing(judge: Judge, somebody: Any, clock: Any) -> None:
    await judge.press("n")
    await judge.sees(1)
    texts = (("Ships are berthed by length.", "Ships are berthed by draught."),)
    await somebody(lambda core: pairs_of(core, clock, texts))
    await judge.until(lambda: len(judge.view.model.listed) == 4)
    await judge.person.rest()

    assert judge.seen == TEXTS[1][0]
    assert "2 of 4" in judge.person.screen
    await judge.until(lambda: "≠ 4" in judge.person.screen)  # counted up to two seconds later
    assert judge.seen == TEXTS[1][0]


async def what_is_decided_under_ones_eyes_is_said(judge: Judge, rivals: Any, somebody: Any) -> None:
    await somebody(lambda core: core.resolve_conflict(rivals[0][0], "a"))
    await judge.sees(1)
    assert any("was decided elsewhere" in notice for notice in judge.person.notices)


async def what_is_decided_further_down_is_not(judge: Judge, rivals: Any, somebody: Any) -> None:
    await somebody(lambda core: core.resolve_conflict(rivals[2][0], "a"))
    await judge.until(lambda: len(judge.view.model.listed) == 2)
    await judge.person.rest()
    assert judge.seen == TEXTS[0][0]
    assert judge.person.notices == []


async def a_text_edited_elsewhere_is_seen_where_it_stands(
    judge: Judge, rivals: Any, somebody: Any
) -> None:
    await somebody(lambda core: core.edit(rivals[0][1].id, content="Queue timeout is 45 s."))
    await judge.until(lambda: "45 s" in judge.person.screen)
    assert judge.view.judged is not None


async def another_project_has_conflicts_of_its_own(
    judge: Judge, clock: Any, home_path: Path
) -> None:
    def elsewhere() -> None:
        with MemoryCoordinator.open(home_path, "lighthouse", clock=clock) as core:
            core.remember("The lamp turns once in eleven seconds.")

    await asyncio.to_thread(elsewhere)
    await judge.press("f")
    await judge.person.rest()
    judge.app.open_project("lighthouse")
    await judge.until(lambda: "Nothing is in conflict." in judge.person.screen)


# -- going to and fro


async def l_opens_the_side_one_is_in_and_backspace_comes_back(judge: Judge, rivals: Any) -> None:
    await judge.press("n")
    await judge.sees(1)
    for side in (1, 2):
        if side == 2:
            await judge.press("tab")
            await judge.until(lambda: judge.view.sides.right.has_focus)
            await judge.person.rest()
        await judge.press("L")
        await judge.until(lambda: judge.person.app.view == "deck")
        await judge.until(lambda side=side: judge.person.here == rivals[1][side].title)
        await judge.person.rest()

        await judge.press("backspace")
        await judge.until(lambda: judge.app.view == "conflicts")
        await judge.sees(1)


async def from_the_list_one_side_is_chosen(judge: Judge, rivals: Any) -> None:
    await judge.press("h")
    await judge.until(lambda: judge.view.list.has_focus)
    await judge.person.rest()
    await judge.press("L")
    await judge.until(lambda: judge.person.dialog() == "Menu")
    await judge.press("r")
    await judge.until(lambda: judge.app.view == "deck")
    await judge.until(lambda: judge.person.here == rivals[0][2].title)


async def test_a_link_opens_the_conflict_or_that_of_a_memory(judging: Any, rivals: Any):
    async with judging(select=rivals[1][0]) as judge:
        await judge.sees(1)
    async with judging(select=rivals[2][2].id) as judge:
        await judge.sees(2)
        await judge.decide("left enter", 2)
    async with judging(select=rivals[2][0]) as judge:
        await judge.sees(2)
        assert judge.view.model.shows_decided
    async with judging(select="zzzzzzzz") as judge:
        await judge.sees(0)
        assert any("zzzzzzzz" in notice for notice in judge.person.notices)


# -- all of it


async def at_the_first_of_three(judge: Judge) -> None:
    """Undo what was decided, and go to the first conflict."""
    await close_dialogs(judge.person)
    if judge.app.view != "conflicts":
        await judge.press("3")
        await judge.person.rest()
    for _ in range(MOST_STEPS):
        if len(await judge.store(lambda core: core.conflicts())) == 3:
            break
        await judge.press("u")
        await judge.person.rest()
    if judge.view.model.shows_decided:
        await judge.press("f")
    await judge.until(lambda: len(judge.view.model.listed) == 3)
    await judge.press("escape")
    for _ in range(MOST_STEPS):
        if judge.seen == TEXTS[0][0]:
            break
        await judge.press("n")
        await judge.person.rest()
    judge.app.clear_notifications()
    await judge.sees(0)


ON_THE_WORKBENCH: tuple[Any, ...] = (
    the_last_line_names_the_verdicts_and_their_letters,
    n_goes_round_and_the_place_is_always_said,
    the_list_is_walked_like_every_list,
    in_a_dialog_no_letter_is_a_verdict,
    ctrl_o_leads_to_panes_by_letter_and_to_views_by_digit,
    the_palette_has_the_verdicts,
    f_shows_what_was_decided_and_how_and_any_of_it_can_be_taken_back,
    a_verdict_that_cannot_be_taken_back_says_why,
    what_was_resolved_by_forgetting_a_side_is_reopened_by_that_entry,
    l_opens_the_side_one_is_in_and_backspace_comes_back,
    from_the_list_one_side_is_chosen,
)


OTHERS: tuple[Any, ...] = (
    the_count_in_the_header_is_live_on_every_view,
    what_is_decided_under_ones_eyes_is_said,
    what_is_decided_further_down_is_not,
    a_text_edited_elsewhere_is_seen_where_it_stands,
    a_new_conflict_arrives_and_moves_nothing,
    another_project_has_conflicts_of_its_own,
)
"""Each on an app of its own: what another did is not undone by `u`."""


async def test_what_the_workbench_promises(judging: Any, rivals: Any, subtests: Any):
    async with judging() as judge:
        for promise in ON_THE_WORKBENCH:
            with subtests.test(promise=promise.__name__):
                await at_the_first_of_three(judge)
                await promise(judge, *([rivals] if "rivals" in promise.__annotations__ else []))
                await judge.person.rest()


@pytest.mark.parametrize("promise", OTHERS, ids=lambda promise: promise.__name__)
async def test_what_others_do_is_seen(
    judging: Any, rivals: Any, somebody: Any, clock: Any, home_path: Path, promise: Any
):
    given = {"rivals": rivals, "somebody": somebody, "clock": clock, "home_path": home_path}
    async with judging() as judge:
        await judge.sees(0)
        await promise(
            judge, **{name: given[name] for name in given if name in promise.__annotations__}
        )
