"""The one list of what speaks of the same thing: the sure first, the rest by how likely it is."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .conflicts_bench import bench

TEN = "A berth at the outer pier is held for 10 minutes while a guest pays"
FIFTEEN = "A berth at the outer pier is held for 15 minutes while a guest pays"
ONLY = "Only on Tuesdays do deploys of the booking service go out, after lunch"
NEVER = "Deploys of the booking service never go out on Tuesdays"
SIZES = ((80, 24), (200, 50))


@pytest.fixture
def told(core: MemoryCoordinator, clock: Any) -> dict[str, str]:
    """One pair that is surely in conflict, noted after one that is only listed: text, id."""
    ids = {}
    for text in (ONLY, NEVER, TEN, FIFTEEN):
        clock.forward(hours=1)
        ids[text] = core.remember(text).memory_id or ""
    assert [one.wording for one in core.conflicts()] == ["contradicts", "may contradict"]
    return ids


@pytest.fixture
def judging(open_app: Any) -> Any:
    return bench(open_app)


async def test_the_sure_one_comes_first_and_what_is_near_says_how_likely_it_is(
    judging: Any, told: Any, subtests: Any
):
    async with judging(SIZES[0]) as judge:
        for size in SIZES:
            with subtests.test(size=size):
                await judge.pilot.resize_terminal(*size)
                await judge.until(lambda: judge.seen == TEN)
                await judge.person.rest()
                screen = judge.person.screen
                assert "They contradict" in screen or "replace" in screen
                assert "1 of 2, 1 sure" in screen
                await judge.person.burst(["n"])
                await judge.until(lambda: judge.seen == ONLY)
                await judge.person.rest()
                screen = judge.person.screen
                assert "may contradict" in screen
                assert "%" in screen
                assert "/" in screen.splitlines()[-1]
                await judge.person.burst(["N"])


async def test_the_count_is_of_the_sure_ones(judging: Any, told: Any, core: MemoryCoordinator):
    async with judging() as judge:
        await judge.until(lambda: len(judge.view.model.listed) == 2)
        await judge.person.rest()
        assert core.stats().conflicts == 1
        assert "≠ 1" in judge.person.screen.splitlines()[1] + judge.person.header


async def test_a_word_lets_the_newer_or_the_older_hold_or_makes_them_one(
    judging: Any, told: Any, slow_reads: Any, subtests: Any
):
    async with judging() as judge:
        for key, stays, leaves in (
            ("newer", FIFTEEN, TEN),
            ("older", TEN, FIFTEEN),
            ("same", TEN, FIFTEEN),
        ):
            with subtests.test(key=key):
                await judge.until(lambda: judge.seen == TEN and judge.view.judged is not None)
                await judge.person.rest()
                goes_on = slow_reads("write")
                # the second comes before the next pair is shown
                await judge.press(*[":", *key, "enter"] * 2)
                goes_on.set()
                await judge.until(lambda: len(judge.view.model.listed) == 1)
                await judge.person.rest()
                live = await judge.store(lambda core: [one.id for one in core.list()])
                assert told[stays] in live
                assert told[leaves] not in live
                assert {told[ONLY], told[NEVER]} <= set(live)
                await judge.press("u")
                await judge.until(lambda: len(judge.view.model.listed) == 2)
                await judge.press("g")


async def test_what_is_near_and_dismissed_is_not_asked_again(
    judging: Any, told: Any, core: MemoryCoordinator
):
    async with judging() as judge:
        await judge.until(lambda: judge.seen == TEN)
        await judge.person.rest()
        await judge.person.burst(["n"])
        await judge.until(lambda: judge.seen == ONLY and judge.view.judged is not None)
        await judge.person.rest()
        await judge.person.burst(["s"])
        await judge.until(lambda: len(judge.view.model.listed) == 1)
        await judge.person.rest()
    [decided] = core.conflicts(resolved=True)
    assert (decided.verdict, decided.is_sure) == ("not_a_conflict", False)
    core.remember(NEVER)
    assert len(core.conflicts()) == 1


# -- the side that is lit


async def test_a_side_is_lit_before_it_counts_is_seen_and_put_out_and_is_for_this_pair_alone(
    judging: Any, told: Any
):
    async with judging() as judge:
        await judge.until(lambda: judge.seen == TEN and judge.view.judged is not None)
        await judge.person.rest()
        await judge.person.burst(["enter", "enter"])
        await judge.person.rest()
        assert any("lights a side first" in notice for notice in judge.person.notices)
        assert len(judge.view.model.listed) == 2

        await judge.person.burst(["left", "right"])
        await judge.until(lambda: judge.view.lit == "b")
        await judge.person.rest()
        assert judge.view.sides.right.has_class("-lit")
        assert not judge.view.sides.left.has_class("-lit")
        assert "enter keep this · newer" in judge.person.screen
        await judge.person.burst(["escape", "enter"])
        await judge.person.rest()
        assert judge.view.lit == ""

        await judge.person.burst(["right", "n", "enter"])
        await judge.until(lambda: judge.seen == ONLY and judge.view.judged is not None)
        await judge.person.rest()
        assert judge.view.lit == ""
        assert await judge.store(lambda core: core.conflicts(resolved=True)) == []
        await judge.person.burst(["N", "right", "enter", "enter", "enter"])
        await judge.until(lambda: len(judge.view.model.listed) == 1)
        await judge.person.rest()
        decided = await judge.store(lambda core: core.conflicts(resolved=True))
        assert [one.verdict for one in decided] == ["b"]
