"""Tidy: one proposal at a time, one key each, and each taken back by one."""

import json

import pytest

from memdeck.tui.app import MemoryApp

SIZES = [(60, 20), (200, 50)]
TWICE = (
    "The queue tests need redis on port 6380",
    "Tests of the queue need redis on port 6380",
)
UNTOLD = (
    "Tide tables are read from the port authority at six in the morning",
    "Deploys go out on Mondays before noon, never on a Friday",
    "Berth fees are rounded half-even to the cent",
)
TASK = "Renew the certificate of the crane's feed"


@pytest.fixture
def story(core, clock):
    """Three sessions over two months: one thing said twice, a task, three never told."""
    for text in UNTOLD:
        core.remember(text)
    core.remember(TASK, type="prospective")
    clock.forward(days=40)
    for text in TWICE:
        core.import_memories([{"content": text, "category": "discovery"}])
        clock.forward(hours=1)
    clock.forward(days=1)


def view(person):
    return person.app.stage.view("tidy")


def kinds(person):
    return [one.kind for one in view(person).fitting]


def here(person):
    current = view(person).current
    return current.memory.content if current else ""


async def live(person):
    return await person.store(lambda core: sorted(one.content for one in core.list()))


async def looked(person):
    await person.until(lambda: view(person) and not view(person).proposals.is_looking)
    await person.rest()


EVERY = ["repetition", "task", "untold", "untold", "untold"]


async def test_t_goes_there_from_anywhere_and_what_misleads_comes_first(open_app, story):
    async with open_app() as person:
        await person.burst("T")
        await person.until(lambda: person.app.view == "tidy")
        await looked(person)
        assert kinds(person) == EVERY
        assert "1 of 5" in person.screen
        assert "Is one of them enough?" in person.screen
        [gone] = await person.store(lambda core: core.list("tide"))
        await person.store(lambda core: core.forget(gone.id))
        await person.until(lambda: "1 of 4" in person.screen)  # nothing is settled here
        await person.burst(["backspace"])
        await person.until(lambda: person.app.view == "deck")


async def test_an_empty_store_says_what_the_place_is_for(open_app, core):
    async with open_app(view="tidy") as person:
        await looked(person)
        assert "Everything is tidy." in person.screen
        before = await person.store(lambda core: core.last_seq())
        await person.burst("aMxed nN")
        await person.rest()
        assert await person.store(lambda core: core.last_seq()) == before


async def test_what_is_settled_is_counted_one_key_each_and_as_many_undos_bring_all_back(
    open_app, story
):
    async with open_app(view="tidy") as person:
        await looked(person)
        before = await live(person)
        await person.burst("a")
        await person.until(lambda: "2 of 5" in person.screen)
        await person.burst("n")
        await person.until(lambda: "3 of 5" in person.screen)
        await person.burst("N")
        await person.until(lambda: "2 of 5" in person.screen)
        await person.burst("u")
        await person.until(lambda: kinds(person) == EVERY)
        await person.burst("gMdxax")
        await person.rest()
        assert kinds(person) == []
        assert "Everything is tidy." in person.screen
        left = await live(person)
        assert [text in left for text in TWICE] == [False, True]
        assert TASK not in left
        assert sum(text in left for text in UNTOLD) == 1
        await person.burst("uuuuu")
        await person.rest()
        assert await live(person) == before
        assert kinds(person) == EVERY


async def test_the_lit_side_leaves_and_no_other(open_app, story):
    async with open_app(view="tidy") as person:
        await looked(person)
        assert view(person).lit_memory.content == TWICE[0]
        await person.burst("lx")
        await person.rest()
        left = await live(person)
        assert [text in left for text in TWICE] == [True, False]
        await person.burst("u")
        await person.until(lambda: kinds(person) == EVERY)
        await person.burst("lhx")
        await person.rest()
        left = await live(person)
        assert [text in left for text in TWICE] == [False, True]


async def test_both_stay_for_good_and_what_is_skipped_is_left_out_until_one_asks(
    open_app, story, home_path
):
    async with open_app(view="tidy") as person:
        await looked(person)
        before = await live(person)
        await person.burst(["a", "space"])
        await person.rest()
        assert kinds(person) == EVERY[2:]
        assert "3 of 5" in person.screen
        assert await live(person) == before
        await person.until(lambda: len(json.loads((home_path / "app.json").read_text())["skipped"]))
    async with open_app(view="tidy") as person:
        await looked(person)
        assert kinds(person) == EVERY[2:]
        await person.burst("R")
        await person.rest()
        await looked(person)
        assert kinds(person) == EVERY[1:]


