"""What every view must do: it opens with the focus in it, says so when it is empty, explains its
keys, zooms, keeps its place, narrows its list by `/`, steps out by `esc` and never leaves by it.

The same tests for all; a view that is added is tested with its words in `NARROWS`. Keys come in
bursts, as a terminal delivers what is typed quickly.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.widget import Widget

from memdeck import MemoryCoordinator

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import KNOWN, put_into
from .views import VIEWS

NAMES = tuple(VIEWS)
NARROWS = {
    "deck": ("staging", 1),
    "inbox": ("tariffs", 1),
    "conflicts": ("linter tabs", 1),
    "recall": ("tide", 1),
    "audit": ("tide port", 1),
    "agents": ("codex", 1),
    "profile": ("staging", 1),
    "health": ("freeze", 1),
    "home": ("learned", 1),
    "sessions": ("tariffs codex", 1),
    "tidy": ("linter tabs", 1),
    "settings": ("random", 1),
}
"""Words for each view, and how many rows have all of them."""


WITH_HEADINGS = ("profile", "sessions", "settings")
"""Views in whose lists not every line is a row."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def busy(laid_out: Any) -> None:
    """Several rows in every view."""
    laid_out(_busy)


def _busy(core: MemoryCoordinator, clock: Any) -> None:
    five(core, clock)
    core.remember(KNOWN)
    clock.forward(hours=1)
    put_into(core, "webhook", "tariffs")
    clock.forward(hours=1)
    for session, agent in (("4f2a9c11-77aa", "claude"), ("9c77b2d0-01fe", "codex")):
        core.session_seen(session, agent)
        core.session_goal(session, "Read the tariffs anew")
    core.recall("when do deploys go out?", host="claude", session="4f2a9c11-77aa")
    pairs_of(core, clock)
    for text in ("The release freeze lasts until May.", "Winter hours of the office end soon."):
        core.remember(text, expires=clock.now + timedelta(days=20))


@pytest.fixture
def at(open_app: Any, busy: None, machine: Machine) -> Any:
    """Open the app on a view."""

    def opened(view: str, **more: Any) -> Any:
        if view == "recall":
            more.setdefault("query", "tide tables staging deploys")
        return open_app(view=view, agents=machine, **more)

    return opened


def shown(person: Any) -> Any:
    """The view on the screen."""
    view = person.app.stage.shown
    assert view is not None
    return view


def list_of(person: Any) -> Any:
    """The list of the view that is shown."""
    if person.app.view == "recall":
        return shown(person).answers.items
    name = {"deck": "memories", "inbox": "waiting", "audit": "timeline"}.get(person.app.view)
    return getattr(shown(person), name or "list")


def count_of(person: Any) -> int:
    """How many rows the list has."""
    there = list_of(person)
    if person.app.view in WITH_HEADINGS:
        return sum(key >= 0 for key in there.keys)  # headings are no rows
    return len(there.entries if person.app.view == "audit" else there.keys)


def zoomed(person: Any) -> list[Widget]:
    """The panes that have all the room."""
    return list(shown(person).query(".pane.-zoom"))


def untimed(screen: str) -> list[str]:
    """All lines but the header, without how long a search took."""
    return [re.sub(r"\d+ ms$", "", line) for line in screen.splitlines()[1:]]


async def everything(person: Any) -> Any:
    """What a key pressed by mistake could have changed."""
    return await person.store(
        lambda core: (
            core.last_seq(),
            list(core.waiting()),
            [one.id for one in core.conflicts()],
            sorted(one.id for one in core.list()),
        )
    )


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
    guide = person.help
    explained = {row.act: row.why for row in guide.rows}
    offered = [act for act in view.ACTS if act.key and view.check_action(*_parsed(act)) is True]
    assert guide.about
    assert len(offered) >= 3
    for act in offered:
        assert explained[act.label] == act.help
    letters = [letter for letter, _, _ in view.panes()]
    assert len(letters) == len(set(letters)) >= 2
    assert all(place in view.walk_children() for _, place, _ in view.panes())


async def digits_are_views_no_act_has_one_and_no_pane_claims_one(person: Any, name: str) -> None:
    bound = person.app.screen.active_bindings
    for other, kind in VIEWS.items():
        key = {",": "comma"}.get(kind.key, kind.key)
        assert bound[key].binding.action == f"view('{other}')"
        assert bound[key].enabled
    view = shown(person)
    keys = {key for act in view.ACTS for key in act.key.split(",")}
    assert not keys & set("0123456789")
    for widget in (view, *view.query("*")):
        assert not set(widget._bindings.key_to_bindings) & set("0123456789")
        assert not str(widget.border_title or "")[:1].isdigit()
    assert not {letter for letter, _, _ in view.panes()} & set("0123456789")


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


async def letters_are_for_the_line_that_was_just_opened(person: Any, name: str) -> None:
    """Until the screen is laid out anew the line is nowhere; letters decide where it was before."""
    view, there = shown(person), count_of(person)
    view.box.open()
    view.keep_focus()
    assert view.box.is_typed_in
    await person.burst("xap")
    await person.rest()
    assert view.box.text == "xap"
    await person.burst(["escape"])
    await person.rest()
    assert (view.box.text, view.box.is_typed_in, count_of(person)) == ("", False, there)


