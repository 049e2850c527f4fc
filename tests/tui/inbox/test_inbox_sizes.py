"""The Inbox at every size, with hostile texts, and with the mouse."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from rich.cells import cell_len

from memdeck import Capture, Envelope, Exchange, MemoryCoordinator, Origin, Salience
from memdeck.core.judgement.weights import bar

SIZES = [(60, 20), (80, 24), (120, 35), (200, 50)]
SMALL = [(40, 10), (70, 11), (300, 12)]

KNOWN = "The queue timeout is 30 seconds, since the provider retries after forty of them."
WAITING = {
    "queue": "The queue timeout is 45 seconds, since the provider retries after fifty of them.",
    "pilot": "The pilot boat answers on channel twelve since Monday, never on channel nine.",
    "lock": "The lock keeper goes home at ten, so that night passages need a call before nine.",
}

HOSTILE = {
    "a stray closing tag": "See [/foo] and [/] and [bold]nothing[/bold] in this sentence of it.",
    "a link that acts": "[@click=app.leave]press me[/] and [link=file:///etc]here[/link] to go on.",
    "terminal control": "Before \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J and after, on one line.",
    "bidi and zero width": "user\u202egnp.exe\u202c, zero\u200bwidth, \u2060joined\ufeff words.",
    "wide characters": "日本語のテキストと絵文字 🎉 を含む記憶です。必ず確認してください。" * 2,
    "one endless line": "x" * 3_000 + " is a line without an end, and it is kept as it was said",
    "code": "The function takes list[int] and dict[str, list[int]] and returns x[-1] of them all.",
}  # fmt: skip

Opened = Callable[..., AbstractAsyncContextManager[Any]]


def capture(text: str, **more: Any) -> Capture:
    """What a person laid down in a session: no gate turns it away for its form."""
    origin = Origin(session="[/s]4f2a", agent="claude", role="executor", line=7)
    return Capture(text, rule="person.instruction", importance=0.8, origin=origin, **more)


@pytest.fixture
def waiting(core: MemoryCoordinator, clock: Any) -> None:
    """Three candidates, one of them near to what is known."""
    core.remember(KNOWN)
    clock.forward(hours=1)
    assert all(result.stored for result in core.offer([capture(t) for t in WAITING.values()]))
    clock.forward(hours=2)


@pytest.fixture
def hostile(core: MemoryCoordinator, clock: Any) -> int:
    """Candidates whose texts would like to be more than text; how many there are."""
    work = Envelope(
        task="[/] task", intent="[@click=app.leave]x[/]", actions=("ran \x1b[2J",),
        outcome="failure", errors=("[/foo]",), lessons=("\u202egnp",), tokens=7, time_ms=900,
    )  # fmt: skip
    offered = core.offer(
        [capture(t, tags=("[red]",), files=("src/[x].py",), envelope=work)
         for t in HOSTILE.values()]
    )  # fmt: skip
    barely = Salience(bar(is_person=False) + 0.3, 0.29, 0.05, True, False)
    refused = Capture(
        "[/foo] ok thanks, [@click=app.leave]now[/] going on with the rest of the berths",
        rule="agent.said", salience=barely, exchange=Exchange(reaction="interrupted"),
    )  # fmt: skip
    assert not core.offer([refused])[0].stored
    clock.forward(minutes=5)
    return sum(result.stored for result in offered)


@pytest.fixture
def crowd(core: MemoryCoordinator) -> int:
    """Three hundred candidates: more than two pages of the list."""
    core.import_memories(
        {"content": f"Crane number {n} lifts {n} tons and is out of order on every second Friday.",
         "status": "candidate", "importance": 1 - n / 1000}
        for n in range(300)
    )  # fmt: skip
    assert core.waiting_count() == 300
    return 300


@pytest.fixture
def inbox(open_app: Any) -> Opened:
    """Open the app on the Inbox; its view is `person.inbox`."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Any]:
        async with open_app(size=size, view="inbox", **more) as person:
            person.inbox = person.app.stage.view("inbox")
            yield person

    return opened


