"""The tour: a line that says what to press, sees it done, and holds nobody up."""

from typing import Any

from memdeck import MemoryCoordinator

STEPS = (
    "1  the Deck: all that your agents know",
    "/  and a word, then enter: finds it",
    "p  pins it: told at every start; again: no more",
    "u  takes the newest act back, whatever it was",
    "3  what contradicts: left or right, then enter",
    "4  what an agent would be told to a prompt",
    "5  every change: who, when, before and after",
    "?  every key that works where you are",
)
LAST = "That was the tour. : finds everything else by its name."


def said(person: Any) -> str:
    """The line of the tour; "" without one."""
    return next((line for line in person.screen.splitlines() if " Tour " in line), "").strip()


async def at_step(person: Any, number: int) -> None:
    await person.until(lambda: said(person) == f"Tour {number}/8  {STEPS[number - 1]}")
    await person.rest()


async def test_each_step_is_seen_done_and_the_last_one_ends_it(open_app: Any, harbour: Any):
    async with open_app(size=(60, 20), view="home", tour=True) as person:
        for number, keys in enumerate(
            ("1", ["/", *"tide", "enter"], "p", "u", "3", "4", "5", ["question_mark"]), 1
        ):
            await at_step(person, number)
            await person.burst(keys)
        await person.until(lambda: person.dialog() == "HelpScreen")
        line = person.app.stage.query_one("#tour")
        await person.until(lambda: LAST in str(line.render()))  # seen behind it
        await person.burst(["escape"])
        await person.until(lambda: LAST in person.screen)
        memory = harbour["tide"].id
        assert (await person.store(lambda core: core.show(memory))).status == "confirmed"


async def test_it_says_how_to_decide_until_that_was_done(
    open_app: Any, harbour: Any, core: MemoryCoordinator
):
    core.mark_conflict(harbour["queue"].id, harbour["retry"].id)
    async with open_app(size=(60, 20), view="home", tour=True) as person:
        for number, keys in enumerate(("1", ["/", *"tide", "enter"], "p", "u", "3"), 1):
            await at_step(person, number)
            await person.burst(keys)
        await person.until(lambda: person.app.view == "conflicts")
        await at_step(person, 5)
        await person.burst(["right", "enter"])
        await at_step(person, 6)


async def test_who_goes_another_way_is_not_held_up_and_the_line_waits(open_app: Any, harbour: Any):
    async with open_app(view="home", tour=True) as person:
        await at_step(person, 1)
        await person.burst(["5", "j", "7"])
        await person.until(lambda: person.app.view == "health")
        await at_step(person, 1)
        await person.burst("1")
        await at_step(person, 2)
        await person.burst("jjp")  # pinned before its step came: nothing was found yet
        await person.until(lambda: any("Pinned" in notice for notice in person.notices))
        await at_step(person, 2)
        await person.burst(["/", *"tide", "enter"])
        await at_step(person, 3)
        await person.burst("j")  # to move is not to pin
        await at_step(person, 3)


async def test_the_palette_begins_it_and_ends_it_and_nobody_else_is_toured(
    open_app: Any, harbour: Any
):
    async with open_app() as person:
        assert said(person) == ""
        await person.burst([":", *"tour", "enter"])
        await at_step(person, 2)  # one is on the Deck already
        await person.burst([":", *"tour", "enter"])
        await person.until(lambda: said(person) == "")
        await person.rest()
        assert LAST not in person.screen
