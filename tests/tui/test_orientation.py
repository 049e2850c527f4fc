"""Knowing where one is and what one can do: header, help, footer, jumps, notices, links."""

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.binding import Binding
from textual.screen import Screen

from memdeck import Capture, MemoryCoordinator, Origin

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import put_into
from .views import VIEWS


@pytest.fixture
def busy(laid_out: Any) -> None:
    """Something waits, something contradicts, something ends within a week."""
    laid_out(_busy)


def _busy(core: MemoryCoordinator, clock: Any) -> None:
    five(core, clock)
    put_into(core, "webhook", "tariffs")
    pairs_of(core, clock)
    core.remember("The crane is booked for now.", expires=clock.now + timedelta(days=3))


@pytest.fixture
def machine(tmp_path: Any) -> Machine:
    return Machine(tmp_path, a_busy_machine())


# -- the header


async def what_waits_stands_in_the_header(person: Any, _view: str) -> None:
    head = person.header
    assert "harbour" in head
    assert [f"{sign} {number}" in head for sign, number in counted(person)] == [True] * 3


def counted(person: Any) -> list[tuple[str, int]]:
    """What the header counts, by its sign."""
    now = person.app.counts
    assert min(now.conflicts, now.expiring, now.inbox) > 0
    return [("≠", now.conflicts), ("⏳", now.expiring), ("inbox", now.inbox)]


async def test_what_is_to_be_done_stays_in_the_header_until_it_is_done(
    open_app: Any, busy: None, machine: Machine
):
    async with open_app(agents=machine, view="inbox") as person:
        waiting = person.app.counts.inbox
        for left in range(waiting - 1, -1, -1):
            person.app.clear_notifications()  # what was said of it once is over
            await person.rest()
            assert f"inbox {left + 1}" in person.header
            await person.press("x")
            await person.until(lambda left=left: person.app.counts.inbox == left)
        await person.rest()
        assert "inbox " not in person.header  # its tab is called Inbox
        assert f"≠ {person.app.counts.conflicts}" in person.header  # nobody decided these


# -- help


async def each_place_that_takes_the_focus_says_two_things_of_itself(person: Any, view: str) -> None:
    screen, begin = person.app.screen, person.app.focused
    for place in screen.focus_chain:  # where `tab` leads
        screen.set_focus(place)
        about = person.help.about
        assert len(re.findall(r"\w[`)]*[.:;](?:\s|$)", about)) >= 2, (view, about)
    assert begin in screen.focus_chain
    screen.set_focus(begin)
    await person.rest()


# -- the footer


async def test_a_dimmed_key_says_why_under_the_mouse(open_app: Any):
    async with open_app() as person:
        keys = person.app.query_one("Keys")
        shown = dict(keys.shown())
        dimmed = next(key for key, active in shown.items() if not active.enabled)
        footer = person.screen.splitlines()[-1]
        label = shown[dimmed].binding.description
        await person.pilot.hover(offset=(footer.index(label), 34))
        await person.until(lambda: str(keys.tooltip) == "There is no memory here.")


# -- jumps


async def each_pane_in_sight_has_its_letter_and_it_leads_there(person: Any, view: str) -> None:
    shown = person.app.stage.view(view)
    targets = [(key, goal) for key, place, goal in shown.panes() if place.region.area]
    assert targets
    for letter, goal in targets:
        await person.burst(["ctrl+o", letter])
        await person.until(lambda: person.dialog() == "Screen")
        await person.until(lambda goal=goal: goal.has_focus)
        await person.rest()
        if letter == "/":
            await person.burst(["escape"])
            await person.rest()


# -- panes and lists at two sizes


@contextmanager
def before_it_is_painted() -> Iterator[None]:
    """Somebody types faster than the screen is painted."""

    def later(*_: Any) -> None:
        pass

    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(Screen, "_on_idle", later)
        slow.setattr(Screen, "_on_timer_update", later)
        yield


async def l_leaves_where_one_begins_and_h_comes_back(person: Any, view: str) -> None:
    await person.burst("hhh")
    await person.rest()
    leftmost = person.app.screen.focused
    await person.press("l")
    await person.rest()
    right = person.app.screen.focused
    assert right is not leftmost
    assert right is not None
    assert right.is_on_screen
    with before_it_is_painted():
        await person.burst("lhhh")
    await person.rest()
    assert person.app.screen.focused is leftmost
    assert person.app.view == view
    assert person.app.stage.shown.has_focus_within


async def no_line_of_a_list_touches_its_frame_or_its_scrollbar(person: Any, _view: str) -> None:
    for shown in person.app.stage.shown.query("VirtualList"):
        cells = shown.scrollable_content_region.width
        lines = [shown.render_line(y).text for y in range(shown.size.height)]
        assert [one for one in lines if cell_len(one.rstrip()) >= cells > 0] == []


