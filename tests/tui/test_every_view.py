"""What holds in whichever view one is: the cursor is in sight, the header says where one is, and
each widget looks as the sheets have it.
"""

from pathlib import Path
from typing import Any

import pytest
from textual import _callback
from textual._compositor import LayoutUpdate
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.events import MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.message_pump import MessagePump

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .handlers import handlers_of, parameters_of, textuals_count, textuals_own
from .inbox.story import put_into
from .views import VIEWS


@pytest.fixture
def busy(laid_out: Any) -> None:
    """Something in every view."""
    laid_out(_busy)


def _busy(core: MemoryCoordinator, clock: Any) -> None:
    five(core, clock)
    put_into(core, "webhook", "tariffs")
    core.recall("when do deploys go out?", host="claude", session="4f2a9c11-77aa")
    pairs_of(core, clock)


@pytest.fixture
def at(open_app: Any, busy: None, tmp_path: Path) -> Any:
    """Open the app on a view."""

    def opened(view: str, **more: Any) -> Any:
        return open_app(view=view, agents=Machine(tmp_path, a_busy_machine()), **more)

    return opened


# -- the cursor is in sight, and so is what comes back

MANY = 130


@pytest.fixture
def long_lists(laid_out: Any) -> list[str]:
    """More memories, changes and conflicts than a screen has lines; ids, oldest first."""
    ids: list[str] = laid_out(_long_lists)
    return ids


def _long_lists(core: MemoryCoordinator, clock: Any) -> list[str]:
    texts = (
        f"Note {number} of the {'sandbox database' if number == 20 else 'harbour office'}:"
        f" berth {number} is swept before the morning tide."
        for number in range(MANY)
    )
    ids = list(core.import_memories({"content": text} for text in texts).ids)
    for one, other in zip(ids[::3], ids[1::3], strict=False):
        clock.forward(minutes=1)
        core.mark_conflict(one, other)
    return ids


def list_of(person: Any) -> Any:
    """The list of the view that is shown."""
    name = {"deck": "memories", "conflicts": "list", "audit": "timeline"}[person.app.view]
    return getattr(person.app.stage.shown, name)


def in_sight(shown: Any) -> bool:
    """Whether the row under the cursor is one of those on the screen."""
    line, cells = shown.cursor, 1
    if hasattr(shown, "lines"):  # a row may have two
        line, cells = shown.lines.top(shown.cursor), shown.lines.height
    top, height = shown.scroll_offset.y, shown.scrollable_content_region.height
    return top <= line and line + cells <= top + height


def rows_of(shown: Any) -> int:
    """How many rows a list has."""
    return len(shown.entries if hasattr(shown, "entries") else shown.keys)


async def an_undo_shows_its_entry_in_the_journal(person: Any) -> None:
    timeline = person.app.stage.view("audit").timeline
    newest = timeline.entry.seq
    await person.burst(["G"])
    await person.until(lambda: timeline.is_complete)
    await person.rest()
    await person.burst(["u"])
    await person.until(lambda: timeline.entry.seq == newest)
    await person.rest()
    assert timeline.entry.undone_by is not None
    assert in_sight(timeline)


async def an_undo_brings_what_it_took_back_into_sight(person: Any) -> None:
    await person.burst(["G", "p"])
    await person.until(lambda: any("Pinned" in notice for notice in person.notices))
    await person.rest()
    pinned = person.here
    await person.burst(["g"])
    await person.rest()
    assert person.here != pinned
    await person.burst(["u"])
    await person.until(lambda: any("Undid" in notice for notice in person.notices))
    await person.rest()
    await person.until(lambda: person.here == pinned)  # its page is read when it is painted
    assert in_sight(person.deck.memories)


async def after_a_query_was_cleared_the_cursor_is_in_sight_and_so_is_what_an_undo_brought_back(
    person: Any, searched: str
) -> None:
    await person.burst(["/", *"sandbox", "enter", "x", "u", "escape"])
    await person.rest()
    await person.until(lambda: any("Undid" in notice for notice in person.notices))
    await person.rest()
    assert person.app.view == "deck"
    assert person.deck.box.text == ""
    assert len(person.deck.memories.keys) == MANY
    assert in_sight(person.deck.memories)
    assert "sandbox database" in person.here
    assert (await person.store(lambda core: core.show(searched))).is_live

    await person.burst(["escape", "escape", "g"])
    await person.rest()
    assert person.app.view == "deck"
    assert person.here
    assert "sandbox" not in person.here


async def the_wheel_takes_the_cursor_along(person: Any) -> None:
    await person.burst(["g"])
    await person.rest()
    shown = list_of(person)
    for kind in (MouseScrollDown, MouseScrollUp):
        for _ in range(4):
            x, y = shown.region.offset
            shown.post_message(kind(shown, x, y, 0, 1, 0, False, False, False, x, y))
            await person.rest()
            assert in_sight(shown)
    assert shown.scroll_offset.y == 0


async def from_a_short_list_to_a_long_one_the_cursor_stays_in_sight(person: Any) -> None:
    await person.burst(["/", *"19", "enter", "G"])
    await person.rest()
    shown = list_of(person)
    assert 0 < rows_of(shown) < 20
    await person.burst(["escape"])
    await person.rest()
    assert rows_of(shown) > 35
    assert in_sight(shown)
    await person.burst(["G", "/", *"19", "enter"])
    await person.rest()
    assert in_sight(shown)


