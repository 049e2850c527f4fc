"""The journal on the screen, over a real store, driven by keys."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp
from memdeck.tui.views.audit import AuditView
from memdeck.tui.widgets.before_after import BeforeAfter

Driven = Callable[..., Any]

RETRY = "Retry budget is 3 attempts, then the job fails for good and pages somebody."
QUEUE = "Queue timeout is 30 s for webhooks, since the payment provider retries after 40 s."
STAGING = "Staging lives on host db-7 behind the jump host; it is reached through the VPN only."
NAMES = {"slash": "/", "question_mark": "?", "colon": ":", "space": " "}


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Send keys as a terminal would."""
    for key in keys:
        character = NAMES.get(key) or (key if len(key) == 1 else None)
        pilot.app.post_message(events.Key(key, character))
        await pilot.pause(0)


async def ask(pilot: Pilot[None], audit: AuditView, text: str) -> None:
    """Type a filter."""
    await press(pilot, "slash")
    await until(pilot, lambda: audit.box.has_focus)
    names = {value: key for key, value in NAMES.items()}
    await press(pilot, *(names.get(character, character) for character in text))


async def until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for a state, not for a time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.002)


async def rest(pilot: Pilot[None]) -> None:
    """Wait until no answer of the core is on its way."""
    await until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))


@pytest.fixture
def opened(home_path: Path, clock: Any) -> Driven:
    """Open the app on the journal of this test's store."""

    @asynccontextmanager
    async def open_app(
        size: tuple[int, int] = (120, 35), view: str = "audit"
    ) -> AsyncIterator[tuple[Pilot[None], AuditView]]:
        app = MemoryApp(str(home_path), "harbour", view=view, clock=clock)
        async with app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: bool(app.stage.view("audit")))
            audit = app.stage.view("audit")
            assert isinstance(audit, AuditView)
            await until(pilot, lambda: bool(status(audit)))
            yield pilot, audit
            await rest(pilot)

    return open_app


@pytest.fixture
def lived(core: MemoryCoordinator, clock: Any) -> list[str]:
    """A store with a short life; the ids of its three memories."""
    ids = [core.remember(text).memory_id or "" for text in (RETRY, QUEUE, STAGING)]
    clock.forward(hours=1)
    core.edit(ids[0], content=RETRY.replace("3 attempts", "5 attempts"))
    clock.forward(hours=1)
    core.forget(ids[1:], "not true any more")
    clock.forward(minutes=10)
    return ids


def status(audit: AuditView) -> str:
    return str(audit.query_one("#audit-status", Static).render())


def shown(audit: AuditView) -> list[str]:
    """Who, what and how it stands, newest first."""
    return [
        f"{entry.actor} {entry.action}{' undone' if entry.undone_by else ''}"
        for entry in audit.timeline.entries
    ]


def told(audit: AuditView) -> str:
    """The words of the pane with one entry in full."""
    return audit.query_one(BeforeAfter).render().plain


def notices(app: MemoryApp) -> str:
    return " ".join(f"{notice.title} {notice.message}" for notice in app._notifications)


