"""History: the changes, one in full, filters, and undo of an older entry."""

import pytest

SIZES = [(40, 12), (60, 20), (80, 24), (120, 35), (200, 50)]


@pytest.fixture
def changes(core, clock, harbour):
    """After the five were remembered: an edit on one day, a pin and a forget on the next."""
    clock.forward(days=1)
    text = "Queue timeout is 60 seconds, since the provider retries after ninety."
    core.edit(harbour["queue"].id, content=text)
    clock.forward(days=1)
    core.pin(harbour["tide"].id)
    core.forget(harbour["deploy"].id)
    return harbour


@pytest.fixture
def agent(harbour, open_core):
    """The store as an agent writes to it."""
    return open_core(actor="agent")


def rows(person):
    """What the entries of the list are about, newest first."""
    return [
        f"{entry.action} {entry.title[:12]}" for entry in person.app.stage.current_view.list.entries
    ]


async def test_the_changes_are_listed_and_one_is_read_in_full_at_every_size(open_app, changes):
    async with open_app(size=SIZES[0]) as person:
        await person.press("4")
        async for width, _ in person.sizes(SIZES):
            await person.settle_burst("gjj", until="Queue timeout")
            view = person.app.stage.current_view
            assert view.list.entry.action == "edit"
            assert [row.split()[0] for row in rows(person)[:3]] == ["forget", "pin", "edit"]
            if not view.detail.display:
                assert "●" in person.screen
                await person.press("enter")
            await person.until_shown("seconds")
            await person.press("G", "g")
            assert view.detail.display
            await person.press("escape")
            assert view.list.has_focus
            assert all(len(line) <= width for line in person.screen.split("\n"))


async def test_the_words_before_and_after_are_shown_with_who_and_when(open_app, changes):
    async with open_app(size=(160, 40)) as person:
        await person.press("4", "j", "j")
        await person.until_shown("− ▎ Queue timeout is 30", "+ ▎ Queue timeout is 60", "you  #")
        assert "Today" in person.screen
        assert "Yesterday" in person.screen
        await person.press("enter", until=lambda: person.app.view == "memories")
        await person.until(lambda: person.here.startswith("Queue timeout"))


async def test_an_older_entry_is_undone_and_the_list_says_so(open_app, core, changes):
    queue = changes["queue"].id
    async with open_app() as person:
        await person.burst("4jjU", until=lambda: person.said("Undid"))
        await person.rest()
        assert "30 seconds" in core.show(queue).content
        assert rows(person)[0].startswith("undo")
        view = person.app.stage.current_view
        edit = next(one for one in view.list.entries if one.action == "edit")
        assert edit.undone_by == view.list.entries[0].seq
        view.load(goes_to=edit.seq)
        await person.rest()
        await person.press("U")
        assert "30 seconds" in core.show(queue).content  # a second time there is nothing to undo


async def test_the_list_is_narrowed_by_words_and_by_keys(open_app, changes):
    async with open_app() as person:
        await person.settle_burst(["4", "/", *"action:edit", "enter"])
        assert rows(person) == ["edit Queue timeou"]
        await person.settle_burst(["/", *f"memory:{changes['queue'].id[:12]}", "enter"])
        assert rows(person) == ["edit Queue timeou", "add Queue timeou"]
        await person.settle_burst(["/", *"queue", "enter"])
        assert rows(person) == ["edit Queue timeou", "add Queue timeou"]
        await person.burst(["/", *"acton:edit", "enter"], until="did you mean action?")
        await person.settle_burst(["escape", "escape"])
        assert len(rows(person)) == 8
        await person.burst(["/", *"actor:agent", "enter"], until="No change matches the filter.")


async def test_what_others_write_arrives_while_one_looks(open_app, core, harbour):
    async with open_app() as person:
        await person.settle("4")
        before = len(rows(person))
        core.pin(harbour["tide"].id)
        await person.until(lambda: len(rows(person)) == before + 1)
        assert rows(person)[0].startswith("pin")


async def test_what_changed_since_the_last_visit_stands_on_top(open_app, agent, harbour):
    async with open_app() as person:
        await person.settle("4")
        assert "Since you were here" not in person.screen
    for text in ("The crane at pier C lifts forty tonnes", "Pilots report at the outer buoy"):
        agent.remember(text)
    async with open_app() as person:
        await person.press("4")
        await person.until_shown("Since you were here: 2 changes (2 remember)", "Seen before")
    async with open_app() as person:
        await person.settle("4")
        assert "Since you were here" not in person.screen


async def test_a_long_history_is_read_as_one_goes_down(open_app, core):
    memory = core.remember("Berth 12 floods at spring tide, so boats are moved to pier C").memory_id
    for _ in range(120):
        core.pin(memory)
        core.unpin(memory)
    async with open_app(size=(80, 24)) as person:
        await person.settle("4", "G")
        assert len(rows(person)) == 241
        assert person.app.stage.current_view.list.entry.action == "add"
        await person.press("g")
        await person.until(lambda: person.app.stage.current_view.list.entry.action == "unpin")