NARROW = ("deck", "inbox", "recall")
"""Views in which there is one pane at a time where it is narrow, and `l` leads to the next."""

IN_EACH_VIEW = (
    what_waits_stands_in_the_header,
    each_place_that_takes_the_focus_says_two_things_of_itself,
    each_pane_in_sight_has_its_letter_and_it_leads_there,
)


async def test_what_one_knows_in_each_view_of_where_one_is(
    open_app: Any, busy: None, machine: Machine, subtests: Any
):
    words = "tide tables staging deploys"
    async with open_app(size=(160, 45), view="recall", query=words, agents=machine) as person:
        for view, kind in VIEWS.items():
            await person.burst(["escape", kind.key])
            await person.until(lambda view=view: person.app.view == view)
            await person.rest()
            for promise in IN_EACH_VIEW:
                with subtests.test(view=view, promise=promise.__name__):
                    await promise(person, view)
        for size in ((120, 35), (60, 20)):
            await person.pilot.resize_terminal(*size)
            await person.rest()
            for view, kind in VIEWS.items():
                await person.burst(["escape", kind.key])
                await person.rest()
                with subtests.test(view=view, size=size):
                    await what_waits_stands_in_the_header(person, view)
                    await no_line_of_a_list_touches_its_frame_or_its_scrollbar(person, view)
                    # in Tidy these light a side
                    if view != "tidy" and (size[0] > 60 or view in NARROW):
                        await l_leaves_where_one_begins_and_h_comes_back(person, view)


async def letters(person: Any) -> dict[str, str]:
    """The letters of jump mode, each with what the app had at its place before."""
    before = person.screen.splitlines()
    await person.press("ctrl+o")
    await person.until(lambda: person.dialog() == "Jump")
    places = [(one, one.region) for one in person.app.screen.query(".jump-label")]
    return {str(one.render()).strip(): before[place.y][place.x :].strip() for one, place in places}


async def test_the_buttons_of_a_dialog_have_letters_that_press_them_or_are_put_away(
    open_app: Any, harbour: Any
):
    async with open_app() as person:
        await person.burst(["e", *"by letter"])
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.rest()
        found = await letters(person)  # the fields: a letter typed there would be text
        assert {"c", "t"} <= found.keys()
        await person.press("t")
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.until(lambda: person.app.screen.focused.id == "edit-title")
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Confirm")
        for key in ("ctrl+o", "escape", "9"):
            await letters(person)
            await person.press(key)
            await person.until(lambda: person.dialog() == "Confirm")
            assert len(person.app.screen_stack) == 3
        assert person.app.view == "deck"
        for letter, dialog in (("k", "EditMemory"), ("d", "Screen")):
            found = await letters(person)
            assert sorted(found) == ["d", "k"]
            assert "Keep editing" in person.screen  # which no letter covers
            assert "Discard changes" in person.screen
            await person.press(letter)
            await person.until(lambda dialog=dialog: person.dialog() == dialog)
            await person.rest()
            if dialog == "EditMemory":
                await person.press("escape")
                await person.until(lambda: person.dialog() == "Confirm")
        assert harbour["tide"].content in str(await person.store(lambda core: core.list()))


async def test_tab_goes_through_what_is_in_sight_and_shift_tab_back(open_app: Any, harbour: Any):
    async with open_app() as person:
        deck = person.deck
        places = [deck.memories, deck.detail, deck.facets]  # letters are no text in any of them
        assert person.app.focused is places[0]
        for keys in (["tab"] * 3, ["shift+tab"] * 3):
            seen = []
            for key in keys:
                await person.press(key)
                await person.rest()
                seen.append(person.app.focused)
            assert set(seen) == set(places)
            assert seen[-1] is places[0]