def place_of(screen: str, text: str) -> tuple[int, int]:
    """Column and row at which `text` stands."""
    for row, line in enumerate(screen.splitlines()):
        if text in line:
            return line.index(text), row
    raise AssertionError(f"{text!r} is not on the screen:\n{screen}")


# -- sizes


async def test_every_key_can_be_pressed_in_a_small_terminal(inbox: Opened, waiting: None):
    async with inbox(size=(60, 20)) as person:
        for act in person.inbox.ACTS:
            for key in act.key.split(","):
                await person.press(key)
                await person.rest()
                assert person.screen.strip()
                while len(person.app.screen_stack) > 1:
                    dialog = person.app.screen
                    await person.press("escape")
                    await person.until(lambda d=dialog: person.app.screen is not d)
                if person.app.view != "inbox":
                    await person.app.action_view("inbox")
                await person.rest()
                assert person.app.screen.focused is not None
        assert person.app.is_running


async def test_text_position_and_first_keys_are_always_there(
    inbox: Opened, waiting: None, subtests: Any
):
    async with inbox(size=SIZES[0]) as person:
        for size in (*SIZES, *SMALL):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                screen = person.screen
                assert "1 of 3" in screen
                assert "a Accept" in screen
                assert "? Help" in screen
                assert all(cell_len(line) <= size[0] for line in screen.splitlines())
                first = person.inbox.waiting.current.title[:20]
                assert first in screen.replace("\n", " ")
                if size in SIZES[1:]:  # more of them than one would need to look up
                    assert all(text[:20] in screen for text in WAITING.values())
                if size in SIZES:
                    shown = dict(person.app.query_one("Keys").shown())
                    assert [key for key in "apexs" if key in shown] == [*"apexs"]
                    assert all(shown[key].enabled for key in "apxes")
                    assert "r" not in shown  # nothing refused is shown
                if size in ((60, 20), (120, 35), (40, 10)):  # no room for the list; room; a stamp
                    await person.press("a")
                    await person.until(lambda: len(person.inbox.waiting.keys) == 2)
                    await person.rest()
                    assert "1 of 2" in person.screen
                    await person.press("u")
                    await person.until(lambda: len(person.inbox.waiting.keys) == 3)
                    await person.rest()