async def test_the_newest_change_stands_on_top_with_its_words(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await press(pilot, "j")
        await until(pilot, lambda: "5 attempts" in told(audit))

        assert shown(audit) == ["person forget", "person edit", *["person add"] * 3]
        assert status(audit).strip() == "5 changes"
        assert "Retry budget is 3 attempts" in told(audit)


async def test_an_entry_of_many_memories_names_each(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await until(pilot, lambda: "retired as" in told(audit))

        assert "2 memories" in told(audit)
        assert "“not true any more”" in told(audit)
        assert "Queue timeout" in told(audit)
        assert "Staging lives" in told(audit)


async def test_the_box_narrows_the_list(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await ask(pilot, audit, "action:edit")
        await until(pilot, lambda: shown(audit) == ["person edit"])
        await press(pilot, "enter")
        await until(pilot, lambda: audit.timeline.has_focus)

        assert status(audit).strip() == "1 change"


async def test_a_filter_by_time_looks_back_from_now(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await press(pilot, "t")
        await until(pilot, lambda: audit.box.value == "since:1h" and len(shown(audit)) == 1)

        assert shown(audit) == ["person forget"]


async def test_a_wrong_key_is_hinted_at_and_the_rest_works(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await ask(pilot, audit, "actoin:x edit")
        await until(pilot, lambda: "did you mean action?" in status(audit))

        assert shown(audit) == ["person edit"]


async def test_a_memory_nobody_knows_finds_nothing_and_says_so(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await ask(pilot, audit, "memory:zzzz")
        await until(pilot, lambda: audit.has_class("-empty"))

        assert "zzzz" in status(audit)
        assert "esc clears it" in str(audit.query_one("#audit-empty", Static).render())


async def test_a_quick_key_keeps_the_life_of_one_memory(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await press(pilot, "j", "m")
        await until(pilot, lambda: shown(audit) == ["person edit", "person add"])
        assert audit.box.value == f"memory:{lived[0]}"

        await press(pilot, "m")
        await until(pilot, lambda: len(shown(audit)) == 5)
        assert audit.box.value == ""


async def test_esc_leaves_the_box_then_clears_it(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await ask(pilot, audit, "edit")
        await until(pilot, lambda: len(shown(audit)) == 1)

        await press(pilot, "escape")
        await until(pilot, lambda: audit.timeline.has_focus)
        assert audit.box.value == "edit"

        await press(pilot, "escape")
        await until(pilot, lambda: len(shown(audit)) == 5)


async def test_this_entry_is_undone_not_the_newest(
    opened: Driven, lived: list[str], core: MemoryCoordinator
):
    async with opened() as (pilot, audit):
        await press(pilot, "j", "U")
        await until(pilot, lambda: "person edit undone" in shown(audit))

        assert shown(audit)[0] == "person undo"
        assert audit.timeline.current is not None
        assert audit.timeline.current.action == "edit"
        assert audit.check_action("undo_this", ()) is None

    assert core.resolve(lived[0]).content == RETRY
    assert core.resolve(lived[1]).retired_as == "forgotten"


async def test_u_undoes_the_newest(opened: Driven, lived: list[str], core: MemoryCoordinator):
    async with opened() as (pilot, audit):
        await press(pilot, "j", "u")
        await until(pilot, lambda: "person forget undone" in shown(audit))

    assert core.resolve(lived[1]).is_live
    assert "5 attempts" in core.resolve(lived[0]).content


async def test_a_refused_undo_says_why(opened: Driven, lived: list[str], core: MemoryCoordinator):
    core.edit(lived[0], importance=0.9)

    async with opened() as (pilot, audit):
        await press(pilot, "j", "j", "U")
        await until(pilot, lambda: bool(notices(pilot.app)))

        assert "changed" in notices(pilot.app)
        assert not any("undone" in row for row in shown(audit))

    assert "5 attempts" in core.resolve(lived[0]).content


async def test_enter_opens_the_memory_on_the_deck(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await press(pilot, "j", "enter")
        await until(pilot, lambda: pilot.app.view == "deck")
        deck = pilot.app.stage.view("deck")
        await until(pilot, lambda: getattr(deck.memories.current, "id", "") == lived[0])

        await press(pilot, "escape", "escape")
        await until(pilot, lambda: pilot.app.view == "audit")
        assert audit.timeline.cursor == 1


async def test_of_many_memories_one_is_chosen(opened: Driven, lived: list[str]):
    async with opened() as (pilot, _):
        await press(pilot, "enter")
        await until(pilot, lambda: type(pilot.app.screen).__name__ == "Menu")
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.view == "deck")
        deck = pilot.app.stage.view("deck")

        await until(pilot, lambda: getattr(deck.memories.current, "id", "") in lived[1:])


async def test_what_others_write_is_announced_and_moves_nothing(
    opened: Driven, lived: list[str], home_path: Path, clock: Any
):
    def write_elsewhere() -> None:
        with MemoryCoordinator.open(home_path, "harbour", clock=clock, actor="agent") as other:
            other.remember("Migrations run before the deploy, never after it, says the runbook.")

    async with opened() as (pilot, audit):
        await press(pilot, "j")
        await until(pilot, lambda: pilot.app._version is not None)  # from here on it watches
        await asyncio.to_thread(write_elsewhere)
        await until(pilot, lambda: "1 new" in status(audit))
        assert len(shown(audit)) == 5

        await press(pilot, "R")
        await until(pilot, lambda: len(shown(audit)) == 6)
        assert shown(audit)[0] == "agent add"
        assert audit.timeline.cursor == 0
        assert "new" not in status(audit)


async def test_the_oldest_entry_is_reached_page_by_page(
    opened: Driven, core: MemoryCoordinator, home_path: Path
):
    [memory] = [core.remember(RETRY).memory_id]
    for number in range(450):
        core.edit(memory or "", importance=0.1 + (number % 9) / 10)

    async with opened() as (pilot, audit):
        assert len(audit.timeline.entries) == 200
        assert "newest 200" in status(audit)

        await press(pilot, "G")
        await until(pilot, lambda: audit.timeline.is_complete)

        assert len(audit.timeline.entries) == 451
        assert audit.timeline.current is not None
        assert audit.timeline.current.action == "add"


async def test_scrolling_reads_on_before_the_end(opened: Driven, core: MemoryCoordinator):
    memory = core.remember(RETRY).memory_id or ""
    for number in range(250):
        core.edit(memory, importance=0.1 + (number % 9) / 10)

    async with opened() as (pilot, audit):
        await press(pilot, *["pagedown"] * 6)
        await until(pilot, lambda: audit.timeline.is_complete)

        assert [entry.seq for entry in audit.timeline.entries] == list(range(251, 0, -1))


async def test_an_empty_journal_says_what_it_is_for(opened: Driven, core: MemoryCoordinator):
    async with opened() as (pilot, audit):
        await until(pilot, lambda: audit.has_class("-empty"))
        said = str(audit.query_one("#audit-empty", Static).render())

        assert "Nothing was changed yet" in said
        await press(pilot, "j", "U", "enter", "m", "G")
        await rest(pilot)
        assert pilot.app.is_running


async def test_memory_text_is_shown_and_does_nothing(opened: Driven, core: MemoryCoordinator):
    core.remember(
        "[@click=app.quit]leave[/foo] list[int] \x1b[31mred and some more words to keep it",
        title="[@click=app.quit]x[/foo]",
    )

    async with opened() as (pilot, audit):
        await until(pilot, lambda: "list[int]" in told(audit))

        assert "[@click=app.quit]leave[/foo]" in told(audit)
        assert "\x1b" not in told(audit)
        await pilot.click(BeforeAfter, offset=(4, 0))
        assert pilot.app.is_running


@pytest.mark.parametrize("size", [(60, 20), (80, 14)])
async def test_where_one_pane_fits_the_entry_takes_the_place_of_the_list(
    opened: Driven, lived: list[str], size: tuple[int, int]
):
    async with opened(size=size) as (pilot, audit):
        assert audit.timeline.display
        assert not audit.detail.display

        await press(pilot, "j", "enter")
        await until(pilot, lambda: audit.detail.has_focus)
        assert not audit.timeline.display

        await press(pilot, "escape")
        await until(pilot, lambda: audit.timeline.has_focus)
        assert audit.timeline.cursor == 1


@pytest.mark.parametrize("size", [(1, 1), (40, 10), (60, 20), (80, 24), (120, 35), (200, 50)])
async def test_every_key_works_at_every_size(
    opened: Driven, lived: list[str], size: tuple[int, int]
):
    async with opened(size=size) as (pilot, audit):
        await press(pilot, *"jkGg", "ctrl+d", "ctrl+u", "pagedown", "pageup", "z", "escape")
        await press(pilot, *"acmst", "tab", *"jkGg", "escape", "R", "slash", "escape")
        await until(pilot, lambda: not audit.box.has_focus)
        await rest(pilot)

        assert pilot.app.is_running


async def test_a_resize_keeps_filter_and_cursor(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await press(pilot, "j", "j", "a")
        await until(pilot, lambda: audit.box.value == "actor:person")
        await pilot.resize_terminal(70, 22)
        await pilot.resize_terminal(200, 50)

        assert audit.timeline.cursor == 2
        assert audit.box.value == "actor:person"


async def test_a_click_selects(opened: Driven, lived: list[str]):
    async with opened() as (pilot, audit):
        await pilot.click(audit.timeline, offset=(10, 4))

        assert audit.timeline.cursor == 2
