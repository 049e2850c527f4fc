"""Every size from a wall to a stamp: no exception, no dead layout, no text cut without a sign."""

from typing import Any

from textual.binding import Binding

from memdeck.tui.app import MemoryApp

from .promises import close_dialogs
from .test_typeahead import opens_a_dialog
from .views import VIEWS

SIZES = [(60, 20), (80, 24), (120, 35), (200, 50)]
OF_ALL = [one for one in MemoryApp.BINDINGS if not (one.id or "").startswith("view.")]
LEAVE = {"app.quit", "app.quit_now"}


async def test_every_key_can_be_pressed_in_a_small_terminal(open_app: Any, harbour: Any):
    async with open_app(size=(60, 20)) as person:
        for act in (*person.deck.ACTS, *OF_ALL):
            if act.id in {"", None, *LEAVE} or opens_a_dialog("deck", act.id):
                continue  # what opens is in test_typeahead, where less room is left to it
            if key := act.key.partition(",")[0]:
                await person.burst([key])
                await person.rest()
                assert person.screen.strip()
                await close_dialogs(person)
                await person.burst(["escape"])
        await person.rest()
        assert person.app.is_running


async def test_keys_of_the_panes_can_be_pressed_too(open_app: Any, harbour: Any):
    async with open_app() as person:
        deck = person.deck
        for pane in (deck.memories, deck.facets, deck.detail):
            for binding in type(pane).BINDINGS:
                assert isinstance(binding, Binding)
                if pane.is_on_screen:
                    pane.focus()
                await person.burst([binding.key.partition(",")[0]])
                await person.rest()
        assert person.app.is_running


async def test_project_counts_query_list_and_keys_are_always_there(
    open_app: Any, harbour: Any, pinned_tide: Any, subtests: Any
):
    async with open_app(size=SIZES[0]) as person:
        for size in SIZES:
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                screen = person.screen
                assert "harbour" in screen
                assert "★" in screen
                assert "Tide tables" in screen
                assert "? Help" in screen
                assert all(len(line) <= size[0] for line in screen.splitlines())


async def it_still_works(person: Any, harbour: Any) -> None:
    assert "Tide" in person.screen
    await person.press("enter")
    await person.rest()
    await person.press("escape")
    await person.rest()
    await person.press("/")
    await person.type("queue")
    await person.rest()
    assert person.titles == [harbour["queue"].title]
    await person.burst(["escape"] * 3)
    await person.rest()
    assert len(person.titles) == len(harbour)
    await person.burst(["g"])
    await person.rest()


async def test_it_still_works_when_it_is_small(open_app: Any, harbour: Any, subtests: Any):
    async with open_app(size=(40, 10)) as person:
        for size in ((40, 10), (300, 12)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                await it_still_works(person, harbour)


async def test_below_that_it_says_the_size_it_needs(open_app: Any, harbour: Any, subtests: Any):
    async with open_app(size=(1, 1)) as person:
        for size in ((1, 1), (10, 3), (39, 30), (100, 9)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                assert "newest" not in person.screen
                if size[0] >= 20:
                    assert "40×10" in person.screen
        await person.pilot.resize_terminal(80, 24)
        await person.rest()
        await it_still_works(person, harbour)


async def test_resizing_keeps_query_cursor_and_marks(open_app: Any, harbour: Any):
    async with open_app(query="tag:harbour") as person:
        await person.press("j", "space")
        await person.rest()
        before = person.here
        for size in [(60, 20), (39, 9), (200, 50), (80, 24), (1, 1), (120, 35)]:
            await person.pilot.resize_terminal(*size)
            await person.rest()
        assert person.here == before
        assert len(person.deck.memories.marks.keys) == 1
        assert person.deck.box.text == "tag:harbour"
        assert "─ Memories" in person.screen
        await person.type("/ti")
        for size, typed in (((20, 5), "x"), ((90, 25), "de")):  # too small to type, or to forget
            await person.pilot.resize_terminal(*size)
            await person.rest()
            await person.type(typed)
        await person.rest()
        assert person.deck.box.text == "tide"


PANES = (("deck", "f"), ("inbox", "l"), ("recall", "t"), ("conflicts", "l"), ("audit", ""))


async def test_a_pane_that_lost_its_room_leaves_the_focus_in_the_view(
    open_app: Any, harbour: Any, subtests: Any
):
    async with open_app(size=(160, 45)) as person:
        for view, keys in PANES:
            for size in ((60, 18), (30, 8)):  # less room; too small
                with subtests.test(view=view, size=size):
                    await person.burst([VIEWS[view].key])
                    await person.rest()
                    await person.press(*keys)
                    await person.rest()
                    for cells in (size, (160, 45)):
                        await person.pilot.resize_terminal(*cells)
                        await person.rest()
                        if cells == (30, 8):  # no key acts on what nobody sees
                            assert person.app.focused is None
                    focused = person.app.focused
                    assert focused is not None
                    assert focused.is_on_screen
                    assert person.app.stage.view(view) in focused.ancestors_with_self
                await person.burst(["escape"] * 3)
                await person.rest()