async def test_where_the_list_has_no_room_h_shows_it_in_the_place_of_the_candidate(
    inbox: Opened, waiting: None, subtests: Any
):
    async with inbox(size=(60, 20)) as person:
        for size in ((60, 20), (70, 11), (85, 18)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                assert not person.inbox.waiting.is_on_screen
                await person.press("h")
                await person.rest()
                assert person.inbox.waiting.has_focus
                assert not person.inbox.beside.main.is_on_screen
                await person.press("g", "j", "enter")
                await person.rest()
                assert person.inbox.beside.main.has_focus
                assert "2 of 3" in person.screen


async def resizing_keeps_the_candidate_the_marks_and_the_focus(person: Any, waiting: None) -> None:
    await person.press("j", "v", "j")
    await person.rest()
    here = person.inbox.waiting.current_key
    for size in [(60, 20), (39, 9), (1, 1), (120, 35)]:
        await person.pilot.resize_terminal(*size)
        await person.rest()
    assert person.inbox.waiting.current_key == here
    assert len(person.inbox.waiting.marks.keys) == 2
    assert person.app.screen.focused is person.inbox.beside.main
    await person.press("escape", "a")
    await person.until(lambda: len(person.inbox.waiting.keys) == 2)
    await person.rest()


async def one_pane_can_have_all_the_room(person: Any) -> None:
    await person.press("z")
    await person.rest()
    assert "Known, most like it" not in person.screen
    await person.press("escape")
    await person.rest()
    assert "Known, most like it" in person.screen
    await person.press("tab", "z")
    await person.rest()
    assert "─ Candidate" not in person.screen
    assert "Known, most like it" in person.screen


async def test_three_hundred_candidates_are_read_page_by_page(inbox: Opened, crowd: int):
    async with inbox() as person:
        await person.press("G")
        await person.rest()
        assert "300 of 300" in person.screen
        assert "Crane number 299" in person.screen
        await person.press("x", "x")
        await person.until(lambda: len(person.inbox.waiting.keys) == 298)
        await person.rest()
        assert "Crane number 297" in person.inbox.beside.main.text.render().plain
        await person.press("u")
        await person.until(
            lambda: "Crane number 298 " in person.inbox.beside.main.text.render().plain
        )
        await person.rest()
        assert person.inbox.waiting.current is not None
        await person.press("g", "A", "a", "enter")
        await person.until(lambda: any("Accepted 299 memories" in n for n in person.notices))
        await person.rest()
        assert await person.store(lambda core: core.waiting_count()) == 0


# -- hostile text


async def test_every_text_is_shown_and_does_nothing(inbox: Opened, hostile: int):
    async with inbox(size=(60, 20)) as person:
        assert len(person.inbox.waiting.keys) == hostile
        for _ in range(hostile):
            await person.press("space")
            await person.rest()
            screen = person.screen
            assert "\x1b" not in screen
            assert "\u202e" not in screen
            assert all(cell_len(line) <= 60 for line in screen.splitlines())
        await person.press("f")
        await person.rest()
        assert "[@click=app.leave]now[/]" in person.screen.replace("\n", " ")
        assert person.app.is_running


async def test_verdicts_on_hostile_titles_say_what_they_did(inbox: Opened, hostile: int):
    async with inbox() as person:
        for number in range(hostile):
            await person.press("ap"[number % 2])
            await person.rest()
        assert await person.store(lambda core: core.waiting_count()) == 0
        assert person.app.is_running
        assert len(person.notices) == 1


# -- the mouse


async def a_click_chooses_a_right_click_asks_and_a_double_click_reads(
    person: Any, waiting: None
) -> None:
    list_ = person.inbox.waiting
    top = list_.content_region.y
    await person.pilot.click(offset=(8, top + 2))
    await person.rest()
    assert list_.cursor == 2
    await person.pilot.click(offset=(8, top + 1), times=2)
    await person.until(lambda: person.inbox.beside.main.has_focus)
    assert list_.cursor == 1
    await person.pilot.click(offset=(8, top), button=3)
    await person.until(lambda: person.dialog() == "Menu")
    await person.press("x")
    await person.until(lambda: any("Rejected" in notice for notice in person.notices))
    await person.rest()


async def test_what_panes_and_mouse_promise(inbox: Opened, waiting: None, promises: Any):
    async with inbox() as person:
        await promises.hold(
            person,
            resizing_keeps_the_candidate_the_marks_and_the_focus,
            one_pane_can_have_all_the_room,
            a_click_chooses_a_right_click_asks_and_a_double_click_reads,
        )


async def test_keys_in_the_footer_undo_in_the_notice_and_the_count_can_be_clicked(
    inbox: Opened, waiting: None
):
    async with inbox() as person:
        await person.pilot.click(offset=place_of(person.screen, "a Accept"))
        await person.until(lambda: "Undo (u)" in person.screen)
        await person.rest()
        column, row = place_of(person.screen, "Undo (u)")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: len(person.inbox.waiting.keys) == 3)
        await person.rest()
        await person.press("1")
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        await person.pilot.click(offset=place_of(person.screen, "inbox 3"))
        await person.until(lambda: person.app.view == "inbox")
        await person.rest()


async def test_a_click_on_the_nearest_memory_goes_there(inbox: Opened, waiting: None):
    async with inbox() as person:
        while "% alike" not in person.screen:
            await person.press("j")
            await person.rest()
        column, row = place_of(person.screen, "% alike")
        await person.pilot.click(offset=(column, row))
        await person.until(lambda: person.app.view == "deck")
        await person.rest()


async def test_a_key_that_the_empty_place_names_can_be_clicked(inbox: Opened):
    async with inbox() as person:
        column, row = place_of(person.screen, "go to the Deck")
        await person.pilot.click(offset=(column + 2, row))
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
