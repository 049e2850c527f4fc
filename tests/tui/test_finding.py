"""Finding on the Deck: what one sees while typing, what is marked, the way on from nothing."""

import asyncio
import re
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from textual import events
from textual.geometry import Region
from textual.timer import Timer
from textual.widgets import Input, TextArea

from memdeck import MemoryCoordinator

from .conftest import Person
from .promises import close_dialogs
from .views import VIEWS

MOST_PASTED = 20_000


def inks(person: Person, text: str, left: int = 0) -> list[Any]:
    """The style of the first character of `text`, for each place from column `left` on."""
    update = person.app.screen._compositor.render_update(full=True)
    found = []
    for line in update.strips:
        inked = [(sign, seg.style) for strip in line for seg in strip for sign in seg.text]
        said = "".join(sign for sign, _ in inked)
        found += [
            inked[one.start()][1]
            for one in re.finditer(re.escape(text), said)
            if one.start() >= left
        ]
    return found


async def test_what_is_typed_is_seen_while_a_query_waits(
    open_app: Any, harbour: Any, slow_reads: Any
):
    async with open_app() as person:
        await person.press("/")
        before = person.titles
        goes_on = slow_reads("search")
        await person.burst("timeout")
        await person.until(lambda: "timeout" in person.screen.splitlines()[1])
        await person.until(lambda: "searching…" in person.screen)
        assert person.titles == before  # nothing is emptied in between
        goes_on.set()
        await person.until(lambda: person.titles == [harbour["queue"].title])
        await person.rest()
        assert "searching" not in person.screen
        assert "best match first" in person.screen
        status = next(line for line in person.screen.splitlines() if "timeout" in line)
        assert "1 of 5" in status
        assert " ms" in status