async def a_key_behind_enter_is_for_what_fits_and_escape_steps_out_one_by_one(
    person: Any, name: str
) -> None:
    """The list is narrowed before the next key is heard, however quickly it comes."""
    words, left = NARROWS[name]
    box, there = shown(person).box, count_of(person)
    await person.burst([*f"/{words}", "enter", "G"])
    await person.rest()
    assert (box.text, box.is_typed_in, count_of(person)) == (words, False, left)
    assert f"/ {words}" in (screen := person.screen)
    assert f"{left} of {there}" in screen
    rows = list_of(person)
    above = sum(key < 0 for key in rows.keys) if name in WITH_HEADINGS else 0
    assert (rows.index if name == "audit" else rows.cursor) == left - 1 + above

    await person.burst(["z"])
    await person.rest()
    assert zoomed(person)
    await person.burst(["escape"])
    await person.rest()
    assert not zoomed(person)
    assert box.text == words
    await person.burst(["escape"])
    await person.rest()
    assert (person.app.view, box.text, count_of(person)) == (name, "", there)
    assert shown(person) in person.app.focused.ancestors_with_self


async def where_nothing_fits_the_way_back_is_said(person: Any, name: str) -> None:
    there = count_of(person)
    await person.burst(["/", *"zebra", "enter"])
    await person.rest()
    assert count_of(person) == 0
    assert "esc" in person.screen
    await person.burst(["escape"])
    await person.rest()
    assert count_of(person) == there


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


async def one_comes_by_a_key_decides_nothing_by_words_never_leaves_by_escape_and_goes_back(
    person: Any, name: str
) -> None:
    other = "audit" if name == "deck" else "deck"
    await person.burst(f"{VIEWS[other].key}{VIEWS[name].key}/taxes pd")
    await person.rest()
    assert person.app.view == name
    assert f"{VIEWS[name].key} {VIEWS[name].label}" in person.header
    assert shown(person).box.text == "taxes pd"
    await person.burst(["escape", "escape", "escape"])
    await person.rest()
    assert (person.app.view, shown(person).box.text) == (name, "")
    await person.burst(["z", *["escape"] * 4, "tab", "escape"])
    await person.rest()
    assert person.app.view == name
    await person.burst(["backspace"])
    await person.until(lambda: person.app.view == other)


PROMISES = (
    every_act_of_it_is_explained_and_its_panes_can_be_jumped_to,
    digits_are_views_no_act_has_one_and_no_pane_claims_one,
    it_zooms_the_pane_one_is_in_and_gives_the_room_back,
    letters_are_for_the_line_that_was_just_opened,
    a_key_behind_enter_is_for_what_fits_and_escape_steps_out_one_by_one,
    where_nothing_fits_the_way_back_is_said,
    it_keeps_its_place_while_one_is_elsewhere,
    one_comes_by_a_key_decides_nothing_by_words_never_leaves_by_escape_and_goes_back,
)


async def slash_narrows_the_list_at_each_letter_in_the_smallest_terminal(
    person: Any, name: str
) -> None:
    words, left = NARROWS[name]
    box, there = shown(person).box, count_of(person)
    assert there > left
    await person.burst(f"/{words}")
    await person.rest()
    assert (box.text, box.is_typed_in, count_of(person)) == (words, True, left)
    assert f"/ {words}" in person.screen
    await person.burst(["enter"])
    await person.rest()
    assert (box.text, box.is_typed_in, count_of(person)) == (words, False, left)
    assert f"/ {words}" in person.screen
    await person.burst(["escape"])
    await person.rest()
    assert (person.app.view, box.text, count_of(person)) == (name, "", there)


@pytest.mark.parametrize("name", NAMES)
async def test_what_every_view_promises(at: Any, subtests: Any, name: str):
    async with at(name, size=(40, 10)) as person:
        await it_has_the_focus_in_it(person, name)
        before = await everything(person)
        await slash_narrows_the_list_at_each_letter_in_the_smallest_terminal(person, name)
        for size in ((160, 45), (120, 35)):
            await person.pilot.resize_terminal(*size)
            await person.rest()
            await it_has_the_focus_in_it(person, name)
        for promise in PROMISES:
            with subtests.test(promise=promise.__name__):
                await promise(person, name)
        assert await everything(person) == before


async def test_it_says_something_when_it_is_empty(open_app: Any, core: Any, subtests: Any):
    async with open_app(view=NAMES[0]) as person:
        for name in NAMES:
            with subtests.test(view=name):
                await person.burst([VIEWS[name].key])
                await person.rest()
                screen = person.screen.splitlines()[1:-1]
                assert len([line for line in screen if any(map(str.isalpha, line))]) >= 3
                assert shown(person) in person.app.focused.ancestors_with_self
                await person.burst(["z", "z", "escape", "escape", "escape"])
                await person.rest()
                assert person.app.view == name
