"""What holds in every view: `/` narrows its list, digits are views, `esc` never leaves it.

Keys come in bursts, as a terminal delivers what is typed quickly.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.events import MouseScrollDown, MouseScrollUp

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp
from memdeck.tui.stage import VIEWS

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import KNOWN, put_into

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


def list_of(person: Any) -> Any:
    """The list of the view that is shown."""
    view = person.app.stage.view(person.app.view)
    if person.app.view == "recall":
        return view.answers.items
    name = {"deck": "memories", "inbox": "waiting", "conflicts": "list", "audit": "timeline",
            "agents": "list", "profile": "list", "health": "list",
            "home": "list", "sessions": "list", "tidy": "list", "settings": "list",
            }[person.app.view]  # fmt: skip
    return getattr(view, name)


def count_of(person: Any) -> int:
    """How many rows the list has."""
    shown = list_of(person)
    if person.app.view in WITH_HEADINGS:
        return sum(key >= 0 for key in shown.keys)  # headings are no rows
    return len(shown.entries if person.app.view == "audit" else shown.keys)


def box_of(person: Any) -> Any:
    return person.app.stage.view(person.app.view).box


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


# -- what one app shows of a view, one promise after the other


async def slash_takes_all_that_follows_and_narrows_the_list(person: Any, view: str) -> None:
    words, left = NARROWS[view]
    before, there = await everything(person), count_of(person)
    assert there > left
    await person.burst(f"/{words}")
    await person.rest()
    assert box_of(person).text == words
    assert box_of(person).is_typed_in
    assert count_of(person) == left
    assert f"/ {words}" in person.screen
    if person.app.size.width >= 80:
        assert f"{left} of {there}" in person.screen

    await person.burst(["enter"])
    await person.rest()
    assert not box_of(person).is_typed_in
    assert count_of(person) == left
    assert f"/ {words}" in person.screen

    await person.burst(["escape"])
    await person.rest()
    assert (person.app.view, box_of(person).text) == (view, "")
    assert count_of(person) == there
    assert await everything(person) == before


async def letters_are_for_the_line_that_was_just_opened(person: Any, view: str) -> None:
    """Until the screen is laid out anew the line is nowhere; letters decide where it was before."""
    shown = person.app.stage.view(view)
    shown.box.open()
    shown.keep_focus()
    assert box_of(person).is_typed_in
    await person.burst("sandbox")
    await person.rest()
    assert box_of(person).text == "sandbox"


async def where_nothing_fits_the_way_back_is_said(person: Any, view: str) -> None:
    """And escape clears the filter."""
    there = count_of(person)
    await person.burst(["/", *"nothing fits this", "escape"])
    await person.rest()
    assert person.app.view == view
    assert box_of(person).text == ""
    assert not box_of(person).is_typed_in
    assert count_of(person) == there

    await person.burst(["/", *"zebra", "enter"])
    await person.rest()
    assert count_of(person) == 0
    assert "esc" in person.screen
    await person.burst(["escape"])
    await person.rest()
    assert count_of(person) == there


async def a_key_behind_enter_is_for_what_fits(person: Any, view: str) -> None:
    """The list is narrowed before the next key is heard, however quickly it comes."""
    words, left = NARROWS[view]
    await person.burst([f"/{words}"[0], *words, "enter", "G"])
    await person.rest()
    assert count_of(person) == left
    shown = list_of(person)
    above = sum(key < 0 for key in shown.keys) if view in WITH_HEADINGS else 0
    assert (shown.index if view == "audit" else shown.cursor) == left - 1 + above
    assert box_of(person).text == words


async def no_act_has_a_digit_and_no_pane_claims_one(person: Any, view: str) -> None:
    shown = person.app.stage.view(view)
    keys = {key for act in shown.ACTS for key in act.key.split(",")}
    assert not keys & set("0123456789")
    for widget in (shown, *shown.query("*")):
        assert not set(widget._bindings.key_to_bindings) & set("0123456789")
        assert not str(widget.border_title or "")[:1].isdigit()
    assert not {letter for letter, _, _ in shown.panes()} & set("0123456789")


async def one_comes_by_a_key_decides_nothing_by_words_never_leaves_by_escape_and_goes_back(
    person: Any, view: str
) -> None:
    other = "audit" if view == "deck" else "deck"
    before = await everything(person)
    await person.burst(VIEWS[other].key)
    await person.until(lambda: person.app.view == other)
    await person.rest()
    await person.burst(f"{VIEWS[view].key}/sandbox database")
    await person.rest()
    assert person.app.view == view
    assert box_of(person).text == "sandbox database"
    await person.burst(["escape", "escape", "escape"])
    await person.rest()
    assert person.app.view == view
    assert await everything(person) == before

    await person.burst(["z", *["escape"] * 9, "tab", "escape", "escape"])
    await person.rest()
    assert person.app.view == view
    await person.burst(["backspace"])
    await person.until(lambda: person.app.view == other)
    await person.burst(VIEWS[view].key)


PROMISES = (
    no_act_has_a_digit_and_no_pane_claims_one,
    slash_takes_all_that_follows_and_narrows_the_list,
    where_nothing_fits_the_way_back_is_said,
    letters_are_for_the_line_that_was_just_opened,
    a_key_behind_enter_is_for_what_fits,
    one_comes_by_a_key_decides_nothing_by_words_never_leaves_by_escape_and_goes_back,
)


@pytest.mark.parametrize("view", NAMES)
async def test_what_every_view_promises(at: Any, subtests: Any, view: str):
    async with at(view) as person:
        for promise in PROMISES:
            with subtests.test(promise=promise.__name__):
                await promise(person, view)
            await person.burst(["escape"] * 4)  # for the next one as it was opened
            await person.rest()
        await person.pilot.resize_terminal(40, 10)
        await person.burst(["escape"] * 4)
        await person.rest()
        with subtests.test(promise="slash_narrows_the_list_in_the_smallest_terminal"):
            await slash_takes_all_that_follows_and_narrows_the_list(person, view)


# -- digits


async def test_digits_are_views_everywhere(at: Any):
    """In each view the key of each other view means it there, and the next one is pressed.

    The header names the view one came to.
    """
    async with at("deck", size=(60, 20)) as person:
        before = await everything(person)
        for there in (*NAMES, *reversed(NAMES)):
            await person.burst(VIEWS[there].key)
            await person.until(lambda name=there: person.app.view == name)
            await person.rest()
            assert f"{VIEWS[there].key} {VIEWS[there].label}" in person.header
            bound = person.app.screen.active_bindings
            for name, kind in VIEWS.items():
                key = {",": "comma"}.get(kind.key, kind.key)
                assert bound[key].binding.action == f"view('{name}')", (there, name)
                assert bound[key].enabled
        assert await everything(person) == before


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


def in_sight(shown: Any) -> bool:
    """Whether the row under the cursor is one of those on the screen."""
    line, cells = shown.cursor, 1
    if hasattr(shown, "lines"):  # a row may have two
        line, cells = shown.lines.top(shown.cursor), shown.lines.height
    top, height = shown.scroll_offset.y, shown.scrollable_content_region.height
    return top <= line and line + cells <= top + height


async def test_after_a_query_was_cleared_the_cursor_is_in_sight_and_so_is_what_an_undo_brought_back(
    open_app: Any, long_lists: list[str], subtests: Any
):
    async with open_app(size=(80, 24)) as person:
        for size in ((80, 24), (120, 35)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                await person.burst(["/", *"sandbox database", "enter", "x", "u", "escape"])
                await person.rest()
                await person.until(lambda: any("Undid" in notice for notice in person.notices))
                await person.rest()
                assert person.app.view == "deck"
                assert person.deck.box.text == ""
                assert len(person.deck.memories.keys) == MANY
                assert in_sight(person.deck.memories)
                assert "sandbox database" in person.here
                assert (await person.store(lambda core: core.show(long_lists[20]))).is_live

                await person.burst(["escape", "escape"])
                await person.rest()
                assert person.app.view == "deck"
            await person.burst(["g"])
            person.app.clear_notifications()
            await person.rest()
            assert person.here
            assert "sandbox" not in person.here


async def test_an_undo_brings_what_it_took_back_into_sight(open_app: Any, long_lists: list[str]):
    async with open_app(size=(80, 24)) as person:
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


async def test_an_undo_shows_its_entry_in_the_journal(open_app: Any, long_lists: list[str]):
    async with open_app(size=(80, 24), view="audit") as person:
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


@pytest.mark.parametrize("view", ["deck", "conflicts", "audit"])
async def test_the_wheel_takes_the_cursor_along(open_app: Any, long_lists: list[str], view: str):
    async with open_app(view=view, size=(80, 24)) as person:
        if view == "conflicts":
            await person.burst(["h"])
            await person.rest()
        shown = list_of(person)
        for kind in (MouseScrollDown, MouseScrollUp):
            for _ in range(8):
                x, y = shown.region.offset
                shown.post_message(kind(shown, x, y, 0, 1, 0, False, False, False, x, y))
                await person.rest()
                assert in_sight(shown)
        assert shown.scroll_offset.y == 0


@pytest.mark.parametrize("view", ["deck", "conflicts", "audit"])
async def test_from_a_short_list_to_a_long_one_the_cursor_stays_in_sight(
    open_app: Any, long_lists: list[str], view: str
):
    async with open_app(view=view, size=(120, 35)) as person:
        if view == "conflicts":
            await person.burst(["h"])
            await person.rest()
        await person.burst(["/", *"19", "enter", "G"])
        await person.rest()
        shown = list_of(person)
        assert 0 < count_of(person) < 20
        await person.burst(["escape"])
        await person.rest()
        assert count_of(person) > 35
        assert in_sight(shown)
        await person.burst(["G", "/", *"19", "enter"])
        await person.rest()
        assert in_sight(shown)


# -- the header says where one is


async def test_the_header_names_the_view_one_is_in(at: Any, subtests: Any):
    async with at("deck", size=(60, 20)) as person:
        for width in (60, 61, 80, 100, 200):
            await person.pilot.resize_terminal(width, 20)
            await person.rest()
            for kind in VIEWS.values():
                with subtests.test(width=width, view=kind.name):
                    person.app.stage.header.at(kind.name)  # as going there does
                    first = person.header
                    assert f"{kind.key} {kind.label}" in first
                    assert len(first) <= width


async def test_a_long_project_and_many_counts_leave_the_name_there(at: Any):
    from memdeck.tui.stage import Standing

    crowd = Standing("a-project-of-a-long-name", 100_000, 9_999, 9_999, 9_999, ("incognito: all",))
    async with at("conflicts", size=(60, 20)) as person:
        person.app.stage.header.say(crowd)
        await person.pilot.pause()
        first = person.header
        assert first.endswith("3 Conflicts")
        assert "incognito: all" in first


# -- how things look


def looks_of(app: MemoryApp) -> dict[DOMNode, dict[str, Any]]:
    """What the rules say of each widget on the screen."""
    nodes = app.screen.walk_children(with_self=True)
    return {node: dict(node.styles.base.get_rules()) for node in nodes}


async def test_each_widget_looks_as_textual_itself_works_it_out(at):
    async with at("deck") as person:
        app = person.app
        for keys in (*"1234567890", ["tab"], ["down", "down"], "/ti", ["escape"], "?"):
            await person.burst(keys)
            await person.rest()
            kept = looks_of(app)
            for node in kept:
                Stylesheet.apply(app.sheets, node)
            assert looks_of(app) == kept
        assert len(kept) > 5


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
