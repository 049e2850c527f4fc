"""Auto-memory and incognito: turned in three places, and said in the header while they differ."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .views import VIEWS


@pytest.fixture
def talk(core: MemoryCoordinator) -> str:
    """A session that goes on."""
    core.session_seen("4f2a9c11-77aa", "claude")
    core.session_goal("4f2a9c11-77aa", "Mend the [tide] tables")
    return "4f2a9c11-77aa"


AUTO, HIDDEN = "auto_memory", "incognito"
TALK = "4f2a9c11-77aa"
TURNED: tuple[tuple[tuple[Any, ...], tuple[str, ...]], ...] = (
    ((), ()),
    (((AUTO, False),), ("auto-memory off",)),
    (((AUTO, False, "everywhere"),), ("auto-memory off everywhere",)),
    (((HIDDEN, True),), ("incognito: project",)),
    (((HIDDEN, True, "everywhere"), (HIDDEN, True)), ("incognito: everywhere",)),
    (((AUTO, False), (HIDDEN, True)), ("auto-memory off", "incognito: project")),
)
"""Switches turned, and what the header then says."""


async def test_what_is_not_as_usual_has_its_words(open_app: Any, talk: str, subtests: Any):
    async with open_app(view="agents", size=(120, 35)) as person:

        async def said(act: Any) -> tuple[str, ...]:
            await person.store(act)
            await person.app.news.wrote(())
            await person.rest()
            words: tuple[str, ...] = person.app.counts.switched
            assert all(one in person.header for one in words)
            return words

        for turns, words in TURNED:
            with subtests.test(turns=turns):
                for name, *turn in turns:
                    now = await said(
                        lambda core, name=name, turn=turn: core.set_switch(name, *turn)
                    )
                assert not turns or now == words
                for name, is_on, *reach in turns:
                    now = await said(
                        lambda core, turn=(name, not is_on, *reach): core.set_switch(*turn)
                    )
                assert not turns or now == ()
        assert await said(lambda core: core.set_incognito(TALK, True)) == ("incognito: session",)
        await said(lambda core: core.set_incognito(TALK, False))
        off = await said(lambda core: core.set_auto_memory_of(TALK, False))
        assert off == ("auto-memory off: session",)
        line = next(one for one in person.screen.splitlines() if ": auto-memory" in one)
        assert line.split("auto-memory")[1].split("│")[0].split() == ["off", "in", "1", "on", "on"]


@pytest.fixture
def nine_talks(core: MemoryCoordinator, clock: Any) -> None:
    """Nine sessions that go on; nothing is taken down of the first."""
    for number in range(9):
        clock.forward(minutes=1)
        core.session_seen(f"s{number}", "claude")
        core.session_goal(f"s{number}", f"Mend crane {number}")
    core.set_incognito("s0", True)


async def test_no_more_sessions_are_offered_than_have_keys_and_what_the_header_says_comes_first(
    open_app: Any, nine_talks: None
):
    async with open_app(view="agents") as person:
        await person.until(lambda: "incognito: session" in person.header)
        await person.burst([":", *"incognito", "enter"])
        await person.until(lambda: person.dialog() == "Menu")
        await person.until(lambda: "Mend crane 0" in person.screen)
        offered = [line for line in person.screen.splitlines() if "Mend crane" in line]
        assert len(offered) == 5
        assert ["on, turn off" in line for line in offered] == [True, *[False] * 4]
        await person.press("escape")


async def test_the_header_says_it_on_every_view_and_size(
    open_app: Any, core: MemoryCoordinator, subtests: Any
):
    core.set_switch("incognito", True)
    async with open_app(size=(40, 12)) as person:
        await person.until(lambda: "incognito: project" in person.header)
        for size in ((40, 12), (60, 20), (80, 24), (120, 35)):
            await person.pilot.resize_terminal(*size)
            await person.rest()
            for view in VIEWS:
                with subtests.test(size=size, view=view):
                    person.app.stage.header.at(view)  # as going there does
                    assert "incognito: project" in person.header


async def test_a_switch_is_turned_for_the_project_and_undone(open_app: Any, talk: str):
    async with open_app(view="agents") as person:
        assert "incognito: project" not in person.screen
        await person.burst([":", *"incognito", "enter"])
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("p")
        await person.until(lambda: "incognito: project" in person.header)
        assert not await person.store(lambda core: core.is_taken_down(talk))
        await person.until(lambda: any("Incognito on: this project." in n for n in person.notices))

        await person.press("u")
        await person.until(lambda: "incognito: project" not in person.header)
        assert await person.store(lambda core: core.is_taken_down(talk))


async def test_one_session_is_switched_by_its_goal(open_app: Any, talk: str):
    async with open_app(view="agents") as person:
        for key, words in (
            ("auto", "auto-memory off: session"),
            ("incognito", "incognito: session"),
        ):
            await person.burst([":", *key, "enter"])
            await person.until(lambda: "Mend the [tide] tables" in person.screen)
            await person.press("1")
            await person.until(lambda w=words: w in person.header)
        await person.until(lambda: "off in 1" in person.screen and "on in 1" in person.screen)
        assert not await person.store(lambda core: core.is_taken_down(talk))


async def test_the_command_line_and_the_palette_turn_it_on_any_view(open_app: Any, talk: str):
    async with open_app() as person:
        await person.press(":")
        await person.until(lambda: person.dialog() == "Palette")
        await person.type("incognito")
        await person.press("enter")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("e")
        await person.until(lambda: "incognito: everywhere" in person.screen)

        await person.press("ctrl+p")
        await person.until(lambda: person.dialog() == "Palette")
        await person.type("switch: auto")
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("e")
        await person.until(lambda: "auto-memory off everywhere" in person.screen)
        switches = await person.store(lambda core: core.switches)
        assert not switches.auto_everywhere
        assert switches.incognito_everywhere


async def test_what_the_settings_keep_off_is_said(open_app: Any, home_path: Any):
    home_path.mkdir()
    (home_path / "config.toml").write_text("auto_memory = false\n")
    async with open_app(view="agents") as person:
        await person.until(lambda: "The settings keep auto-memory off." in person.screen)
        await person.until(lambda: "auto-memory off" in person.header)
        for _ in range(2):  # off here too, and on again
            await person.burst([":", *"auto", "enter"])
            await person.until(lambda: person.dialog() == "Menu")
            await person.press("p")
            await person.until(lambda: person.dialog() == "Screen")
            await person.rest()
        await person.until(lambda: any("in the settings keeps it off" in n for n in person.notices))