class StoppedClock:
    """A clock for what waits once: it stands still, and goes on when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self._bells: list[tuple[float, asyncio.Event]] = []

    async def sleep(self, seconds: float) -> None:
        bell = asyncio.Event()
        self._bells.append((self.now + seconds, bell))
        await bell.wait()

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        for due, bell in self._bells:
            if due <= self.now:
                bell.set()


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> StoppedClock:
    """For every timer of the app that rings once; those that go round go on."""
    clock, run = StoppedClock(), Timer._run

    async def run_by_it(timer: Timer) -> None:
        if timer._repeat != 0:
            await run(timer)
            return
        await clock.sleep(timer._interval)
        await timer._tick(next_timer=0.0, count=1)

    monkeypatch.setattr(Timer, "_run", run_by_it)
    return clock


@pytest.fixture
def held_query(monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[Event, Event]]:
    """From when it is called queries wait: an event says that one has come, the other lets go."""

    def hold(person: Person) -> tuple[Event, Event]:
        has_come, goes_on = Event(), Event()
        lane = person.app.search
        real = lane._call

        def wait(*job: Any) -> Any:
            has_come.set()
            assert goes_on.wait(60)
            return real(*job)

        monkeypatch.setattr(lane, "_call", wait)
        return has_come, goes_on

    return hold


@pytest.mark.parametrize(("waited_s", "is_said"), [(0.29, False), (0.3, True)])
async def test_only_a_wait_over_300_ms_is_spoken_of(
    open_app: Any,
    harbour: Any,
    stopped_clock: StoppedClock,
    held_query: Any,
    waited_s: float,
    is_said: bool,
):
    async with open_app() as person:
        await person.press("/")
        has_come, goes_on = held_query(person)
        await person.burst("timeout")
        await person.until(has_come.is_set)
        assert "searching" not in person.screen
        stopped_clock.go_on(waited_s)
        for _ in range(3):
            await person.pilot.pause()
        assert ("searching…" in person.screen) is is_said
        goes_on.set()
        await person.until(lambda: person.titles == [harbour["queue"].title])
        await person.rest()
        assert "searching" not in person.screen


async def test_words_that_were_found_stand_out_in_list_and_text(open_app: Any, harbour: Any):
    async with open_app(query="timeout", size=(160, 40)) as person:
        border = person.deck.detail.region.x
        in_text = [bool(style.underline) for style in inks(person, "timeout", border)]
        anywhere = [bool(style.underline) for style in inks(person, "timeout")]
        assert sum(in_text) >= 1
        assert sum(anywhere) > sum(in_text)  # the list has it as well
        await person.burst(["escape"])
        await person.until(lambda: len(person.titles) == 5)
        await person.rest()
        assert not any(style.underline for style in inks(person, "timeout"))


async def test_a_wrong_key_is_underlined_and_the_rest_of_the_query_works(
    open_app: Any, harbour: Any
):
    async with open_app() as person:
        await person.burst("/timeout statsu:confirmed importance:>=x tag:queue")
        await person.until(lambda: "No key is called" in person.screen)
        await person.rest()
        assert all(style.underline for style in inks(person, "statsu:confirmed"))
        assert inks(person, "statsu:confirmed")
        assert not any(style.underline for style in inks(person, "tag:queue"))
        assert person.titles == [harbour["queue"].title]


async def test_values_are_offered_with_how_many_have_them(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.burst("/tag:")
        await person.until(lambda: person.deck.box.has_offers)
        await person.rest()
        assert re.search(r"tag:harbour +5 ", person.screen)
        assert re.search(r"tag:queue +1 ", person.screen)


async def test_facets_count_what_the_query_finds(open_app: Any, harbour: Any):
    async with open_app() as person:
        facets = person.deck.facets

        def counts() -> dict[str, int]:
            return {one.value: one.count for one in facets.lines if one.is_value}

        assert counts()["harbour"] == 5
        await person.burst(["/", *"timeout", "enter"])
        await person.until(lambda: counts().get("harbour") == 1)
        assert "staging" not in counts()
        await person.rest()


async def test_facets_keep_no_scroll_of_an_older_result(open_app: Any, core: Any, harbour: Any):
    core.import_memories(
        {"content": f"Berth {number} is dredged in May.", "tags": [f"berth-{number}"]}
        for number in range(40)
    )
    async with open_app(size=(120, 24)) as person:
        facets = person.deck.facets
        await person.press("f", "G")
        await person.rest()
        assert facets.scroll_offset.y > 0
        await person.burst(["/", *"timeout", "enter"])
        await person.until(lambda: person.titles == [harbour["queue"].title])
        await person.rest()
        height = facets.scrollable_content_region.height
        assert facets.scroll_offset.y <= max(0, len(facets.lines) - height)
        top = facets.lines[facets.scroll_offset.y : facets.scroll_offset.y + height]
        assert facets.lines[facets.cursor] in top


@pytest.fixture
def elsewhere(home_path: Any, clock: Any, harbour: Any) -> None:
    """Another project that knows of lamps."""
    with MemoryCoordinator.open(home_path, "lighthouse", clock=clock) as core:
        core.remember("The lamp turns once in eleven seconds.")


async def test_the_filter_that_leaves_most_out_is_one_key_away(open_app: Any, harbour: Any):
    async with open_app(query="timeout tag:queue type:procedural") as person:
        await person.until(lambda: "search without  type:procedural" in person.screen)
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.titles == [harbour["queue"].title])
        assert person.deck.box.text == "timeout tag:queue"
        await person.rest()


async def test_hits_of_other_projects_are_one_key_away(open_app: Any, elsewhere: None):
    async with open_app(query="lamp") as person:
        await person.until(lambda: "1 hit in other projects" in person.screen)
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.dialog() == "Menu")
        assert "lighthouse" in person.screen
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")


async def test_why_names_what_kept_the_next_one_out(open_app: Any, core: Any, harbour: Any):
    core.remember("The retry of a failed job is noted; attempts are shown on the board.")
    async with open_app(query="retry attempts", size=(160, 50)) as person:
        first, second = person.titles[:2]
        await person.press("w")
        await person.until(lambda: "next one" in person.screen)
        await person.rest()
        line = next(line for line in person.screen.splitlines() if "next one" in line)
        assert second[:12] in line
        assert first[:12] not in line.split("next one")[1]


async def test_of_what_is_marked_the_last_line_says_first_what_can_be_done_with_it(
    open_app: Any, harbour: Any
):
    async with open_app(size=(60, 20)) as person:
        await person.press("space")
        await person.until(lambda: "1 marked  p Pin  x Forget" in person.screen)


async def test_marked_rows_differ_by_glyph_and_by_ground(open_app: Any, harbour: Any):
    async with open_app() as person:
        memories = person.deck.memories
        await person.burst([" ", "j", "j"])
        await person.until(lambda: "1 marked" in person.screen)
        await person.rest()
        marked, plain = (memories.render_line(line) for line in (0, memories.lines.height))
        glyphs = person.app.glyphs
        assert glyphs.mark in marked.text
        assert glyphs.mark not in plain.text
        grounds = [{seg.style.bgcolor for seg in one if seg.style} for one in (marked, plain)]
        assert not grounds[0] & grounds[1]


async def test_importance_is_weight(open_app: Any, core: Any):
    for title, importance in (("Heavy anchor", 1.0), ("Middling rope", 0.5), ("Light foam", 0.2)):
        core.remember(f"{title} lies in the shed of the yard.", title=title, importance=importance)
    async with open_app(query="sort:title") as person:
        await person.press("G")
        await person.rest()
        assert person.titles == ["Heavy anchor", "Light foam", "Middling rope"]
        heavy, light = (next(iter(inks(person, title))) for title in ("Heavy anchor", "Light foam"))
        assert heavy.bold
        assert not light.bold
        assert heavy.color != light.color


# -- a megabyte pasted


FIELDS = (
    *(("deck", key) for key in "et:?"),
    *((view, "/") for view in ("deck", "inbox", "conflicts", "audit", "settings")),
    ("recall", "c"),
)
MEGABYTE = 1_000_000
DIFFERENT = " ".join(f"w{number}" for number in range(MEGABYTE // 6))[:MEGABYTE]
"""Thousands of words, also in the part that is taken."""


async def test_of_a_megabyte_pasted_a_field_takes_a_part_and_no_number_of_words_is_an_error(
    open_app: Any, harbour: Any, subtests: Any
):
    assert len(DIFFERENT) == len("port " * 200_000) == MEGABYTE
    async with open_app() as person:
        for view, key in FIELDS:
            with subtests.test(view=view, key=key):
                await person.burst([VIEWS[view].key])
                await person.rest()
                await person.burst([key])
                await person.rest()
                field = person.app.screen.focused
                assert isinstance(field, Input | TextArea)
                had = len(text_of(field))
                pasted = DIFFERENT if key == "/" else "port " * 200_000
                person.app.post_message(events.Paste(pasted))
                await person.until(lambda: any("1,000,000 pasted" in one for one in person.notices))
                await person.rest()
                assert 0 < len(text_of(field)) - had <= MOST_PASTED
                if key == "/":
                    assert person.screen
                await person.burst("xy")  # it is answered, and what is typed is text
                await person.rest()
                assert person.app.is_running
                assert len(await person.store(lambda core: core.list())) == 5
                assert len(person.notices) == 1  # none of them an error
            await close_dialogs(person)
            await person.burst(["escape"] * 3)
            await person.rest()
            assert person.app.view == view
            person.app.clear_notifications()


async def test_a_paste_of_the_longest_length_is_taken_whole(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.press("c")
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.rest()
        person.app.post_message(events.Paste("x" * MOST_PASTED))
        field = person.app.screen.query_one(TextArea)
        await person.until(lambda: len(field.text) == MOST_PASTED)
        assert not any("pasted" in one for one in person.notices)


def text_of(field: Input | TextArea) -> str:
    return field.value if isinstance(field, Input) else field.text


async def test_slash_begins_anew_and_an_arrow_goes_on_from_what_is_there(
    open_app: Any, harbour: Any
):
    async with open_app() as person:
        for keys, text in ([], "queue"), (["end", "space"], "tide queue"), (["left"], "queuetide"):
            await person.burst([*"/tide", "enter", "/", *keys, *"queue", "enter"])
            await person.until(lambda: not person.deck.box.is_typed_in)
            await person.rest()
            assert person.deck.box.text == text
            # the count beside it may take its room between a layout and the painting of it
            had = person.deck.box.input.size.width + 8
            [line] = person.deck.box.input.render_lines(Region(0, 0, had, 1))
            assert line.cell_length == had
            await person.burst(["escape"])
            await person.rest()
            assert person.deck.box.text == ""