async def test_a_click_goes_to_the_pane_it_is_in(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.pilot.click(person.deck.detail, offset=(3, 3))
        await person.until(lambda: person.deck.detail.has_focus)
        await person.rest()


# -- notices and undo


async def test_a_notice_says_what_and_how_many_and_stands_eight_seconds(
    open_app: Any, harbour: Any
):
    async with open_app() as person:
        await person.burst([" ", " ", "x"])
        await person.until(lambda: any("Forgot 2 memories" in one for one in person.notices))
        await person.rest()
        [notice] = list(person.app._notifications)
        assert notice.timeout == 8
        assert "Undo (u)" in notice.message


async def test_an_act_of_an_earlier_run_is_undone_from_anywhere_and_named(
    open_app: Any, harbour: Any, core: MemoryCoordinator
):
    core.forget(harbour["tide"].id)
    async with open_app(view="agents") as person:
        for view in ("agents", "settings"):
            person.app.clear_notifications()
            await person.burst([VIEWS[view].key, "u"])
            await person.until(lambda: any("Undid" in one for one in person.notices))
            await person.rest()
            assert person.app.view == view
            assert any(harbour["tide"].title[:12] in one for one in person.notices)
            assert (await person.store(lambda core: core.show(harbour["tide"].id))).is_live
            await person.press("ctrl+r")
            await person.until(lambda: any("Did again" in one for one in person.notices))
            await person.rest()


# -- where it was learned


async def test_where_it_was_learned_survives_an_edit_and_is_a_key_away(
    open_app: Any, core: MemoryCoordinator
):
    origin = Origin(session="4f2a9c11-77aa", agent="claude", transcript="/tmp/t.jsonl", line=7)
    core.session_seen("4f2a9c11-77aa", "claude")
    core.session_goal("4f2a9c11-77aa", "Make the release of March")
    said = "Releases go out by hand on Mondays, after `make release` has run on the build host."
    core.offer([Capture(said, origin=origin)])
    async with open_app(size=(160, 60)) as person:
        [before] = await person.store(lambda core: core.list())
        await person.press("e")
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.rest()
        await person.burst([*"Now: ", "f2"])
        await person.until(lambda: any("Saved" in one for one in person.notices))
        await person.rest()
        after = await person.store(lambda core: core.show(before.id))
        assert after.content.startswith("Now: ")
        assert after.origin == before.origin
        await person.press("enter")
        await person.rest()
        assert "Make the release of March" in person.screen
        assert "t.jsonl" in person.screen


# -- links


async def test_the_command_that_is_copied_opens_the_same_memory(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.burst(["j", "j", "y"])
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("c")
        await person.until(lambda: person.app.clipboard)
        await person.rest()
        here = person.here
        words = shlex.split(person.app.clipboard)
    assert words[0] == "memdeck"
    given = dict(zip(words[1::2], words[2::2], strict=True))
    async with open_app(project=given["--project"], select=given["--id"]) as person:
        await person.until(lambda: person.here == here)


# -- motion


@pytest.mark.parametrize(("variable", "setting"), [("1", ""), (None, 'motion = "none"')])
async def test_nothing_moves_where_one_does_not_want_it(
    open_app: Any, harbour: Any, home_path: Any, monkeypatch: Any, variable: Any, setting: str
):
    if variable is None:
        monkeypatch.delenv("NO_MOTION")
    (home_path / "config.toml").write_text(f"[app]\n{setting}\n")
    async with open_app() as person:
        assert person.app.animation_level == "none"


# -- a moment in full


async def test_details_have_the_exact_time_with_its_zone(open_app: Any, harbour: Any, utc: None):
    async with open_app(size=(160, 45)) as person:
        created = harbour["tide"].created_at
        assert f"{created:%Y-%m-%d %H:%M:%S} UTC" in person.screen


def test_ctrl_q_and_q_alone_leave():
    from memdeck.tui.app import MemoryApp

    leaving = {
        key
        for one in MemoryApp.BINDINGS
        if isinstance(one, Binding) and one.action == "leave"
        for key in one.key.split(",")
    }
    assert leaving == {"q", "ctrl+q"}


async def test_the_way_one_came_stands_in_the_last_line_and_backspace_goes_it(
    open_app: Any, harbour: Any
):
    async with open_app(size=(120, 20)) as person:
        assert "⌫" not in person.screen
        await person.press("2", "5")
        await person.rest()
        for width, shown in ((120, "⌫ Deck › Inbox"), (60, "⌫ … Inbox")):
            await person.pilot.resize_terminal(width, 20)
            await person.rest()
            assert person.screen.splitlines()[-1].endswith(f"  {shown}  ? Help")
        await person.press("backspace")
        await person.rest()
        assert person.app.view == "inbox"
        assert "⌫ Deck" in person.screen.splitlines()[-1]
        await person.press("backspace")
        await person.rest()
        assert person.app.view == "deck"
        assert "⌫" not in person.screen


async def test_the_details_of_an_error_are_a_key_away(open_app: Any, harbour: Any, home_path: Path):
    async with open_app() as person:
        await person.press("f2")
        await person.until(lambda: "Nothing was said yet." in person.screen)
        await person.press("escape")
        home_path.rename(home_path.with_name("elsewhere"))
        await person.until(lambda: any("moved or replaced" in one for one in person.notices))
        assert any("Details (f2)" in one for one in person.notices)
        await person.press("f2")
        await person.until(lambda: person.dialog() == "Messages")
        await person.press("G")
        await person.rest()
        words = str(person.app.screen.query_one("MessagesText Static").render().plain)
        assert "moved or replaced" in words
        assert "Start memdeck again" in words
        assert "StoreMoved: " in words or "StoreUnusable: " in words  # what was raised, and where
        assert "store.py" in words
        assert "Details (f2)" not in words
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
