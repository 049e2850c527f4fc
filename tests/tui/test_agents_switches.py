"""Auto-memory and incognito: turned in three places, and said in the header while they differ."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator
from memdeck.core.services.switchboard import SessionSwitches, Switches
from memdeck.tui.switches import in_words, places, rows

from .views import VIEWS


@pytest.fixture
def talk(core: MemoryCoordinator) -> str:
    """A session that goes on."""
    core.session_seen("4f2a9c11-77aa", "claude")
    core.session_goal("4f2a9c11-77aa", "Mend the [tide] tables")
    return "4f2a9c11-77aa"


def of_session(**more: bool) -> Switches:
    one = SessionSwitches("4f2a", "", **{"auto_memory": True, "incognito": False, **more})
    return Switches(sessions=(one,))


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        (Switches(), ()),
        (Switches(auto_project=False), ("auto-memory off",)),
        (Switches(by_settings=False), ("auto-memory off",)),
        (Switches(auto_everywhere=False), ("auto-memory off everywhere",)),
        (of_session(auto_memory=False), ("auto-memory off: session",)),
        (Switches(incognito_project=True), ("incognito: project",)),
        (Switches(incognito_everywhere=True, incognito_project=True), ("incognito: everywhere",)),
        (of_session(incognito=True), ("incognito: session",)),
        (
            Switches(auto_project=False, incognito_project=True),
            ("auto-memory off", "incognito: project"),
        ),
    ],
)
def test_what_is_not_as_usual_has_its_words(switches: Switches, words: tuple[str, ...]):
    assert in_words(switches) == words


def test_the_table_counts_the_sessions_that_differ():
    auto, hidden = rows(of_session(auto_memory=False, incognito=True))
    assert auto == ("auto-memory", "off in 1", "on", "on")
    assert hidden == ("incognito", "on in 1", "off", "off")


def test_no_more_sessions_are_offered_than_there_are_keys_for():
    many = tuple(SessionSwitches(f"s{n}", "", True, False) for n in range(9))
    assert len(places(Switches(sessions=many), "incognito")) == 7


def test_what_the_header_says_can_always_be_taken_back():
    many = tuple(SessionSwitches(f"s{n}", "", True, n == 8) for n in range(9))
    found = places(Switches(sessions=many), "incognito")
    assert [place.label for place in found if place.is_on] == ["session s8"]


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
        for _ in range(2):  # off here too, and on again
            await person.burst([":", *"auto", "enter"])
            await person.until(lambda: person.dialog() == "Menu")
            await person.press("p")
            await person.until(lambda: person.dialog() == "Screen")
            await person.rest()
        await person.until(lambda: any("in the settings keeps it off" in n for n in person.notices))