async def test_a_key_that_does_not_fit_says_why_and_does_nothing(open_app, story, subtests):
    async with open_app(view="tidy") as person:
        await looked(person)
        await person.burst(["G"])
        await person.rest()
        before = await person.store(lambda core: core.last_seq())
        for key in "hMld":  # what was just said is not said again
            with subtests.test(key=key):
                person.app.clear_notifications()
                await person.rest()
                await person.burst([key])
                await person.until(lambda: person.notices)
                assert await person.store(lambda core: core.last_seq()) == before
                assert len(kinds(person)) == len(EVERY)


async def test_edit_changes_the_lit_one_and_it_is_settled(open_app, story):
    async with open_app(view="tidy") as person:
        await looked(person)
        await person.burst(["G", "e"])
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.type("Since May: ")
        await person.press("f2")
        await person.until(lambda: person.dialog() == "Screen")
        await person.rest()
        assert any(text.startswith("Since May: ") for text in await live(person))
        assert kinds(person) == EVERY[:-1]


async def test_what_somebody_else_settles_is_gone(open_app, story, core):
    async with open_app(view="tidy") as person:
        await looked(person)
        gone = view(person).fitting[0].memory.id
        await person.app.write.run(lambda other: other.forget(gone))
        await person.until(lambda: kinds(person) == EVERY[1:])


async def test_enter_opens_the_lit_one_and_backspace_comes_back_to_it(open_app, story):
    async with open_app(view="tidy") as person:
        await looked(person)
        await person.burst(["n", "enter"])
        await person.until(lambda: person.app.view == "deck" and person.here)
        await person.rest()
        assert person.here == TASK
        await person.burst(["backspace"])
        await person.until(lambda: person.app.view == "tidy")
        await person.rest()
        assert here(person) == TASK


async def test_it_fits_every_size_and_says_what_to_press(open_app, story, subtests):
    async with open_app(size=SIZES[0], view="tidy") as person:
        await looked(person)
        for size in SIZES:
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                screen = person.screen
                assert all(len(line) <= size[0] for line in screen.splitlines())
                assert "Is one of them enough?" in screen
                assert "The queue tests need redis" in screen
                assert "Tests of the queue need redis" in screen
                assert "1 of 5" in screen
                # no key is parted from its words
                for says in ("M merge into the other", "a both stay", "x lit one leaves", "␣ skip"):
                    assert says in screen
        await person.pilot.resize_terminal(40, 10)
        for key, lit, other in (("h", 0, 1), ("l", 1, 0)):
            await person.burst(key)
            await person.rest()
            _, _, below = person.screen.partition("Is one of them enough?")
            assert TWICE[lit][:25] in below, "what it is about is out of sight"
            assert TWICE[other][:25] not in below


async def test_a_thousand_skipped_ones_are_remembered_the_newest(tmp_path):
    keys = [f"untold:{number}" for number in range(1_001)]
    for skipped in (keys, keys[1:]):
        await MemoryApp(str(tmp_path), None).last_run.save(skipped=skipped)
        assert json.loads((tmp_path / "app.json").read_text())["skipped"] == keys[1:]
        assert list(MemoryApp(str(tmp_path), None).last_run.now.skipped) == keys[1:]


async def test_home_leads_there_and_what_is_skipped_is_no_longer_counted(open_app, story):
    async with open_app(view="home") as person:
        home = person.app.stage.view("home")

        def to_tidy():
            return sum(one.count for one in home.found if one.place.view == "tidy")

        await person.until(lambda: to_tidy() == 4)  # pairs are looked for in Tidy itself
        await person.burst("T")
        await person.until(lambda: person.app.view == "tidy")
        await looked(person)
        await person.burst(["G", "space"])
        await person.rest()
        await person.burst("0")
        await person.until(lambda: person.app.view == "home" and to_tidy() == 3)


async def test_what_every_project_is_told_leaves_by_a_yes_and_stays_by_a_no(open_app, core, clock):
    """004-09: asked once, and then it is done."""
    core.import_memories([{"content": UNTOLD[0], "scope": "global"}])
    clock.forward(days=40)
    async with open_app(view="tidy") as person:
        await looked(person)
        for key, question, answer, left in (
            ("x", "no longer be told", "n", [UNTOLD[0]]),
            ("a", "told to keep to", "n", [UNTOLD[0]]),
            ("x", "no longer be told", "y", []),
        ):
            await person.burst(key)
            await person.until(lambda question=question: question in person.screen)
            await person.burst(answer)
            await person.rest()
            assert await live(person) == left