async def another_filter_begins_at_the_first_that_fits(person: Any) -> None:
    of_few = "11" if person.app.view == "conflicts" else "3"  # and not of the last one
    await person.burst(["G", "/", *of_few, "enter"])
    # fewer than all; how many is not sure: some fit by their ids
    await person.until(lambda: 1 < rows_of(list_of(person)) < MANY // 3)
    await person.rest()
    shown = list_of(person)
    begins = shown.cursor
    await person.burst(["g"])
    await person.rest()
    assert shown.cursor == begins


IN_SIGHT: tuple[tuple[str, tuple[int, int], Any], ...] = (
    ("audit", (80, 24), an_undo_shows_its_entry_in_the_journal),
    ("audit", (80, 24), the_wheel_takes_the_cursor_along),
    ("deck", (80, 24), the_wheel_takes_the_cursor_along),
    ("deck", (80, 24), an_undo_brings_what_it_took_back_into_sight),
    (
        "deck",
        (80, 24),
        after_a_query_was_cleared_the_cursor_is_in_sight_and_so_is_what_an_undo_brought_back,
    ),
    ("deck", (120, 35), from_a_short_list_to_a_long_one_the_cursor_stays_in_sight),
    ("conflicts", (120, 35), from_a_short_list_to_a_long_one_the_cursor_stays_in_sight),
    ("audit", (120, 35), from_a_short_list_to_a_long_one_the_cursor_stays_in_sight),
    ("audit", (120, 35), another_filter_begins_at_the_first_that_fits),
    ("conflicts", (120, 35), another_filter_begins_at_the_first_that_fits),
)


async def test_the_cursor_and_what_comes_back_are_in_sight(
    open_app: Any, long_lists: list[str], subtests: Any
):
    async with open_app(size=(80, 24), view="audit") as person:
        for view, size, promise in IN_SIGHT:
            with subtests.test(view=view, size=size, promise=promise.__name__):
                if person.app.size != size:
                    await person.pilot.resize_terminal(*size)
                if person.app.view != view:
                    await person.burst([VIEWS[view].key, *("h" if view == "conflicts" else "")])
                await person.burst(["g"])
                person.app.clear_notifications()
                await person.rest()
                is_query = promise.__name__.startswith("after_a_query")
                await promise(person, *([long_lists[20]] if is_query else []))
            await person.burst(["escape"] * 3)


# -- the header says where one is


async def test_the_header_names_the_view_one_is_in(at: Any, subtests: Any):
    async with at("deck", size=(60, 20)) as person:
        for width in (60, 61, 80, 100, 200):
            await person.pilot.resize_terminal(width, 20)
            await person.rest()
            for name, kind in VIEWS.items():
                with subtests.test(width=width, view=name):
                    person.app.stage.header.at(name)  # as going there does
                    first = person.header
                    assert f"{kind.key} {kind.label}" in first
                    assert len(first) <= width


async def test_a_long_project_and_many_counts_leave_the_name_there(at: Any):
    crowd = "a-project-of-a-long-name", 100_000, 9_999, 9_999, 9_999, ("incognito: all",)
    async with at("conflicts", size=(60, 20)) as person:
        person.app.stage.header.say(type(person.app.counts)(*crowd))
        await person.pilot.pause()
        first = person.header
        assert first.endswith("3 Conflicts")
        assert "incognito: all" in first


# -- how things look


def looks_of(app: MemoryApp) -> dict[DOMNode, dict[str, Any]]:
    """What the rules say of each widget on the screen, without those of views one is not in."""
    nodes: list[DOMNode] = [app.screen]
    for node in nodes:
        nodes.extend(one for one in node.children if one.display or one.id not in VIEWS)
    return {node: dict(node.styles.base.get_rules()) for node in nodes}


def painted(app: MemoryApp) -> str:
    """The screen as Textual writes it to a terminal, without its colours."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate)
    lines = ("".join(strip.text for strip in strips).rstrip() for strips in update.strips)
    return "\n".join(lines)


async def test_screen_and_looks_are_what_textual_itself_makes_of_them(at):
    async with at("deck") as person:
        app = person.app
        app.notify("The tide of Lünsand is 潮汐 🌊 today.")
        for keys in (
            *"1234567890",
            ["tab"],
            ["down", "down"],
            "/ti",
            ["escape"],
            "x",
            ["escape"],
            "T",
            ["escape"],
            "?",
        ):
            await person.burst(keys)
            await person.rest()
            assert person.screen == painted(app)
            kept = looks_of(app)
            for node in kept:
                Stylesheet.apply(app.sheets, node)
            assert looks_of(app) == kept
        assert len(kept) > 5


async def test_each_message_is_heard_by_whom_textual_itself_finds(at, monkeypatch):
    heard = []

    def compared(node: MessagePump, name: str, message: Message) -> Any:
        ours = list(handlers_of(node, name, message))
        heard.append((ours == list(textuals_own(node, name, message)), node, message))
        return iter(ours)

    def counted(called: Any) -> int:
        ours = parameters_of(called)
        heard.append((ours == textuals_count(called), called, ours))
        return ours

    monkeypatch.setattr(MessagePump, "_get_dispatch_methods", compared)
    monkeypatch.setattr(_callback, "_count_parameters", counted)
    async with at("deck") as person:
        for keys in (*"1234567890", ["tab"], ["down", "down"], "/ti", ["escape"], "?"):
            await person.burst(keys)
            await person.rest()
    assert len(heard) > 1000
    assert [different for different in heard if not different[0]] == []


async def test_a_look_that_somebody_changed_is_put_on_again(at):
    async with at("deck") as person:
        there = looks_of(person.app)
        changed = person.deck.memories
        changed.styles.base.padding = (3, 4)
        assert looks_of(person.app) != there
        changed.update_node_styles()
        assert looks_of(person.app) == there


async def test_what_differs_in_a_state_alone_does_not_look_alike(at):
    async with at("deck") as person:
        there = looks_of(person.app)
        person.app.theme = "memdeck-light" if "light" not in person.app.theme else "memdeck-dark"
        await person.rest()
        assert looks_of(person.app) != there
