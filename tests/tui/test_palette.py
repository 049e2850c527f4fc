"""The palette: `:` and `ctrl+p` find acts, views, memories and settings by their letters."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

MOST_MEMORIES = 20

Driven = Callable[..., AbstractAsyncContextManager[Any]]
SIZES = [(60, 20), (80, 24), (120, 35), (200, 50)]
GROUPS = ("This memory", "Deck", "Views", "Memories", "Anywhere", "Settings", "Chosen last")


@pytest.fixture
def port(laid_out: Any) -> None:
    """A store with more memories on one subject than the palette shows."""
    laid_out(_port)


def _port(core: MemoryCoordinator, clock: Any) -> None:
    core.remember("Retry budget is 3 attempts, then the job fails for good.", title="[/] [b]Retry")
    for number in range(MOST_MEMORIES + 5):
        clock.forward(minutes=1)
        core.remember(f"Harbour crane {number} wants a permit from the port office first.")


async def opened(person: Any, typed: str = "", key: str = ":") -> None:
    await person.press(key)
    await person.until(lambda: person.dialog() == "Palette")
    await person.type(typed)
    await person.rest()


def lines(person: Any) -> list[str]:
    """The offers that fit, as they can be seen or scrolled to."""
    return [shown.offer.label for shown in person.app.screen._shown]


def groups(person: Any) -> list[str]:
    return list(dict.fromkeys(shown.offer.group for shown in person.app.screen._shown))


async def acts_on_this_memory_stand_first_and_every_group_in_its_place(person: Any) -> None:
    for key in (":", "ctrl+p"):
        await opened(person, key=key)
        shown = groups(person)
        assert shown == [name for name in GROUPS if name in shown]
        assert shown[:3] == ["This memory", "Deck", "Views"]
        assert lines(person)[:3] == ["Open", "Pin", "Edit"]
        await person.press("escape")


async def a_key_stands_at_the_right_at_every_size(person: Any) -> None:
    await opened(person, "forg")
    for size in (SIZES[0], SIZES[-1]):
        await person.pilot.resize_terminal(*size)
        await person.rest()
        [line] = [one for one in person.screen.splitlines() if " Forget " in one]
        assert re.search(r"Forget +Leaves recall.*  x +│", line), size
        assert "tab Complete" in person.screen, size


async def test_a_memory_all_that_fits_a_view_and_a_setting_are_found_and_gone_to(
    open_app: Driven, port: None
):
    async with open_app() as person:
        await opened(person, "retry")
        assert "[/] [b]Retry" in person.screen
        await person.press("enter")
        await person.until(lambda: person.here == "[/] [b]Retry")
        await person.rest()

        await opened(person, "type:episodic crane")
        await person.press("up")
        assert "All that fits" in lines(person)[-1]
        await person.press("enter")
        await person.until(lambda: person.deck.box.text == "type:episodic crane")
        await person.rest()
        found = len((await person.store(lambda core: core.find("type:episodic crane"))).nums)
        assert len(person.deck.memories.keys) == found

        await opened(person, "zzqx")
        assert "fewer letters" in person.screen
        await person.press("enter")
        await person.until(lambda: person.deck.box.text == "zzqx")
        await person.rest()

        await opened(person, "project")  # an act, before the settings called so
        assert groups(person)[-2:] == ["Anywhere", "Settings"]
        await person.press("escape")
        await opened(person, "go: audit")
        assert lines(person)[0] == "Audit"
        await person.press("enter")
        await person.until(lambda: person.app.view == "audit")
        await opened(person, "max_per_source")
        assert lines(person)[0] == "recall.max_per_source"
        await person.press("enter")
        await person.until(lambda: person.app.view == "settings")
        await person.rest()
        view = person.app.stage.shown
        assert view.current.knob.place == "recall.max_per_source"


async def letters_of_a_title_and_words_of_a_text_find_a_memory(person: Any) -> None:
    await opened(person, "rtry")  # no word: its letters in their order
    assert "[/] [b]Retry" in lines(person)
    await person.press("escape")
    await opened(person, "attempts")  # stands in the text, not in the title
    assert "[/] [b]Retry" in lines(person)


ASKED = (
    ("type:procedural crane", "Grease the crane", "Harbour crane 3"),
    ("crane -permit", "Grease the crane", "Harbour crane 4"),
    ('"crane 3 wants"', "Harbour crane 3", "Harbour crane 4"),
    ("is:retired crane", "Crane of old", "Harbour crane 3"),
    ("tag:grease", "Grease the crane", "Harbour crane 3"),
)


async def test_memories_are_asked_for_in_the_query_language_and_opened(
    open_app: Driven, port: None, core: Any, subtests: Any
):
    core.remember("Grease the crane once a week.", type="procedural", tags=["grease"])
    core.forget([core.remember("Crane of old, with a rope of hemp.").memory_id])
    async with open_app() as person:
        for typed, is_found, is_left_out in ASKED:
            with subtests.test(typed=typed):
                await opened(person, typed)
                found = [line for line in lines(person) if "rane" in line and "fits" not in line]
                assert any(is_found in line for line in found)
                assert not any(is_left_out in line for line in found)
                assert lines(person)[0] in found  # it is what `enter` takes
                title = lines(person)[0]
                await person.press("enter")
                await person.until(lambda title=title: person.here == title)
                assert person.deck.box.text == typed
            await person.press("escape", "escape")
            await person.rest()


async def a_key_that_there_is_not_is_named_with_the_nearest(person: Any) -> None:
    await opened(person, "statsu:confirmed crane")
    assert "No key is called" in person.screen
    assert "status:confirmed" in person.screen
    await person.press("escape")
    await opened(person, "go: audit")  # a view's name, and no query
    assert lines(person)[0] == "Audit"
    assert "No key is called" not in person.screen


async def the_letters_that_fit_are_lit(person: Any) -> None:
    await opened(person, "frgt")
    options = person.app.screen.query_one("#palette-list")
    [prompt] = [option.prompt for option in options.options if "Forget" in option.prompt.plain]
    lit = sorted(
        prompt.plain[span.start : span.end]
        for span in prompt.spans
        if "underline" in str(span.style)
    )
    assert lit == sorted("Frgt")


async def no_more_memories_than_one_can_look_through(person: Any) -> None:
    await opened(person, "crane permit")
    assert len([one for one in lines(person) if "crane" in one]) == MOST_MEMORIES


async def every_act_is_found_by_its_noun_and_name_and_stands_once(person: Any) -> None:
    await opened(person)
    offers = [one.offer for one in person.app.screen._shown if one.offer.group != "Chosen last"]
    names = [one.also for one in offers]
    assert all(": " in name for name in names)
    assert len(names) == len(set(names))
    assert {"go: Deck", "go: Audit", "memory: Pin", "settings: theme"} <= set(names)
    assert [one.label for one in offers if one.label == "Quit"] == ["Quit"]


async def test_what_the_palette_promises(open_app: Driven, port: None, promises: Any):
    async with open_app() as person:
        await promises.hold(
            person,
            acts_on_this_memory_stand_first_and_every_group_in_its_place,
            a_key_stands_at_the_right_at_every_size,
            letters_of_a_title_and_words_of_a_text_find_a_memory,
            a_key_that_there_is_not_is_named_with_the_nearest,
            the_letters_that_fit_are_lit,
            no_more_memories_than_one_can_look_through,
            every_act_is_found_by_its_noun_and_name_and_stands_once,
        )


async def test_the_deck_of_last_monday_is_found_by_what_it_is_from_any_view(
    open_app: Driven, port: None, core: MemoryCoordinator
):
    core.remember("The crane of the last quay is greased on a Monday.", title="The crane")
    async with open_app() as person:
        await opened(person, "last monday")  # a memory has such words, too
        assert lines(person)[0] == "As of"
        await person.burst(["enter", *"monday"])
        await person.until(lambda: person.dialog() == "Ask")
        assert person.app.view == "audit"


async def test_what_was_chosen_last_is_one_key_up_and_survives_a_restart(
    open_app: Driven, port: None, home_path: Path
):
    async with open_app() as person:
        await opened(person, "retry")
        await person.press("enter")
        await person.until(lambda: person.here == "[/] [b]Retry")
        await person.rest()
        await opened(person, "audit")
        await person.press("enter")
        await person.until(lambda: person.app.view == "audit")
        await person.rest()
    kept = json.loads((home_path / "app.json").read_text())["recent"]
    assert kept[-1] == "view:audit"
    assert kept[-2].startswith("memory:")
    async with open_app(view="deck") as person:
        await opened(person)
        assert groups(person)[-1] == "Chosen last"
        assert lines(person)[-2:] == ["[/] [b]Retry", "Audit"]
        await person.press("up", "enter")
        await person.until(lambda: person.app.view == "audit")


async def test_the_last_line_can_be_seen_at_every_size(
    open_app: Driven, port: None, home_path: Path, subtests: Any
):
    (home_path / "app.json").write_text('{"view": "deck", "recent": ["view:audit"]}')
    async with open_app() as person:
        for size in ((40, 10), (200, 50)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                await opened(person)
                await person.press("up")
                await person.rest()
                assert "Chosen last" in person.screen
                assert lines(person)[-1] == "Audit"
            await person.press("escape")


async def test_only_so_many_are_remembered_and_a_lost_memory_is_left_out(
    open_app: Driven, port: None, home_path: Path
):
    recent = ["memory:nowhere", *(f"act:memory.{n}" for n in range(30)), "view:audit"]
    (home_path / "app.json").write_text(json.dumps({"view": "deck", "recent": recent}))
    async with open_app() as person:
        await opened(person)
        assert lines(person)[-1] == "Audit"
        await person.type("inbox")
        await person.press("enter")
        await person.until(lambda: person.app.view == "inbox")
        await person.rest()
    kept = json.loads((home_path / "app.json").read_text())["recent"]
    assert (len(kept), kept[-1]) == (8, "view:inbox")


async def test_what_cannot_be_done_now_says_why(open_app: Driven, core: MemoryCoordinator):
    async with open_app() as person:  # an empty store: there is nothing to forget
        await opened(person, "forget")
        await person.press("enter")
        await person.rest()
        assert any("There is no memory here" in notice for notice in person.notices)


async def test_a_burst_takes_the_act_and_not_a_memory_of_that_name(
    open_app: Driven, core: MemoryCoordinator, clock: Any
):
    core.remember("Forget the old deploy script, it deletes the caches")
    async with open_app() as person:
        await person.burst([":", *"forg", "enter"])
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        await person.rest()
        assert person.titles == []


async def test_a_pasted_flood_beside_a_long_title_is_answered(
    open_app: Driven, core: MemoryCoordinator
):
    core.remember("a" * 3000, title="ab" * 100)
    async with open_app() as person:
        await opened(person)
        person.app.screen.query_one("#palette-line").value = "ba" * 20_000
        await person.rest()  # tries every way the letters could fit? then this never ends
        assert "fewer letters" in person.screen
