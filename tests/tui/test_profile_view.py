"""The Profile: who one is to agents; the memory behind an entry is a key away. Keys in bursts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator, open_memory

from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]

SHORT = "Answer in short sentences"
TABS = "Use tabs for indentation, never spaces."
SPACES = "Use spaces for indentation, never tabs."


@pytest.fixture
def known(core: MemoryCoordinator, clock: Any) -> dict[str, str]:
    """A profile of both degrees, with a question; ids by a short name."""
    ids = {
        "short": core.add_preference(SHORT, "verbosity").memory_id,
        "retry": core.add_pattern("Wrap each request in a retry with backoff", "errors").memory_id,
        "friday": core.remember(
            "Never deploy on Fridays, since nobody is there", category="warning"
        ).memory_id,
    }
    imported = {"content": "Staging lives on host db-7", "category": "architecture", "key": "db"}
    ids["db"] = core.import_memories([imported]).ids[0]
    ids["tabs"] = core.remember(TABS, category="preference").memory_id
    ids["spaces"] = core.remember(SPACES, category="preference").memory_id
    clock.forward(days=2)
    core.recall("is anybody there on Fridays, can we deploy?", session="s-1")
    clock.forward(days=1)
    return {name: one or "" for name, one in ids.items()}


def here(person: Any) -> str:
    """The text of the entry under the cursor."""
    entry = person.app.stage.view("profile").current
    return entry.memory.content if entry else ""


async def at_rest(person: Any) -> None:
    await person.until(lambda: person.app.stage.current == "profile")
    await person.rest()


async def test_the_profile_looks_as_it_did(open_app: Any, known: Any, utc: None, subtests: Any):
    async with open_app(size=SIZES[0], view="profile", theme="memdeck-dark") as person:
        await person.until(lambda: person.app.standing.memories is not None)
        await person.until(lambda: "Preferences" in person.screen)
        await looks_as_it_did_at(person, "profile", SIZES, subtests)


async def test_its_parts_have_headings_and_the_cursor_stands_on_entries(open_app: Any, known: Any):
    async with open_app() as person:
        await person.burst("8")
        await at_rest(person)
        titles = ("To decide: 1 question", "Preferences 1", "Patterns 1", "Facts and policies 2")
        places = [person.screen.index(title) for title in titles]
        assert places == sorted(places)
        seen = [here(person)]
        for _ in range(5):
            await person.press("j")
            seen.append(here(person))
        assert {*seen[:2]} == {TABS, SPACES}
        assert seen[2] == SHORT
        assert all(seen)
        await person.press("g")
        assert here(person) == seen[0]
        await person.press("k")
        assert here(person) == seen[0]

        await person.pilot.resize_terminal(80, 12)
        await person.press("G")
        await person.rest()
        assert "To decide" not in person.screen
        await person.press("g")  # the first entry comes back with its heading
        await person.rest()
        assert "To decide: 1 question" in person.screen


async def test_enter_opens_an_entry_x_retires_it_and_e_edits_it(open_app: Any, known: Any):
    async with open_app() as person:
        await person.burst(["8", "G", "enter"])
        await person.until(lambda: person.app.stage.current == "deck")
        await person.rest()
        assert person.here == "Staging lives on host db-7"
        await person.burst(["backspace"])
        await at_rest(person)
        assert here(person) == "Staging lives on host db-7"

        await person.burst(["G", "k", "x"])
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        await person.rest()
        friday = await person.store(lambda core: core.show(known["friday"]))
        assert friday.retired_as == "forgotten"
        assert "Fridays" not in person.screen.split("Forgot")[0]
        await person.burst("u")
        await person.until(lambda: any("Undid" in notice for notice in person.notices))
        await person.rest()
        assert (await person.store(lambda core: core.show(known["friday"]))).is_live

        await person.burst("gjje")
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.type("Please: ")
        await person.press("f2")  # what holds everywhere is asked about
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.until(lambda: any("Saved" in notice for notice in person.notices))
        await person.rest()
        assert (await person.store(lambda core: core.show(known["short"]))).content != SHORT


async def test_n_says_what_one_prefers_with_a_category_that_is_guessed(
    open_app: Any, core: MemoryCoordinator
):
    core.remember("Tide tables are read at six in the morning.", type="prospective")
    async with open_app() as person:
        await person.burst("8")
        await at_rest(person)
        assert "Nothing is known of you yet" in person.screen
        await person.burst(["c", "p", *"Rebase before each commit", "enter", "enter"])
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.until(lambda: any("Remembered" in notice for notice in person.notices))
        await person.rest()
        assert here(person) == "Rebase before each commit"
        [entry] = (await person.store(lambda core: core.profile())).preferences
        assert (entry.group, entry.memory.scope, entry.weight) == ("git", "global", 0.9)


async def test_m_moves_an_entry_and_c_decides_only_what_is_in_question(open_app: Any, known: Any):
    async with open_app() as person:
        await person.burst(["8", "G", "t"])
        await person.until(lambda: person.dialog() == "Ask")
        await person.press(*["backspace"] * 5)
        await person.type("policies")
        await person.press("enter")
        await person.until(lambda: any("Moved" in notice for notice in person.notices))
        await person.rest()
        moved = await person.store(lambda core: core.profile())
        assert {one.group for one in moved.facts} == {"policies"}
        await person.burst("L")
        await person.rest()
        assert person.app.stage.current == "profile"
        await person.burst("gL")
        await person.until(lambda: person.app.stage.current == "conflicts")
        await person.rest()
        assert "tabs" in person.screen


async def test_clear_warns_and_a_no_changes_nothing(open_app: Any, known: Any):
    async with open_app() as person:
        await person.burst(["8", "j", "j", "C"])
        await person.until(lambda: person.dialog() == "Confirm")
        assert "cannot be undone" in " ".join(person.screen.split())
        await person.press("n")
        await person.rest()
        assert (await person.store(lambda core: core.show(known["short"]))).is_live
        await person.burst("C")
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.until(lambda: any("Cleared" in notice for notice in person.notices))
        await person.rest()
        assert not (await person.store(lambda core: core.show(known["short"]))).is_live
        await person.burst("u")
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.until(lambda: any("Undid" in notice for notice in person.notices))
        assert (await person.store(lambda core: core.show(known["short"]))).is_live


def said_by_another(home: str, text: str) -> None:
    """Another process of the person's keeps a preference."""
    with open_memory(home, "harbour") as core:
        core.remember(text, category="preference")


