"""Headings above the Deck's list, and queries that are kept under names."""

from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin


@pytest.fixture
def sessions(core: MemoryCoordinator, harbour: Any, clock: Any) -> None:
    """A session with a goal and one of which nothing is known, an hour apart."""
    clock.forward(days=40)
    core.session_seen("4f2a9c11-77aa", "claude")
    core.session_goal("4f2a9c11-77aa", "Make the release of March")
    for session, text in (
        ("4f2a9c11-77aa", "Releases go out by hand on Mondays, after `make release` has run."),
        ("99999999-0000", "The crane's API answers 429 when more than 5 requests a second come."),
    ):
        clock.forward(hours=1)
        core.offer([Capture(text, origin=Origin(session=session, agent="claude"))])


async def test_headings_are_chosen_and_each_stands_above_its_own(open_app: Any, sessions: None):
    async with open_app(size=(160, 40)) as person:
        await person.press("j")
        here = person.here
        await person.burst("m")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("s")
        await person.until(lambda: "by session" in person.screen)
        await person.rest()
        assert person.deck.box.text == "group:session"
        assert person.here == here
        screen = person.screen
        assert "Make the release of March · claude" in screen
        assert "4f2a9c11" not in "".join(line.split("││")[1] for line in screen.splitlines()[3:-2])
        memories = person.deck.memories
        assert list(memories.lines.starts) == [0, 1, 2]
        assert "no session" in memories.headings[2]
        assert memories.headings[2].endswith("  5")
        await person.burst(["g", *"jjjjjjjjj"])  # a heading is no row
        await person.rest()
        assert memories.cursor == 6

        await person.burst("m")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("n")
        await person.until(lambda: person.deck.box.text == "")
        await person.rest()
        assert not memories.headings


HEADINGS = {
    "age": ["within a day  2", "within three months  5"],
    "type": [],  # which types they are is judged
    "tag": ["no tag  2", "harbour  5"],
    "file": ["no file  7"],
}


async def test_each_kind_of_heading(open_app: Any, sessions: None, subtests: Any):
    async with open_app() as person:
        for group, headings in HEADINGS.items():
            with subtests.test(group=group):
                person.deck.finder.ask_for(f"group:{group}")
                await person.until(lambda g=group: person.deck.finder.asked.text == f"group:{g}")
                await person.rest()
                shown = person.deck.memories.headings
                if group == "type":
                    assert any(one.startswith("semantic  ") for one in shown)
                    assert sum(int(one.rsplit("  ", 1)[1]) for one in shown) == 7
                else:
                    assert shown == headings
                assert len(person.titles) == 7


async def test_a_query_is_kept_under_a_name_and_gone_to_again(open_app: Any, sessions: None):
    async with open_app(query="tag:harbour sort:title") as person:
        await person.burst("S")
        await person.until(lambda: person.dialog() == "Ask")
        await person.type("harbour by name")
        await person.press("enter")
        await person.until(lambda: any("harbour by name" in one for one in person.notices))
        await person.press("escape")
        await person.until(lambda: person.deck.box.text == "")
        await person.rest()
        await person.burst("'")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("1")
        await person.until(lambda: person.deck.box.text == "tag:harbour sort:title")
        await person.rest()
        assert len(person.titles) == 5
        await person.press("u")
        await person.until(lambda: any("Undid" in one for one in person.notices))
        assert await person.store(lambda core: core.services.saved_views.views()) == {}


async def test_with_nothing_to_save_or_to_go_to_it_says_what_to_do(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.burst("S")
        await person.rest()
        assert any("nothing to save" in one for one in person.notices)
        await person.burst("'")
        await person.rest()
        assert any("No view is saved yet" in one for one in person.notices)


async def test_the_headings_are_still_there_after_a_restart(open_app: Any, sessions: None):
    async with open_app(query="group:age sort:title") as person:
        assert person.deck.memories.headings
        await person.app.last_run.save(view="deck", **person.deck.carried_over())
    async with open_app() as person:
        assert person.deck.box.text == "sort:title group:age"
        assert person.deck.memories.headings
