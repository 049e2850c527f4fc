"""All projects at once: browsed and searched, read only, and one key from each memory's own."""

from typing import Any

import pytest

from memdeck import MemoryCoordinator, Refused

LAMP = "The lamp turns once in eleven seconds."


@pytest.fixture
def lighthouse(open_core: Any, clock: Any, harbour: Any) -> MemoryCoordinator:
    """A second project in the same store, with the newest memory of all."""
    clock.forward(minutes=1)
    core: MemoryCoordinator = open_core("lighthouse")
    core.remember(LAMP)
    return core


async def test_all_projects_are_chosen_where_a_project_is(open_app: Any, lighthouse: Any):
    async with open_app() as person:
        assert not any("lamp" in title for title in person.titles)
        person.app.action_project()
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("end", "enter")
        await person.rest()
        assert person.deck.box.text == "project:*"
        header = person.header
        assert "all projects" in header
        assert "harbour" in header  # whose the counts are
        assert len(person.titles) == 6
        assert "lighthouse · " in person.screen  # said on the row
        assert person.screen.count("harbour · ") == 5  # of one's own, too
        assert lighthouse.project_id not in person.screen  # the pane has its name
        await person.burst([":", *"compact", "enter"])
        await person.rest()
        assert "lighthouse · The lamp" in person.screen
        assert person.screen.count("harbour · ") == 5
        await person.press("5")
        await person.rest()
        assert "all projects" not in person.header
        assert "harbour" in person.header


async def test_words_find_what_other_projects_know(open_app: Any, lighthouse: Any):
    async with open_app(query="project:* lamp") as person:
        assert [title.rstrip(".") for title in person.titles] == [LAMP.rstrip(".")]
        await person.burst(["/", *"lamp", "enter"])
        await person.rest()
        assert person.titles == []


async def test_another_projects_memory_is_only_read(open_app: Any, lighthouse: Any, subtests: Any):
    async with open_app(query="project:*") as person:
        assert "lamp" in person.here
        before = await person.store(lambda core: core.last_seq())
        for key in "xpetE":
            with subtests.test(key=key):
                reason = person.deck.why_not(person.app.screen.active_bindings[key].binding.action)
                assert "It is of lighthouse" in reason
                await person.burst(key)
                await person.rest()
                assert person.dialog() == "Screen"
                assert any("It is of lighthouse" in notice for notice in person.notices)
                assert await person.store(lambda core: core.last_seq()) == before


async def test_of_what_is_marked_only_ones_own_is_changed(
    open_app: Any, lighthouse: Any, harbour: Any
):
    async with open_app(query="project:*") as person:
        await person.burst("Ax")
        await person.until(lambda: person.dialog() == "Preview")
        assert "Forget 5 · leaves 1" in person.screen
        await person.press("enter")
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        await person.rest()
    assert [memory.title.rstrip(".") for memory in lighthouse.list()] == [LAMP.rstrip(".")]


async def test_its_project_is_gone_to_at_that_memory_and_backspace_comes_back(
    open_app: Any, lighthouse: Any
):
    async with open_app(query="project:*") as person:
        await person.burst([":", *"its project", "enter", "p"])  # there it can be acted on
        await person.until(lambda: any("Pinned" in notice for notice in person.notices))
        await person.rest()
        assert person.app.project == lighthouse.project_id
        assert "lamp" in person.here
        assert person.deck.box.text == ""
        assert "lighthouse" in person.header
        await person.burst(["backspace"])
        await person.until(lambda: person.deck.box.text == "project:*")
        await person.rest()
        assert len(person.titles) == 6


async def test_in_ones_own_project_there_is_nowhere_to_go(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.burst([":", *"its project", "enter"])
        await person.rest()
        assert any("the project you are in" in notice for notice in person.notices)


async def test_what_is_named_by_its_id_is_shown_whosever_it_is(
    open_app: Any, lighthouse: Any, harbour: Any
):
    [lamp] = lighthouse.list()
    async with open_app(select=lamp.id) as person:
        await person.until(lambda: person.deck.box.text == "project:*")
        assert "lamp" in person.here


async def test_what_another_projects_memory_was_told_with_is_only_read(
    open_app: Any, lighthouse: Any, core: Any, subtests: Any
):
    lighthouse.recall("how often does the lamp turn?", host="claude", session="s1")
    [receipt] = lighthouse.receipts()
    async with open_app(query="project:*") as person:
        assert "lamp" in person.here
        await person.press("I")
        await person.until(lambda: person.app.view == "recall" and "1 told" in person.screen)
        await person.press("enter")
        await person.rest()
        before = await person.store(lambda core: core.last_seq())
        for key in "xpeR":
            with subtests.test(key=key):
                action = person.app.screen.active_bindings[key].binding.action
                assert "another project" in person.app.stage.shown.why_not(action)
                await person.burst(key)
                await person.rest()
                assert any("It belongs to another project" in one for one in person.notices)
                assert person.dialog() == "Screen"
        assert await person.store(lambda core: core.last_seq()) == before
    with pytest.raises(Refused, match="of another project"):  # it would be asked of these memories
        core.replay(receipt.id)
