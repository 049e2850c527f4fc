"""The frame of the app: five screens, help, palette, undo, notices, keys typed ahead."""

import pytest

from memdeck.tui.app import has_few_colours
from memdeck.tui.view import why_not

from .test_review import queued

SIZES = [(40, 12), (60, 20), (80, 24), (120, 35), (200, 50)]


@pytest.mark.usefixtures("harbour")
async def test_every_screen_fits_every_size_below_a_strip_that_never_moves(open_app):
    async with open_app(size=SIZES[0]) as person:
        async for size in person.sizes(SIZES):
            headers = set()
            for key in "12345":
                await person.settle(key)
                lines = person.screen.split("\n")
                assert len(lines) == size[1]
                assert all(len(line) <= size[0] for line in lines)
                headers.add(lines[0])
                if key == "1" and size[0] >= 60:
                    assert "x Forget u Undo" in lines[-1]
            if size[0] >= 60:
                [header] = headers
                assert header.split()[:10:2] == ["1", "2", "3", "4", "5"]


@pytest.mark.usefixtures("harbour")
async def test_help_and_palette_find_acts_screens_and_memories(open_app):
    async with open_app() as person:
        await person.press("?", until=lambda: person.dialog() == "CommandPalette")
        await person.until_shown("Forget  x", "Never injected again.")
        await person.type("prompts")
        await person.until_shown("Opens Prompts")
        await person.press("enter", until=lambda: person.app.stage.current == "prompts")
        await person.type(":tide tables")
        await person.until_shown("memory  ")
        await person.press("enter", until=lambda: person.app.stage.current == "memories")
        await person.until(lambda: person.here.startswith("Tide tables"))


async def test_undo_asks_before_it_undoes_what_another_run_or_screen_did(open_app, harbour):
    async with open_app() as person:
        await person.press("u", until=lambda: person.dialog() == "Confirm")
        await person.until_shown("It was done before this run.")
        await person.press("n")
        await person.press("p", until=lambda: person.said("Pinned"))
        await person.press("2", "u", until=lambda: person.dialog() == "Confirm")
        await person.until_shown("It was done in another screen.")
        await person.press("n", "1", "u")
        await person.until(lambda: any(one.startswith("Undid") for one in person.notices))
        tide = await person.store(lambda core: core.show(harbour["tide"].id))
        assert tide.status != "pinned"


async def test_it_opens_on_review_while_memories_contradict_each_other(open_app, core, harbour):
    core.mark_conflict(harbour["queue"].id, harbour["retry"].id)
    async with open_app() as person:
        assert person.app.view == "review"
        await person.press("1", until=lambda: len(person.titles) == 5)


@pytest.mark.usefixtures("harbour")
async def test_where_ascii_is_wanted_every_sign_is_also_without_colours(open_app, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE@euro")
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_app(size=(80, 24)) as person:
        for key in "12345":
            await person.settle(key)
            assert person.screen.isascii(), {sign for sign in person.screen if ord(sign) > 127}
        await person.press("?", until=lambda: person.dialog() == "CommandPalette")
        await person.rest()
        assert person.screen.isascii()


def test_sixteen_colours_get_their_own_theme():
    assert has_few_colours({"TERM": "linux"})
    assert not has_few_colours({"TERM": "xterm-256color"})
    assert not has_few_colours({"TERM": "linux", "COLORTERM": "truecolor"})
    assert not has_few_colours({})


async def test_each_count_opens_the_list_that_it_counts_and_each_line_of_help_has_an_act(
    open_app, core, clock
):
    queued(core, clock)
    async with open_app() as person:
        counts = person.app.counts
        await person.settle("1")
        assert len(person.titles) == counts.memories
        await person.settle("2")
        review = person.app.stage.current_view
        assert len(review.entries) == counts.review
        headings = [line.rpartition(" ")[2] for line in (
            heading.partition(" · ")[0] for heading in review.list.headings)]  # fmt: skip
        assert sum(map(int, headings)) == counts.review
        await person.settle("4")
        history = person.app.stage.current_view
        assert history.listed_count == len(history.list.entries)
        await person.settle("5")
        rows = [row for _, part in person.app.stage.current_view._sections() for row in part]
        assert sum(row.kind == "finding" for row in rows) == counts.setup
        health = next(row for row in rows if row.id == "status:")
        assert f"{counts.memories:,} memories" in health.value
        for screen in "12345":
            await person.settle(screen)
            for key, active in person.app.screen.active_bindings.items():
                name = active.binding.action.rpartition(".")[2].partition("(")[0]
                owners = (active.node, person.app, person.app.screen)
                assert any(hasattr(owner, f"action_{name}") for owner in owners), key
                assert active.enabled or why_not(active), (key, active.binding)