async def test_the_filter_narrows_and_what_others_write_appears(
    open_app: Any, known: Any, home_path: Path
):
    async with open_app(view="profile") as person:
        await at_rest(person)
        await person.burst("/retry")
        await person.until(lambda: "1 of 6" in person.screen)
        await person.press("escape")
        await person.rest()
        assert "Preferences 1" in person.screen
        told = "Always name branches after the ticket."
        await asyncio.to_thread(said_by_another, str(home_path), told)
        await person.until(lambda: "Preferences 2" in person.screen)


async def test_three_hundred_entries_scroll_to_the_last(open_app: Any, core: MemoryCoordinator):
    core.import_memories(
        [
            {"content": f"Berth {number} floods at spring tide {number}", "category": "discovery"}
            for number in range(320)
        ]
    )
    async with open_app(view="profile") as person:
        await at_rest(person)
        assert "the weightiest are shown" in person.screen
        await person.burst("G")
        await person.until(lambda: "┄┄" not in person.screen)
        assert here(person)


async def test_a_narrow_terminal_reads_an_entry_in_the_place_of_the_list(
    open_app: Any, core: MemoryCoordinator
):
    text = "[bold]Never[/] put \x1b[31m escapes or ]] brackets [on the screen, they are text."
    core.remember(text, category="preference")
    async with open_app(size=(60, 20), view="profile") as person:
        await at_rest(person)
        await person.burst("l")
        await person.until(lambda: "rests on 1 memory" in person.screen)
        assert "[bold]Never[/]" in person.screen
        assert "\x1b" not in person.screen
        await person.burst(["escape"])
        await person.until(lambda: "Preferences 1" in person.screen)
        assert "rests on" not in person.screen
