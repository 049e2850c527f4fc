"""What every view must do: it opens, says so when it is empty, zooms, steps out, keeps its place,
and explains its keys.

The same tests for all; a view that is added is tested without another word here.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from textual.widget import Widget

from memdeck import MemoryCoordinator
from memdeck.tui.dialogs.help import guide_for
from memdeck.tui.stage import VIEWS
from memdeck.tui.view import View

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import put_into

NAMES = tuple(VIEWS)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def lived_in(laid_out: Any) -> None:
    """Something in every view."""
    laid_out(_lived_in)


def _lived_in(core: MemoryCoordinator, clock: Any) -> None:
    five(core, clock)
    put_into(core, "webhook", "tariffs")
    clock.forward(hours=1)
    core.recall("when do deploys go out?", host="claude", session="4f2a9c11-77aa")
    pairs_of(core, clock)


@pytest.fixture
def at(open_app: Any, machine: Machine) -> Any:
    """Open the app on a view."""

    def opened(view: str, **more: Any) -> Any:
        if view == "recall":
            more.setdefault("query", "tide tables staging deploys")
        return open_app(view=view, agents=machine, **more)

    return opened


def shown(person: Any) -> View:
    view = person.app.stage.shown
    assert isinstance(view, View)
    return view


def zoomed(person: Any) -> list[Widget]:
    """The panes that have all the room."""
    return list(shown(person).query(".pane.-zoom"))


def untimed(screen: str) -> list[str]:
    """All lines but the header, without how long a search took."""
    return [re.sub(r"\d+ ms$", "", line) for line in screen.splitlines()[1:]]


def _parsed(act: Any) -> tuple[str, tuple[str, ...]]:
    """The name of an act's action, and what is handed to it."""
    name, _, rest = act.action.partition("(")
    return name, (rest.strip("')"),) if rest else ()


# -- what one app shows of a view, one promise after the other


async def it_has_the_focus_in_it(person: Any, name: str) -> None:
    assert shown(person).id == person.app.view == name
    assert shown(person) in person.app.focused.ancestors_with_self
    assert person.app.focused.is_on_screen


async def every_act_of_it_is_explained_and_its_panes_can_be_jumped_to(
    person: Any, name: str
) -> None:
    view = shown(person)
    guide = guide_for(person.app.screen)
    explained = {row.act: row.why for row in guide.rows}
    offered = [act for act in view.ACTS if act.key and view.check_action(*_parsed(act)) is True]
    assert guide.about
    assert len(offered) >= 3
    for act in offered:
        assert explained[act.label] == act.help
    letters = [letter for letter, _, _ in view.panes()]
    assert len(letters) == len(set(letters)) >= 2
    assert all(place in view.walk_children() for _, place, _ in view.panes())


async def it_zooms_the_pane_one_is_in_and_gives_the_room_back(person: Any, name: str) -> None:
    before = person.screen
    await person.burst(["z"])
    await person.rest()
    [pane] = zoomed(person)
    assert pane.has_focus_within
    others = [one for one in shown(person).query(".pane") if one is not pane]
    assert not any(one.is_on_screen for one in others)

    await person.burst(["z"])
    await person.rest()
    assert not zoomed(person)
    assert person.screen == before


async def it_keeps_its_place_while_one_is_elsewhere(person: Any, name: str) -> None:
    other = "audit" if name != "audit" else "deck"
    await person.press("j")
    await person.rest()
    place, before = shown(person).place(), person.screen
    assert place.view == name
    await person.burst([VIEWS[other].key])
    await person.rest()
    assert person.app.view == other

    await person.burst(["backspace"])
    await person.rest()
    assert person.app.view == name
    assert shown(person).place() == place
    assert untimed(person.screen) == untimed(before)


async def it_steps_out_one_by_one_and_stays_itself(person: Any, name: str) -> None:
    await person.burst("/")
    await person.burst("tide")
    await person.burst(["enter", "z"])
    await person.rest()
    view = shown(person)
    assert view.box.text == "tide"
    if zoomed(person):  # where nothing is left there is nothing to zoom
        await person.burst(["escape"])
        await person.rest()
    assert not zoomed(person)

    await person.burst(["escape"] * 4)
    await person.rest()
    assert (person.app.view, view.box.text) == (name, "")
    assert view in person.app.focused.ancestors_with_self


PROMISES = (
    every_act_of_it_is_explained_and_its_panes_can_be_jumped_to,
    it_zooms_the_pane_one_is_in_and_gives_the_room_back,
    it_keeps_its_place_while_one_is_elsewhere,
    it_steps_out_one_by_one_and_stays_itself,
)


@pytest.mark.parametrize("name", NAMES)
async def test_what_every_view_promises(at: Any, lived_in: None, subtests: Any, name: str):
    async with at(name, size=(160, 45)) as person:
        await it_has_the_focus_in_it(person, name)
        await person.pilot.resize_terminal(120, 35)
        await person.rest()
        for promise in PROMISES:
            with subtests.test(promise=promise.__name__):
                await promise(person, name)


@pytest.mark.parametrize("name", NAMES)
async def test_it_opens_with_the_focus_in_it_in_the_smallest_terminal(
    at: Any, lived_in: None, name: str
):
    async with at(name, size=(40, 10)) as person:
        await it_has_the_focus_in_it(person, name)


@pytest.mark.parametrize("name", NAMES)
async def test_it_says_something_when_it_is_empty(open_app: Any, core: Any, name: str):
    async with open_app(view=name) as person:
        lines = [line for line in person.screen.splitlines()[1:-1] if any(map(str.isalpha, line))]
        assert len(lines) >= 3
        assert shown(person) in person.app.focused.ancestors_with_self
        await person.burst(["z", "z", "escape", "escape", "escape"])
        await person.rest()
        assert person.app.view == name
